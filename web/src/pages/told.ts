// What the pages make of the replies before they show them. Pure: no page, no
// clock, no request.

import { differ } from "../lib/diff";
import type { DayCount, DayLine, DayRest, DaySession, SettingLine, Shares, StepReport, StoreWeights, WeightRow } from "../shapes";

/**
 * One row of the timeline: what happened, what was so before, if both are known,
 * what the operation did beside it, and to how many more.
 */
export interface Row { line: DayLine; older?: DayLine; more: DayLine[]; rest: DayRest[] }

/** So many lines of one operation are shown before the rest is folded. */
export const FOLD = 5;

/**
 * A correction tells of two memories, the one that went and the one that came:
 * they are one row. The one that came was learned, or carries the identifier of
 * the operation, as what an operation gives birth to does. An operation with
 * many memories is one row with the rest folded below it.
 */
export function rowsOf(session: DaySession): Row[] {
  const rows: Row[] = [];
  const groups = new Map<string, DayLine[]>();
  for (const line of session.lines) {
    const group = groups.get(line.operation);
    if (group) group.push(line);
    else groups.set(line.operation, [line]);
  }
  for (const [operation, lines] of groups) {
    const rest = (session.rest ?? []).filter((one) => one.operation === operation);
    const born = lines.filter((line) => line.memory === line.operation);
    const came = born.length === 1 ? born : lines.filter((line) => line.happened === "learned");
    const went = lines.filter((line) => line.happened === "corrected" && !came.includes(line));
    if (came.length === 1 && went.length === 1) {
      const others = lines.filter((line) => line !== came[0] && line !== went[0]);
      rows.push({ line: { ...came[0]!, happened: "corrected" }, older: went[0], more: [], rest: [] }, ...others.map((line) => ({ line, more: [], rest: [] })));
    } else if (lines.length > FOLD) {
      rows.push({ line: lines[0]!, more: lines.slice(1), rest });
    } else rows.push(...lines.map((line) => ({ line, more: [], rest: [] })));
  }
  return rows;
}

/** How many of each happened; a correction is one thing, not two. */
export function countOf(sessions: DaySession[]): Record<string, number> {
  const count: Record<string, number> = {};
  for (const session of sessions) {
    for (const row of rowsOf(session)) {
      for (const { happened } of [row.line, ...row.more]) count[happened] = (count[happened] ?? 0) + 1;
      for (const { happened, memories } of row.rest) count[happened] = (count[happened] ?? 0) + memories;
    }
  }
  return count;
}

/** How much of two texts is the same, between zero and one; below a third marks would only be noise. */
export function common(older: string, newer: string): number {
  const parts = differ(older, newer);
  const letters = (side: string) => parts.reduce((sum, part) => sum + (part.side === side ? part.text.trim().length : 0), 0);
  const same = letters("same");
  return same ? (2 * same) / (2 * same + letters("older") + letters("newer")) : 0;
}

/** How many memories were in force at the end of each day, so that the last is `now`. */
export function standing(growth: DayCount[], now: number): number[] {
  const totals = new Array<number>(growth.length);
  let total = now;
  for (let i = growth.length - 1; i >= 0; i--) {
    totals[i] = total;
    total -= growth[i]!.learned - growth[i]!.gone;
  }
  return totals.map((one) => Math.max(0, one));
}

/** The steps of a dream, by whether they did anything. */
export function sorted(steps: StepReport[]): { busy: StepReport[]; idle: StepReport[]; skipped: StepReport[] } {
  const busy = steps.filter((step) => step.done > 0 || (step.deeds?.length ?? 0) > 0 || (step.overtaken?.length ?? 0) > 0);
  const rest = steps.filter((step) => !busy.includes(step));
  return { busy, idle: rest.filter((step) => !step.skipped), skipped: rest.filter((step) => step.skipped) };
}

