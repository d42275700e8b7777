// The graph of 2,000 things and the bonds between them stays fluid: while it is
// laid out, and while it is dragged and zoomed.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { stage } from "../../stage.mjs";
import { tenThousand } from "../../store.mjs";

/** Milliseconds: half of the frames, all but one in twenty, any task; until the layout rests. */
const MEDIAN = 20, P95 = 33, TASK = 100, SETTLED = 10_000;

let browser, window;
before(async () => ({ browser, window } = await stage(tenThousand)));

/** Notes how far frames are apart, and long tasks, from now on. */
const watch = (page) => page.evaluate(() => {
  const seen = (window.seen = { frames: [], tasks: [] });
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
  let last = performance.now();
  const frame = (now) => {
    seen.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
});

async function fluid(page, what) {
  const { frames, tasks } = await page.evaluate(() => {
    const seen = { frames: window.seen.frames.slice(1), tasks: window.seen.tasks.slice() };
    window.seen.frames.length = window.seen.tasks.length = 0;
    return seen;
  });
  const sorted = frames.toSorted((a, b) => a - b), at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  const longest = Math.max(0, ...tasks);
  console.log(`| ${what} | ${frames.length} frames | median ${at(0.5).toFixed(1)} ms | p95 ${at(0.95).toFixed(1)} ms | longest task ${longest.toFixed(0)} ms |`);
  assert.ok(frames.length > 30, `${what}: ${frames.length} frames`);
  assert.ok(at(0.5) <= MEDIAN, `${what}: half of the frames took more than ${at(0.5)} ms`);
  assert.ok(at(0.95) <= P95, `${what}: one frame in twenty took more than ${at(0.95)} ms`);
  assert.ok(longest <= TASK, `${what}: a task took ${longest} ms`);
}

test("2,000 things are laid out, dragged and zoomed without a stutter, and a click opens one", async () => {
  const visit = await browser.visit(window, "#/stores");
  const { page } = visit;
  await visit.settled("Stores");
  await watch(page);
  await visit.go("#/graph");
  await visit.settled("Graph");
  assert.match(await page.locator("main .lead").innerText(), /2,000 of 2,5\d\d things/);
  // Parsing the answer and the first picture come before anything moves.
  await page.locator("canvas[data-drawn]").waitFor();
  await page.evaluate(() => (window.seen.frames.length = window.seen.tasks.length = 0));
  const began = Date.now();
  await page.locator('canvas[data-layout="settled"]').waitFor({ timeout: 30e3 });
  const settled = Date.now() - began;
  await fluid(page, "laying out");
  assert.ok(settled < SETTLED, `the layout rested after ${settled} ms`);

  const box = await page.locator("canvas").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle);
  for (const until = Date.now() + 5000; Date.now() < until; ) {
    await page.mouse.wheel(0, -240);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 120, middle[1] + 60, { steps: 12 });
    await page.mouse.move(...middle, { steps: 12 });
    await page.mouse.up();
    await page.mouse.wheel(0, 240);
  }
  await fluid(page, "dragging and zooming");

  await page.locator(".graph-side [data-row]").first().click();
  await page.waitForFunction(() => location.hash.includes("entity="));
  await visit.settled("Graph");
  assert.ok((await page.locator(".graph-side .memory-line").count()) > 0, "a thing shows the memories that name it");
  await visit.isFine("the graph");
  await visit.close();
});
