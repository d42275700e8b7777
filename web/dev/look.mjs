// Takes pictures of a page of the mock, light and dark, wide and narrow, and says
// what is wrong with it: console errors, foreign requests, sideways scrolling,
// serious findings of axe. Usage: node dev/look.mjs PORT FOLDER NAME HASH [KEY] [KEYS...]
// KEYS are pressed after the page is there ("?", "g n", "c").
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [port, folder, name, hash, key = "dev", ...keys] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const home = `http://127.0.0.1:${port}`;
const project = (await (await fetch(`${home}/api/v1/projects`, { headers: { Authorization: "Bearer dev" } })).json()).projects[0].key;
for (const [width, height, size] of [[1280, 800, "wide"], [390, 844, "narrow"]]) {
  for (const scheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
    await context.addInitScript(([key, project]) => { sessionStorage.setItem("engram.token", key); sessionStorage.setItem("engram.project", project); }, [key === "none" ? "" : key, key === "empty" ? "" : project]);
    const page = await context.newPage();
    page.on("console", (line) => ["error", "warning"].includes(line.type()) && !(key !== "dev" && /status of (503|401)/.test(line.text())) && console.log(`${name} ${size} ${scheme}: ${line.text()}`));
    page.on("pageerror", (problem) => console.log(`${name} ${size} ${scheme}: ${problem.stack}`));
    page.on("request", (request) => request.url().startsWith(home) || console.log(`${name}: asks ${request.url()}`));
    await page.goto(`${home}/${hash}`);
    await page.waitForTimeout(key === "slow" ? 500 : 900);
    for (const one of keys) { for (const part of one.split(" ")) await page.keyboard.press(part); await page.waitForTimeout(350); }
    const scroll = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (scroll > 0) console.log(`${name} ${size} ${scheme}: scrolls sideways by ${scroll}`);
    await page.screenshot({ path: join(folder, `${name}-${size}-${scheme}.png`), fullPage: process.env.WHOLE === "1" });
    const found = await (async () => {
      const session = await context.newCDPSession(page);
      await session.send("Page.setBypassCSP", { enabled: true });
      await page.reload();
      await page.waitForTimeout(key === "slow" ? 500 : 900);
      for (const one of keys) { for (const part of one.split(" ")) await page.keyboard.press(part); await page.waitForTimeout(350); }
      await page.evaluate(axe);
      return page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    })();
    for (const finding of found.violations.filter(({ impact }) => ["serious", "critical", "moderate"].includes(impact))) console.log(`${name} ${size} ${scheme}: ${finding.impact} ${finding.id}: ${finding.nodes.slice(0, 3).map((node) => `${node.target} ${node.any?.[0]?.message ?? ""}`).join(" | ")}`);
    await context.close();
  }
}
await browser.close();
