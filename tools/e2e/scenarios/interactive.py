"""Sessions at a terminal: cleared, compacted, killed."""

from api import Rule, say
from client import ask
from scenarios.remembering import ASKED, STATED
from stage import expect, in_words, told
from terminal import Terminal


def cleared(stage):
    """After /clear the model has forgotten, and the memory has not."""
    with stage.ground() as ground:
        terminal = Terminal(stage.client, ground)
        try:
            expect(terminal.ready(), "the client did not begin")
            expect(terminal.type_until(STATED, "Stop"), "the first turn did not end")
            expect(terminal.type_until("/clear", "SessionStart", "clear"), "/clear began no new session")
            mark = stage.api.so_far()
            expect(terminal.type_until(ASKED, "Stop"), "the turn after /clear did not end")
            asked = [request for request in stage.api.since(mark) if ASKED in request.whole()]
            expect(told(asked, "5433"), in_words(asked, "5433"))
            expect(STATED not in asked[-1].besides_memory(), "the old conversation was not cleared")
        finally:
            code = terminal.leave()
        expect(code == 0, f"/exit ended with {code}")
        return "5433 in the memory after /clear"


def compacted(stage):
    """After /compact what was known is put back, and the summary is no memory."""
    summary = "<analysis>short</analysis><summary>The invoice cache listens on port 6390.</summary>"
    with stage.ground() as ground:
        stage.api.script(Rule("detailed summary", [say(summary)]))
        ask(stage.client, ground, STATED)
        terminal = Terminal(stage.client, ground)
        try:
            expect(terminal.ready(), "the client did not begin")
            expect(terminal.type_until("Good morning, let us go on with the shop.", "Stop"), "the first turn did not end")
            expect(terminal.type_until("/compact", "SessionStart", "compact"), "/compact was not told to the hooks")
            mark = stage.api.so_far()
            expect(terminal.type_until(ASKED, "Stop"), "the turn after /compact did not end")
            asked = [request for request in stage.api.since(mark) if ASKED in request.whole()]
            expect(asked and "6390" in asked[-1].whole(), "the conversation was not compacted")
            expect(told(asked, "5433"), in_words(asked, "5433"))
        finally:
            terminal.leave()
        mark = stage.api.so_far()
        ask(stage.client, ground, "Which port does the invoice cache use?")
        expect(not told(stage.api.since(mark), "6390"), "the summary of the compaction was remembered")
        return "5433 is back after /compact; the summary was not remembered"


def killed(stage):
    """A client that is killed in the middle of a turn takes nothing with it."""
    with stage.ground() as ground:
        held = Rule("staging database", [say("Understood.")], hold_s=20)
        stage.api.script(held)
        terminal = Terminal(stage.client, ground)
        try:
            expect(terminal.ready(), "the client did not begin")
            mark = stage.api.so_far()
            terminal.type(STATED)
            expect(stage.api.wait_for(mark, STATED), "the prompt did not reach the API")
        finally:
            terminal.kill()
        stage.api.script()
        mark = stage.api.so_far()
        ask(stage.client, ground, ASKED)
        asked = stage.api.since(mark)
        expect(told(asked, "5433"), in_words(asked, "5433"))
        return "5433 is known though its session was killed while it waited"
