// A fact is set right in the page, and recall says the new one everywhere.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

let ground, browser, window, id;
before(async () => ({ ground, browser, window, id } = await stage(twenty)));

const QUESTION = "how many requests may a client make a minute";
const best = () => ground.engram(["recall", QUESTION]).hits[0].memory.content;

test("a correction is what recall says, in the page and by the command, until it is taken back", async () => {
  const right = "The API limits clients to 240 requests a minute.";
  const was = best();
  assert.match(was, /120 requests/);
  const visit = await browser.visit(window, `#/memory/${id.newer}`);
  await visit.reads("120 requests", ".memory-content");
  await visit.page.getByRole("button", { name: /^correct/ }).first().click();
  await visit.page.getByLabel("What is right").fill(right);
  assert.match(await visit.page.locator(".diff-box ins").first().innerText(), /240/);
  await visit.page.locator("dialog footer .primary").click();
  await visit.told("Corrected");
  await visit.reads("240 requests", ".memory-content");

  await visit.go(`#/search?q=${encodeURIComponent(QUESTION)}`);
  await visit.settled("Search");
  await visit.page.waitForFunction(() => /240 requests/.test(document.querySelector(".hits .memory-text")?.textContent ?? ""));
  assert.doesNotMatch(await visit.page.locator(".hits").innerText(), /120 requests/);
  assert.equal(best(), right);
  assert.equal(ground.engram(["inspect", id.newer]).memory.status, "superseded");

  await visit.press("Escape", "z");
  await visit.told("Taken back");
  assert.equal(best(), was);
  await visit.isFine("correct and undo");
  await visit.close();
});

test("what is said about a memory is edited, and its text stays", async () => {
  const visit = await browser.visit(window, `#/memory/${id.pattern}`);
  await visit.settled("Memory");
  await visit.press("e");
  const dialog = visit.page.locator("dialog[open]");
  await dialog.getByLabel(/^Tags/).fill("health, balance");
  await dialog.locator("footer .primary").click();
  await visit.told("Edited");
  const { memory } = ground.engram(["inspect", id.pattern]);
  assert.deepEqual(memory.tags, ["balance", "health"], "tags are kept in their order");
  assert.match(memory.content, /exposes \/healthz/);
  await visit.isFine("edit");
  await visit.close();
});

test("pin, confirm, forget and recover do what the commands do", async () => {
  const visit = await browser.visit(window, `#/memory/${id.observation}`);
  await visit.settled("Memory");
  const memory = () => ground.engram(["inspect", id.observation]).memory;
  for (const [key, told, holds] of [
    ["p", "Pinned", () => memory().pinned],
    ["p", "Unpinned", () => !memory().pinned],
    ["y", "Confirmed", () => memory().status === "active"],
    ["Delete", "Forgotten", () => memory().status === "archived"],
    ["Delete", "Recovered", () => memory().status !== "archived"],
  ]) {
    await visit.press(key);
    await visit.told(told);
    assert.ok(holds(), told);
    await visit.settled("Memory");
  }
  await visit.isFine("actions");
  await visit.close();
});

test("after a change of project nothing of the old one is shown", async () => {
  const other = ground.project("elsewhere");
  ground.engram(["remember", "--kind", "fact", "Elsewhere the sky is green."], { folder: other });
  const visit = await browser.visit(window, `#/memory/${id.pattern}`);
  await visit.reads("/healthz", ".memory-content");
  await visit.settled("Memory");
  await visit.press(".");
  await visit.page.locator("dialog[open] .choice").filter({ hasText: "elsewhere" }).click();
  await visit.reads("elsewhere", ".project-name");
  await visit.reads("the sky is green");
  await visit.settled("Memory");
  assert.equal(await visit.page.locator(".memory-content").count(), 0, "the memory of the other project is gone");
  assert.doesNotMatch(await visit.page.locator("main").innerText(), /healthz/);
  await visit.press("g", "m");
  await visit.settled("Memory");
  assert.doesNotMatch(visit.page.url(), new RegExp(id.pattern));
  await visit.isFine("another project");
  await visit.close();
});

test("who may only look changes nothing, and is told why", async () => {
  const visit = await browser.visit(window, `#/memory/${id.pattern}`, { key: window.reader });
  await visit.settled("Memory");
  await visit.reads("read only", ".head");
  assert.ok(await visit.page.getByRole("button", { name: /^forget/ }).isDisabled());
  await visit.press("Delete");
  await visit.told("Not here");
  assert.notEqual(ground.engram(["inspect", id.pattern]).memory.status, "archived");
  await visit.isFine("a reader");
  await visit.close();
});
