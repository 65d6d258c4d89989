# SPDX-License-Identifier: Apache-2.0
"""The recordings that ./quickstart shows where there is no GPU: each tells what its README says, and
nothing about whose machine it was."""
import json
import os
import pathlib
import re
import subprocess
import unittest

import harness

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORDINGS = ROOT / "examples" / "recordings"


class Examples(harness.Case):
    def run_it(self, *args):
        return subprocess.run([harness.PROGRAM, *map(str, args)], capture_output=True, text=True,
                              env=self.environment(), timeout=60)

    def why(self, name):
        return json.loads(self.run_it("why", "--json", RECORDINGS / name).stdout)

    def test_the_first_waits_for_its_data(self):
        self.assertEqual(self.why("train.gpusight")["verdict"]["rule"], "input.serial_loader")

    def test_the_second_does_not(self):
        rules = [finding["rule"] for finding in self.why("fixed.gpusight")["findings"]]
        self.assertFalse([rule for rule in rules if rule.startswith("input.")], rules)

    def test_the_third_ran_out_of_memory_by_a_leak(self):
        done = self.run_it("report", "--post-mortem", RECORDINGS / "oom.gpusight")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Keep numbers, not losses", done.stdout)

    def test_each_makes_a_report_and_stays_small(self):
        names = sorted(path.name for path in RECORDINGS.glob("*.gpusight"))
        self.assertEqual(names, ["fixed.gpusight", "oom.gpusight", "train.gpusight"])
        for name in names:
            done = self.run_it("report", "--json", RECORDINGS / name)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertEqual(json.loads(done.stdout)["schema"], 1)
            self.assertLess(os.path.getsize(RECORDINGS / name), 512 * 1024)

    def test_none_names_a_machine_or_a_person(self):
        for path in RECORDINGS.glob("*.gpusight"):
            content = path.read_bytes()
            uuids = set(re.findall(rb"GPU-[0-9a-f]{8}-[0-9a-f-]{27}", content))
            self.assertLessEqual(uuids, {b"GPU-00000000-1111-2222-3333-444444444444"}, path.name)
            self.assertIsNone(re.search(rb"/root/|/tmp/|/opt/|HOSTNAME", content), path.name)


if __name__ == "__main__":
    unittest.main()
