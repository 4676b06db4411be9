# SPDX-License-Identifier: MIT
"""A command on a terminal of its own, of which all that it writes is seen.

This end keeps the other one open until everything has been read: a kernel may lose what a pseudo-terminal holds when
its last user closes it. So the end is not that nobody has it open, but a mark that is written once the command has
ended."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios

MARK = b"\0the end\0"


class Terminal:
    """`seen` is what the command has written until now; `code` its exit code, once read() has said that it ended."""

    def __init__(self, command, rows=24, columns=250, **options):
        self.here, self.there = pty.openpty()
        fcntl.ioctl(self.there, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(command, **{"stdin": self.there, "stdout": self.there, "stderr": self.there, **options})
        self.seen, self.code, self.marked = b"", None, False

    def read(self):
        """Waits for more; False when the command has ended and all is seen."""
        while not select.select([self.here], [], [], 0.01)[0]:
            if not self.marked and self.process.poll() is not None:
                os.write(self.there, MARK)
                self.marked = True
        self.seen += os.read(self.here, 65536)
        if not self.seen.endswith(MARK):
            return True
        self.seen, self.code = self.seen[:-len(MARK)], self.process.returncode
        os.close(self.here), os.close(self.there)
        return False

    def whole(self):
        """All that the command writes, as text without carriage returns, and its exit code."""
        while self.read():
            pass
        return self.seen.decode().replace("\r\n", "\n"), self.code
