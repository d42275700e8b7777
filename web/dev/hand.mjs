// Fixtures of what no program answers yet, made by hand around the memories of
// the others. Usage: node dev/hand.mjs, after dev/make.mjs.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const out = join(dirname(fileURLToPath(import.meta.url)), "fixtures");
const read = (name) => JSON.parse(readFileSync(join(out, `${name}.json`), "utf8"));
// What is there already and was not made here is left alone.
const keep = (name, reply, force = true) => (force || !existsSync(join(out, `${name}.json`))) && writeFileSync(join(out, `${name}.json`), JSON.stringify(reply, null, 1) + "\n");
let seed = 8;
const chance = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
const pick = (list) => list[Math.floor(chance() * list.length)];
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ulid = () => "01M7HR" + Array.from({ length: 20 }, () => DIGITS[Math.floor(chance() * 32)]).join("");

const { at: madeAt, id } = read("made");
const now = Date.parse(madeAt), DAY = 86400e3;
const before = (milliseconds) => new Date(now - milliseconds).toISOString();
const dayOf = (days) => before(days * DAY).slice(0, 10);
const { memories } = read("memories");
const of = (one) => memories.find((memory) => memory.id === one);
const like = (text) => memories.find((memory) => memory.content.includes(text));
const project = "p_890b0c302b30", session = ulid(), earlier = ulid();
const key = memories.find((memory) => memory.source_project)?.source_project ?? project;

keep("window", { version: "0.1.0", protocol: 1, read_only: false, home: "/home/ada/.claude/engram", started_at: before(3 * 3600e3) });
keep("projects", { projects: [
  { key, name: "shop", path: "/home/ada/shop", there: true, open: true, memories: 29, bytes: 467433 },
  { key: "p_1f2e3d4c5b6a", name: "engram", path: "/home/ada/engram", there: true, open: false, bytes: 8123456 },
  { key: "p_aaaabbbbcccc", name: "thesis", path: "/home/ada/old/thesis", there: false, open: false, bytes: 91234 },
] });

const health = read("health");
health.started_at = before(3.2 * 3600e3);
health.idle_exit_at = before(-26 * 60e3);
health.requests = 1284;
health.window = { url: "http://127.0.0.1:4242/", watchers: 1 };
health.budgets = [
  { what: "language model, calls today", used: 132, limit: 500, unit: "calls" },
  { what: "language model, tokens today", used: 218400, limit: 1000000, unit: "tokens" },
  { what: "told at the start of a session", used: 3120, limit: 6000, unit: "characters" },
  { what: "told beside a prompt", used: 1450, limit: 1500, unit: "characters" },
];
health.next_dream = [{ store: "project shop", after_sessions: 2, depth: "full", due: false }, { store: "user", depth: "light", due: true }];
health.llm = { model: "qwen3:4b", day: dayOf(0), calls: 132, calls_per_day: 500, tokens: 218400, tokens_per_day: 1000000 };
keep("health", health);

const times = (...steps) => ({ count: steps.reduce((sum, [, count]) => sum + count, 0), up_to_ms: Object.fromEntries(steps) });
const stats = read("stats");
stats.projects = ["/home/ada/shop", "/home/ada/engram"];
stats.hooks = { "claude-code": {
  last_at: before(40e3), last_saved_at: before(12 * 60e3), last_prompt_at: before(40e3), start_chars: 48210, prompt_chars: 131877, shown: 412, used: 171,
  events: {
    SessionStart: times([5, 3], [7, 16], [10, 11], [20, 2]), UserPromptSubmit: times([3, 40], [5, 210], [7, 96], [15, 14], [50, 2]),
    PreToolUse: times([2, 610], [3, 820], [5, 190], [10, 21]), PostToolUse: times([1, 500], [2, 902], [3, 222], [7, 9]),
    Stop: times([2, 30], [3, 70], [5, 15]), SessionEnd: times([7, 9], [10, 12], [30, 3]), PreCompact: times([5, 4], [10, 3]),
  },
} };
keep("stats", stats);

