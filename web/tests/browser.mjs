// A browser that looks through the window, and hears what is wrong: errors of
// the console and of scripts, requests to another host, answers of 500 and more,
// dialogs that a text of somebody's may have opened. Nothing is intercepted, but
// with ENGRAM_BUNDLE=FOLDER the files of the window come from there: a change of
// web/ can be tried before the daemon that carries them is built anew.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

/** Every page, by the words of its address, with the heading it has. */
export const PAGES = [
  ["", "Now"], ["search", "Search"], ["memory", "Memory"], ["graph", "Graph"], ["timeline", "Timeline"], ["dream", "Dream"], ["review", "Review"],
  ["evolution", "Evolution"], ["stores", "Stores"], ["settings", "Settings"],
];

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.chromium = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
    return browser;
  }

  /** An empty tab that has nothing yet: no key, no page. */
  async tab(origin, options = {}) {
    const context = await this.chromium.newContext({ locale: "en-GB", timezoneId: "UTC", ...options });
    if (process.env.ENGRAM_BUNDLE) {
      await context.route(({ pathname }) => !pathname.startsWith("/api/"), async (route) => {
        const url = route.request().url(), { pathname } = new URL(url);
        const file = join(process.env.ENGRAM_BUNDLE, pathname === "/" ? "index.html" : pathname);
        if (!existsSync(file)) return route.continue();
        // A daemon that is gone gives no file either. A tab that is closed meanwhile wants nothing any more.
        const answer = await fetch(url).catch(() => undefined);
        if (!answer) return route.abort("connectionrefused").catch(() => {});
        const { status, headers } = answer;
        await route.fulfill({ status, headers: Object.fromEntries([...headers].filter(([name]) => !/^content-(length|encoding)$/.test(name))), body: readFileSync(file) }).catch(() => {});
      });
    }
    return new Visit(await context.newPage(), origin);
  }

  /** A tab that has the key already, at a page; null: at none yet. `window` is what Ground.window gives. */
  async visit(window, hash = "#/", { size = WIDE, scheme = "light", key = window.owner, ...more } = {}) {
    const visit = await this.tab(window.origin, { viewport: size, colorScheme: scheme, ...more });
    await visit.page.context().addInitScript(([token, project]) => {
      if (token) sessionStorage.setItem("engram.token", token);
      if (project) sessionStorage.setItem("engram.project", project);
    }, [key, window.project]);
    if (hash !== null) await visit.page.goto(`${window.origin}/${hash}`);
    return visit;
  }

  end() {
    return this.chromium?.close();
  }
}

export class Visit {
  constructor(page, origin) {
    this.page = page;
    this.troubles = [];
    const note = (text) => this.troubles.push(text);
    page.on("console", (line) => line.type() === "error" && note(`console: ${line.text()} (${line.location().url})`));
    page.on("pageerror", (problem) => note(`script: ${problem.stack ?? problem}`));
    page.on("request", (request) => request.url().startsWith(`${origin}/`) || note(`asks another host: ${request.url()}`));
    page.on("response", (response) => response.status() >= 500 && note(`${response.status()} of ${response.url()}`));
    page.on("dialog", (dialog) => (note(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  }

  /** Another page of the window, without loading anew. */
  async go(hash) {
    await this.page.evaluate((to) => (location.hash = to), hash);
  }

  /** Until the page of this heading has everything it asked for. */
  async settled(title) {
    await this.page.waitForFunction((wanted) => {
      const heading = document.querySelector("main h1");
      return heading && (!wanted || heading.textContent === wanted) && !document.querySelector('main [aria-busy="true"], main .waiting');
    }, title, { timeout: 15e3 }).catch((problem) => {
      throw new Error(`${title ?? "the page"} is not there: ${problem.message}`);
    });
  }

  /** Until somewhere in the page this is to be read. */
  async reads(text, within = "main") {
    await this.page.locator(within).filter({ hasText: text }).first().waitFor({ timeout: 15e3 });
  }

  /** Until the window says so in a corner. */
  async told(text) {
    await this.page.locator(".toast").filter({ hasText: text }).first().waitFor({ timeout: 20e3 });
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Nothing was wrong, nothing sticks out sideways, no part of the page is in trouble. */
  async isFine(where) {
    const { out, trouble } = await this.page.evaluate(() => ({
      out: document.documentElement.scrollWidth - innerWidth,
      trouble: [...document.querySelectorAll(".trouble")].map((one) => one.textContent),
    }));
    assert.deepEqual(trouble, [], `${where}: a part of the page is in trouble`);
    assert.ok(out <= 0, `${where}: the page is ${out} pixels too wide`);
    assert.deepEqual(this.troubles, [], where);
  }

  close() {
    return this.page.context().close();
  }
}

const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** What axe finds serious or critical. The visit must have been made with `bypassCSP`. */
export async function serious({ page }) {
  await page.addScriptTag({ content: axe });
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, any }) => `${target.join(" ")} ${any[0]?.message ?? ""}`).join("; ")}`);
}
