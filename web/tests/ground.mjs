// A place to test in: a home of its own, a project in it, and the daemon that
// belongs to it. The programs are those of ENGRAM_PROGRAMS. What a store holds
// is store.mjs's business, and what a browser does there browser.mjs's.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const programs = process.env.ENGRAM_PROGRAMS && resolve(process.env.ENGRAM_PROGRAMS);
/** Nothing of who runs the tests may be seen by what is tested. */
const DROPPED = /^(ENGRAM|CLAUDE|ANTHROPIC|XDG_|BROWSER$|DISPLAY$)|proxy$/i;

export class Ground {
  constructor() {
    if (!programs) throw new Error("ENGRAM_PROGRAMS names no folder: it is where engram and engramd are");
    this.root = mkdtempSync(join(tmpdir(), "engram-web-"));
    this.home = join(this.root, "home");
    this.folder = this.project("shop");
    const kept = Object.entries(process.env).filter(([name]) => !DROPPED.test(name));
    this.environment = { ...Object.fromEntries(kept), HOME: this.home, PATH: `${programs}:${process.env.PATH}`, TZ: "UTC" };
  }

  /** A git repository in the home. */
  project(name) {
    const folder = join(this.home, name);
    mkdirSync(folder, { recursive: true });
    execFileSync("git", ["init", "-q", folder]);
    writeFileSync(join(folder, "package.json"), `{ "name": "${name}", "scripts": { "test": "vitest run" } }\n`);
    return folder;
  }

  /** What a command answers; it fails where the command does. */
  engram(words, { input = "", folder = this.folder } = {}) {
    const ended = spawnSync(join(programs, "engram"), ["-C", folder, "--json", ...words], { env: this.environment, input, encoding: "utf8", maxBuffer: 1 << 28, timeout: 300e3 });
    if (ended.error) throw ended.error;
    if (ended.status !== 0) throw new Error(`engram ${words.join(" ").slice(0, 200)} ended with ${ended.status}: ${ended.stdout.slice(0, 400)} ${ended.stderr.slice(0, 400)}`);
    return ended.stdout.trim() ? JSON.parse(ended.stdout) : null;
  }

  /** Events, one a line, as `engram observe` reads them. */
  observe(events) {
    return this.engram(["observe"], { input: events.map((event) => `${JSON.stringify(event)}\n`).join("") });
  }

  /** What an agent's hook tells. A hook prints no reply but what the agent gets to read. */
  hook(event, told) {
    const input = JSON.stringify({ hook_event_name: event, cwd: this.folder, session_id: "0c8e1a3e-58f1-4a0e-9d0b-6f1a2b3c4d5e", transcript_path: "", ...told });
    execFileSync(join(programs, "engram"), ["hook", event], { env: this.environment, cwd: this.folder, input, timeout: 60e3 });
  }

  /** Opens the window: its address with a ticket that opens once. */
  ui(...words) {
    return this.engram(["ui", "--print", ...words]);
  }

  /** The keys that the window keeps in its file: `owner` and `reader`. */
  keys() {
    return JSON.parse(readFileSync(join(this.home, ".claude/engram/web.json"), "utf8")).window;
  }

  /** Where the window is, who may look through it, and for which project. */
  window() {
    const url = new URL(this.ui().url);
    const { projects } = this.engram(["projects"]);
    return { origin: url.origin, ...this.keys(), project: projects.find(({ path }) => path === this.folder)?.key ?? "" };
  }

  /** Ends the daemon, by its process where it does not go by itself, and leaves nothing behind. */
  end() {
    try {
      const { process: daemon } = this.engram(["status"]);
      this.engram(["stop"]);
      if (daemon && isThere(daemon)) process.kill(daemon, "SIGKILL");
    } catch {
      // None ran.
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function isThere(id) {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