// The feed.
const what = (ago, rest, more = {}) => ({ ago, scope: "project", project: key, session, agent: "claude-code", ...more, ...rest });
const told = [
  what(8, { what: "hooked", event: "UserPromptSubmit", ms: 4.2 }),
  what(9, { what: "told", via: "prompt", memories: [id.arch, id.fix], chars: 610 }),
  what(9, { what: "recalled", recall: ulid(), via: "prompt", query: "why do the cart tests fail with connection refused?", hits: 4, confidence: 0.83, ms: 1.9 }),
  what(10, { what: "heard", event: "user_message", turns: 1, masked: 0 }),
  what(64, { what: "decided", action: "create", memory: id.narrative, text: of(id.narrative).content, reason: "stated by the user" }),
  what(66, { what: "decided", action: "skip", reason: "a question: nothing to keep" }),
  what(70, { what: "heard", event: "tool_call", turns: 3, masked: 1 }),
  what(130, { what: "changed", operation: ulid(), cause: "correct", actor: "human", memories: [id.newer], text: of(id.newer)?.content }),
  what(200, { what: "recalled", recall: ulid(), via: "search", query: "how many requests may a client make", hits: 5, confidence: 0.78, ms: 0.8 }, { agent: undefined, session: undefined }),
  what(305, { what: "dreamt", dream: ulid(), store: "project shop", changes: 14, seconds: 0.42 }, { agent: undefined, session: undefined }),
  what(305, { what: "dreaming", dream: ulid(), store: "project shop", step: "cards", done: 18, total: 24, dry_run: false }, { agent: undefined, session: undefined }),
  what(420, { what: "session_ended", promoted: 3 }, { session: earlier }),
  what(700, { what: "decided", action: "supersede", memory: like("5434")?.id, text: like("5434")?.content, reason: "the user set it right" }),
  what(702, { what: "decided", action: "reinforce", memory: id.conv, text: of(id.conv).content, reason: "observed again, by a tool" }),
  what(760, { what: "told", via: "session_start", memories: [id.sign, id.conv, id.arch, id.user, id.proc], chars: 2890 }),
  what(761, { what: "session_began" }),
  what(900, { what: "failed", doing: "filling", problem: "the endpoint http://127.0.0.1:11434 did not answer in time" }, { scope: undefined, project: undefined, session: undefined, agent: undefined }),
  what(960, { what: "working", doing: "filling", done: 20, total: 29 }, { session: undefined, agent: undefined }),
  what(1800, { what: "decided", action: "challenge", memory: id.doubt, text: of(id.doubt).content, reason: "the headers say one day" }),
  what(2400, { what: "changed", operation: ulid(), cause: "pin", actor: "human", memories: [id.user], text: of(id.user).content }, { scope: "user", project: undefined, agent: undefined, session: undefined }),
  what(4100, { what: "hooked", event: "PostToolUse", problem: "took longer than 250 ms, and was not waited for" }),
];
const latest = now * 1000;
keep("activity", { activities: told.map(({ ago, ...rest }, at) => ({ number: latest - at, at: before(ago * 1000), ...rest })), latest });

// How using memories went.
const usage = {};
for (const memory of memories) usage[memory.id] = { memory, utility: memory.utility, tried: 0, succeeded: 0, failed: 0, shown: memory.access_count, ignored: 0, usages: [] };
usage[id.fix] = { memory: of(id.fix), utility: 0.74, tried: 6, succeeded: 4, failed: 1, shown: 9, ignored: 3, usages: [
  { memory: id.fix, outcome: "success", source: "check", note: "npm test was green afterwards", session, at: before(0.2 * DAY) },
  { memory: id.fix, outcome: "success", source: "told", session, at: before(1.1 * DAY) },
  { memory: id.fix, outcome: "ignored", source: "reuse", at: before(3 * DAY) },
  { memory: id.fix, outcome: "failure", source: "told", note: "redis was there; the port was another", at: before(9 * DAY) },
  { memory: id.fix, outcome: "partial", source: "feedback", at: before(14 * DAY) },
] };
keep("memory-usage", usage);

