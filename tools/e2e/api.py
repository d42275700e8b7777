"""A scripted Messages API on the loopback address, and what it was asked.

It answers in both forms (a stream of events, or one JSON object), counts
tokens roughly, and keeps every request. What the client does with an answer,
and what engram is, is not known here.
"""

import itertools
import json
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# As engram writes it. The bare word is also in what its server says of itself.
MEMORY = re.compile(r"<memory note=.*?</memory>", re.DOTALL)
_ADDED = re.compile(r"<memory note=.*?</memory>|<system-reminder>.*?</system-reminder>", re.DOTALL)
_number = itertools.count(1)


def say(text):
    """A step that says something and ends the turn."""
    return [{"type": "text", "text": text}]


def use(tool, **given):
    """A step that uses a tool; the client asks again with what came of it."""
    return [{"type": "tool_use", "name": tool, "input": given}]


@dataclass
class Rule:
    """What is answered where `when` was typed: a step for each time the client
    asks in that turn, the last one again and again."""

    when: str
    steps: list
    # The answer waits until somebody lets it go, or for so many seconds.
    hold_s: float = 0.0
    release: threading.Event = field(default_factory=threading.Event)


@dataclass
class Asked:
    """One request for a message."""

    body: dict
    at: float

    def texts(self):
        """Every text in it, whoever says it: hooks speak in several roles."""
        for block in _blocks(self.body.get("system")):
            yield from _texts(block)
        for message in self.body.get("messages", []):
            for block in _blocks(message.get("content")):
                yield from _texts(block)

    def whole(self):
        return "\n".join(self.texts())

    def memories(self):
        """The blocks of memory in it, in their order."""
        return [found for text in self.texts() for found in MEMORY.findall(text)]

    def besides_memory(self):
        return MEMORY.sub("", self.whole())

    def tools(self):
        return [tool.get("name", "") for tool in self.body.get("tools") or []]


def _blocks(content):
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, dict) else {"type": "text", "text": str(block)} for block in content or []]


def _texts(block):
    if "text" in block:
        yield block["text"]
    elif block.get("type") == "tool_use":
        yield json.dumps(block.get("input"), ensure_ascii=False)
    elif block.get("type") == "tool_result":
        for inner in _blocks(block.get("content")):
            yield from _texts(inner)


def _typed(message):
    """What a user message says by itself, without what hooks added to it.
    Nobody typed a message that holds the result of a tool."""
    blocks = _blocks(message.get("content"))
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    said = [block["text"] for block in blocks if "text" in block]
    return _ADDED.sub("", "\n".join(said))


class Api:
    """The server. Its rules are changed between runs; its requests stay."""

    def __init__(self):
        self.rules = []
        self.asked = []
        self._lock = threading.Lock()
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Small answers would wait for the other side's acknowledgement.
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def do_HEAD(self):
                self._json(200, {})

            def do_GET(self):
                self._json(200 if self.path in ("/", "/api/hello") else 404, {})

            def do_POST(self):
                length = int(self.headers.get("content-length") or 0)
                raw = self.rfile.read(length)
                path = self.path.split("?")[0]
                try:
                    body = json.loads(raw or b"{}")
                except ValueError:
                    return self._json(400, _error("invalid_request_error", "this is no JSON"))
                if path == "/v1/messages/count_tokens":
                    return self._json(200, {"input_tokens": 1 + length // 4})
                if path != "/v1/messages":
                    return self._json(404, _error("not_found_error", "nothing is here"))
                blocks = api._answer(body)
                try:
                    self._tell(body, blocks, 1 + length // 4)
                except (BrokenPipeError, ConnectionResetError):
                    # The client was killed while it waited; some tests do that.
                    self.close_connection = True

            def _json(self, status, value):
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def _tell(self, body, blocks, size):
                message = _message(body, blocks, size)
                if not body.get("stream"):
                    return self._json(200, message)
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                for event in _events(message):
                    line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                    self.wfile.write(line.encode())
                    self.wfile.flush()
                self.close_connection = True

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        for rule in self.rules:
            rule.release.set()
        self._server.shutdown()
        self._server.server_close()

    def script(self, *rules):
        """From here on, these rules; the first that fits answers."""
        with self._lock:
            for rule in self.rules:
                rule.release.set()
            self.rules = list(rules)

    def so_far(self):
        """How many requests there were, to look at later ones only."""
        with self._lock:
            return len(self.asked)

    def since(self, mark):
        with self._lock:
            return self.asked[mark:]

    def wait_for(self, mark, text, seconds=30.0):
        """The first request after `mark` that holds a text, or none in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for asked in self.since(mark):
                if text in asked.whole():
                    return asked
            time.sleep(0.02)
        return None

    def _answer(self, body):
        with self._lock:
            self.asked.append(Asked(body, time.time()))
            rules = list(self.rules)
        messages = body.get("messages", [])
        users = [(place, _typed(message)) for place, message in enumerate(messages) if message.get("role") == "user"]
        typed = [(place, text) for place, text in users if text.strip()]
        latest_place, latest = typed[-1] if typed else (0, "")
        for rule in rules:
            if rule.when in latest:
                if rule.hold_s:
                    rule.release.wait(rule.hold_s)
                done = sum(1 for message in messages[latest_place:] if message.get("role") == "assistant")
                return rule.steps[min(done, len(rule.steps) - 1)]
        return say("Understood.")


def _error(kind, message):
    return {"type": "error", "error": {"type": kind, "message": message}}


def _message(body, blocks, size):
    content = []
    for block in blocks:
        if block["type"] == "tool_use":
            block = {"type": "tool_use", "id": f"toolu_{next(_number):024d}", "name": block["name"], "input": block["input"]}
        content.append(block)
    uses = any(block["type"] == "tool_use" for block in content)
    return {
        "id": f"msg_{next(_number):024d}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": content,
        "stop_reason": "tool_use" if uses else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": size, "output_tokens": 8, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    }


def _events(message):
    """The same message as the events of a stream."""
    start = {**message, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 8}}
    yield {"type": "message_stop"}
