"""The API of the window against a program that others wrote to break such APIs:
it reads the document, and asks whatever the document lets it ask, and more."""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from urllib.parse import urlsplit

import fetch
from stage import expect

# The same questions every time, as far as what is stored lets them be the same.
SEED = 8
EXAMPLES = 40
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "ignored_auth",
]
# It answers until nobody listens, so that nobody would get to the end of it.
ENDLESS = "/api/v1/activity/stream"
DOCUMENT = "/api/v1/openapi.json"

REMEMBERED = [
    ("decision", "Tokens are signed with ed25519; RS256 was dropped because the keys were too large."),
    ("convention", "Branches are named `topic/short-name`; the issue number goes into the commit."),
    ("pattern", "Every service exposes /healthz, and the load balancer waits for three good answers."),
    ("error_fix", "error: `ECONNREFUSED 127.0.0.1:6379` in tests; cured by starting redis first."),
    ("architecture", "The cart lives in Redis with a TTL of 14 days; orders live in Postgres."),
    ("procedure", "To release the shop run `make check`, then `make ship`, then `make announce`."),
    ("procedure", "Releasing the shop on a Friday: `make check`, `make ship`, and wait for the smoke test."),
    ("procedure", "Releasing a hotfix of the shop: `make check`, then `make ship` with the tag of the fix."),
    ("plan", "Move the product search from Postgres full text to Meilisearch before the summer sale."),
    ("entity", "Meilisearch is the search server of the shop, on port 7700."),
    ("observation", "The build takes nine minutes, of which five are the image of the admin panel."),
    ("narrative", "On the evening of the spring sale the cart lost 40 orders because Redis evicted keys."),
    ("correction", "The admin panel is NOT behind the VPN any more; it is behind the identity proxy."),
    ("fact", "The API limits clients to 60 requests a minute."),
    ("fact", "The CDN caches product images for one hour."),
    ("fact", "Sessions of the shop are kept in Redis."),
]
HEARD = [
    "We deploy the shop with GitHub Actions to fly.io, never by hand.",
    "Always run `npm test` before you commit, please remember that.",
    "The checkout service uses Stripe, and Stripe webhooks are verified in src/pay/webhook.ts.",
    # It contradicts what was remembered, and nobody knows who is right.
    "Sessions of the shop are kept in Postgres.",
]


def api(stage):
    """Whatever is asked, with a project and without one, the window answers as
    its document says, and nothing breaks behind it."""
    with stage.ground() as ground:
        session = _lived_in(ground)
        origin = "http://" + urlsplit(_told(ground, "ui", "--print")["url"]).netloc
        key = json.loads((ground.home / ".claude" / "engram" / "web.json").read_text())["window"]["owner"]
        projects = _told(ground, "projects")["projects"]
        project = next(known["key"] for known in projects if known["path"] == str(ground.project()))
        tried = defaultdict(Counter)
        for place, given in (("you", []), ("project", [f'"query.project" = "{project}"'])):
            _tried(ground, origin, key, place, [*given, *_known(session)], tried)
        _print(tried)
        failed = sorted(f"{operation}: {', '.join(_failures(of))}" for operation, of in tried.items() if _failures(of))
        expect(not failed, f"{len(failed)} operations answer otherwise than documented: {'; '.join(failed)}")
        described = _operations(ground, origin)
        expect(set(tried) == described, f"not tried: {sorted(described - set(tried))}")
        complaints = ground.daemon_warnings()
        expect(not complaints, f"the daemon complains: {complaints[:2]}")
        examined = _told(ground, "doctor")
        wrong = [check for check in examined["checks"] if check["verdict"] != "sound"]
        expect(not wrong, f"engram doctor: {wrong[:2]}")
        asked = sum(of["tried"] for of in tried.values())
        return f"{asked} requests to {len(tried)} operations, all answered as documented; the log has no complaint and doctor is content"


def _told(ground, *words, given=None):
    """What a command answers."""
    done = ground.engram(*words, "--json", given=given)
    expect(done.returncode == 0, f"engram {words[0]}: {done.returncode} {(done.stderr or done.stdout).strip()[-300:]}")
    return json.loads(done.stdout) if done.stdout.strip() else None


