"""The real client at a terminal that nobody sits at: lines are typed, the
screen is kept, and what happened is told by the client's debug log."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import threading
import time

import hooklog
from client import PLUGIN, arguments, until

_SIZE = (40, 140)
# Typed faster than this, the client takes it for something pasted.
_BETWEEN_KEYS_S = 0.01


class Terminal:
    """One interactive run."""

    def __init__(self, program, ground, *more, folder=None, plugin=PLUGIN, extra=None):
        self.log = ground.new_debug_log()
        self.screen = bytearray()
        self._code = None
        command = arguments(program, plugin, self.log) + list(more)
        environment = {**ground.environment, **(extra or {})}
        where = str(folder or ground.project())
        self.number, self._screen_end = pty.fork()
        if self.number == 0:
            os.chdir(where)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self._screen_end, termios.TIOCSWINSZ, struct.pack("HHHH", *_SIZE, 0, 0))
        self._quiet_since = time.monotonic()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while True:
            try:
                ready, _, _ = select.select([self._screen_end], [], [], 0.2)
                if not ready:
                    continue
                data = os.read(self._screen_end, 65536)
            except (OSError, ValueError):
                return
            if not data:
                return
            self.screen += data
            self._quiet_since = time.monotonic()

    def ready(self, seconds=30.0):
        """Waits until the session has begun and the screen is at rest."""
        until(lambda: hooklog.count(self.log, "SessionStart") > 0 or not self.alive(), seconds)
        return self.alive() and self.at_rest()

    def at_rest(self, for_s=1.0, seconds=20.0):
        return until(lambda: time.monotonic() - self._quiet_since > for_s, seconds)

    def type(self, line):
        """Types a line and enters it."""
        for key in line:
            os.write(self._screen_end, key.encode())
            time.sleep(_BETWEEN_KEYS_S)
        time.sleep(0.4)
        os.write(self._screen_end, b"\r")

    def type_until(self, line, event, about="", seconds=40.0):
        """Types a line and waits for one more of an event's hooks to end."""
        before = hooklog.count(self.log, event, about)
        self.type(line)
        came = until(lambda: hooklog.count(self.log, event, about) > before, seconds)
        self.at_rest(0.6, 10)
        return came

    def alive(self):
        if self._code is None:
            number, status = os.waitpid(self.number, os.WNOHANG)
            if number:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code is None

    def leave(self, seconds=15.0):
        """Types `/exit`; the exit code, or none if it had to be killed."""
        if self.alive():
            self.type("/exit")
            until(lambda: not self.alive(), seconds)
        if self.alive():
            self.kill()
            return None
        self._close()
        return self._code

    def kill(self):
        """Without any warning."""
        if self.alive():
            os.kill(self.number, signal.SIGKILL)
            until(lambda: not self.alive(), 10)
        self._close()

    def _close(self):
        try:
            os.close(self._screen_end)
        except OSError:
            pass