// A curve with a past: the memory of two months ago.
const curves = read("memory-curve");
const birth = now - 62 * DAY, uses = [58, 41, 22, 3];
const decay = (days, stability) => (1 + (19 / 81) * (days / stability)) ** -0.5;
const points = [];
for (let at = birth; at < now + 90 * DAY; at += DAY) {
  const days = (at - birth) / DAY, since = [62, ...uses].map((ago) => 62 - ago).filter((use) => use <= days);
  points.push({ at: new Date(at).toISOString(), retention: decay(days - since.at(-1), 1.6 * 1.9 ** since.length) });
}
const left = points.find((point) => Date.parse(point.at) >= now);
curves[id.sign] = { memory: of(id.sign), model: "fsrs6", at: new Date(now).toISOString(), retention: left.retention, storage: 3.4, uses: uses.map((ago) => before(ago * DAY)), points,
  thresholds: [{ what: "rehearsal", retention: 0.72, reached_at: before(-41 * DAY) }, { what: "archival", retention: 0.66, reached_at: before(-74 * DAY) }, { what: "forgetting", retention: 0.51 }], fades_at: before(-74 * DAY) };
keep("memory-curve", curves);
const inspected = read("memory-inspect"), why = read("memory-why");
for (const one of [inspected[id.sign].memory, why[id.sign].memory]) {
  one.created_at = one.valid_from = one.recorded_at = new Date(birth).toISOString();
  one.promotion_chain = [{ scope: "session", memory_id: ulid(), promoted_at: before(61 * DAY) }];
  one.access_count = 4;
}
keep("memory-inspect", inspected);
keep("memory-why", why);

// Stores.
const growth = Array.from({ length: 90 }, (_, at) => ({ day: dayOf(89 - at), learned: Math.floor(chance() * chance() * 9), gone: Math.floor(chance() * chance() * 3) }));
const held = (weights) => weights.map((weight) => Math.round(weight * (0.7 + chance() * 0.6)));
const scopes = Object.fromEntries(stats.scopes.map((scope) => [scope.scope, scope]));
const store = (scope, name, more) => ({ scope, store: name, project: null, memories: scopes[scope]?.memories ?? 0, capacity: null, bytes: scopes[scope]?.bytes_on_disk ?? 0, sheets: 0, by_status: scopes[scope]?.by_status ?? {}, by_kind: scopes[scope]?.by_kind ?? {},
  tiers: [["episodic", [1, 2, 1, 0, 1, 0, 1, 1, 2, 3]], ["semantic", [0, 0, 0, 1, 0, 1, 1, 2, 3, 6]], ["procedural", [0, 0, 0, 0, 0, 0, 1, 1, 2, 5]]].map(([tier, weights]) => ({ tier, memories: weights.reduce((sum, one) => sum + one), held: held(weights) })),
  growth, oldest_at: before(62 * DAY), vectors: { embedder: "table-minilm-256-1", made: 29, total: 29 }, ...more });
