# SPDX-License-Identifier: Apache-2.0
"""Every program of programs.py prints and ends the same with and without `gpusight run`."""
import unittest

import harness
from programs import PROGRAMS


class Transparent(harness.Case):
    """One test for each program; see below."""

    def check(self, program):
        expected = None
        for mode in self.modes:
            self.fresh()
            line = self.line(program, self.recorded(mode))
            out, err, status, seconds = self.run_line(line, program.feed)
            got = {"out": out, "err": err, "status": status}
            if expected is None:
                expected, plain = got, seconds
                self.assertNotEqual(status, "hangs", line)
                continue
            with self.subTest(mode=mode):
                for key in program.compare.split():
                    self.assertEqual(got[key], expected[key], f"{key} of {line}\n{err[:2000]!r}")
                if program.seconds:
                    self.assertLess(seconds, plain + program.seconds, "it took longer")
                if program.recorded and status not in (126, 127):
                    self.assertTrue(self.recording.exists(), "nothing was recorded")


def add(program):
    setattr(Transparent, f"test_{program.name}", lambda self: self.check(program))


for one in PROGRAMS:
    # A sanitizer needs a descriptor of its own, to see whether it may read, and finds none below five.
    if one.name == "hardly_any_descriptors" and harness.BUILD.name == "asan":
        continue
    add(one)

if __name__ == "__main__":
    unittest.main()
