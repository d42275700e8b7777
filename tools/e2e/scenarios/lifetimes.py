"""Daemons that are killed, programs that are missing, and what is left behind."""

import time

import hooklog
from api import Rule, say, use
from client import Conversation, ask, until
from scenarios.remembering import ASKED, STATED
from stage import expect, in_words, told


# What a kill hits is a matter of chance.
KILLS = 3


def daemon_killed(stage):
    """A daemon that is killed between turns, and in the middle of one, loses
    nothing and disturbs nobody."""
    for number in range(1, KILLS + 1):
        between, during = _killed_once(stage, number)
    return f"{KILLS} times killed between turns ({between}) and in a turn ({during}); both facts are known"


def _killed_once(stage, number):
    other = "The invoices service listens on port 9090, remember that."
    with stage.ground() as ground:
        talk = Conversation(stage.client, ground)
        try:
            expect(talk.say(STATED), "the first turn did not end")
            expect(until(ground.daemons), "no daemon runs after the first turn")
            between = ground.kill_daemons()
            held = Rule("invoices service", [say("Understood.")], hold_s=10)
            stage.api.script(held)
            mark = stage.api.so_far()
            talk.begin(other)
            expect(stage.api.wait_for(mark, other), "the second prompt did not reach the API")
            during = ground.kill_daemons()
            held.release.set()
            expect(talk.finish(), "the turn did not end after its daemon was killed")
        finally:
            talk.end()
        stage.api.script()
        mark = stage.api.so_far()
        ask(stage.client, ground, ASKED)
        ask(stage.client, ground, "Which port does the invoices service use?")
        asked = stage.api.since(mark)
        for fact in ("5433", "9090"):
            expect(told(asked, fact), f"round {number}: {in_words(asked, fact)}")
        return between, during


def program_missing(stage):
    """Without engram on the path every hook is silent, and the turn goes on."""
    with stage.ground(with_engram=False) as ground:
        stage.api.script(Rule("staging database", [
            use("Bash", command="echo seen", description="look"),
            use("Bash", command="exit 3", description="fail"),
            say("Done."),
        ]))
        done = ask(stage.client, ground, STATED)
        expect(done.code == 0 and done.said == "Done.", f"the run ended with {done.code}: {done.said} {done.complaint}")
        wrong = hooklog.errors(done.log)
        expect(not wrong, f"{len(wrong)} complaints about hooks: {wrong[:1]}")
        hooks = hooklog.ran(done.log)
        expect(len(hooks) >= 7, f"only {len(hooks)} hooks ran")
        expect(not ground.processes(), f"left over: {ground.processes()}")
        return f"{len(hooks)} hooks ran in silence, the turn ended"


def nothing_left(stage):
    """The daemon ends by itself when nobody asks for anything, and nothing else
    was left by any run before this one; no log tells of anything that failed."""
    idle_s, gone_s, wrong = 4, 0.0, []
    with stage.ground() as ground:
        ground.environment["ENGRAM_DAEMON_IDLE_EXIT_S"] = str(idle_s)
        ask(stage.client, ground, STATED)
        began = time.monotonic()
        if not until(ground.daemons, 5):
            wrong.append("no daemon runs after the turn")
        if not until(lambda: not ground.processes(), idle_s + 20):
            wrong.append(f"still there: {ground.processes()}")
        gone_s = time.monotonic() - began
    if stage.left_over:
        wrong.append(f"left over besides the daemon: {stage.left_over[:3]}")
    if stage.wrong:
        wrong.append(f"{len(stage.wrong)} complaints about hooks: {stage.wrong[:2]}")
    if stage.warnings:
        wrong.append(f"{len(stage.warnings)} complaints of daemons: {stage.warnings[:1]}")
    expect(not wrong, "; ".join(wrong))
    return f"the idle daemon was gone after {gone_s:.0f} s; {stage.hooks} hooks in {stage.logs} logs without a complaint"
