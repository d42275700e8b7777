import { test } from "node:test";
import assert from "node:assert/strict";
import { joinDays } from "../src/pages/Timeline";
import { isOpen } from "../src/pages/Review";
import { isOlder } from "../src/pages/texts";
import { common, countOf, FOLD, keyName, quoted, rowsOf, sections, setCommand, shareLines, sorted, standing, stepMeans, STEP_ORDER } from "../src/pages/told";
import { storeName } from "../src/lib/words";
import type { DayLine, Days, DaySession, ReviewLine, SettingLine, StepReport, WeightRow } from "../src/shapes";

const line = (operation: string, memory: string, happened: DayLine["happened"]): DayLine => ({
  operation, memory, happened, at: "2026-11-16T08:00:00Z", scope: "project", cause: "capture", actor: "engram", kind: "fact", text: memory, undoable: true, undone: false,
});
const session = (...lines: DayLine[]): DaySession => ({ session: "S", lines });

test("a correction is one row with what was so before", () => {
  const rows = rowsOf(session(line("O", "new", "learned"), line("O", "old", "corrected"), line("P", "other", "learned")));
  assert.deepEqual(rows.map(({ line, older }) => [line.memory, line.happened, older?.memory]), [["new", "corrected", "old"], ["other", "learned", undefined]]);
});

test("what carries the operation's identifier is what came, whatever it is called", () => {
  const [row] = rowsOf(session(line("O", "old", "corrected"), line("O", "O", "corrected")));
  assert.deepEqual([row!.line.memory, row!.older?.memory], ["O", "old"]);
});

test("an operation with many memories is folded, and still counted whole", () => {
  const many = Array.from({ length: FOLD + 1 }, (_, at) => line("D", `m${at}`, "forgotten"));
  const rows = rowsOf(session(...many));
  assert.equal(rows.length, 1);
  assert.equal(rows[0]!.more.length, FOLD);
  assert.deepEqual(countOf([session(...many)]), { forgotten: FOLD + 1 });
  assert.equal(rowsOf(session(...many.slice(1))).length, FOLD);
});

test("what an operation did to more than it tells is counted with it", () => {
  const many = Array.from({ length: 50 }, (_, at) => line("I", `m${at}`, "learned"));
  const told: DaySession = { session: "S", lines: many, rest: [{ operation: "I", happened: "learned", memories: 9_950 }] };
  assert.equal(rowsOf(told)[0]!.rest[0]!.memories, 9_950);
  assert.deepEqual(countOf([told]), { learned: 10_000 });
});

test("a day that two pages share is one day, a session that they share one session", () => {
  const pages: Days[] = [
    { days: [{ day: "2026-11-16", sessions: [session(line("A", "a", "learned"))] }], next: "A" },
    { days: [{ day: "2026-11-16", sessions: [session(line("B", "b", "learned")), { lines: [line("C", "c", "changed")] }] }, { day: "2026-11-15", sessions: [] }] },
  ];
  const days = joinDays(pages);
  assert.deepEqual(days.map(({ day }) => day), ["2026-11-16", "2026-11-15"]);
  assert.deepEqual(days[0]!.sessions.map(({ lines }) => lines.map(({ memory }) => memory)), [["a", "b"], ["c"]]);
  assert.equal(pages[0]!.days[0]!.sessions[0]!.lines.length, 1, "what came is left as it is");
});

test("a review waits while both are current and nobody decided", () => {
  const side = (status: string) => ({ side: "memory", memory: { status }, evidence: [] });
  const review = (newer: unknown, older: unknown, closed?: unknown) => ({ scope: "project", review: { closed }, newer, older }) as unknown as ReviewLine;
  assert.ok(isOpen(review(side("active"), side("challenged"))));
  assert.ok(!isOpen(review(side("active"), side("archived"))));
  assert.ok(!isOpen(review(side("active"), { side: "gone" })));
  assert.ok(!isOpen(review(side("active"), side("active"), { ruling: "both" })));
  assert.ok(isOpen(review({ side: "entity" }, { side: "entity" })));
});

test("only what was there before a dream is asked for", () => {
  assert.ok(isOlder("01M2J3E48KNN38D5ZK2JDCXVVF", "01M7HR2PS903HCYAT24RX2J23A"));
  assert.ok(!isOlder("01M7HR2PS90000004BQN59PDN2", "01M7HR2PS903HCYAT24RX2J23A"));
});

