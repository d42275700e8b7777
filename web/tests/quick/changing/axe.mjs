// Nothing that axe-core calls serious or critical, on any page, light and dark;
// the other two of the four are looked at in whole/pages.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { NARROW, PAGES, serious, WIDE } from "../../browser.mjs";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

let browser, window, id;
before(async () => ({ browser, window, id } = await stage(twenty)));

for (const [size, scheme] of [[WIDE, "light"], [NARROW, "dark"]]) {
  test(`no serious finding, ${scheme}, ${size.width} pixels wide`, async () => {
    const visit = await browser.visit(window, "#/", { size, scheme, bypassCSP: true });
    for (const [path, title] of [...PAGES, [`memory/${id.arch}`, "Memory"], ["search?q=where+do+orders+live", "Search"]]) {
      await visit.go(`#/${path}`);
      await visit.settled(title);
      assert.deepEqual(await serious(visit), [], path || "now");
    }
    await visit.press("?");
    await visit.page.locator("dialog[open]").waitFor();
    assert.deepEqual(await serious(visit), [], "the list of keys");
    await visit.close();
  });
}

test("no serious finding where one has no key", async () => {
  const visit = await browser.visit(window, "#/", { key: "", bypassCSP: true });
  await visit.page.locator("#key").waitFor();
  assert.deepEqual(await serious(visit), []);
  await visit.close();
});
