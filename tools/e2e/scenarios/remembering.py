"""What is said in one session is known in the next: runs without a terminal,
resumed sessions, sessions at once, projects apart, subagents, the old client."""

from api import Rule, say, use
from client import Conversation, ask, until
from stage import expect, in_words, told

STATED = "Our staging database listens on port 5433, please keep that in mind."
ASKED = "Which port does the staging database use?"


def two_runs(stage, program=None):
    """What the first run is told, the second one has beside its question."""
    program = program or stage.client
    with stage.ground() as ground:
        first = ask(program, ground, STATED)
        expect(first.code == 0, f"the first run ended with {first.code}: {first.complaint or first.said}")
        mark = stage.api.so_far()
        second = ask(program, ground, ASKED)
        expect(second.code == 0, f"the second run ended with {second.code}: {second.complaint or second.said}")
        asked = stage.api.since(mark)
        expect(told(asked, "5433"), in_words(asked, "5433"))
        roles = {
            message["role"]
            for request in asked
            for message in request.body["messages"]
            if "<memory" in str(message["content"])
        }
        return f"5433 in the memory of the second run, as {' and '.join(sorted(roles))}"


def old_client(stage):
    """The same with the oldest client that is supported."""
    return two_runs(stage, stage.old_client)


def installed(stage):
    """Without the plugin, `engram install claude-code` does the same, and
    `engram uninstall` leaves the client's settings as they were."""
    with stage.ground() as ground:
        folder = ground.home / ".claude"
        folder.mkdir(exist_ok=True)
        settings = folder / "settings.json"
        settings.write_text('{\n  "env": {"SHOP": "1"}\n}\n')
        before = settings.read_text()
        done = ground.engram("install", "claude-code")
        expect(done.returncode == 0, f"install: {done.stderr.strip()}")
        ask(stage.client, ground, STATED, plugin=None)
        mark = stage.api.so_far()
        ask(stage.client, ground, ASKED, plugin=None)
        asked = stage.api.since(mark)
        expect(told(asked, "5433"), in_words(asked, "5433"))
        tools = {tool.get("name", "") for request in asked for tool in request.body.get("tools", [])}
        done = ground.engram("uninstall")
        expect(done.returncode == 0, f"uninstall: {done.stderr.strip()}")
        expect(settings.read_text() == before, f"the settings are not what they were: {settings.read_text()}")
        return f"5433 in the memory of the second run; {len(tools)} tools; the settings are what they were"


def resumed(stage):
    """A resumed session has the fact. What it was told before, at its start or
    beside a prompt, stands in its conversation and is not told again."""
    with stage.ground() as ground:
        ask(stage.client, ground, STATED)
        ask(stage.client, ground, "We always use pnpm in this repository, never npm.")
        mark = stage.api.so_far()
        begun = ask(stage.client, ground, ASKED)
        expect(begun.session, "the client told no session to resume")
        started = [memory for request in stage.api.since(mark) for memory in request.memories() if "pnpm" in memory]
        expect(started, "the convention is in no block at the start of a session")
        wrong = []
        for prompt, how in (("And what listens on that port?", ["--resume", begun.session]), ("Is it still so?", ["--continue"])):
            mark = stage.api.so_far()
            ask(stage.client, ground, prompt, *how)
            asked = stage.api.since(mark)
            expect(told(asked, "5433"), in_words(asked, "5433"))
            blocks = asked[-1].memories()
            for what, text in (("the block of the start", "pnpm"), ("the fact", "5433")):
                times = sum(1 for block in blocks if text in block)
                if times != 1:
                    wrong.append(f"{what} is there {times} times with {how[0]}")
        expect(not wrong, "; ".join(wrong))
        return f"5433 is there, {len(blocks)} blocks of memory, none of them twice"


def changed_mind(stage):
    """What a session says anew in a later turn takes the place of what it said
    before, and the next session knows the new value alone."""
    with stage.ground() as ground:
        talk = Conversation(stage.client, ground)
        try:
            expect(talk.say(STATED), "the first turn did not end")
            # Long enough for the first value to go from the session to the project.
            until(lambda: False, 1.5)
            expect(talk.say("We moved the staging database to port 5434."), "the second turn did not end")
        finally:
            talk.end()
        mark = stage.api.so_far()
        ask(stage.client, ground, ASKED)
        asked = stage.api.since(mark)
        warnings = ground.daemon_warnings()
        expect(told(asked, "5434"), f"{in_words(asked, '5434')} {' '.join(warnings[:1])}")
        blocks = [block for request in asked for block in request.memories()]
        stale = [line for block in blocks for line in block.splitlines() if "5433" in line and "5434" not in line]
        expect(not stale, f"the old value is told as if it were so: {stale[0] if stale else ''}")
        return "the new value is known, the old one is not told"


def with_a_subagent(stage):
    """What a model tells its subagent is nothing that the user said."""
    task = "The billing gateway listens on port 7311. Say which port that is."
    with stage.ground() as ground:
        stage.api.script(
            Rule("listens on port 7311", [
                use("Bash", command="echo looked", description="look"),
                say("It is the one you named."),
            ]),
            Rule("Find out about billing", [
                use("Agent", description="look at billing", prompt=task, subagent_type="general-purpose"),
                say("The subagent is at work."),
            ]),
        )
        mark = stage.api.so_far()
        first = ask(stage.client, ground, f"{STATED} Find out about billing.")
        expect(first.code == 0, f"the run ended with {first.code}")
        texts = [request.whole() for request in stage.api.since(mark)]
        ran = any(task in text and "Find out about billing" not in text for text in texts)
        expect(ran, "no subagent ran")
        stage.api.script()
        mark = stage.api.so_far()
        ask(stage.client, ground, "Which port does the billing gateway use, and which one the staging database?")
        asked = stage.api.since(mark)
        expect(told(asked, "5433"), in_words(asked, "5433"))
        expect(not told(asked, "7311"), "the subagent's task was remembered as something the user said")
        return "the user's 5433 is known, the subagent's task is not"


def two_sessions_at_once(stage):
    """What one session says the other one knows once the turn has ended."""
    with stage.ground() as ground:
        one, other = Conversation(stage.client, ground), Conversation(stage.client, ground)
        try:
            expect(other.say("Let us look at the shop together."), "the other session did not answer")
            expect(one.say(STATED), "the one session did not answer")
            mark = stage.api.so_far()
            # What was said is read in the background, right after the turn.
            for question in (ASKED, "On which port is the staging database, again?", ASKED):
                expect(other.say(question), "the other session did not answer")
                if told(stage.api.since(mark), "5433"):
                    break
                until(lambda: False, 1.0)
            asked = stage.api.since(mark)
            expect(told(asked, "5433"), in_words(asked, "5433"))
            return f"known at question {len(asked)} of the other session"
        finally:
            one.end()
            other.end()


def two_projects(stage):
    """Nothing crosses from one project to another."""
    with stage.ground() as ground:
        ask(stage.client, ground, STATED, folder=ground.project("shop"))
        mark = stage.api.so_far()
        ask(stage.client, ground, ASKED, folder=ground.project("bakery"))
        elsewhere = stage.api.since(mark)
        crossed = any("5433" in request.whole() for request in elsewhere)
        expect(elsewhere and not crossed, "5433 is in a request of the other project")
        mark = stage.api.so_far()
        ask(stage.client, ground, ASKED, folder=ground.project("shop"))
        asked = stage.api.since(mark)
        expect(told(asked, "5433"), in_words(asked, "5433"))
        return "5433 is known in its own project and in no other"
