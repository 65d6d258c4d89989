# SPDX-License-Identifier: Apache-2.0
"""Tests of report.py: verdicts, absent measurements, markers."""

import unittest

import report


def steady(log, dmon):
    return {"steady": {"gpusight log, everything": {"cpu_percent": log, "peak_rss_kib": 1, "threads": 3},
                       "nvidia-smi dmon": {"cpu_percent": dmon, "peak_rss_kib": 2, "threads": 1}}}


class Report(unittest.TestCase):
    def test_a_target_is_met_at_its_limit_and_missed_above(self):
        self.assertIn("| ≤ 0.2 | 0.20 | met |", report.targets(steady(0.2, 1.0), str))
        self.assertIn("| ≤ 0.2 | 0.21 | missed |", report.targets(steady(0.21, 1.0), str))

    def test_a_job_meets_its_figure_and_its_bound_each_for_itself(self):
        results = {"in_job": {"jobs": {"data": {"all": {"added": 0.002, "high": 0.006}}}}}
        table = report.targets(results, str)
        self.assertIn("| step time of a data-bound job | ≤ 0.3 % | +0.20 % | met |\n"
                      "| its upper 95 % bound | ≤ 0.5 % | +0.60 % | missed |", table)

    def test_what_was_not_measured_is_said_and_never_a_number(self):
        for line in report.targets({}, str).splitlines()[2:]:
            self.assertIn("| – | not measured |", line)
        self.assertEqual("not measured\n", report.peers({}, str))

    def test_a_tool_that_failed_has_no_row(self):
        results = steady(0.2, 1.0)
        results["steady"]["nvitop"] = {"error": "No module named nvitop", "rounds": []}
        self.assertNotIn("nvitop", report.peers(results, str))
        self.assertIn("| `gpusight log, everything` | 0.20 | 0.50 | 3 |", report.peers(results, str))

    def test_only_what_lies_between_the_markers_is_replaced(self):
        text = "a\n<!-- bench:peers -->\nold\n<!-- /bench -->\nb\n"
        once = report.fill(text, {}, "en")
        self.assertEqual("a\n<!-- bench:peers -->\nnot measured\n<!-- /bench -->\nb\n", once)
        self.assertEqual(once, report.fill(once, {}, "en"))

    def test_chinese_tables_speak_chinese(self):
        self.assertIn("未测量", report.fill("<!-- bench:targets -->\n<!-- /bench -->", {}, "zh"))


if __name__ == "__main__":
    unittest.main()
