// Where the tests of one process stand: a store and a browser, made for whoever
// asks first and ended after the last. Making a store is most of the time that
// tests take: what can share one does, and says in which order.
import { after } from "node:test";
import { Browser } from "./browser.mjs";
import { Ground } from "./ground.mjs";

const grounds = [];
const stages = new Map();
let browser;

async function made(fill) {
  const ground = new Ground();
  grounds.push(ground);
  const id = await fill(ground);
  // The first to come starts it; whoever comes meanwhile waits for the same one.
  browser ??= Browser.start();
  return { ground, browser: await browser, id, window: ground.window() };
}

/** A store that `fill` fills, a browser, what `fill` returns as `id`, and who may look through the window. */
export function stage(fill) {
  if (!stages.has(fill)) stages.set(fill, made(fill));
  return stages.get(fill);
}

after(async () => {
  await (await browser)?.end();
  for (const ground of grounds) ground.end();
});
