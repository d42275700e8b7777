// Every page, on an empty store and on a small one, wide and narrow.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { NARROW, PAGES, WIDE } from "../../browser.mjs";
import { stage } from "../../stage.mjs";
import { nothing, twenty } from "../../store.mjs";

/** What a page of an empty store says it is for. */
const EMPTY = {
  Now: /Nothing has happened|heard|hook/, Search: /Nothing is kept here yet/, Memory: /Nothing is kept here yet/, Graph: /No thing has a name yet/,
  Timeline: /Nothing/, Dream: /has not dreamt yet/, Review: /Nothing waits/, Evolution: /./, Stores: /./, Settings: /./,
};

for (const [name, fill] of [["an empty store", nothing], ["a small store", twenty]]) {
  describe(`on ${name}`, () => {
    let ground, browser, window, known;
    before(async () => ({ ground, browser, window, id: known } = await stage(fill)));

    for (const [size, scheme] of [[WIDE, "light"], [NARROW, "dark"]]) {
      test(`every page is there at ${size.width} pixels`, async () => {
        const visit = await browser.visit(window, "#/", { size, scheme });
        for (const [path, title] of PAGES) {
          await visit.go(`#/${path}`);
          await visit.settled(title);
          assert.equal(await visit.page.title(), `${title} · engram`);
          const text = await visit.page.locator("main").innerText();
          if (!known) assert.match(text, EMPTY[title], `${title} of an empty store says what it is for`);
          await visit.isFine(`${title} of ${name}`);
        }
        await visit.close();
      });
    }

    test("the address that `engram ui` prints opens the window, and says nothing afterwards", async () => {
      const visit = await browser.tab(window.origin);
      await visit.page.goto(ground.ui().url);
      await visit.settled("Now");
      assert.doesNotMatch(visit.page.url(), /ticket|key|project/);
      const kept = await visit.page.evaluate(() => [document.cookie, JSON.stringify(localStorage), sessionStorage.getItem("engram.token")]);
      assert.deepEqual(kept.slice(0, 2), ["", "{}"], "a key is kept in the tab alone");
      assert.ok(kept[2].length >= 32);
      await visit.isFine("arriving");
      await visit.close();
    });
  });
}

describe("by its own address", () => {
  let ground, browser, window, id;
  before(async () => ({ ground, browser, window, id } = await stage(twenty)));

  test("each memory has its page, whatever it says", async () => {
    const visit = await browser.visit(window);
    for (const name of ["arch", "script", "newer", "old", "wrong", "away", "user", "fix"]) {
      await visit.go(`#/memory/${id[name]}`);
      const { memory } = ground.engram(["inspect", id[name]]);
      await visit.reads(memory.content.slice(0, 60), ".memory-content");
      await visit.settled("Memory");
      assert.equal(await visit.page.locator(".memory-content").innerText(), memory.content);
      await visit.isFine(`the memory ${name}`);
    }
    await visit.close();
  });

  test("every page is there when it is loaded by its own address", async () => {
    for (const [path, title] of PAGES) {
      const visit = await browser.visit(window, `#/${path}`);
      await visit.settled(title);
      await visit.isFine(title);
      await visit.close();
    }
  });

  test("an address that is malformed shows its page all the same", async () => {
    for (const as_of of ["x", "2026-1-5", "2026-02-31"]) {
      const visit = await browser.visit(window, `#/search?q=orders&as_of=${as_of}`);
      await visit.settled("Search");
      await visit.reads("as it is now");
      assert.ok((await visit.page.locator(".hits .memory-line").count()) > 0, as_of);
      await visit.isFine(as_of);
      await visit.close();
    }
  });

  test("a page that fails says so, and the rest of the window goes on", async () => {
    const visit = await browser.visit(window, null);
    await visit.page.route("**/api/v1/stores?*", (route) => route.fulfill({ json: { stores: [{}] } }));
    await visit.page.goto(`${window.origin}/#/stores`);
    await visit.reads("This page failed", ".trouble");
    await visit.press("g", "t");
    await visit.settled("Timeline");
    await visit.isFine("after a page that failed");
    await visit.close();
  });

  test("what a session knows is opened from Now, and found by Search", async () => {
    const visit = await browser.visit(window);
    await visit.page.locator(".feed-row").filter({ hasText: "looking at the slow admin build" }).locator("a").first().click();
    await visit.reads("looking at the slow admin build", ".memory-content");
    await visit.settled("Memory");
    assert.ok(visit.page.url().includes(`session=${id.session}`), visit.page.url());
    await visit.go("#/search?scope=session");
    await visit.reads("looking at the slow admin build", ".hits");
    assert.ok(visit.page.url().includes(`session=${id.session}`), visit.page.url());
    await visit.page.locator(".hits a.memory-text").first().click();
    await visit.reads("looking at the slow admin build", ".memory-content");
    await visit.settled("Memory");
    await visit.isFine("a memory of a session");
    await visit.close();
  });

  test("a memory that is not there is asked for once", async () => {
    const visit = await browser.visit(window);
    await visit.settled("Now");
    let asked = 0;
    visit.page.on("request", (request) => (asked += request.url().includes("/memories/") ? 1 : 0));
    await visit.go("#/memory/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    await visit.reads("Not found", ".trouble");
    assert.equal(asked, 1);
    await visit.close();
  });

  test("what looks like markup is shown as it was written", async () => {
    const visit = await browser.visit(window, `#/memory/${id.script}`);
    await visit.reads("<img src=x onerror=alert(1)>", ".memory-content");
    assert.equal(await visit.page.locator("main img").count(), 0);
    await visit.isFine("a text like markup");
    await visit.close();
  });
});
