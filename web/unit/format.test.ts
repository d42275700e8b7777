import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../src/lib/format";
import { isPartOf, shortId, ulid } from "../src/lib/ulid";
import { quantile, silentFor } from "../src/lib/times";
import { parseRoute, queryText } from "../src/lib/store";
import { chosen } from "../src/lib/keys";
import { retentionAt } from "../src/parts/Curve";

test("ages read as people say them", () => {
  const now = Date.parse("2026-05-10T12:00:00Z");
  const age = (at: string) => format.age(at, now);
  assert.equal(age("2026-05-10T11:59:58Z"), "just now");
  assert.equal(age("2026-05-10T11:59:00Z"), "1 minute ago");
  assert.equal(age("2026-05-10T09:00:00Z"), "3 hours ago");
  assert.equal(age("2026-05-07T12:00:00Z"), "3 days ago");
  assert.equal(age("2026-05-12T12:00:00Z"), "in 2 days");
  assert.equal(age("2025-05-12T12:00:00Z"), "12 months ago");
});

test("numbers are short and exact enough", () => {
  assert.deepEqual([0, 999, 1000, 467433, 81234567890].map(format.bytes), ["0 B", "999 B", "1000 B", "456.5 KiB", "75.7 GiB"]);
  assert.deepEqual([0.444, 1, -0.05, 0].map(format.share), [".44", "1.00", "−.05", ".00"]);
  assert.deepEqual([0.25, 4.2, 85.4, 1200].map(format.milliseconds), ["0.25 ms", "4.2 ms", "85 ms", "1.2 s"]);
  assert.equal(format.plural(1, "memory", "memories"), "1 memory");
});

test("an operation has the identifier of a ULID, in the order of time", () => {
  const one = ulid(1_000_000), two = ulid(1_000_001);
  assert.match(one, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assert.ok(one.slice(0, 10) < two.slice(0, 10));
  assert.equal(ulid(Date.parse("2016-07-30T23:54:10.259Z")).slice(0, 10), "01ARZ3NDEK");
  assert.equal(shortId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), "Q69G5FAV", "as the commands show it");
  assert.ok(isPartOf("01M7JFCKB7ZZZZZZXACEYZ79RW", "01M7JFCKB719VP7VYK1DWQ1JSW"));
  assert.ok(!isPartOf("01M7JFCKB8ZZZZZZXACEYZ79RW", "01M7JFCKB719VP7VYK1DWQ1JSW"));
});

test("times are told by their rank", () => {
  const times = { count: 101, up_to_ms: { "70": 50, "100": 50, "18446744073709551615": 1 } };
  assert.deepEqual([0.4, 0.5, 0.99, 1].map((share) => quantile(times, share)), [70, 100, 100, Infinity]);
  assert.equal(quantile({ count: 0, up_to_ms: {} }, 0.5), undefined);
});

test("an agent that types and keeps nothing is noticed", () => {
  const did = { last_at: null, start_chars: 0, prompt_chars: 0, shown: 0, used: 0, events: { UserPromptSubmit: { count: 3, up_to_ms: {} } } };
  assert.equal(silentFor({ ...did, last_saved_at: null, last_prompt_at: null }), "ever");
  assert.equal(silentFor({ ...did, last_saved_at: "2026-05-01T00:00:00Z", last_prompt_at: "2026-05-05T00:00:00Z" }), Date.parse("2026-05-01T00:00:00Z"));
  assert.equal(silentFor({ ...did, last_saved_at: "2026-05-05T00:00:00Z", last_prompt_at: "2026-05-05T01:00:00Z" }), undefined);
});

test("an address is read and written", () => {
  assert.equal(queryText({ q: "a b", kind: ["fact", "plan"], none: undefined, off: false, empty: "" }), "q=a+b&kind=fact%2Cplan");
  const { path, query } = parseRoute("#/memory/01%20x?q=a+b");
  assert.deepEqual([path, query.get("q")], [["memory", "01 x"], "a b"]);
  assert.deepEqual(parseRoute("").path, []);
  assert.deepEqual(parseRoute("#/memory/%zz").path, ["memory", "%zz"]);
});

test("two keys in a row are one", () => {
  const keys = [{ key: "g n", run: () => {} }, { key: "n", run: () => {} }];
  assert.equal(chosen(keys, "n", "g"), keys[0]);
  assert.equal(chosen(keys, "n", ""), keys[1]);
  assert.equal(chosen(keys, "x", "g"), undefined);
});

test("a curve is read between its points", () => {
  const points = [{ at: "2026-01-01T00:00:00Z", retention: 1 }, { at: "2026-01-03T00:00:00Z", retention: 0.5 }];
  assert.equal(retentionAt(points, Date.parse("2026-01-02T00:00:00Z")), 0.75);
  assert.equal(retentionAt(points, 0), 1);
  assert.equal(retentionAt(points, Date.parse("2027-01-01T00:00:00Z")), 0.5);
});
