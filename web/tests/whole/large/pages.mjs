// Every page on 10,000 memories: there, quick to move about in, without a serious finding.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { NARROW, PAGES, serious, WIDE } from "../../browser.mjs";
import { stage } from "../../stage.mjs";
import { tenThousand } from "../../store.mjs";

let browser, window;
before(async () => ({ browser, window } = await stage(tenThousand)));

for (const [size, scheme] of [[WIDE, "light"], [WIDE, "dark"], [NARROW, "light"], [NARROW, "dark"]]) {
  test(`every page of 10,000 memories, ${scheme}, ${size.width} pixels wide`, async () => {
    const visit = await browser.visit(window, "#/", { size, scheme, bypassCSP: true });
    for (const [path, title] of [...PAGES, ["search?q=which+service+waits+for+the+audit", "Search"]]) {
      await visit.go(`#/${path}`);
      await visit.settled(title);
      assert.deepEqual(await serious(visit), [], path);
      await visit.isFine(`${title}, ${scheme}, ${size.width}`);
    }
    await visit.close();
  });
}

test("a list of 10,000 is gone through page by page, forth and back", async () => {
  const visit = await browser.visit(window, "#/search");
  await visit.settled("Search");
  assert.match(await visit.page.locator(".results-words").innerText(), /10,000 memories/);
  const first = () => visit.page.locator(".hits .memory-text").first().innerText();
  const newest = await first();
  const other = (than) => visit.page.waitForFunction((text) => document.querySelector(".hits .memory-text")?.textContent !== text && !document.querySelector('main [aria-busy="true"]'), than);
  await visit.page.getByRole("button", { name: /^older/ }).click();
  await other(newest);
  const second = await first();
  await visit.page.getByRole("button", { name: /^newer/ }).click();
  await other(second);
  assert.equal(await first(), newest);
  await visit.isFine("paging");
  await visit.close();
});

test("a filter over 10,000 leaves only what fits", async () => {
  const visit = await browser.visit(window, "#/search?kind=procedure&tag=billing");
  await visit.settled("Search");
  const words = await visit.page.locator(".hits .memory-words").allInnerTexts();
  assert.ok(words.length > 10 && words.every((line) => /procedure/.test(line) && /#billing/.test(line)));
  await visit.close();
});
