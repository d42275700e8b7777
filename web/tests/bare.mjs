// A browser with nothing attached to it while it loads: what a test usually
// listens to takes a third of the time that is to be measured here. Spoken to
// over its pipe, a question and an answer at a time.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WIDE } from "./browser.mjs";

/** Nothing is asked of a page while it loads. */
const LOADED = 1200;
/** A new tab rests before it is sent anywhere. */
const RESTED = 200;

export class BareBrowser {
  constructor() {
    this.home = mkdtempSync(join(tmpdir(), "engram-bare-"));
    const flags = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${this.home}`, "--no-first-run", "--disable-background-networking", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
    this.process = spawn(process.env.CHROMIUM || "/usr/bin/chromium", [...flags, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    let rest = "";
    this.process.stdio[4].on("data", (bytes) => {
      const lines = (rest + bytes).split("\0");
      rest = lines.pop();
      for (const { id, error, result } of lines.map((line) => JSON.parse(line))) {
        const { done, failed } = this.waiting.get(id) ?? {};
        this.waiting.delete(id);
        if (error) failed?.(new Error(error.message));
        else done?.(result);
      }
    });
  }

  ask(method, params = {}, sessionId = undefined) {
    return new Promise((done, failed) => {
      const id = (this.asked = (this.asked ?? 0) + 1);
      this.waiting.set(id, { done, failed });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Loads a page with an empty cache; `first` runs before it, what `told` gives is returned after it. */
  async load(url, first, told) {
    const { browserContextId } = await this.ask("Target.createBrowserContext");
    const { targetId } = await this.ask("Target.createTarget", { url: "about:blank", browserContextId, ...WIDE });
    const { sessionId } = await this.ask("Target.attachToTarget", { targetId, flatten: true });
    await this.ask("Page.enable", {}, sessionId);
    await this.ask("Page.addScriptToEvaluateOnNewDocument", { source: first }, sessionId);
    await new Promise((done) => setTimeout(done, RESTED));
    await this.ask("Page.navigate", { url }, sessionId);
    await new Promise((done) => setTimeout(done, LOADED));
    const { result } = await this.ask("Runtime.evaluate", { expression: told, returnByValue: true, awaitPromise: true }, sessionId);
    await this.ask("Target.disposeBrowserContext", { browserContextId });
    return result.value;
  }

  async end() {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill();
    await ended;
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
