// Searching: what is found, why, as it was, and opening it.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

let ground, browser, window;
before(async () => ({ ground, browser, window } = await stage(twenty)));

const QUESTION = "where do orders live";

test("a question that is typed is answered as the command answers it, and the answer opens", async () => {
  const visit = await browser.visit(window, "#/search");
  await visit.page.locator("[data-search]").fill(QUESTION);
  const first = visit.page.locator(".hits .memory-line").first();
  await visit.page.waitForFunction(() => document.querySelectorAll(".hits .line-score").length > 0);
  const { hits } = ground.engram(["recall", QUESTION]);
  assert.equal((await first.locator(".memory-text").innerText()).slice(0, 80), (hits[0].memory.summary ?? hits[0].memory.content).slice(0, 80));
  await visit.press("ArrowDown", "Enter");
  await visit.settled("Memory");
  assert.ok(visit.page.url().endsWith(`#/memory/${hits[0].id}`), visit.page.url());
  await visit.isFine("search and open");
  await visit.close();
});

test("every score is explained by its parts, and looking is not use", async () => {
  const uses = () => ground.engram(["stats"]).scopes.reduce((sum, { uses: one }) => sum + one, 0);
  const used = uses();
  const visit = await browser.visit(window, `#/search?q=${encodeURIComponent(QUESTION)}`);
  await visit.settled("Search");
  const count = await visit.page.locator(".hits .memory-line").count();
  assert.ok(count > 1);
  await visit.page.getByRole("button", { name: "explain scores" }).click();
  await visit.page.locator(".hits .score-sum").nth(count - 1).waitFor();
  const explained = await visit.page.locator(".hits .score-sum").allInnerTexts();
  assert.equal(explained.length, count);
  for (const text of explained) assert.match(text, /=\s*-?[\d.]+/, "a sum says what it comes to");
  assert.equal(uses(), used);
  await visit.isFine("explanations");
  await visit.close();
});

test("filters and groups narrow and order what is shown, and stand in the address", async () => {
  const visit = await browser.visit(window, "#/search");
  await visit.settled("Search");
  await visit.page.getByRole("button", { name: /^filters/ }).click();
  await visit.page.locator("#filters").getByRole("button", { name: "decision", exact: true }).click();
  await visit.page.waitForFunction(() => location.hash.includes("kind=decision"));
  // What was there before is shown until the answer comes.
  await visit.page.waitForFunction(() => {
    const words = [...document.querySelectorAll(".hits .memory-words")];
    return words.length > 0 && words.every((line) => line.textContent.includes("decision"));
  }, undefined, { timeout: 15e3 });
  await visit.go("#/search?by=kind");
  await visit.page.locator(".hits h2").first().waitFor();
  const kinds = await visit.page.locator(".hits h2").allInnerTexts();
  assert.ok(kinds.length > 3 && new Set(kinds).size === kinds.length, kinds.join());
  await visit.isFine("filters");
  await visit.close();
});

test("the way back leads to the row that was left", async () => {
  const visit = await browser.visit(window, "#/search");
  await visit.settled("Search");
  await visit.page.waitForFunction(() => document.querySelectorAll(".hits .memory-text").length > 10);
  await visit.press("Escape", "j", "j", "j");
  const row = () => visit.page.evaluate(() => document.activeElement?.getAttribute("href"));
  const left = await row();
  await visit.press("Enter");
  await visit.settled("Memory");
  await visit.press("Escape");
  await visit.settled("Search");
  await visit.page.waitForFunction((href) => document.activeElement?.getAttribute("href") === href, left);
  await visit.press("j");
  assert.notEqual(await row(), left, "j goes on from there");
  await visit.isFine("the way back");
  await visit.close();
});

test("what finds nothing offers something else, not the same again", async () => {
  const visit = await browser.visit(window, "#/search?kind=summary&tag=nobodyhasthis");
  await visit.reads("No memory fits these filters", ".empty");
  await visit.page.getByRole("button", { name: "clear the filters" }).click();
  await visit.page.locator(".hits .memory-line").first().waitFor();
  assert.ok(!visit.page.url().includes("tag="), visit.page.url());
  await visit.isFine("an empty search");
  await visit.close();
});

test("the past answers as it was", async () => {
  const visit = await browser.visit(window, `#/search?q=${encodeURIComponent("which port does the staging database listen on")}`);
  await visit.settled("Search");
  assert.match(await visit.page.locator(".hits").first().innerText(), /5434/);
  const then = new Date(Date.now() - 10 * 86400e3).toISOString().slice(0, 10);
  await visit.page.getByLabel("as of this date").fill(then);
  await visit.page.waitForFunction((day) => location.hash.includes(`as_of=${day}`), then);
  await visit.reads("as it was on");
  await visit.page.waitForFunction(() => /5433/.test(document.querySelector(".hits")?.textContent ?? "") && !/5434/.test(document.querySelector(".hits")?.textContent ?? ""));
  await visit.isFine("as of");
  await visit.close();
});
