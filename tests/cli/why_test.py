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

    def test_the_page_begins_with_the_verdict(self):
        out = self.run_program("why", "--all", "--for", "9s", "--demo", "--all-fixes")
        self.assertEqual(out.returncode, 0, out.stderr)
        first = out.stdout.splitlines()[0]
        self.assertIn("same GPU", first)
        self.assertIn("What to do", out.stdout)
        chinese = self.run_program("why", "--all", "--for", "9s", "--demo", "--lang", "zh")
        self.assertIn("依据" if "依据" in chinese.stdout else "建议", chinese.stdout)

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
