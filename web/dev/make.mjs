// Makes the fixtures of the mock with the real programs: the small store of the
// tests, asked by the commands' --json. Usage: node dev/make.mjs BIN, where BIN
// holds engram and engramd. What no command answers is made by hand in
// dev/hand.mjs.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.env.ENGRAM_PROGRAMS = process.argv[2] ?? "/usr/local/bin";
const { Ground } = await import("../tests/ground.mjs");
const { twenty } = await import("../tests/store.mjs");

const out = join(dirname(fileURLToPath(import.meta.url)), "fixtures");
mkdirSync(out, { recursive: true });
const ground = new Ground();
const engram = (words) => ground.engram(words);
const attempt = (words) => { try { return engram(words); } catch (problem) { console.error("-", String(problem).slice(0, 300)); return null; } };
// The folders of this run are nobody's business, and would differ each time.
const tidy = (text) => text.replaceAll(ground.home, "/home/ada");
const keep = (name, reply) => { if (reply) writeFileSync(join(out, `${name}.json`), tidy(JSON.stringify(reply, null, 1)) + "\n"); };

const id = twenty(ground, { dreams: false });
keep("dream-plan", attempt(["dream", "--dry-run"]));
keep("dreamt", attempt(["dream"]));
const today = id.session;

keep("health", engram(["status"]));
keep("stats", engram(["stats"]));
keep("checks", attempt(["doctor"]));
keep("settings-cli", attempt(["config", "list"]));
const listed = engram(["list", "--session", today, "--limit", "200"]);
for (const status of ["superseded", "merged", "deprecated", "invalidated", "promoted", "archived", "forgotten"]) {
  listed.memories.push(...(attempt(["list", "--status", status])?.memories ?? []));
}
listed.memories = [...new Map(listed.memories.map((memory) => [memory.id, memory])).values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
listed.total = listed.memories.length;
keep("memories", listed);
keep("recall", engram(["recall", "where do orders live and which database do we use"]));
keep("recall-limits", engram(["recall", "how many requests may a client make a minute"]));
keep("recall-timeline", attempt(["recall", "--timeline", "which port does the staging database listen on"]));
keep("operations", engram(["operations", "--limit", "100"]));
keep("recalls", engram(["recalls"]));
keep("reviews", attempt(["review", "list"]));
keep("dreams", attempt(["dream", "--report"]));
keep("entities", attempt(["entity", "list"]));
keep("entity", attempt(["entity", "show", "redis"]));
keep("entity-graph", attempt(["graph", "redis"]));
keep("sessions", attempt(["session", "list"]));
keep("reminders", attempt(["reminders"]));
keep("consolidation", attempt(["consolidation", "next"]));
const several = { inspect: {}, why: {}, history: {}, curve: {} };
for (const memory of listed.memories) {
  for (const verb of Object.keys(several)) {
    const reply = attempt([verb, memory.id, "--session", today]);
    if (reply) several[verb][memory.id] = reply;
  }
}
// The curves of all would be half a megabyte; three tell enough.
const curves = Object.entries(several.curve).filter(([one]) => [id.sign, id.fix, listed.memories.at(-1).id].includes(one));
several.curve = Object.fromEntries(curves);
for (const [verb, replies] of Object.entries(several)) keep(`memory-${verb}`, replies);
keep("made", { at: new Date().toISOString(), id });
ground.end();
console.log(listed.memories.length, "memories");