def _lived_in(ground):
    """A store in which something of everything happened; a session that is open."""
    ids = [_told(ground, "remember", "--kind", kind, text)["memories"][0]["id"] for kind, text in REMEMBERED]
    for text in HEARD:
        _told(ground, "observe", given=json.dumps({"type": "user_message", "text": text}) + "\n")
    _told(ground, "remember", "--kind", "preference", "--scope", "user", "Uses Helix, not VS Code.")
    _told(ground, "correct", ids[13], "The API limits clients to 120 requests a minute.")
    _told(ground, "mark", ids[14], "challenged", "--reason", "the headers say one day")
    _told(ground, "outcome", ids[3], "success")
    _told(ground, "forget", ids[10])
    _told(ground, "pin", ids[0])
    _told(ground, "evolve", "induce", *ids[5:8], "--name", "release-the-shop", "--description", "How the shop is released.")
    _told(ground, "recall", "where do orders live")
    _told(ground, "dream")
    return _told(ground, "session", "start")["session"]


def _known(session):
    """What cannot be found out through the API: a session's identifier."""
    return ["[[operations]]", 'include-path = "/api/v1/sessions/{id}"', f'parameters = {{ id = "{session}" }}']


def _tried(ground, origin, key, place, given, tried):
    """One run; what came of it is counted for each operation."""
    settings, report = ground.root / f"{place}.toml", ground.root / f"{place}.ndjson"
    settings.write_text("\n".join(["[parameters]", *given]) + "\n")
    program = fetch.python_with("schemathesis").parent / "schemathesis"
    done = subprocess.run(
        [str(program), "--config-file", str(settings), "run", origin + DOCUMENT,
         "--header", f"Authorization: Bearer {key}", "--exclude-path", ENDLESS,
         "--phases", "examples,coverage,fuzzing,stateful", "--checks", ",".join(CHECKS),
         "--max-examples", str(EXAMPLES), "--seed", str(SEED), "--continue-on-failure", "--no-color",
         "--generation-database", "none", "--request-timeout", "60",
         "--report", "ndjson", "--report-ndjson-path", str(report)],
        cwd=ground.root, env=ground.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800,
    )
    # It ends with 1 where a check failed, and the report says which.
    expect(done.returncode in (0, 1) and report.exists(), f"{place}: it did not run: {(done.stderr or done.stdout)[-400:]}")
    ended = False
    with report.open() as events:
        for event in map(json.loads, events):
            ended = ended or "EngineFinished" in event
            _count(event.get("ScenarioFinished", {}).get("recorder", {}), tried)
            errors = event.get("NonFatalError")
            expect(not errors, f"{place}: {str(errors)[:300]}")
    expect(ended, f"{place}: it did not end: {done.stdout[-400:]}")
    counted = any(_failures(of) for of in tried.values())
    expect(done.returncode == 0 or counted, f"{place}: {done.stdout[-600:]}")
    if done.returncode:
        print(done.stdout[done.stdout.find("= FAILURES ="):], file=sys.stderr)


def _count(recorder, tried):
    """What one scenario of a report tried. One that was skipped has nothing to tell."""
    for name, case in recorder.get("cases", {}).items():
        # What belongs together in steps is named by each step, and a method that
        # is not documented by the operation it was tried instead of.
        value, label = case["value"], recorder["label"]
        operation = f"{value['method']} {value['path']}" if label == "Stateful tests" else label
        of = tried[operation]
        of["tried"] += 1
        answer = recorder.get("interactions", {}).get(name, {}).get("response")
        of[f"{answer['status_code'] // 100}xx" if answer else "unanswered"] += 1
        of.update(f"failed {check['name']}" for check in recorder.get("checks", {}).get(name, []) if check["status"] == "failure")


def _failures(of):
    return [f"{count} {name.removeprefix('failed ')}" for name, count in of.items() if name.startswith("failed ")]


def _print(tried):
    print("\n| operation | tried | 2xx | 4xx | 5xx | unanswered | failures |\n|---|---|---|---|---|---|---|", file=sys.stderr)
    for operation, of in sorted(tried.items(), key=lambda row: row[0].split(" ")[::-1]):
        counts = " | ".join(str(of[name]) for name in ("tried", "2xx", "4xx", "5xx", "unanswered"))
        print(f"| {operation} | {counts} | {', '.join(_failures(of)) or 'none'} |", file=sys.stderr)


def _operations(ground, origin):
    """What the document names, less what never ends, and itself: that is read, not tried."""
    done = subprocess.run(
        [sys.executable, "-c", _TEXT_OF, origin + DOCUMENT],
        env=ground.environment, capture_output=True, text=True, timeout=60, check=True,
    )
    paths = json.loads(done.stdout)["paths"]
    return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods if path not in (ENDLESS, DOCUMENT)}


_TEXT_OF = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"