keep("stores", {
  stores: [
    store("project", "project shop", { project: { key, path: "/home/ada/shop", name: "shop" }, capacity: 10000, sheets: 12 }),
    store("user", "user", { capacity: 5000, growth: growth.map((day) => ({ ...day, learned: day.learned > 3 ? 1 : 0, gone: 0 })) }),
    store("session", "session today", { memories: 1, by_status: { created: 1 }, by_kind: { scratchpad: 1 }, tiers: [{ tier: "working", memories: 1, held: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }], growth: [], bytes: 4096 }),
  ],
  backups: [
    { file: "/home/ada/.claude/engram/backups/2026-11-15T03.tar.zst", bytes: 912345, made_at: before(1.2 * DAY), stores: ["user", "project shop"] },
    { file: "/home/ada/.claude/engram/backups/2026-11-08T03.tar.zst", bytes: 880211, made_at: before(8.2 * DAY), stores: ["user", "project shop"] },
  ],
  sessions: 41, free_bytes: 81234567890,
});
keep("sessions", { sessions: [
  { session, status: "active", started_at: before(761e3), memories: 1, promoted: 0 },
  { session: earlier, status: "ended", started_at: before(1.4 * 3600e3), ended_at: before(420e3), memories: 0, promoted: 3, summary: "Cured the flaky cart tests: redis was not started; the compose file has it now." },
  { session: ulid(), status: "ended", started_at: before(1.1 * DAY), ended_at: before(1.05 * DAY), memories: 0, promoted: 1, summary: "Talked about invoices and when they are sent." },
  { session: ulid(), status: "ended", started_at: before(3.2 * DAY), ended_at: before(3.1 * DAY), memories: 0, promoted: 2, summary: "The staging database moved to another port." },
] });

// Days.
const line = (memory, happened, cause, seconds, more = {}) => ({ operation: ulid(), at: before(seconds * 1000), scope: memory.scope, happened, cause, actor: cause === "capture" || cause === "dream" ? "engram" : "human", memory: memory.id, kind: memory.kind, text: memory.summary ?? memory.content.split("\n")[0], undoable: true, undone: false, ...more });
const current = memories.filter((memory) => memory.status === "active" || memory.status === "created");
const days = [];
for (let back = 0; back < 24; back++) {
  if (back > 0 && chance() < 0.35) continue;
  const count = 1 + Math.floor(chance() * 5), at = (number) => back * 86400 + 600 + number * 700;
  const lines = Array.from({ length: count }, (_, number) => line(pick(current), pick(["learned", "learned", "learned", "corrected", "changed", "forgotten"]), pick(["capture", "remember", "correct", "pin", "dream"]), at(number), { undone: chance() < 0.1 }));
  const half = Math.ceil(count / 2);
  days.push({ day: dayOf(back), sessions: [
    { session: ulid(), agent: "claude-code", summary: back % 2 ? null : "Cured the flaky cart tests: redis was not started; the compose file has it now.", lines: lines.slice(0, half) },
    ...(lines.length > half ? [{ session: null, agent: null, summary: null, lines: lines.slice(half) }] : []),
  ] });
}
keep("days", { days, next: ulid() });

// The whole graph: the things of the store, and as many made up as make it a picture.
const kinds = ["tool", "service", "file", "symbol", "person", "concept", "project", "language"];
const bonds = ["uses", "depends_on", "is_a", "part_of", "causes", "fixes", "contradicts", "replaces", "related_to", "tested_by", "configured_by", "imports"];
const entities = read("entities").entities;
const names = ["Redis", "Postgres", "Stripe", "checkout", "cart", "orders", "search", "admin", "invoice", "worker", "queue", "gateway", "session", "proxy", "image", "price"];
const nodes = entities.map((one) => ({ entity: one.entity.id, scope: one.scope, name: one.entity.written, kind: one.entity.kind, memories: one.memories, bonds: one.bonds }));
while (nodes.length < 120) nodes.push({ entity: "0000000000" + ulid().slice(10), scope: chance() < 0.1 ? "user" : "project", name: `${pick(names)}${pick([".ts", "-service", ".created", " 3", "Client", "/index.ts", " job", ""])} ${nodes.length}`, kind: pick(kinds), memories: 1 + Math.floor(chance() ** 4 * 30), bonds: 0 });
const edges = [];
for (let at = 1; at < nodes.length; at++) for (let more = 0; more < 1 + Math.floor(chance() * 2.4); more++) edges.push([at, Math.floor(chance() ** 2 * at), pick(bonds), Math.round((0.2 + chance() * 0.8) * 100) / 100]);
for (const [from, to] of edges) nodes[from].bonds++, nodes[to].bonds++;
keep("graph", { nodes, edges, total: nodes.length });

