# SPDX-License-Identifier: Apache-2.0
"""The doctor's table of Paddle's memory flags against the installed PaddlePaddle (a CPU build):
`paddle_flags_test.py LIST_MEMORY_FLAGS`. Next: list_memory_flags.cc."""

import re
import subprocess
import sys
import unittest

import paddle
from paddle.base import core

LIST = sys.argv.pop()
REAL = set(core.globals().keys())


def Version(text):
    return tuple(int(n) for n in re.findall(r"\d+", text)[:3])


def Ask(names=()):
    lines = subprocess.run([LIST], input="".join(f"{name}\n" for name in names), text=True,
                           check=True, capture_output=True).stdout.splitlines()
    return [line.split("\t") for line in lines]


class TheTable(unittest.TestCase):
    def setUp(self):
        now = Version(paddle.__version__)
        rows = [row[1:] for row in Ask() if row[0] == "row"]
        self.here = [(name, build) for name, since, until, build in rows
                     if (not since or Version(since) <= now) and (not until or now < Version(until))]
        self.gone = [name for name, since, until, build in rows if until and Version(until) <= now]

    def test_every_flag_it_calls_known_is_in_paddle(self):
        for_every_build = {name for name, build in self.here if build == "any"}
        self.assertGreater(len(for_every_build), 5)
        self.assertEqual(for_every_build - REAL, set())

    def test_no_flag_it_calls_gone_or_gpu_only_is_in_this_cpu_build(self):
        gpu_only = {name for name, build in self.here if build == "gpu"}
        if core.is_compiled_with_cuda():
            gpu_only = set()
        self.assertEqual((set(self.gone) | gpu_only) & REAL, set())

    def test_every_flag_of_paddle_is_known(self):
        verdicts = Ask(sorted(REAL))
        self.assertEqual([name for word, name, *_ in verdicts if word == "unknown"], [])

    def test_malloc_trunk_size_is_in_no_paddle_and_its_replacement_is(self):
        self.assertNotIn("FLAGS_malloc_trunk_size", REAL)
        self.assertIn("FLAGS_auto_growth_chunk_size_in_mb", REAL)
        self.assertIn(["unknown", "FLAGS_malloc_trunk_size"], Ask(["FLAGS_malloc_trunk_size"]))


if __name__ == "__main__":
    unittest.main()
