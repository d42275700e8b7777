// How an event of the feed reads. Pure; the page only draws it.

import type { Activity } from "../shapes";
import { milliseconds, number, percent, plural } from "./format";
import { actor, cause, said, storeName, via } from "./words";
import { href, memoryHref } from "./store";

export type Group = "captures" | "decisions" | "recalls" | "injections" | "dreams" | "hooks" | "other";
export const GROUPS: Group[] = ["captures", "decisions", "recalls", "injections", "dreams", "hooks"];

export function groupOf(activity: Activity): Group {
  switch (activity.what) {
    case "heard": return "captures";
    case "decided": case "changed": return "decisions";
    case "recalled": return "recalls";
    case "told": return "injections";
    case "dreaming": case "dreamt": return "dreams";
    case "hooked": return "hooks";
    default: return "other";
  }
}

export interface Line {
  /** A shape and a word for what happened. */
  mark: string;
  word: string;
  tone: "plain" | "good" | "doubt" | "wrong" | "accent";
  text: string;
  /** What was said, word for word. */
  quote?: string;
  /** Where more is to be seen. */
  to?: string;
}

const ACTIONS: Record<string, [string, string, Line["tone"]]> = {
  create: ["+", "learned", "good"], update: ["±", "updated", "good"], reinforce: ["↑", "observed again", "good"],
  supersede: ["⇢", "corrected", "accent"], challenge: ["◐", "challenged", "doubt"], skip: ["·", "not kept", "plain"],
};

/** Whose memories these are, where they are a session's. */
const sessionOf = ({ scope, session }: Activity): string | undefined => (scope === "session" ? session : undefined);

export function lineOf(activity: Activity): Line {
  const one = activity;
  switch (one.what) {
    case "heard":
      return { mark: "◦", word: "heard", tone: "plain", text: `${said(one.event)}, ${plural(one.turns, "turn")}${one.masked ? `; ${plural(one.masked, "secret")} masked` : ""}` };
    case "decided": {
      const [mark, word, tone] = ACTIONS[one.action] ?? ["·", said(one.action), "plain"];
      // What was weighed is told in numbers on the page of the memory.
      return { mark, word, tone, text: one.reason.split("; weighed: ")[0]!, quote: one.text, to: one.memory && memoryHref(one.memory, sessionOf(one)) };
    }
    case "recalled":
      return { mark: "?", word: "recalled", tone: "accent", text: `${one.hits ? `${plural(one.hits, "hit")}, ${percent(one.confidence)} sure` : "no hit"}, ${via(one.via)}, ${milliseconds(one.ms)}`, quote: one.query, to: href("search", { q: one.query }) };
    case "told":
      return { mark: "»", word: "told", tone: "accent", text: `${plural(one.memories.length, "memory", "memories")} ${via(one.via)}, ${number(one.chars)} characters`, to: one.memories.length === 1 ? memoryHref(one.memories[0], sessionOf(one)) : undefined };
    case "hooked":
      return { mark: "↪", word: "hook", tone: one.problem ? "wrong" : "plain", text: `${one.event}${one.ms === undefined ? "" : `, ${milliseconds(one.ms)}`}${one.problem ? `: ${one.problem}` : ""}` };
    case "changed":
      return { mark: "✎", word: cause(one.cause), tone: "good", text: `by ${actor(one.actor)}${one.memories.length > 1 ? `, ${one.memories.length} memories` : ""}`, quote: one.text, to: one.memories.length === 1 ? memoryHref(one.memories[0], sessionOf(one)) : undefined };
    case "session_began":
      return { mark: "▸", word: "session began", tone: "plain", text: "" };
    case "session_ended":
      return { mark: "▪", word: "session ended", tone: "plain", text: one.promoted ? `${plural(one.promoted, "memory", "memories")} went up` : "nothing went up" };
    case "dreaming":
      return { mark: "☾", word: one.dry_run ? "looks what to dream" : "dreams", tone: "accent", text: `${storeName(one.store).name}${one.step ? `: ${one.step}` : ""}${one.total ? `, ${one.done} of ${one.total}` : ""}`, to: href("dream") };
    case "dreamt":
      return { mark: "☾", word: one.dry_run ? "would dream" : "dreamt", tone: one.dry_run ? "plain" : "good", text: `${storeName(one.store).name}: ${plural(one.changes, "change")} in ${milliseconds(one.seconds * 1000)}`, to: href("dream") };
    case "working":
      return { mark: "⋯", word: said(one.doing), tone: "plain", text: one.total ? `${number(one.done)} of ${number(one.total)}` : number(one.done) };
    case "failed":
      return { mark: "✕", word: "failed", tone: "wrong", text: `${said(one.doing)}: ${one.problem}` };
    case "missed":
      return { mark: "…", word: "missed", tone: "doubt", text: `${plural(one.to - one.from + 1, "event")} came faster than this page could read` };
    default:
      return { mark: "·", word: said((one as { what: string }).what), tone: "plain", text: "" };
  }
}

/** How many lines each of these shows, alone. */
export function countsOf(activities: Activity[]): Record<string, number> {
  return Object.fromEntries(GROUPS.map((group) => [group, shown(activities, new Set([group])).length]));
}

/** What is shown: of a dream and of a work only the latest word; hooks that went well only when asked for. */
export function shown(activities: Activity[], groups: ReadonlySet<Group>): Activity[] {
  const seen = new Set<string>();
  return activities.filter((activity) => {
    const group = groupOf(activity);
    if (groups.size ? !groups.has(group) : activity.what === "hooked" && !activity.problem) return false;
    const key = activity.what === "dreaming" || activity.what === "dreamt" ? activity.dream : activity.what === "working" ? activity.doing : undefined;
    if (key === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