// Settings, with what they are for.
const listed = read("settings-cli").settings;
keep("settings", {
  settings: listed.map((one, at) => ({ ...one, default: at % 11 === 3 ? "off" : one.value, source: at % 11 === 3 ? "user" : at % 17 === 5 ? "project" : one.source, about: `What ${one.key.split(".").at(-1).replaceAll("_", " ")} decides, said in one or two sentences, as the comment above it in the defaults does.`, personal: one.key.startsWith("llm") || one.key.startsWith("window") })),
  files: ["/home/ada/.claude/engram/config.toml", "/home/ada/shop/.engram.toml"],
});

// Pairs that wait.
const side = (memory) => ({ side: "memory", memory, evidence: why[memory.id]?.evidence ?? [] });
const review = (newer, older, reason, similarity) => ({ scope: "project", review: { id: ulid(), pair: "memories", newer: newer.id, older: older.id, reason, similarity, opened_at: before(2 * DAY) }, newer: side(newer), older: side(older) });
const things = entities.slice(0, 2).map((one) => one.entity);
keep("reviews", { reviews: [
  review({ ...of(id.newer), id: ulid(), content: "The API limits clients to 90 requests a minute.", status: "challenged", data_source: "assistant_message", trust: 0.6 }, of(id.newer), "they say different values of one thing, and neither is much more trusted", 0.86),
  review(like("payments/hook") ?? of(id.script), like("pay/webhook") ?? of(id.arch), "an agent says so, and an agent said otherwise", 0.79),
  review(of(id.entity), of(id.plan), "both are about Meilisearch; one may follow from the other", 0.61),
  ...(things.length === 2 ? [{ scope: "project", review: { id: ulid(), pair: "entities", newer: things[0].id, older: things[1].id, reason: "the names are alike", similarity: 0.9, opened_at: before(5 * DAY) }, newer: { side: "entity", entity: things[0] }, older: { side: "entity", entity: things[1] } }] : []),
] });

