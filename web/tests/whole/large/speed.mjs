// How soon something worth reading is there with 10,000 memories, how much was
// sent for it, and whether anything jumped. The daemon is warm, the browser's
// cache is empty. Prints a table; the limits are those of docs/window.md.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { stage } from "../../stage.mjs";
import { tenThousand } from "../../store.mjs";

const ROUNDS = 10;
const LIMIT_MS = 300, LIMIT_BYTES = 300_000, LIMIT_SHIFT = 0.02;

let ground, browser, window;
before(async () => {
  ({ ground, browser, window } = await stage(tenThousand));
  // The feed of Now shows what happened since the daemon started.
  for (const question of ["which service waits", "what changed after the outage in June"]) ground.engram(["recall", question]);
  const warm = await browser.visit(window);
  await warm.settled("Now");
  await warm.close();
});

/** One load in a browser that has seen nothing: milliseconds, bytes over the wire, layout shift. */
async function load(hash) {
  const visit = await browser.visit(window, null);
  const session = await visit.page.context().newCDPSession(visit.page);
  await session.send("Network.enable");
  const finished = new Map(), received = new Map();
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => finished.set(requestId, encodedDataLength));
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => received.set(requestId, (received.get(requestId) ?? 0) + encodedDataLength));
  await visit.page.goto(`${window.origin}/${hash}`);
  const time = await visit.page.waitForFunction(() => performance.getEntriesByName("content")[0]?.startTime, undefined, { timeout: 15e3 }).then((handle) => handle.jsonValue());
  await visit.settled();
  await visit.page.waitForTimeout(300);
  const shift = await visit.page.evaluate(() => new Promise((done) => {
    new PerformanceObserver((list) => done(list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0))).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(0), 200);
  }));
  for (const [one, bytes] of received) if (!finished.has(one)) finished.set(one, bytes);
  await visit.close();
  return { time, bytes: [...finished.values()].reduce((sum, one) => sum + one, 0), shift };
}

for (const [name, hash] of [["Now", "#/"], ["Search", "#/search?q=which+service+waits+for+part0042"]]) {
  test(`${name} with 10,000 memories is there within ${LIMIT_MS} ms and ${LIMIT_BYTES} bytes`, async () => {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await load(hash));
    const times = rounds.map(({ time }) => time).sort((a, b) => a - b);
    const bytes = Math.max(...rounds.map((one) => one.bytes)), shift = Math.max(...rounds.map((one) => one.shift));
    const median = times[Math.floor(times.length / 2)], worst = times.at(-1);
    console.log(`| ${name} | median ${median.toFixed(0)} ms | worst ${worst.toFixed(0)} ms | ${(bytes / 1000).toFixed(1)} kB | shift ${shift.toFixed(3)} |`);
    assert.ok(bytes > 60_000, `only ${bytes} bytes were counted: the cache was not empty`);
    assert.ok(median < LIMIT_MS && worst < LIMIT_MS, `median ${median}, worst ${worst}`);
    assert.ok(bytes < LIMIT_BYTES, `${bytes} bytes`);
    assert.ok(shift < LIMIT_SHIFT, `shift ${shift}`);
  });
}
