#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gpusight replay`, the real binary in a real terminal, on the recording of testdata.

    replay_test.py BINARY [unittest's arguments]

Needs tmux. Next: terminal.py.
"""
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import Terminal  # noqa: E402

BINARY = sys.argv[1]
RECORDING = str(pathlib.Path(__file__).resolve().parents[2] / "testdata" / "recordings" / "v1.gpusight")


def seconds(terminal):
    """Where in the recording the screen is."""
    found = re.search(r"(\d+):(\d\d):(\d\d)/\d+:\d\d:\d\d", terminal.lines()[0])
    return found and int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3])


class Replay(unittest.TestCase):
    def play(self, *options):
        return Terminal(["sh", "-c", '"$@"; echo "ended $?"; cat', "sh", BINARY, "replay", RECORDING, *options],
                        size=(130, 40))

    def test_plays_stops_and_goes_on(self):
        with self.play("--from", "115s") as terminal:
            terminal.wait_for("PLAY x1")
            first = terminal.wait(lambda: seconds(terminal), "a position")
            terminal.wait(lambda: seconds(terminal) > first, "the next second")
            terminal.keys("p")
            terminal.wait_for("PAUSED")
            still = seconds(terminal)
            terminal.keys(",")
            terminal.wait(lambda: seconds(terminal) < still, "an earlier second")
            terminal.wait_for("PAUSED")
            terminal.keys("p", "+", "+", "+")
            terminal.wait_for("END")
            terminal.keys("q")
            terminal.wait_for("ended 0")

    def test_help_names_the_keys_of_recordings(self):
        with self.play() as terminal:
            terminal.wait_for("PLAY")
            terminal.keys("h")
            terminal.wait_for("Help")
            terminal.keys("End")
            for _ in range(6):
                if "a minute back" in terminal.screen():
                    break
                terminal.keys("PageUp")
            terminal.wait_for("a minute back")

    def test_sends_no_signals(self):
        with self.play("--from", "120s") as terminal:
            terminal.wait_for("train.py")
            terminal.keys("k")
            terminal.wait_for("No signals: this is a recorded machine")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
