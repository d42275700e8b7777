// A stand-in for engramd while the pages are made: serves the bundle (built anew
// at every load), the fixtures under /api/v1 and a scripted stream, with the same
// headers as the real one. Times are moved so that the fixtures are of today.
// Usage: node dev/mock.mjs [PORT]; open http://127.0.0.1:PORT/#key=dev
// ?empty in the key (#key=empty) gives an empty store, #key=reader one that may
// only look, #key=slow answers after a second, #key=broken answers with faults.
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../build/bundle.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const port = Number(process.argv[2] ?? 4242);
const out = mkdtempSync(join(tmpdir(), "engram-mock-"));
const KEYS = ["dev", "empty", "reader", "slow", "broken"];
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8" };
const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types engram",
  "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY",
};

const made = Date.parse(JSON.parse(readFileSync(join(here, "fixtures/made.json"), "utf8")).at);
const moved = (text) => text
  .replace(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, at) => `"${new Date(Date.parse(at) + Date.now() - made).toISOString()}"`)
  .replace(/"(\d{4}-\d\d-\d\d)"/g, (_, day) => `"${new Date(Date.parse(day) + Date.now() - made).toISOString().slice(0, 10)}"`);
const fixture = (name) => existsSync(join(here, `fixtures/${name}.json`)) ? JSON.parse(moved(readFileSync(join(here, `fixtures/${name}.json`), "utf8"))) : undefined;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// What was changed here, until the mock ends: memories by id.
const changed = new Map();
const memories = () => [...new Map([...fixture("memories").memories, ...changed.values()].map((one) => [one.id, changed.get(one.id) ?? one])).values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
const CURRENT = ["created", "active", "challenged", "consolidated"];

class Fault extends Error {
  constructor(status, kind, detail, hints = []) { super(detail); Object.assign(this, { status, kind, hints }); }
}
const absent = (what) => new Fault(404, "not_found", `there is no ${what}`, ["`engram list` shows what there is"]);

function list(query) {
  const words = (name) => (query.get(name) ? query.get(name).split(",") : undefined);
  const fits = (memory) => (words("scope")?.includes(memory.scope) ?? true) && (words("kind")?.includes(memory.kind) ?? true) && (words("tier")?.includes(memory.tier) ?? true)
    && (words("tag")?.every((tag) => memory.tags?.includes(tag)) ?? true) && (!query.get("domain") || memory.domain === query.get("domain")) && (query.get("pinned") !== "true" || memory.pinned)
    && (words("status") ?? CURRENT).includes(memory.status);
  const all = memories().filter(fits), from = Number(query.get("before") ?? 0), limit = Number(query.get("limit") ?? 50);
  return { memories: all.slice(from, from + limit), total: all.length, ...(from + limit < all.length ? { next: String(from + limit) } : {}) };
}

function recall(query) {
  const q = query.get("q");
  if (/^(hi|hello|merhaba)\b/i.test(q)) return { ...fixture("recall"), query: q, hits: [], trivial: "greeting", oldest_at: oldest() };
  const reply = fixture(query.get("timeline") === "true" ? "recall-timeline" : /request|limit|api/i.test(q) ? "recall-limits" : "recall");
  const words = (name) => (query.get(name) ? query.get(name).split(",") : undefined);
  let hits = reply.hits.filter(({ memory }) => (words("scope")?.includes(memory.scope) ?? true) && (words("kind")?.includes(memory.kind) ?? true) && (words("tier")?.includes(memory.tier) ?? true));
  if (/zzz/.test(q)) hits = [];
  if (query.get("as_of")) hits = hits.filter(({ memory }) => memory.created_at <= query.get("as_of"));
  hits = hits.map((hit) => ({ ...hit, memory: changed.get(hit.id) ?? hit.memory, status: (changed.get(hit.id) ?? hit).status }));
  return { ...reply, query: q, hits, gaps: query.get("literal") === "true" ? [{ gap: "no_vectors" }] : reply.gaps, oldest_at: oldest() };
}
const oldest = () => memories().at(-1)?.created_at;

function one(id, part) {
  const memory = memories().find((other) => other.id === id || other.id.endsWith(id.toUpperCase()));
  if (!memory) throw absent(`memory ${id}`);
  const name = part || "inspect";
  const reply = fixture(`memory-${name}`)?.[memory.id] ?? (name === "curve" ? Object.values(fixture("memory-curve"))[0] : undefined);
  const bare = { inspect: { retention: 1, strength: memory.importance, status_history: [{ from: null, to: memory.status, ...memory.status_change }], relations: [] }, why: { evidence: [], decisions: [], others: [], entities: [], relations: [] }, history: { memory_id: memory.id, status_history: [], operations_on: [] }, usage: { utility: .5, tried: 0, succeeded: 0, failed: 0, shown: 0, ignored: 0, usages: [] } };
  const whole = reply ?? bare[name];
  return name === "history" ? whole : { ...whole, memory: { ...whole.memory, ...(changed.get(memory.id) ?? (whole.memory ? {} : memory)) } };
}

let number = 1;
const operation = (body) => body.operation ?? `01M7HR2P${String(number++).padStart(18, "0")}`;
function change(id, body, edit, cause) {
  const memory = memories().find((other) => other.id === id);
  if (!memory) throw absent(`memory ${id}`);
  const done = operation(body), now = new Date().toISOString();
  const next = { ...memory, ...edit(memory), updated_at: now, revision: memory.revision + 1 };
  undos.set(done, memory);
  changed.set(id, next);
  say({ what: "changed", operation: done, cause, actor: "human", memories: [id], text: next.content.slice(0, 200), scope: next.scope });
  return { operation: done, memories: [next], already: false };
}
const undos = new Map();
const status = (word, reason, cause) => () => ({ status: word, status_change: { at: new Date().toISOString(), reason, cause } });

const EMPTY = {
  activity: { activities: [], latest: 0 }, memories: { memories: [], total: 0 }, operations: { operations: [] }, recalls: { recalls: [] }, days: { days: [] }, reviews: { reviews: [] }, entities: { entities: [], total: 0 },
  graph: { nodes: [], edges: [], total: 0 }, dreams: { stores: [], schedule: "on" }, sessions: { sessions: [] }, reminders: { reminders: [] }, consolidation: { waiting: 0 }, weights: { stores: [] }, skills: { skills: [] },
  insights: { stores: [] }, projects: { projects: [] }, stores: { stores: [], backups: [], sessions: 0, free_bytes: null },
};

function get(path, query, key) {
  const [first, second, third] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (!first) return { ...fixture("window"), read_only: key === "reader" };
  if (key === "empty") {
    if (first === "stats") return { scopes: [], project: null, gaps: [], projects: [], hooks: {} };
    if (first === "recall") return { ...fixture("recall"), hits: [], confidence: 0, oldest_at: undefined };
    if (path === "/evolution/candidates") return { evaluated: 0, candidates: [] };
    if (path === "/evolution/report") return { stores: [] };
    if (EMPTY[first] && !second) return EMPTY[first];
    if (first === "health") return { ...fixture("health"), budgets: [], next_dream: [], requests: 2, llm: undefined };
  }
  if (first === "memories") return second ? one(second, third) : list(query);
  if (first === "recall") return recall(query);
  if (first === "reviews" && second) return fixture("reviews").reviews.find((line) => line.review.id === second) ?? (() => { throw absent("such review"); })();
  if (first === "entities" && second) {
    const shown = fixture(`${third === "graph" ? "entity-graph" : "entity"}-${second}`) ?? fixture(third === "graph" ? "entity-graph" : "entity");
    return shown;
  }
  if (first === "sessions" && second) return { ...fixture("sessions").sessions.find((line) => line.session === second), memories_here: [], promotions: [] };
  const name = { "evolution/candidates": "candidates", "evolution/report": "evolution-report" }[`${first}/${second}`] ?? first;
  const reply = fixture(name);
  if (!reply) throw absent(`path ${path}`);
  if (first === "reviews") reply.reviews = reply.reviews.filter((line) => !ruled.has(line.review.id));
  return reply;
}
const ruled = new Set();

async function act(method, path, body) {
  const [first, id, part] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (first === "undo") {
    const before = undos.get(body.target);
    if (before) changed.set(before.id, before);
    return { operation: operation(body), undone: body.target ?? "01M7HR2PS903HCYAT24RX2J23A", cause: "correct", memories: before ? [before] : [] };
  }
  if (first === "memories" && method === "PATCH") return change(id, body, (memory) => ({ ...(body.kind ? { kind: body.kind } : {}), ...(body.tags ? { tags: body.tags } : {}), ...(body.domain !== undefined ? { domain: body.domain || undefined } : {}), ...(body.summary !== undefined ? { summary: body.summary || undefined } : {}), id: memory.id }), "edit");
  if (first === "memories" && part === "correction") {
    if (!body.text?.trim()) throw new Fault(400, "usage", "the text is empty");
    const old = memories().find((memory) => memory.id === id), made = operation(body);
    const reply = change(id, { ...body, operation: made }, status("superseded", "corrected", "correct"), "correct");
    const newer = { ...old, id: made, content: body.text, summary: undefined, status: "created", status_change: { at: new Date().toISOString(), reason: "remembered", cause: "correct" }, created_at: new Date().toISOString(), valid_from: new Date().toISOString(), access_count: 0, revision: 0 };
    changed.set(made, newer);
    return { ...reply, memories: [newer, ...reply.memories] };
  }
  if (first === "memories" && part === "confirmation") return change(id, body, (memory) => ({ confidence: Math.min(1, memory.confidence + .1), status: "active" }), "confirm");
  if (first === "memories" && part === "pin") return change(id, body, () => ({ pinned: body.pinned }), body.pinned ? "pin" : "unpin");
  if (first === "memories" && part === "status") return change(id, body, status(body.status, body.reason, "mark"), "mark");
  if (first === "memories" && part === "forgetting") return change(id, body, status("archived", "forgotten by hand", "forget"), "forget");
  if (first === "memories" && part === "recovery") return change(id, body, status("active", "recovered", "unforget"), "unforget");
  if (first === "memories" && part === "outcome") return { operation: operation(body), memory: id, outcome: body.outcome, utility_before: .5, utility: .6, already: false };
  if (first === "memories" && part === "tier") { const reply = change(id, body, () => ({ tier: body.tier }), "tier"); return { operation: reply.operation, memory: reply.memories[0], before: "episodic" }; }
  if (first === "reviews") { ruled.add(id); return { operation: operation(body), memories: [], already: false }; }
  if (first === "dreams") {
    if (body.dry_run) return fixture("dream-plan");
    const dream = operation(body);
    void (async () => {
      for (const [at, step] of ["expire", "fade", "settle", "rehearse", "replay", "forget", "consolidate", "redundancy", "cards", "tidy"].entries()) {
        say({ what: "dreaming", dream, store: "project shop", step, done: at, total: 10, dry_run: false, scope: "project" });
        await wait(500);
      }
      say({ what: "dreamt", dream, store: "project shop", changes: 9, seconds: 5, scope: "project" });
    })();
    return { operation: dream, status: 202 };
  }
  if (first === "backups") { await wait(400); return { file: "/home/ada/.claude/engram/backups/now.tar.zst", stores: ["user", "project shop"], bytes: 912345 }; }
  if (path === "/evolution/actions") {
    if (body.action === "induce") throw new Fault(409, "refused", "the evidence does not suffice", ["two more successes of the release procedure", "a name and a description"]);
    return { operation: operation(body), action: body.action, nodes: body.memories, memories: [], reason: body.reason, already: false };
  }
  if (first === "entities") return { operation: operation(body), entity: fixture("entity").entity };
  throw absent(`path ${path}`);
}

// The stream: what is changed here, and every few seconds something of its own.
const listeners = new Set();
let said = Date.now() * 1000 + 1e9;
function say(what) {
  const activity = { number: said++, at: new Date().toISOString(), ...what };
  for (const response of listeners) response.write(`event: ${activity.what}\nid: ${activity.number}\ndata: ${JSON.stringify(activity)}\n\n`);
}
const script = () => fixture("activity").activities.filter(({ what }) => ["heard", "decided", "recalled", "told", "hooked"].includes(what));
let turn = 0;
if (!process.env.QUIET) setInterval(() => { if (listeners.size) { const lines = script(), { number: _, at: __, ...what } = lines[turn++ % lines.length]; say(what); } }, 4000).unref();

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://mock");
  const send = (code, type, body) => response.writeHead(code, { ...HEADERS, "Content-Type": type, "Cache-Control": type.includes("json") ? "no-store" : "no-cache" }).end(body);
  if (!url.pathname.startsWith("/api/v1")) {
    if (url.pathname === "/") await bundle(out, { minify: !process.env.PLAIN }).catch((problem) => console.error(String(problem)));
    const file = join(out, url.pathname === "/" ? "index.html" : url.pathname.slice(1));
    return existsSync(file) ? send(200, TYPES[extname(file)] ?? "application/octet-stream", readFileSync(file)) : send(404, "text/plain", "no such file");
  }
  const path = url.pathname.slice("/api/v1".length), key = request.headers.authorization?.replace("Bearer ", "");
  try {
    if (path === "/openapi.json") return send(200, "application/json", request.method === "HEAD" ? undefined : "{}");
    if (path === "/tickets") return send(200, "application/json", JSON.stringify({ token: "dev", read_only: false }));
    if (!KEYS.includes(key)) throw new Fault(401, "usage", "this key opens nothing here", ["`engram ui` opens the window with its key"]);
    if (key === "slow") await wait(1000);
    if (key === "broken" && !["", "/projects"].includes(path)) throw new Fault(503, "environment", "the store of project shop could not be opened: the file is damaged", ["`engram doctor --repair` repairs what can be repaired"]);
    if (path === "/activity/stream") {
      response.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream", "Cache-Control": "no-store" }).write("retry: 2000\n\n");
      listeners.add(response);
      return request.on("close", () => listeners.delete(response));
    }
    if (request.method === "GET") return send(200, "application/json", JSON.stringify(get(path, url.searchParams, key)));
    if (key === "reader") throw new Fault(403, "read_only", "this window may only look");
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const reply = await act(request.method, path, JSON.parse(Buffer.concat(chunks).toString() || "{}"));
    send(reply.status === 202 ? 202 : 200, "application/json", JSON.stringify(reply));
  } catch (problem) {
    if (!(problem instanceof Fault)) console.error(problem);
    const { status: code = 500, kind = "internal", hints = [] } = problem;
    send(code, "application/problem+json", JSON.stringify({ type: `urn:engram:fault:${kind}`, title: kind, status: code, detail: problem.message, kind, hints }));
  }
});
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/#key=dev&project=${fixture("projects").projects[0].key}`));
