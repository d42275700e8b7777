"""Adds the token to every request on its way to the MCP server.

The conformance suite cannot send a header of its own, and the server answers
nobody without one. Everything else passes as it is, streams included; of the
address only the proxy's own is changed into the server's, so that a wrong one
still reaches the server as a wrong one.
"""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

_OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "content-length"}
# A stream that says nothing for so long is given up.
_LONGEST_SILENCE_S = 60


class HeaderProxy:
    """Listens on the loopback address from the beginning until it is closed."""

    def __init__(self, url, token):
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.target = urlsplit(url)
        self._server.token = token
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}{self._server.target.path}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    target = None
    token = ""

    def handle_error(self, request, client_address):
        """A client that goes away in the middle is nothing to report."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def _pass(self):
        target = self.server.target
        own = f"127.0.0.1:{self.server.server_address[1]}"
        body = self._body()
        there = http.client.HTTPConnection(target.hostname, target.port, timeout=_LONGEST_SILENCE_S)
        try:
            there.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() in _OF_THE_CONNECTION or name.lower() == "authorization":
                    continue
                there.putheader(name, value.replace(own, target.netloc) if name.lower() in ("host", "origin") else value)
            there.putheader("authorization", f"Bearer {self.server.token}")
            if body or self.command == "POST":
                there.putheader("content-length", str(len(body)))
            there.endheaders(body or None)
            self._pass_back(there.getresponse())
        except (OSError, http.client.HTTPException):
            self.close_connection = True
        finally:
            there.close()

    do_GET = do_POST = do_DELETE = do_OPTIONS = do_PUT = _pass

    def _body(self):
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _pass_back(self, answer):
        self.send_response_only(answer.status, answer.reason)
        length = answer.getheader("content-length")
        for name, value in answer.getheaders():
            if name.lower() not in _OF_THE_CONNECTION:
                self.send_header(name, value)
        if length is not None:
            self.send_header("content-length", length)
        # Where the length is not known, the end of the connection tells it.
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        while data := answer.read1(65536):
            self.wfile.write(data)
            self.wfile.flush()
