// What the stores of the tests hold: nothing, a small one in which everything
// happens once, and 10,000 memories. Each is the same every time, but for the
// clock: ages are counted back from now.

const daysAgo = (days, hours = 0) => new Date(Date.now() - days * 86400e3 - hours * 3600e3).toISOString();

/** Somebody who only just came: the daemon runs, and nothing was ever said. */
export function nothing(ground) {
  ground.engram(["list"]);
}

/**
 * A small store of every kind and of almost every status: people and agents who
 * spoke in five sessions, corrections, contradictions that wait for somebody,
 * things that are bound to each other, a skill, and two dreams; without them engram dreams none by itself either.
 * Returns the identifiers of what the tests speak of, by a name.
 */
export function twenty(ground, { dreams = true } = {}) {
  // Nothing is dreamt in between by itself: it would not be the same every time.
  const schedules = (word) => ["dream.schedule", "evolution.schedule"].forEach((key) => ground.engram(["config", "set", key, word]));
  schedules("off");
  const said = [
    [62, "setup", "user_message", "We deploy the shop with GitHub Actions to fly.io, never by hand."],
    [62, "setup", "user_message", "Always run `npm test` before you commit, please remember that."],
    [41, "checkout", "user_message", "I prefer small pull requests with one topic each."],
    [41, "checkout", "assistant_message", "The checkout service uses Stripe, and Stripe webhooks are verified in src/pay/webhook.ts."],
    [20, "postgres", "user_message", "The staging database listens on port 5433."],
    [20, "postgres", "user_message", "We decided to use Postgres 16 for orders because SQLite locked up under load."],
    [3, "port", "user_message", "Actually the staging database listens on port 5434 now."],
    [1, "invoice", "user_message", "Müşteri faturaları her ayın ilk günü gönderilir, bunu unutma."],
  ];
  for (const [days, session, type, text] of said) ground.observe([{ type, text, session, time: daysAgo(days) }]);

  const remember = (kind, text, ...more) => ground.engram(["remember", "--kind", kind, ...more, text]).memories[0].id;
  const id = {};
  id.sign = remember("decision", "Tokens are signed with ed25519; RS256 was dropped because the keys were too large for the cookie.", "--tag", "auth", "--tag", "security");
  id.conv = remember("convention", "Branches are named `topic/short-name`; the issue number goes into the commit, not the branch.", "--tag", "git");
  id.pattern = remember("pattern", "Every service exposes /healthz, and the load balancer waits for three good answers.");
  id.fix = remember("error_fix", "error: `ECONNREFUSED 127.0.0.1:6379` in tests; cured by starting redis with `docker compose up -d redis` first.", "--tag", "redis");
  id.arch = remember("architecture", "The cart lives in Redis with a TTL of 14 days; orders live in Postgres. Between the two stands a queue: `cart.checked_out` is published by the checkout service, the order service writes the order, answers with `order.created`, and only then is the cart deleted. If the order service is down the message stays in the queue for seven days and nobody loses a cart. There is no distributed transaction, on purpose; the outbox table in Postgres makes the write and the answer one.", "--domain", "database");
  id.proc = remember("procedure", "To release: 1. bump the version with `npm version minor`, 2. push the tag, 3. wait for the smoke test, 4. promote in fly.io, 5. tell #shop.");
  id.plan = remember("plan", "Move the product search from Postgres full text to Meilisearch before the summer sale.");
  id.entity = remember("entity", "Meilisearch is the search server of the shop, on port 7700.");
  id.observation = remember("observation", "The build takes nine minutes, of which five are the image of the admin panel.");
  id.script = remember("fact", "A customer once typed <img src=x onerror=alert(1)> as a name; names are escaped on the way out, not on the way in.", "--tag", "security");
  id.user = remember("preference", "Answers in English, comments in the code in English too, but short.", "--scope", "user", "--pin");
  id.editor = remember("preference", "Uses Helix, not VS Code.", "--scope", "user");
  id.narrative = remember("narrative", "On the evening of the spring sale the cart lost 40 orders because Redis evicted keys; maxmemory-policy is noeviction since.");
  id.correction = remember("correction", "The admin panel is NOT behind the VPN any more; it is behind the identity proxy.");
  id.old = remember("fact", "The API limits clients to 60 requests a minute.");
  id.newer = ground.engram(["correct", id.old, "The API limits clients to 120 requests a minute, 600 with a partner key."]).memories.map((memory) => memory.id).find((one) => one !== id.old) ?? id.old;
  id.wrong = remember("fact", "Prices are stored as floating point numbers.");
  ground.engram(["mark", id.wrong, "invalidated", "--reason", "they are integers, in cents"]);
  id.deprecated = remember("convention", "Use moment.js for dates.");
  ground.engram(["mark", id.deprecated, "deprecated", "--reason", "Temporal took its place"]);
  id.doubt = remember("fact", "The CDN caches product images for one hour.");
  ground.engram(["mark", id.doubt, "challenged", "--reason", "the headers say one day"]);
  id.away = remember("observation", "The old logo is still used in two e-mails.");
  ground.engram(["forget", id.away]);
  ground.engram(["pin", id.sign]);
  ground.engram(["confirm", id.conv]);
  for (const outcome of ["success", "success", "failure"]) ground.engram(["outcome", id.fix, outcome, "--note", "redis was not there"]);
  for (const text of ["how do we deploy", "where do orders live", "redis connection refused in tests"]) ground.engram(["recall", text]);
  // Three procedures that are alike make a skill.
  const ships = ["To release the shop run `make check`, then `make ship`, then `make announce`.", "Releasing the shop on a Friday: `make check`, `make ship`, and wait for the smoke test.", "Releasing a hotfix of the shop: `make check`, then `make ship` with the tag of the fix."].map((text) => remember("procedure", text));
  ground.engram(["evolve", "induce", ...ships, "--name", "release-the-shop", "--description", "How the shop is released. Use it before every release."]);
  if (dreams) for (const only of [[], ["--depth", "light"]]) ground.engram(["dream", ...only]);
  // Pairs that cannot both be so, of whom nobody knows who is right: they wait for somebody.
  const pairs = { sessions: ["Sessions of the shop are kept in Redis.", "Sessions of the shop are kept in Postgres."], panel: ["The admin panel runs on Node 18.", "The admin panel runs on Node 20."], mailer: ["The mailer service runs on Ruby 3.2.", "The mailer service runs on Ruby 3.4."] };
  for (const [name, [older, newer]] of Object.entries(pairs)) {
    id[name] = remember("fact", older);
    ground.observe([{ type: "assistant_message", text: newer }]);
  }
  // Five sessions, of which one goes on.
  for (const doing of ["the slow build", "the logo in the e-mails", "the price of shipping", "the search of the catalogue"]) {
    const { session } = ground.engram(["session", "start"]);
    ground.observe([{ type: "user_message", text: `Today I look at ${doing}.`, session }]);
    ground.engram(["session", "end", "--session", session]);
  }
  if (dreams) schedules("on");
  id.session = ground.engram(["session", "start"]).session;
  id.note = remember("scratchpad", "looking at the slow admin build; cache the layer with the fonts", "--session", id.session, "--scope", "session");
  return id;
}

