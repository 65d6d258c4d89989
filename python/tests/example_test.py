# SPDX-License-Identifier: Apache-2.0
"""A program in C (examples/c/training_loop.c) and the page that it leaves. Next: layout.py."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from layout import FRAMEWORKS, METRIC, PHASE, Page

PROGRAM = pathlib.Path(os.environ["GPUSIGHT_BUILD"]) / "bin" / "example_training_loop"


class Example(unittest.TestCase):
    def Run(self, folder, **environ):
        return subprocess.run([PROGRAM, "5"], text=True, capture_output=True,
                              env=dict(os.environ, GPUSIGHT_PAGE_DIR=folder, **environ))

    def test_tells_all_that_it_does(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.Run(folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            page = Page(done.stdout.strip())
        progress = page.Section("progress")
        self.assertEqual((progress["steps"], progress["data_waits"]), (5, 5))
        self.assertGreater(progress["data_wait"], 5 * 2000000)
        self.assertTrue(all(s["data_wait"] < s["duration"] for s in page.Ring("step")[1:]))
        self.assertEqual(page.Section("identity")["framework"], FRAMEWORKS["PyTorch"])
        self.assertEqual(page.Section("header")["writer"], "training_loop 1.0")
        self.assertEqual([m[0] for m in page.Marks()], [PHASE] + [METRIC] * 5 + [PHASE])
        device, = page.Devices()
        self.assertEqual((device["reserved"], device["known"]), (2 << 20, 0b1100000101))
        self.assertGreater(page.Section("header")["ended"], 0)

    def test_runs_without_a_page_and_says_why(self):
        done = self.Run("/nonexistent/folder")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "\n", "no telemetry: no_folder\n"))
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.Run(folder, GPUSIGHT="0").stderr, "no telemetry: off\n")


if __name__ == "__main__":
    unittest.main()
