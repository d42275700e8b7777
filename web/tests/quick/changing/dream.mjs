// A dream is looked at, dreamt, and taken back; afterwards all is as before.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

const undreamt = (at) => twenty(at, { dreams: false });
let ground, browser, window;
before(async () => ({ ground, browser, window } = await stage(undreamt)));

/** All there is, without how it came to be so. */
function all() {
  const file = join(ground.root, "all.jsonl");
  ground.engram(["export", file, "--no-history"]);
  return readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

test("a dry run changes nothing, a dream does, and undo brings everything back", async () => {
  const before = all();
  const visit = await browser.visit(window, "#/dream");
  await visit.settled("Dream");
  await visit.reads("has not dreamt yet");
  await visit.page.getByRole("button", { name: "look first" }).click();
  await visit.reads(/It would do \d+ things/, ".plan");
  assert.ok((await visit.page.locator(".plan .step").count()) > 0, "a plan names its steps");
  assert.deepEqual(all(), before, "a dry run changes nothing");

  await visit.page.getByRole("button", { name: "do that" }).click();
  const undo = visit.page.getByRole("button", { name: "undo all of it" });
  await undo.waitFor({ timeout: 30e3 });
  const dreamt = all();
  assert.notDeepEqual(dreamt, before, "a dream changes something");
  const { stores } = ground.engram(["dream", "--report"]);
  const changes = stores.flatMap(({ dreams }) => dreams[0]?.steps ?? []).reduce((sum, step) => sum + step.done, 0);
  const shown = (await visit.page.locator(".dream-report .step .numbers b").allInnerTexts()).reduce((sum, one) => sum + Number(one), 0);
  assert.equal(shown, changes, "the page shows what the report says");

  await undo.click();
  await visit.told("Taken back");
  assert.deepEqual(all(), before, "undo brings everything back");
  await visit.isFine("a dream");
  await visit.close();
});