/** What a step does, in one line. */
const STEPS: Record<string, string> = {
  expire: "what was said to hold until a moment is put away after it",
  fade: "what is new becomes active; deadlines follow the curve",
  settle: "utility that nobody added to drifts back to the middle",
  rehearse: "what proved useful and is about to fade is gone over again",
  emotional: "what was said in great excitement is kept safe",
  replay: "what was shown together grows stronger together",
  forget: "what has faded is put away",
  consolidate: "episodes about one thing are summed up",
  summarise: "kinds with many memories have a summary of their own",
  redundancy: "of two that say the same one is put away",
  abstract: "what several episodes have in common becomes a pattern",
  tiers: "what proved itself moves to a slower tier",
  promote: "what holds beyond this project goes up to the user",
  entities: "alike things are proposed, forgotten ones go",
  contradictions: "what cannot both be so is queued for review",
  cards: "what is known of a thing, on one card",
  bridges: "things of different fields that have something in common",
  probe: "old beliefs are held against newer evidence",
  drift: "what is said of the code is held against the code",
  adapt: "how much each arm of the search counts follows what was used",
  evolve: "what keeps failing is deprecated, what says the same is merged",
  reflect: "what the memory has to tell of itself is noted",
  compress: "the vectors of what fades take less room",
  tidy: "old lines of the logs go",
};

export const stepMeans = (step: string): string => STEPS[step] ?? "";
export const STEP_ORDER = Object.keys(STEPS);

/** Which row something was learned under, in words. */
export function keyName(key: { subject: string; query_type?: string; with_model: boolean }): string {
  if (key.subject === "eviction") return "what is kept when there is too much";
  const type = key.query_type ? `questions: ${key.query_type.replaceAll("_", " ")}` : "all questions";
  return `${type}${key.with_model ? ", with a model" : ""}`;
}

export interface StepLine { word: string; points: { at: number; share: number }[]; home: number }

/**
 * The shares of one row over time, as steps: from the default at `from` through
 * every change to what is so at `to`. The most moved first.
 */
export function shareLines(row: WeightRow, history: StoreWeights["history"], from: number, to: number): StepLine[] {
  const same = (key: { subject: string; query_type?: string; with_model: boolean }) =>
    key.subject === row.subject && (key.query_type ?? "") === (row.query_type ?? "") && key.with_model === row.with_model;
  const changes = history.filter((change) => same(change.key)).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const words = Object.keys(row.default);
  return words
    .map((word) => {
      const home = row.default[word]!;
      const points: StepLine["points"] = [{ at: from, share: changes[0]?.before?.[word] ?? home }];
      for (const change of changes) {
        const at = Math.min(to, Math.max(from, Date.parse(change.at)));
        points.push({ at, share: change.after?.[word] ?? home });
      }
      points.push({ at: to, share: row.now[word] ?? home });
      return { word, points, home };
    })
    .sort((a, b) => moved(row, b.word) - moved(row, a.word) || a.word.localeCompare(b.word));
}

const moved = (row: WeightRow, word: string) => Math.abs((row.now[word] ?? 0) - (row.default[word] ?? 0));

/** The settings by the section of their key, in the order they come in. */
export function sections(settings: SettingLine[]): { name: string; settings: SettingLine[] }[] {
  const found = new Map<string, SettingLine[]>();
  for (const setting of settings) {
    const name = setting.key.split(".")[0]!;
    const section = found.get(name);
    if (section) section.push(setting);
    else found.set(name, [setting]);
  }
  return [...found].map(([name, settings]) => ({ name, settings }));
}

export const differs = (setting: SettingLine): boolean => setting.source !== "default" || setting.value !== setting.default;

/** A value as a shell takes it. */
export function quoted(value: string): string {
  return value !== "" && /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

/** The command that sets it; `value` is what somebody would type there. */
export const setCommand = (key: string, value: string | number | boolean): string => `engram config set ${key} ${quoted(String(value))}`;

export function shareText(shares: Shares): string {
  return Object.entries(shares).map(([word, share]) => `${word} ${share.toFixed(2).replace(/^0/, "")}`).join(" · ");
}
