# SPDX-License-Identifier: Apache-2.0
"""A real terminal (tmux) for tests: starts a program in it, presses keys, reads the screen.

Next: top_test.py.
"""
import os
import shutil
import subprocess
import tempfile
import time

PATIENCE = 30  # seconds until something that should appear is called missing


class Terminal:
    """One tmux server with one window of `size`; ends with the block."""

    def __init__(self, command, size=(100, 30), env=None):
        self.folder = tempfile.mkdtemp()
        self.size = size
        environment = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"], "HOME": self.folder, "TZ": "UTC",
                       "XDG_CONFIG_HOME": self.folder, **(env or {})}
        words = ["env", "-i", *(f"{k}={v}" for k, v in environment.items()), "TERM=screen-256color", *command]
        self.tmux("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), *words,
                  ";", "set", "status", "off", ";", "set", "escape-time", "0", ";", "set", "remain-on-exit", "on")
        self.resize(*size)

    def tmux(self, *words):
        base = ["tmux", "-S", self.folder + "/socket", "-f", "/dev/null"]
        env = {**os.environ, "LC_ALL": "C.UTF-8"}
        return subprocess.run(base + list(words), check=True, capture_output=True, text=True, env=env).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self.folder + "/socket", "kill-server"], check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def keys(self, *names):
        for name in names:
            self.tmux("send-keys", name)
            time.sleep(0.05)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def click(self, column, row):
        """As this kind of terminal reports it (X10), counted from 0: pressed and released."""
        for button in (0, 3):
            self.tmux("send-keys", "-l", "\x1b[M" + chr(32 + button) + chr(33 + column) + chr(33 + row))

    def screen(self, colors=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if colors else []))

    def lines(self):
        return self.screen().split("\n")

    def fact(self, name):
        """A variable of tmux about the pane: alternate_on, cursor_flag, pane_pid, pane_dead …"""
        return self.tmux("display-message", "-p", "#{" + name + "}").strip()

    def wait_for(self, text, seconds=PATIENCE):
        return self.wait(lambda: text in self.screen(), f"'{text}' on the screen", seconds)

    def wait_gone(self, text, seconds=PATIENCE):
        return self.wait(lambda: text not in self.screen(), f"'{text}' to leave the screen", seconds)

    def wait(self, condition, what, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"waited {seconds} s for {what}; the screen:\n{self.screen()}")
