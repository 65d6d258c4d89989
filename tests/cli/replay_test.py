# SPDX-License-Identifier: Apache-2.0
"""`gpusight replay` without a screen: one picture as text, and files that are no recordings."""
import shutil
import sqlite3
import unittest

import harness

RECORDING = harness.SOURCE / "testdata" / "recordings" / "v2.gpusight"
SIZE = {"COLUMNS": "120", "LINES": "30"}


class Replay(harness.Case):
    def test_shows_the_last_screen(self):
        out = self.ok("replay", RECORDING, "--once", env=SIZE)
        self.assertIn("node-7", out)
        self.assertIn("0:02:09/0:02:09", out)
        self.assertIn("python train.py --rank 0", out)

    def test_shows_the_screen_of_a_time(self):
        out = self.ok("replay", RECORDING, "--once", "--from", "65s", env=SIZE)
        self.assertIn("0:01:00/0:02:09", out)

    def test_shows_only_chosen_devices(self):
        out = self.ok("replay", RECORDING, "--once", "-d", "1", env=SIZE)
        self.assertIn("1 GPU ", out)
        self.assertIn("--rank 0", out)
        self.assertIn("there is no device '7'", self.refused("replay", RECORDING, "--once", "-d", "7"))

    def test_leaves_the_file_as_it_was(self):
        copy = self.folder / "run.gpusight"
        shutil.copy(RECORDING, copy)
        self.ok("replay", copy, "--once", env=SIZE)
        self.assertEqual(copy.read_bytes(), RECORDING.read_bytes())
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.gpusight"])

    def test_refuses_what_is_no_recording_in_one_sentence(self):
        bytes_ = RECORDING.read_bytes()
        cases = {"hello": "is not a recording", "": "is empty"}
        for text, what in cases.items():
            path = self.folder / "x"
            path.write_text(text)
            self.assertIn(what, self.refused("replay", path, "--once"))
        path = self.folder / "short"
        path.write_bytes(bytes_[:len(bytes_) // 2])
        self.assertIn("is truncated", self.refused("replay", path, "--once"))
        newer = self.folder / "newer"
        shutil.copy(RECORDING, newer)
        with sqlite3.connect(newer) as connection:
            connection.execute("PRAGMA user_version=77")
        connection.close()
        self.assertIn("newer gpusight (version 77", self.refused("replay", newer, "--once"))
        self.assertIn("No such file", self.refused("replay", self.folder / "none", "--once", code=1))
        self.assertIn("needs a recording", self.refused("replay", "--once"))

    def test_needs_a_terminal_to_play(self):
        self.assertIn("'replay' needs a terminal", self.refused("replay", RECORDING))


if __name__ == "__main__":
    unittest.main()