const TOPICS = ["checkout", "catalogue", "billing", "search", "shipping", "accounts", "reports", "mailing", "pricing", "stock"];
const KINDS = ["fact", "decision", "convention", "observation", "pattern", "procedure", "error_fix", "preference", "architecture", "narrative"];
const BONDS = ["imports", "depends on", "uses"];
const WHY = ["since the audit of spring", "because the old way lost orders", "so that a deploy needs no lock", "after the outage in June", "as the team agreed", "until the new queue is there"];

/** Chance that is the same every time. */
function chances(seed) {
  let state = seed;
  const next = () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648);
  return { next, below: (end) => Math.floor(next() * end), pick: (list) => list[Math.floor(next() * list.length)] };
}

const thing = (at) => `src/${TOPICS[at % TOPICS.length]}/part${String(at).padStart(4, "0")}.ts`;

/** What an agent found out about the sources: each event binds one thing to seven others. */
function findings(count, things) {
  const chance = chances(8);
  return Array.from({ length: count }, (_, at) => {
    const others = Array.from({ length: 7 }, () => thing(chance.below(things)));
    return { type: "assistant_message", time: daysAgo(366, -at / 60), text: `${thing(at)} ${chance.pick(BONDS)} ${others.slice(0, 6).join(", ")} and ${others[6]}.` };
  });
}

/** Memories of a year as `engram export` writes them, each of which names a thing. */
function notes(count, things) {
  const chance = chances(9);
  const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const identifier = (time) => {
    let head = "";
    for (let at = 0, left = time; at < 10; at++, left = Math.floor(left / 32)) head = digits[left % 32] + head;
    return head + Array.from({ length: 16 }, () => digits[chance.below(32)]).join("");
  };
  return Array.from({ length: count }, (_, at) => {
    const time = Date.now() - Math.floor(((count - at) / count) * 365 * 86400e3), born = new Date(time).toISOString();
    const kind = chance.pick(KINDS), topic = chance.pick(TOPICS), used = chance.below(6);
    return {
      id: identifier(time), scope: "project", tier: kind === "procedure" ? "procedural" : "semantic", kind, status: used ? "active" : "created",
      status_change: { at: born, reason: "remembered", cause: "remember" },
      content: `The ${topic} service waits ${chance.below(900)} ms for ${thing(at % things)}, ${chance.pick(WHY)}; it is number ${at} of the ${chance.pick(TOPICS)} list.`,
      tags: [topic], domain: chance.pick(["backend", "frontend", "operations"]), importance: 0.3 + 0.6 * chance.next(), confidence: 0.5 + 0.4 * chance.next(), utility: 0.5,
      pinned: at % 500 === 0, immutable: false, access_count: used, last_used_at: born, stability: 20 + 300 * chance.next(), valid_from: born, recorded_at: born,
      write_source: "manual", data_source: "user_message", trust: 1, created_at: born, updated_at: born, revision: 0,
    };
  });
}

/** 10,000 memories, 2,500 things and about 6,000 bonds; fewer of each where fewer are asked for. */
export function tenThousand(ground, count = 10_000) {
  const things = Math.floor(count / 4), found = Math.floor(count * 0.09);
  ground.observe(findings(found, things));
  const input = notes(count - found, things).map((note) => `${JSON.stringify(note)}\n`).join("");
  ground.engram(["import", "-"], { input });
}
