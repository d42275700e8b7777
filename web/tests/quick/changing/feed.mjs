// What a hook tells is in the feed at once, and only that of one's own project.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

let ground, browser, window;
before(async () => ({ ground, browser, window } = await stage(twenty)));

test("a prompt that a hook tells is in the feed within a second", async () => {
  const visit = await browser.visit(window);
  await visit.reads(/^\W*live$/, ".live");
  const rows = await visit.page.locator(".feed-row").count();
  ground.hook("SessionStart", { source: "startup" });
  ground.hook("UserPromptSubmit", { prompt: "We always tag a release on thursdays, remember that." });
  // From when it happened until it is shown: how long a busy machine takes to get there is not the window's.
  const took = await visit.page.waitForFunction(() => {
    const row = [...document.querySelectorAll(".feed-row")].find((one) => one.textContent.includes("tag a release on thursdays"));
    return row && { ms: Date.now() - Date.parse(row.querySelector("time").dateTime) };
  }, undefined, { timeout: 20e3 }).then((handle) => handle.jsonValue());
  assert.ok(took.ms < 1000, `it took ${took.ms} ms`);
  assert.ok((await visit.page.locator(".feed-row").count()) > rows);
  await visit.isFine("the feed");
  await visit.close();
});

test("what is new waits while the feed is paused", async () => {
  const visit = await browser.visit(window);
  await visit.reads(/^\W*live$/, ".live");
  await visit.press("l");
  await visit.reads("paused", ".live");
  ground.engram(["remember", "--kind", "fact", "The warehouse closes at six."]);
  await visit.reads(/[1-9]\d* new/, ".new-ones");
  assert.equal(await visit.page.locator(".feed-row").filter({ hasText: "closes at six" }).count(), 0);
  await visit.press("l");
  await visit.page.locator(".feed-row").filter({ hasText: "closes at six" }).first().waitFor();
  await visit.isFine("a paused feed");
  await visit.close();
});

test("the feed of one project says nothing of another", async () => {
  const visit = await browser.visit(window);
  await visit.reads(/^\W*live$/, ".live");
  const other = ground.project("secretive");
  ground.engram(["remember", "--kind", "fact", "The other project has a plan of its own."], { folder: other });
  ground.engram(["remember", "--kind", "fact", "This project is heard."]);
  await visit.page.locator(".feed-row").filter({ hasText: "This project is heard" }).first().waitFor();
  assert.equal(await visit.page.locator(".feed-row").filter({ hasText: "plan of its own" }).count(), 0);
  await visit.isFine("two projects");
  await visit.close();
});

test("the feed goes on after the daemon ended and came again", async () => {
  const visit = await browser.visit(window);
  await visit.reads(/^\W*live$/, ".live");
  ground.engram(["stop"]);
  await visit.page.waitForFunction(() => !/^\W*live$/.test(document.querySelector(".live")?.textContent.trim() ?? ""));
  ground.engram(["remember", "--kind", "fact", "The daemon came back for this."]);
  await visit.page.waitForFunction(() => /^\W*live$/.test(document.querySelector(".live")?.textContent.trim() ?? ""), undefined, { timeout: 30e3 });
  ground.engram(["remember", "--kind", "fact", "And it is heard again."]);
  await visit.page.locator(".feed-row").filter({ hasText: "it is heard again" }).first().waitFor({ timeout: 10e3 });
  // A connection that was refused in between is told by the console, and rightly.
  const others = visit.troubles.filter((text) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|network error/.test(text));
  assert.deepEqual(others, []);
  await visit.close();
});

test("a daemon that is gone is told of once, and nothing claims to be well", async () => {
  const visit = await browser.visit(window);
  await visit.reads("Nothing is wrong");
  await visit.settled("Now");
  const top = () => visit.page.locator(".feed").evaluate((one) => one.getBoundingClientRect().top);
  const before = await top();
  process.kill(ground.engram(["status"]).process, "SIGKILL");
  await visit.reads("engram ui", ".asleep");
  await visit.reads("as it was at", ".card");
  assert.doesNotMatch(await visit.page.locator("main").innerText(), /Nothing is wrong/);
  assert.equal(await visit.page.locator('[role="alert"]').count(), 1, "one alert for one trouble");
  assert.equal(await top(), before, "the page stays where it is");
  for (const path of ["stores", "evolution", "settings"]) {
    await visit.go(`#/${path}`);
    await visit.reads("Nobody answers");
    assert.equal(await visit.page.locator('[role="alert"]').count(), 1, path);
  }
  await visit.go("#/");
  ground.ui();
  await visit.page.locator(".asleep").waitFor({ state: "detached", timeout: 40e3 });
  await visit.reads("Nothing is wrong");
  assert.deepEqual(visit.troubles.filter((text) => !/ERR_|network error/.test(text)), []);
  await visit.close();
});
