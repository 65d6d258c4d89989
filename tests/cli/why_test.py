# SPDX-License-Identifier: Apache-2.0
"""gpusight why, on recordings and on the demonstration's machine."""
import json
import unittest

import harness

RECORDING = harness.SOURCE / "testdata/recordings/v2.gpusight"


class Why(harness.Case):
    def test_json_has_the_shape_of_the_contract(self):
        out = self.run_program("why", "--json", str(RECORDING))
        self.assertIn(out.returncode, (0, 5), out.stderr)
        found = json.loads(out.stdout)
        self.assertEqual(list(found), ["schema", "verdict", "findings", "missing"])
        self.assertEqual(found["schema"], 1)
        self.assertEqual(list(found["verdict"]), ["rule", "text", "lost_ratio", "speedup_at_most"])
        for finding in found["findings"]:
            for key in ("rule", "severity_ratio", "confidence", "evidence", "fix"):
                self.assertIn(key, finding)
            self.assertTrue(0 <= finding["severity_ratio"] <= 1)

    def test_a_running_job_is_looked_at(self):
        # What is found depends on how many looks a busy machine takes in so short a time.
        out = self.run_program("why", "--all", "--for", "9s", "--demo", "--all-fixes")
        self.assertIn(out.returncode, (0, 5), out.stderr)
        self.assertIn("looked at", out.stdout.splitlines()[-1])
        chinese = self.run_program("why", "--all", "--for", "6s", "--demo", "--lang", "zh")
        self.assertIn("观察时长", chinese.stdout.splitlines()[-1])

    def test_what_cannot_be_is_said(self):
        for arguments, words in ((["--all", "4711"], "--all"), (["none.gpusight"], "none.gpusight"),
                                 (["--limit", "no.such=1", str(RECORDING)], "no.such"),
                                 (["999999", "--demo", "--for", "5s"], "999999")):
            out = self.run_program("why", *arguments)
            self.assertNotEqual(out.returncode, 0, arguments)
            self.assertIn(words, out.stderr)
            self.assertEqual(out.stdout, "")


if __name__ == "__main__":
    unittest.main()
