// Who is let in: only a key, only under the names of this machine, only from
// this window's own pages.
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { before, test } from "node:test";
import { stage } from "../../stage.mjs";
import { twenty } from "../../store.mjs";

let ground, browser, window, id;
before(async () => ({ ground, browser, window, id } = await stage(twenty)));

/** A request as it is written here, over a connection of its own: `fetch` would set the host and the origin itself, and a refused body ends the connection. */
function ask(path, { method = "GET", headers = {}, body } = {}) {
  const { hostname, port, host } = new URL(window.origin);
  return new Promise((done, failed) => {
    const asked = request({ agent: false, hostname, port, path, method, headers: { host, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers } }, (answer) => {
      let text = "";
      answer.on("data", (part) => (text += part)).on("end", () => done({ status: answer.statusCode, headers: answer.headers, text }));
    });
    asked.on("error", failed);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
const bearer = (key) => ({ authorization: `Bearer ${key}` });
const problem = (answer) => {
  assert.match(answer.headers["content-type"], /^application\/problem\+json/);
  assert.doesNotMatch(answer.text, new RegExp(`${window.owner}|${window.reader}`), "a refusal names no key");
  return JSON.parse(answer.text);
};

test("the key of the window opens it", async () => {
  const answer = await ask("/api/v1/memories?limit=1", { headers: bearer(window.owner) });
  assert.equal(answer.status, 200);
  assert.match(answer.headers["cache-control"], /no-store/);
});

test("a wrong key and none at all are refused", async () => {
  const almost = window.owner.slice(0, -1) + (window.owner.endsWith("0") ? "1" : "0");
  for (const headers of [{}, bearer("wrong"), bearer(almost), bearer(""), { authorization: window.owner }, { cookie: `token=${window.owner}` }]) {
    const answer = await ask("/api/v1/memories", { headers });
    assert.equal(answer.status, 401, JSON.stringify(headers));
    assert.match(answer.headers["www-authenticate"], /^Bearer/);
    problem(answer);
  }
  assert.equal((await ask(`/api/v1/memories?token=${window.owner}`)).status, 401, "a key in an address opens nothing");
});

test("another name for this machine is refused, as a page elsewhere that points its name here would use", async () => {
  const { port } = new URL(window.origin);
  for (const host of ["evil.example", `evil.example:${port}`, `localhost.evil.example:${port}`, "127.0.0.1", `127.0.0.1:${Number(port) + 1}`, `0.0.0.0:${port}`]) {
    for (const path of ["/api/v1/memories", "/", "/app.js"]) {
      const answer = await ask(path, { headers: { ...bearer(window.owner), host } });
      assert.ok([400, 403].includes(answer.status), `${host} ${path}: ${answer.status}`);
    }
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) assert.equal((await ask("/api/v1", { headers: { ...bearer(window.owner), host } })).status, 200, host);
});

test("a page from elsewhere is refused", async () => {
  for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, { origin: "http://127.0.0.1:1" }, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
    const answer = await ask("/api/v1/memories", { headers: { ...bearer(window.owner), ...headers } });
    assert.equal(answer.status, 403, JSON.stringify(headers));
    problem(answer);
  }
  assert.equal((await ask("/api/v1/memories", { headers: { ...bearer(window.owner), origin: window.origin, "sec-fetch-site": "same-origin" } })).status, 200);
});

test("no answer allows another origin, and every one says what a page may do", async () => {
  for (const path of ["/", "/app.js", "/api/v1", "/api/v1/openapi.json", "/api/v1/nothing"]) {
    for (const origin of [undefined, "https://evil.example"]) {
      const { headers } = await ask(path, { headers: { ...bearer(window.owner), ...(origin && { origin }) } });
      assert.equal(headers["access-control-allow-origin"], undefined, path);
      assert.match(headers["content-security-policy"], /default-src 'none'.*frame-ancestors 'none'/, path);
      assert.equal(headers["x-content-type-options"], "nosniff", path);
      assert.equal(headers["referrer-policy"], "no-referrer", path);
      assert.equal(headers["set-cookie"], undefined, path);
    }
  }
  assert.equal((await ask("/api/v1/memories", { method: "OPTIONS", headers: { origin: window.origin, "access-control-request-method": "GET" } })).headers["access-control-allow-origin"], undefined);
});

test("another origin's page reads nothing, even with the key", async () => {
  const elsewhere = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>elsewhere</title>"));
  await new Promise((done) => elsewhere.listen(0, "127.0.0.1", done));
  const context = await browser.chromium.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${elsewhere.address().port}/`);
  const got = await page.evaluate(async ([origin, key]) => {
    const outcome = async (options) => fetch(`${origin}/api/v1/memories`, options).then((answer) => `${answer.type} ${answer.status}`, () => "refused");
    return [await outcome({ headers: { Authorization: `Bearer ${key}` } }), await outcome({}), await outcome({ mode: "no-cors" })];
  }, [window.origin, window.owner]);
  assert.deepEqual(got.slice(0, 2), ["refused", "refused"]);
  assert.ok(["refused", "opaque 0"].includes(got[2]), got[2]);
  await context.close();
  elsewhere.close();
});

test("who may only look writes nothing", async () => {
  const before = ground.engram(["operations", "--limit", "5"]);
  const look = bearer(window.reader);
  assert.equal(JSON.parse((await ask("/api/v1", { headers: look })).text).read_only, true);
  const project = `project=${window.project}`;
  for (const [method, path, body] of [
    ["POST", `/api/v1/memories?${project}`, { text: "written by a reader" }], ["PATCH", `/api/v1/memories/${id.arch}?${project}`, { tags: ["x"] }],
    ["POST", `/api/v1/memories/${id.arch}/correction?${project}`, { text: "other" }], ["PUT", `/api/v1/memories/${id.arch}/pin?${project}`, { pinned: true }],
    ["POST", `/api/v1/memories/${id.arch}/forgetting?${project}`, {}], ["POST", `/api/v1/undo?${project}`, {}], ["POST", `/api/v1/dreams?${project}`, {}], ["POST", "/api/v1/backups", {}],
  ]) {
    const answer = await ask(path, { method, headers: look, body });
    assert.equal(answer.status, 403, `${method} ${path}`);
    assert.equal(problem(answer).kind, "read_only");
  }
  assert.deepEqual(ground.engram(["operations", "--limit", "5"]), before);
});

test("a body that is not JSON, and one that is too large, are refused", async () => {
  const owner = bearer(window.owner);
  assert.equal((await ask("/api/v1/memories", { method: "POST", headers: { ...owner, "content-type": "text/plain" }, body: { text: "a form" } })).status, 415);
  assert.equal((await ask("/api/v1/memories", { method: "POST", headers: owner, body: { text: "x".repeat(300_000) } })).status, 413);
});

test("a ticket opens once", async () => {
  const ticket = new URLSearchParams(new URL(ground.ui().url).hash.slice(1)).get("ticket");
  const trade = () => ask("/api/v1/tickets", { method: "POST", body: { ticket } });
  const first = await trade();
  assert.equal(first.status, 200);
  const { token } = JSON.parse(first.text);
  assert.equal((await ask("/api/v1/stats", { headers: bearer(token) })).status, 200);
  assert.equal((await trade()).status, 401);
  assert.equal((await ask("/api/v1/tickets", { method: "POST", body: { ticket: "0".repeat(ticket.length) } })).status, 401);
});

test("a tab without a key asks for one, refuses a wrong one, and takes the right one or an address", async () => {
  for (const right of [window.owner, ground.ui().url]) {
    const visit = await browser.tab(window.origin);
    await visit.page.goto(`${window.origin}/`);
    for (const [text, expected] of [["not the key", visit.page.getByText("That opens nothing here")], [right, visit.page.locator("main h1", { hasText: "Now" })]]) {
      await visit.page.getByLabel("Address or key").fill(text);
      await visit.press("Enter");
      await expected.waitFor();
    }
    await visit.settled("Now");
    // The browser says of the wrong key that it was refused; nothing else is wrong.
    assert.deepEqual(visit.troubles.filter((text) => !/status of 401/.test(text)), []);
    await visit.close();
  }
});
