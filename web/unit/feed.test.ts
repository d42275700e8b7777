import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { countsOf, GROUPS, lineOf, shown, type Group } from "../src/lib/feed";
import { joined, KEEP } from "../src/lib/live";
import type { Activity } from "../src/shapes";

const { activities } = JSON.parse(readFileSync("dev/fixtures/activity.json", "utf8")) as { activities: Activity[] };

test("every kind of event reads as a line", () => {
  for (const activity of activities) {
    const { mark, word, text, quote } = lineOf(activity);
    assert.ok(mark && word, activity.what);
    assert.doesNotMatch(`${text}${quote}`, /NaN|undefined,|\[object/, activity.what);
  }
  assert.equal(lineOf({ number: 1, at: "", what: "missed", from: 3, to: 5 }).text, "3 events came faster than this page could read");
});

test("a line says why, not what was weighed, and names a store without its folder", () => {
  const at = { number: 1, at: "" };
  assert.equal(lineOf({ ...at, what: "decided", action: "create", reason: "nothing known is like it; weighed: novelty 1.00 x .25", by: "heuristic" } as Activity).text, "nothing known is like it");
  assert.equal(lineOf({ ...at, what: "dreamt", dream: "D", store: "project shop (/home/ada/shop)", changes: 2, seconds: 1 } as Activity).text, "project shop: 2 changes in 1.0 s");
});

test("hooks that went well are shown only when asked for", () => {
  const none = shown(activities, new Set());
  assert.ok(none.every((one) => one.what !== "hooked" || one.problem));
  assert.equal(shown(activities, new Set<Group>(["hooks"])).length, 2);
});

test("of a dream only the latest is shown", () => {
  const dream = (number: number, what: string) => ({ number, at: "", what, dream: "d", store: "user", done: 1, dry_run: false, changes: 1, seconds: 1 }) as unknown as Activity;
  assert.deepEqual(shown([dream(3, "dreamt"), dream(2, "dreaming"), dream(1, "dreaming")], new Set()).map(({ number }) => number), [3]);
});

test("a chip counts the lines it shows", () => {
  const dream = (number: number, what: string) => ({ number, at: "", what, dream: "d", store: "user", done: 1, dry_run: false, changes: 1, seconds: 1 }) as unknown as Activity;
  assert.equal(countsOf([dream(3, "dreamt"), dream(2, "dreaming"), dream(1, "dreaming")]).dreams, 1);
  const counts = countsOf(activities);
  for (const group of GROUPS) assert.equal(counts[group], shown(activities, new Set([group])).length, group);
});

test("what is a session's leads to where the session is named", () => {
  const changed = { number: 1, at: "", what: "changed", operation: "O", cause: "remember", actor: "human", memories: ["M"], session: "S" };
  assert.equal(lineOf({ ...changed, scope: "session" } as Activity).to, "#/memory/M?session=S");
  assert.equal(lineOf({ ...changed, scope: "project" } as Activity).to, "#/memory/M");
});

test("events are kept newest first, once each, and not without end", () => {
  const event = (number: number) => ({ number, at: "", what: "session_began" }) as Activity;
  assert.deepEqual(joined([event(2), event(1)], [event(3), event(2)]).map(({ number }) => number), [3, 2, 1]);
  assert.equal(joined([], Array.from({ length: 900 }, (_, at) => event(at))).length, KEEP);
});
