// What contradicts each other is decided with one key.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { NARROW } from "../../browser.mjs";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

let ground, browser, window;
before(async () => ({ ground, browser, window } = await stage(twenty)));

const open = () => ground.engram(["review", "list"]).reviews;
const status = (id) => ground.engram(["inspect", id]).memory.status;

test("the key 2 lets the newer take the place of the older, and z takes that back", async () => {
  const all = open();
  assert.equal(all.length, 3);
  const visit = await browser.visit(window, "#/review");
  await visit.settled("Review");
  assert.equal(await visit.page.locator(".review-place").innerText(), "1 of 3");
  const shown = await visit.page.locator(".side .diff").allInnerTexts();
  const line = all.find(({ older, newer }) => older.memory.content === shown[0] && newer.memory.content === shown[1]);
  assert.ok(line, `older and newer stand side by side: ${shown.join(" | ")}`);
  assert.ok((await visit.page.locator(".side ins, .side del").count()) > 0, "what differs is marked");

  await visit.press("2");
  await visit.told("took the place of the older");
  await visit.page.waitForFunction(() => document.querySelector(".review-place")?.textContent === "1 of 2");
  assert.equal(open().length, 2);
  assert.equal(status(line.review.older), "superseded");
  assert.ok(["created", "active"].includes(status(line.review.newer)));

  await visit.press("z");
  await visit.told("Taken back");
  assert.ok(["created", "active", "challenged"].includes(status(line.review.older)));
  await visit.isFine("a ruling");
  await visit.close();
});

test("skipping decides nothing, and a narrow screen decides by touch", async () => {
  const visit = await browser.visit(window, "#/review", { size: NARROW, hasTouch: true });
  await visit.settled("Review");
  const waiting = open();
  await visit.press("s");
  assert.equal(await visit.page.locator(".review-place").innerText(), `2 of ${waiting.length}`);
  assert.equal(open().length, waiting.length);
  await visit.page.locator(".rulings").getByRole("button", { name: /both are right/ }).tap();
  await visit.told("Both stay");
  assert.equal(open().length, waiting.length - 1);
  await visit.isFine("a ruling by touch");
  await visit.close();
});

test("a belief in doubt is confirmed, corrected or found to be wrong", async () => {
  const visit = await browser.visit(window, "#/review");
  await visit.settled("Review");
  const doubted = visit.page.locator(".doubted").filter({ hasText: "The CDN caches product images" });
  await doubted.getByRole("button", { name: "it is wrong" }).click();
  await visit.told("Invalidated");
  await doubted.waitFor({ state: "detached" });
  const { memories } = ground.engram(["list", "--status", "invalidated"]);
  assert.ok(memories.some(({ content }) => content.startsWith("The CDN caches")));
  await visit.isFine("a belief in doubt");
  await visit.close();
});
