// Everything without a pointer: every page, and a whole correction.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { PAGES } from "../../browser.mjs";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

let ground, browser, window;
before(async () => ({ ground, browser, window } = await stage(twenty)));

const LETTERS = { Now: "n", Search: "s", Memory: "m", Graph: "g", Timeline: "t", Dream: "d", Review: "r", Evolution: "e", Stores: "o", Settings: "," };

test("every page is reached by two keys, and the focus goes with it", async () => {
  const visit = await browser.visit(window);
  await visit.settled("Now");
  for (const [, title] of [...PAGES.slice(1), PAGES[0]]) {
    // The field of a search takes letters until it is left.
    if (await visit.page.evaluate(() => document.activeElement?.matches("input"))) await visit.press("Escape");
    await visit.press("g", LETTERS[title]);
    await visit.settled(title);
    const focus = await visit.page.evaluate(() => document.activeElement?.closest("main") !== null);
    assert.ok(focus, `${title}: whoever listens is told where he is`);
  }
  await visit.isFine("going about");
  await visit.close();
});

test("the list of keys names them all and gives the focus back", async () => {
  const visit = await browser.visit(window);
  await visit.settled("Now");
  await visit.press("?");
  const listed = await visit.page.locator("dialog[open]").innerText();
  for (const label of ["Review", "search", "undo the last thing done here", "pause the feed", "choose a project"]) assert.ok(listed.includes(label), label);
  await visit.press("Escape");
  assert.equal(await visit.page.locator("dialog[open]").count(), 0);
  await visit.isFine("the list of keys");
  await visit.close();
});

test("a fact is found, corrected and taken back without a pointer", async () => {
  const visit = await browser.visit(window);
  await visit.settled("Now");
  await visit.press("g", "s");
  await visit.settled("Search");
  await visit.press("/");
  await visit.page.keyboard.type("how many requests may a client make a minute");
  await visit.page.waitForFunction(() => /120 requests/.test(document.querySelector(".hits .memory-text")?.textContent ?? ""));
  await visit.press("ArrowDown", "Enter");
  await visit.reads("120 requests", ".memory-content");
  await visit.settled("Memory");
  await visit.press("c");
  await visit.page.locator("#correct:focus").waitFor();
  await visit.press("Control+a");
  await visit.page.keyboard.type("The API limits clients to 180 requests a minute.");
  await visit.press("Control+Enter");
  await visit.told("Corrected");
  await visit.reads("180 requests", ".memory-content");
  const best = () => ground.engram(["recall", "how many requests may a client make a minute"]).hits[0].memory.content;
  assert.match(best(), /180/);
  await visit.press("z");
  await visit.told("Taken back");
  assert.match(best(), /120/);
  await visit.reads("120 requests", ".memory-content");
  await visit.settled("Memory");
  await visit.isFine("without a pointer");
  await visit.close();
});

test("the first Tab leads past the names of the pages", async () => {
  const visit = await browser.visit(window, "#/stores");
  await visit.settled("Stores");
  await visit.press("Tab");
  assert.equal(await visit.page.evaluate(() => document.activeElement?.textContent.trim()), "to the page");
  await visit.press("Enter");
  assert.equal(await visit.page.evaluate(() => document.activeElement?.tagName), "H1");
  await visit.close();
});

test("the theme that is chosen stays, and t goes round", async () => {
  const visit = await browser.visit(window);
  await visit.settled("Now");
  const ground = () => visit.page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--ground").trim());
  const light = await ground();
  await visit.press("t", "t");
  const dark = await ground();
  assert.notEqual(light, dark);
  await visit.page.reload();
  await visit.settled("Now");
  assert.equal(await ground(), dark);
  await visit.isFine("the theme");
  await visit.close();
});
