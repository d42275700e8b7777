// Pictures of every page, light and dark, wide and narrow, for people to look
// at: docs/images/window. They are not compared; browsers differ in their fonts.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Browser, NARROW, PAGES, WIDE } from "../browser.mjs";
import { Ground } from "../ground.mjs";
import { twenty } from "../store.mjs";

const OUT = new URL("../../../docs/images/window/", import.meta.url);
/** Bytes of one picture, and of all. */
const ONE = 40_000, ALL = 1_200_000;

let ground, browser, window, id;
before(async () => {
  ground = new Ground();
  id = twenty(ground);
  // What an agent does, so that there is something to see.
  ground.hook("SessionStart", { source: "startup" });
  ground.hook("UserPromptSubmit", { prompt: "How do we deploy the shop?" });
  ground.hook("UserPromptSubmit", { prompt: "We decided to keep invoices for ten years, please remember that." });
  window = ground.window();
  browser = await Browser.start();
});
after(async () => {
  await browser?.end();
  ground?.end();
});

/** Shown instead of the bare page, where that says more. */
const SHOWN = () => ({ Search: "search?q=where+do+orders+live", Memory: `memory/${id.fix}` });

test("every page has its pictures, and they are small", async () => {
  mkdirSync(OUT, { recursive: true });
  let all = 0;
  for (const [size, width] of [[WIDE, "wide"], [NARROW, "narrow"]]) {
    for (const scheme of ["light", "dark"]) {
      const visit = await browser.visit(window, "#/", { size, scheme, reducedMotion: "reduce" });
      const session = await visit.page.context().newCDPSession(visit.page);
      for (const [path, title] of PAGES) {
        await visit.go(`#/${SHOWN()[title] ?? path}`);
        await visit.settled(title);
        if (title === "Graph") await visit.page.locator('canvas[data-layout="settled"]').waitFor();
        await visit.page.evaluate(() => document.activeElement?.blur());
        await visit.page.waitForTimeout(400);
        let picture;
        // As good as fits.
        for (let quality = 60; quality >= 20 && !(picture?.length < ONE); quality -= 10) {
          const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
          picture = Buffer.from(data, "base64");
        }
        assert.ok(picture.length > 2000 && picture.length < ONE, `${title}, ${width}, ${scheme}: ${picture.length} bytes`);
        all += picture.length;
        writeFileSync(new URL(`${title.toLowerCase()}-${width}-${scheme}.webp`, OUT), picture);
      }
      await visit.isFine(`pictures, ${width}, ${scheme}`);
      await visit.close();
    }
  }
  assert.ok(all < ALL, `${all} bytes in all`);
});
