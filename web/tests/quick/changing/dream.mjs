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
  await visit.page.locator(".running").first().waitFor({ state: "detached" });
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
  await visit.reads("taken back", ".dream-report");
  await undo.waitFor({ state: "detached" });
  await visit.isFine("a dream");
  await visit.close();
});

test("z takes back a dream, in every store it changed, and then nothing is left", async () => {
  // Something that has long faded lies in the store of the user, too.
  const born = new Date(Date.now() - 400 * 86400e3).toISOString();
  const faded = {
    id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", scope: "user", tier: "episodic", kind: "observation", status: "created", status_change: { at: born, reason: "remembered", cause: "remember" },
    content: "The old keyboard had a sticky key.", importance: 0.3, confidence: 0.5, utility: 0.5, pinned: false, immutable: false, access_count: 0, last_used_at: born, stability: 2,
    valid_from: born, recorded_at: born, write_source: "manual", data_source: "user_message", trust: 1, created_at: born, updated_at: born, revision: 0,
  };
  ground.engram(["import", "-", "--scope", "user"], { input: `${JSON.stringify(faded)}\n` });
  const before = all();
  const visit = await browser.visit(window, "#/dream");
  await visit.settled("Dream");
  await visit.press("z");
  await visit.told("Nothing was done here yet");
  await visit.press("b");
  await visit.page.locator("dialog[open] .primary").click();
  await visit.told(/Dreamt: \d+ change/);
  // Where it takes long, each store is told of by itself: what z takes back is what was told.
  let changed = [];
  for (let tries = 0; tries < 100 && changed.length < 2; tries += 1) {
    const { stores } = ground.engram(["dream", "--report"]);
    changed = stores.filter(({ dreams }) => dreams[0]?.steps.some(({ done }) => done > 0));
    await new Promise((go) => setTimeout(go, 100));
  }
  assert.equal(changed.length, 2, "it changed both stores");
  assert.notDeepEqual(all(), before);
  const total = changed.flatMap(({ dreams }) => dreams[0].steps).reduce((sum, { done }) => sum + done, 0);
  await visit.told(new RegExp(`Dreamt: ${total} change`));
  await visit.press("z");
  await visit.told("Taken back");
  assert.deepEqual(all(), before, "everything is as it was");
  await visit.press("z");
  await visit.told("Nothing is left to take back");
  await visit.isFine("z after a dream");
  await visit.close();
});
