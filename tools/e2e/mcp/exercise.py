"""What a client of the protocol does with engram's server, whichever client it
is: `call` is its own way to use a tool, and `names` what the server offers.

Runs inside the environment of a client, which has nothing of the tests but
this folder.
"""

import json

# What is told over each way: whatever was forgotten over one is not told anew.
FACTS = {
    "stdio": ("the staging database listens on port 5433", "which port does the staging database use", "5433"),
    "http": ("the billing gateway listens on port 7311", "which port does the billing gateway use", "7311"),
}
# What the server offers whoever asks for nothing else.
TOOLS = {
    "store_memory", "recall_memories", "inspect_memory", "forget_memory",
    "update_status", "record_outcome", "memory_stats", "promote_memories",
}


async def exercise(way, names, call):
    """Stores, recalls, inspects, counts and forgets. Returns what was seen;
    raises where something is not as it should be. `call` returns the answer's
    structured content, or its text."""
    fact, question, answer = FACTS[way]
    missing = TOOLS - set(names)
    assert not missing, f"the server does not offer {sorted(missing)}"
    stored = await call("store_memory", {"text": fact})
    name = _identifier(stored)
    assert name, f"store_memory names no memory: {stored}"
    recalled = await call("recall_memories", {"query": question})
    assert answer in json.dumps(recalled), f"recall_memories found {recalled}"
    inspected = await call("inspect_memory", {"memory": name})
    assert answer in json.dumps(inspected), f"inspect_memory shows {inspected}"
    await call("memory_stats", {})
    await call("forget_memory", {"memories": [name]})
    recalled = await call("recall_memories", {"query": question})
    assert answer not in json.dumps(recalled), f"recall_memories still finds {recalled}"
    return f"{len(set(names))} tools; stored, recalled, inspected, counted, forgotten"


def _identifier(value):
    """The first identifier of a memory in an answer, wherever it stands."""
    if isinstance(value, dict):
        for key in ("id", "memory", "memory_id"):
            if isinstance(value.get(key), str):
                return value[key]
        value = list(value.values())
    if isinstance(value, list):
        return next(filter(None, map(_identifier, value)), None)
    return None


def read(structured, texts):
    """The content of an answer: what is structured, else JSON in its text, else
    the text."""
    if structured is not None:
        return structured
    text = "\n".join(texts)
    try:
        return json.loads(text)
    except ValueError:
        return text