test("texts that share little are not marked", () => {
  assert.ok(common("the port is 5433", "the port is 5434") > 0.7);
  assert.ok(common("Move the search to Meilisearch", "Prices are in cents") < 1 / 3);
  assert.equal(common("", ""), 0);
});

test("growth is told backwards from what there is", () => {
  const growth = [{ day: "1", learned: 3, gone: 0 }, { day: "2", learned: 2, gone: 1 }, { day: "3", learned: 0, gone: 2 }];
  assert.deepEqual(standing(growth, 10), [11, 12, 10]);
  assert.deepEqual(standing([], 4), []);
  assert.deepEqual(standing([{ day: "1", learned: 0, gone: 0 }, { day: "2", learned: 9, gone: 0 }], 4), [0, 4]);
});

test("steps are sorted by whether they did anything, and every step has a meaning", () => {
  const step = (name: string, more: Partial<StepReport>): StepReport => ({ step: name, looked_at: 3, done: 0, left: 0, ...more });
  const told = sorted([step("fade", { done: 2 }), step("expire", {}), step("drift", { skipped: "no working tree" }), step("probe", { deeds: [{ what: "spared", why: "pinned" }] })]);
  assert.deepEqual([told.busy, told.idle, told.skipped].map((steps) => steps.map(({ step }) => step)), [["fade", "probe"], ["expire"], ["drift"]]);
  assert.equal(STEP_ORDER.length, 24);
  for (const name of STEP_ORDER) assert.ok(stepMeans(name));
});

test("shares go from the default through every change to now", () => {
  const key = { subject: "arms", with_model: false };
  const row: WeightRow = { ...key, default: { words: 0.5, table: 0.5 }, now: { words: 0.6, table: 0.4 }, votes: 9, state: "learning", reason: "" };
  const history = [
    { key, before: { words: 0.55, table: 0.45 }, after: { words: 0.6, table: 0.4 }, reason: "b", at: "2026-01-03T00:00:00Z" },
    { key, after: { words: 0.55, table: 0.45 }, reason: "a", at: "2026-01-02T00:00:00Z" },
    { key: { ...key, with_model: true }, after: { words: 0.1, table: 0.9 }, reason: "another row", at: "2026-01-02T00:00:00Z" },
  ];
  const from = Date.parse("2026-01-01T00:00:00Z"), to = Date.parse("2026-01-05T00:00:00Z");
  const words = shareLines(row, history, from, to).find(({ word }) => word === "words")!;
  assert.deepEqual(words.points.map(({ share }) => share), [0.5, 0.55, 0.6, 0.6]);
  assert.deepEqual(words.points.map(({ at }) => at), [from, from + 864e5, from + 2 * 864e5, to]);
  assert.deepEqual(shareLines(row, [], from, to).map(({ points }) => points.length), [2, 2]);
});

test("a reset puts the default back into the line", () => {
  const key = { subject: "arms", with_model: false };
  const row: WeightRow = { ...key, default: { words: 1 }, now: { words: 1 }, votes: 0, state: "too_few", reason: "" };
  const [words] = shareLines(row, [{ key, before: { words: 0.8 }, reason: "reset", at: "2026-01-02T00:00:00Z" }], 0, Date.parse("2026-01-05T00:00:00Z"));
  assert.deepEqual(words!.points.map(({ share }) => share), [0.8, 1, 1]);
});

test("settings are told by section, and the command takes what it is given", () => {
  const setting = (key: string): SettingLine => ({ key, value: 1, source: "default", default: 1, about: "", personal: false });
  assert.deepEqual(sections([setting("recall.limit"), setting("llm.key"), setting("recall.budget")]).map(({ name, settings }) => [name, settings.length]), [["recall", 2], ["llm", 1]]);
  assert.equal(setCommand("recall.limit", 5), "engram config set recall.limit 5");
  assert.equal(setCommand("llm.model", "it's $HOME"), `engram config set llm.model 'it'\\''s $HOME'`);
  assert.equal(quoted(""), "''");
});

test("stores and keys have names for people", () => {
  assert.deepEqual(storeName("project shop (/home/ada/shop)"), { name: "project shop", where: "/home/ada/shop" });
  assert.deepEqual(storeName("user"), { name: "user", where: "" });
  assert.equal(keyName({ subject: "arms", query_type: "error_debug", with_model: true }), "questions: error debug, with a model");
  assert.equal(keyName({ subject: "eviction", with_model: false }), "what is kept when there is too much");
});