// Issue 7.
const arms = (words, table, model) => ({ graph: Math.round((1 - words - table - model) * 100) / 100, model, table, words });
const history = Array.from({ length: 12 }, (_, at) => ({ key: { subject: "arms", query_type: at % 3 ? undefined : "error_debug", with_model: false }, before: arms(0.5 + 0.01 * (11 - at), 0.4 - 0.01 * (11 - at), 0), after: arms(0.5 + 0.01 * (12 - at), 0.4 - 0.01 * (12 - at), 0), reason: "the words found what was then used 14 times of 18", at: before((at + 1) * 5 * DAY) }));
keep("weights", { stores: [
  { scope: "project", store: "project shop", learning: true, noise: 2, history,
    rows: [
      { subject: "arms", with_model: false, default: arms(0.5, 0.4, 0), now: arms(0.62, 0.28, 0), votes: 148, state: "converged", reason: "nothing moves any more; it waits for 60 more votes", updated_at: before(5 * DAY) },
      { subject: "arms", query_type: "error_debug", with_model: false, default: arms(0.5, 0.4, 0), now: arms(0.7, 0.2, 0), votes: 61, state: "learning", reason: "the words found what was then used 14 times of 18", updated_at: before(5 * DAY) },
      { subject: "arms", query_type: "how_to", with_model: false, default: arms(0.5, 0.4, 0), now: arms(0.5, 0.4, 0), votes: 7, state: "too_few", reason: "7 of 30 votes" },
    ],
    rates: [{ subject: "arms", with_model: false, word: "words", rate: 0.78, votes: 148, sure: true }, { subject: "arms", with_model: false, word: "table", rate: 0.41, votes: 148, sure: true }, { subject: "arms", query_type: "how_to", with_model: false, word: "words", rate: 0.57, votes: 7, sure: false }] },
  { scope: "user", store: "user", learning: true, rows: [], rates: [], noise: 0, history: [] },
] });
const candidate = (priority, criteria, ids, suggested, why, missing = [], more = {}) => ({ scope: "project", priority, criteria, nodes: ids, suggested, utility: 0.22, uses: 7, idle_days: 12, missing, why, texts: ids.map((one) => of(one).content), ...more });
keep("candidates", { evaluated: 29, candidates: [
  candidate("critical", "low_q", [id.observation], "deprecated", "it failed 5 times of 7, the last time two days ago"),
  candidate("high", "similar_pairs", [id.arch, id.narrative], "merged", "they say nearly the same", [], { similarity: 0.93, utility: 0.5 }),
  candidate("medium", "unlinked_processes", [id.proc, id.fix, id.pattern], "induced", "three procedures that are alike and belong to no skill", ["two more successes of the release procedure", "a name"], { utility: 0.71 }),
  candidate("low", "stale", [id.plan], "archived", "nobody has used it for 96 days", [], { idle_days: 96, uses: 0, utility: 0.5 }),
] });
keep("evolution-report", { stores: [
  { scope: "project", store: "project shop", candidates_evaluated: 15, actions_taken: { deprecated: 1, refined: 1, merged: 1, archived: 2, induced_skills: 0 },
    details: [
      { node_id: id.deprecated, action: "deprecated", reason: "it failed 4 times of 5", undone: false },
      { node_id: id.old, action: "refined", new_id: id.newer, reason: "a partner key has its own limit", undone: false },
      { node_id: id.away, action: "archived", reason: "nobody has used it for 101 days", undone: true },
    ],
    summary: "Deprecated 1 low-quality fact, refined 1, merged 1, archived 2", next: { at: before(-4 * DAY), updates_left: 38, procedures_left: 3 } },
] });
keep("skills", { skills: [
  { name: "release-the-shop", description: "How the shop is released, step by step.", scope: "project", memory: id.proc, protected: false, utility: 0.81, tried: 12, failed: 1, file: "/home/ada/shop/.claude/skills/release-the-shop/SKILL.md", state: "as_written", text: of(id.proc).content },
  { name: "redis-in-tests", description: "What to do when tests cannot reach redis.", scope: "project", memory: id.fix, protected: false, utility: 0.64, tried: 5, failed: 2, file: "/home/ada/shop/.claude/skills/redis-in-tests/SKILL.md", state: "edited", text: of(id.fix).content },
  { name: "remember", description: "How an agent uses engram.", protected: true, tried: 0, failed: 0, text: "Ask before you guess; tell what you learned." },
] });
keep("insights", { stores: [
  { scope: "project", store: "project shop", reflections: [{ dream: ulid(), triggered_by: "session_end", session_count_at: 40, insights_generated: 3, entities_merged: 1, edges_pruned: 4, memories_archived: 2, duration_ms: 88, at: before(2 * DAY) }],
    insights: [
      { id: "memory_gap:deploy rollback", insight: "memory_gap", subject: "deploy rollback", description: "\"how do we roll back\" was asked 6 times and answered never", evidence: [ulid(), ulid()], created_at: before(9 * DAY), last_seen_at: before(2 * DAY) },
      { id: "retrieval_pattern:words", insight: "retrieval_pattern", subject: "words", description: "what is used was found by words 78 times of 100", evidence: [id.fix], action_taken: "the share of words went up to .62", created_at: before(20 * DAY), last_seen_at: before(2 * DAY) },
      { id: "decay_anomaly:episodic", insight: "decay_anomaly", subject: "episodic", description: "4 archived memories were asked for again within a week", evidence: [id.away], proposal: { setting: "forgetting.capacity_project", value: "12000", why: "what was put away too early comes back" }, created_at: before(6 * DAY), last_seen_at: before(2 * DAY) },
    ] },
] });
