# SPDX-License-Identifier: Apache-2.0
"""A pseudo terminal with a program on it as session leader, as a terminal emulator makes it: types,
reads what appears, changes its size, looks at its settings, hangs up. Next: terminal_test.py."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

PATIENCE = 30


class Terminal:
    def __init__(self, words, cwd, env, size=(80, 24)):
        self.main, self.side = pty.openpty()  # the side is kept, so that its settings can be read
        self.seen = b""
        self.resize(*size)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                fcntl.ioctl(self.side, termios.TIOCSCTTY, 0)
                for fd in range(3):
                    os.dup2(self.side, fd)
                os.closerange(3, 256)
                os.chdir(cwd)
                for number in (signal.SIGPIPE, signal.SIGXFSZ):
                    signal.signal(number, signal.SIG_DFL)
                os.execvpe(words[0], words, env)
            finally:
                os._exit(99)
        self.status = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        self.hang_up()
        if self.side is not None:
            os.close(self.side)

    def release_side(self):
        """Nobody but the program holds the terminal from here on."""
        os.close(self.side)
        self.side = None

    def hang_up(self):
        if self.main is not None:
            os.close(self.main)
        self.main = None

    def resize(self, columns, rows):
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.main, text.encode())

    def read(self, seconds):
        """More of what appears; False when nothing did in that time."""
        ready, _, _ = select.select([self.main], [], [], seconds)
        if not ready:
            return False
        try:
            self.seen += os.read(self.main, 65536)
        except OSError:  # nobody has it open any more
            return False
        return True

    def expect(self, text, seconds=PATIENCE):
        """Reads until the text has appeared; what came before it and itself is taken away."""
        wanted = text.encode()
        end = time.monotonic() + seconds
        while wanted not in self.seen:
            left = end - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError(f"no {text!r} in {self.seen.decode(errors='replace')!r}")
        before, _, self.seen = self.seen.partition(wanted)
        return (before + wanted).decode(errors="replace")

    def rest(self, seconds=0.3):
        while self.read(seconds):
            pass
        text, self.seen = self.seen.decode(errors="replace"), b""
        return text

    def settings(self):
        mode = termios.tcgetattr(self.side)
        return mode[:4] + [mode[6][:17]]

    def foreground(self):
        """The process group that has the keyboard."""
        return struct.unpack("i", fcntl.ioctl(self.main, termios.TIOCGPGRP, b"    "))[0]

    def wait(self, seconds=PATIENCE):
        """The exit code, or minus the signal."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == self.pid:
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
            if self.main is not None:
                self.read(0.02)
            else:
                time.sleep(0.02)
        raise AssertionError(f"still runs: {self.seen.decode(errors='replace')!r}")
