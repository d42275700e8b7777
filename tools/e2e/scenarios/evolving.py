"""What is done again and again becomes a skill that the client loads: from the
commands of harness runs to the client's own listing."""

import json
import shutil
import subprocess

from api import Rule, say, use
from client import ask, until
from stage import expect

NAME = "shop-release"
DESCRIPTION = "Use to make a release of the shop, from the build to the signed package."
# Each run does the same first and then something of its own, three times over.
ROUTINES = [("Check the build", "check"), ("Pack the build", "pack"), ("Sign the build", "sign")]


def skill(stage):
    """Three runs with commands in common leave three procedures. A skill of two
    of them is refused; one of all three is written as a file that the client
    validates, lists and loads, that is left alone once somebody edited it, and
    that goes with an undo as long as nobody did."""
    with stage.ground() as ground:
        folder = ground.project()
        for script in ("build", *(script for _, script in ROUTINES)):
            (folder / f"{script}.sh").write_text("exit 0\n")
        for prompt, script in ROUTINES:
            _run_routine(stage, ground, prompt, script)
        expect(until(lambda: len(_procedures(ground)) >= 3, 20), f"the procedures are {_procedures(ground)}")
        procedures = _procedures(ground)
        _both_right(ground)
        _refused(ground, procedures[:2])
        file = folder / ".claude" / "skills" / NAME / "SKILL.md"
        operation = _induce(ground, procedures, file)
        written = file.read_text()
        expect("build.sh" in written and "sign.sh" in written, f"the steps are not in it: {written[:300]}")
        _validate(stage, ground, file)
        _loaded(stage, ground)
        _undo(ground, operation)
        expect(until(lambda: not file.exists(), 5), "the file is there after the undo")
        operation = _induce(ground, procedures, file)
        file.write_text(file.read_text() + "\nAsk Ayşe before you sign.\n")
        edited = file.read_text()
        _undo(ground, operation)
        # Long enough for whoever looks after the files.
        until(lambda: False, 1.0)
        expect(file.exists() and file.read_text() == edited, "a file that somebody edited was touched")
        return f"{len(procedures)} procedures; two are refused; the client validates, lists and loads the skill; an edited file stays"


def _run_routine(stage, ground, prompt, script):
    """One session that runs two commands in the same order three times, and
    keeps what that shows for the project: by itself it ends with the session.
    What was heard is read in the background, so that keeping it waits a little."""
    commands = [use("Bash", command=f"sh {name}.sh", description=name) for name in ("build", script)]
    keep = use("Bash", command="sleep 2 && engram promote", description="keep it")
    stage.api.script(Rule(prompt, [*commands * 3, keep, say("Done.")]))
    done = ask(stage.client, ground, f"{prompt}.")
    expect(done.code == 0 and done.said == "Done.", f"{prompt}: the run ended with {done.code}: {done.said}")
    stage.api.script()


def _procedures(ground):
    """The procedures that the project knows, as the end of a command names them."""
    done = ground.engram("list", "--kind", "procedure", "--scope", "project", "--json")
    expect(done.returncode == 0, f"list: {done.stderr.strip()}")
    memories = json.loads(done.stdout)["memories"]
    return [memory["id"] for memory in memories if "build.sh" in memory["content"]]


def _both_right(ground):
    """Routines that begin alike look like rivals; a person says that they are not."""
    waiting = json.loads(ground.engram("review", "list", "--json").stdout)["reviews"]
    for line in waiting:
        done = ground.engram("review", "decide", line["review"]["id"], "both")
        expect(done.returncode == 0, f"review decide: {done.stderr.strip()}")


def _induced(ground, procedures):
    about = ["--name", NAME, "--description", DESCRIPTION]
    return ground.engram("evolve", "induce", *procedures, *about, "--json")


def _refused(ground, two):
    done = _induced(ground, two)
    expect(done.returncode != 0, "a skill was made of two procedures")


def _induce(ground, procedures, file):
    done = _induced(ground, procedures)
    expect(done.returncode == 0, f"induce: {done.stderr.strip()}")
    expect(until(file.exists, 5), f"there is no {file}")
    return json.loads(done.stdout)["operation"]


def _undo(ground, operation):
    done = ground.engram("undo", operation)
    expect(done.returncode == 0, f"undo: {done.stderr.strip()}")


def _validate(stage, ground, file):
    """The client's own rules, in a plugin that has nothing but this skill."""
    plugin = ground.root / "a-plugin"
    (plugin / ".claude-plugin").mkdir(parents=True)
    about = {"name": "a-plugin", "version": "1.0.0", "description": "One skill.", "author": {"name": "e2e"}}
    (plugin / ".claude-plugin" / "plugin.json").write_text(json.dumps(about))
    shutil.copytree(file.parent, plugin / "skills" / NAME)
    done = subprocess.run(
        [str(stage.client), "plugin", "validate", "--strict", str(plugin)],
        cwd=ground.project(), env=ground.environment, capture_output=True, text=True, timeout=120,
    )
    expect(done.returncode == 0, f"validate: {(done.stdout + done.stderr).strip()[-300:]}")


def _loaded(stage, ground):
    """Both clients name the skill to the model, and give it its text."""
    for program in (stage.client, stage.old_client):
        stage.api.script(Rule("Make a release", [use("Skill", skill=NAME), say("Released.")]))
        mark = stage.api.so_far()
        done = ask(program, ground, "Make a release.", "--allowedTools", "Skill")
        expect(done.code == 0 and done.said == "Released.", f"the run ended with {done.code}: {done.said}")
        asked = stage.api.since(mark)
        listed = any(f"{NAME}: {DESCRIPTION}" in request.besides_memory() for request in asked)
        expect(listed, f"{NAME} is not in the client's listing")
        expect("sign.sh" in asked[-1].besides_memory(), "the model was not given the text of the skill")
        stage.api.script()
