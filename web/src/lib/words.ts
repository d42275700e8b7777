// The closed sets of the glossary, each word with a mark, so that nothing is
// said by colour alone.

import type { Kind, Scope, Status, Tier } from "../shapes";
import type { Actor, Cause, Signal, Surface } from "../types";

export const SCOPES: Scope[] = ["session", "project", "user", "team"];
export const TIERS: Tier[] = ["working", "episodic", "semantic", "procedural", "codebase"];
export const KINDS: Kind[] = [
  "observation", "decision", "pattern", "convention", "fact", "preference", "correction", "error_fix", "architecture",
  "procedure", "plan", "entity", "narrative", "summary", "scratchpad", "tool_outcome",
];
export const STATUSES: Status[] = [
  "created", "active", "challenged", "consolidated", "superseded", "merged", "deprecated", "invalidated", "promoted", "archived", "forgotten",
];

/** How a status looks: `tone` is a colour of the sheet, `mark` a shape. */
export interface Marked { word: string; mark: string; tone: "good" | "plain" | "doubt" | "past" | "wrong"; means: string }

const STATUS: Record<Status, Marked> = {
  created: { word: "created", mark: "◌", tone: "plain", means: "new, never shown yet" },
  active: { word: "active", mark: "●", tone: "good", means: "shown or confirmed" },
  challenged: { word: "challenged", mark: "◐", tone: "doubt", means: "in doubt" },
  consolidated: { word: "consolidated", mark: "◉", tone: "good", means: "settled together with others" },
  superseded: { word: "superseded", mark: "⇢", tone: "past", means: "another value took its place" },
  merged: { word: "merged", mark: "⇉", tone: "past", means: "went into another memory" },
  deprecated: { word: "deprecated", mark: "⊘", tone: "past", means: "no longer to be followed" },
  invalidated: { word: "invalidated", mark: "✕", tone: "wrong", means: "found to be wrong" },
  promoted: { word: "promoted", mark: "⇡", tone: "past", means: "lives on in a higher scope" },
  archived: { word: "archived", mark: "○", tone: "past", means: "out of sight; use brings it back" },
  forgotten: { word: "forgotten", mark: "∅", tone: "wrong", means: "its text is gone" },
};

export function status(word: string): Marked {
  return STATUS[word as Status] ?? { word: said(word), mark: "·", tone: "plain", means: "" };
}

export const isCurrent = (word: Status): boolean => ["created", "active", "challenged", "consolidated"].includes(word);

/** A word of the glossary as it is read: `error_fix` is "error fix". */
export const said = (word: string): string => word.replaceAll("_", " ");

const SIGNALS: Record<Signal, string> = {
  words: "has the words of the question",
  table: "its direction stands out, by the built-in table",
  model: "its direction stands out, by the chosen model",
  speaker: "said by the one the question names",
  of_self: "whoever asks speaks of himself, and so did he here",
  previous: "what was said just before it fits",
  answers: "what was said just before it was a question that fits",
  next: "what was said just after it fits",
  time: "falls into the time the question names",
  recency: "is recent",
  order: "among the latest or the earliest, as was asked",
  part: "fits a part of the question",
  linked: "an edge leads to it from what fits",
  places: "its places in the lists of the arms",
  likeness: "how alike it is",
  activation: "how present it is",
  importance: "how much it matters",
  utility: "how it served",
  freshness: "what is left of it at the rate its kind ages",
  kind: "of a kind that was asked for",
  entity: "has names of the question",
  episode: "said in the session that asks",
  sub_tier: "where it comes from",
  mood: "in the mood of whoever asks",
  hot: "of the few that prove useful all the time",
  doubt: "in doubt",
  archived: "faded, and was put away",
  graph: "near to the things the question names",
  together: "often taken up beside one of the first",
};

export const signal = (word: string): string => SIGNALS[word as Signal] ?? said(word);

/** How likely an answer is right, in words. */
export function confidence(value: number): string {
  if (value >= 0.75) return "likely";
  if (value >= 0.5) return "maybe";
  if (value >= 0.25) return "doubtful";
  return "unlikely";
}

/** What became of an operation, as a line of a history says it. */
const CAUSES: Record<Cause, string> = {
  remember: "remembered", correct: "corrected", confirm: "confirmed", mark: "marked", forget: "forgotten", unforget: "recovered",
  purge: "purged", pin: "pinned", unpin: "unpinned", import: "imported", undo: "undone", hear: "heard", capture: "captured",
  review: "reviewed", outline: "outlined", promote: "promoted", outcome: "outcome told", feedback: "answer judged", remind: "reminded", dream: "dreamt",
  tier: "moved to another tier", consolidate: "consolidated", entity: "thing set right", evolve: "evolved", learn: "learned",
  use: "used", edit: "edited", share: "shared", withdraw: "withdrawn", sync: "heard from the team", erase: "erased",
};

export const cause = (word: string): string => CAUSES[word as Cause] ?? said(word);

const ACTORS: Record<Actor, string> = { human: "you", assistant: "an agent", ingest: "an import", engram: "engram" };
export const actor = (word: string): string => ACTORS[word as Actor] ?? said(word);

const VIAS: Record<Surface, string> = {
  search: "a search", prompt: "beside a prompt", session_start: "at the start of a session", command: "beside a command", tool: "a tool",
};
export const via = (word: string): string => VIAS[word as Surface] ?? said(word);

/** "project shop (/home/me/shop)" for people: what it is, and where. */
export function storeName(store: string): { name: string; where: string } {
  const found = /^(.*?) \((.*)\)$/.exec(store);
  return found ? { name: found[1]!, where: found[2]! } : { name: store, where: "" };
}
