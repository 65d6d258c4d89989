# SPDX-License-Identifier: Apache-2.0
"""Tests of score.py and of the lists in jobs.py."""

import unittest

import jobs
import score


def result(expected, said, findings=(), **more):
    verdict = None if said is None else {"rule": said}
    base = {"job": "j", "program": "p", "rule": expected, "expected": expected, "model": "vit", "seed": 0,
            "fix": False, "severity": "medium", "seconds": 10, "more": [], "wall": 36, "skipped": False,
            "told": {"sample_us": 10.0}, "why": {"verdict": verdict, "findings": [{"rule": r} for r in findings]}}
    return {**base, **more}


class Score(unittest.TestCase):
    def test_wilson_is_narrower_with_more_jobs_and_never_leaves_0_to_1(self):
        self.assertAlmostEqual(score.wilson(95, 100)[0], 0.8882, 3)
        self.assertAlmostEqual(score.wilson(95, 100)[1], 0.9785, 3)
        self.assertEqual(score.wilson(0, 0), (0.0, 1.0))
        self.assertEqual(score.wilson(0, 5)[0], 0.0)
        self.assertAlmostEqual(score.wilson(5, 5)[1], 1.0)

    def test_a_fault_is_named_rightly_only_by_its_own_rule(self):
        self.assertTrue(score.right(result("gpumem.leak", "gpumem.leak")))
        self.assertFalse(score.right(result("gpumem.leak", "input.serial_loader")))
        self.assertFalse(score.right(result("gpumem.leak", "none.unknown")))
        self.assertFalse(score.right(result("gpumem.leak", None)))

    def test_a_healthy_job_may_be_called_compute_bound_or_unknown(self):
        for said in ("none.compute_bound", "none.unknown", "clock.power_cap"):
            self.assertTrue(score.right(result("none", said)), said)
        self.assertFalse(score.right(result("none", "gpumem.leak")))
        self.assertFalse(score.right(result("none", None)))

    def test_an_abstention_costs_recall_and_no_precision(self):
        scores = score.per_rule([result("gpumem.leak", "gpumem.leak"), result("gpumem.leak", "none.unknown"),
                                 result("host.sync_points", "gpumem.leak")])
        self.assertEqual(scores["gpumem.leak"]["precision"], 0.5)
        self.assertEqual(scores["gpumem.leak"]["recall"], 0.5)
        self.assertEqual(scores["host.sync_points"]["recall"], 0)

    def test_false_alarms_are_counted_in_jobs_without_a_fault_only(self):
        alarms, hours = score.false_alarms([result("none", "none.compute_bound", ["host.sync_points", "gpu.bound_by"]),
                                            result("gpumem.leak", "gpumem.leak", ["host.sync_points"])])
        self.assertEqual(alarms, 1)
        self.assertAlmostEqual(hours, 0.01)

    def test_a_fix_counts_when_the_finding_is_gone_and_samples_are_faster(self):
        before = result("gpumem.leak", "gpumem.leak")
        after = result("none", "none.compute_bound", fix=True, told={"sample_us": 9.0})
        self.assertEqual(score.fixes([before, after]), [("j", True, True, 10.0, 9.0)])
        still = result("none", "none.compute_bound", ["gpumem.leak"], fix=True, told=None)
        self.assertEqual(score.fixes([before, still]), [("j", False, False, 10.0, None)])

    def test_a_job_that_broke_off_is_not_judged_unless_that_is_its_fault(self):
        self.assertTrue(score.broken(result("progress.none", "none.unknown", told=None)))
        self.assertFalse(score.broken(result("gpumem.oom_postmortem", "none.unknown", told=None)))
        self.assertTrue(score.broken(result("none", None, rule="gpumem.oom_postmortem", fix=True, told=None)))
        self.assertIn("1 broken, 0 judged", score.report([result("progress.none", None, told=None)]))

    def test_a_report_can_be_written_of_nothing_and_of_jobs_that_nobody_judged(self):
        self.assertIn("0 jobs", score.report([]))
        unasked = result("gpumem.leak", None)
        del unasked["why"]
        self.assertIn("0 judged", score.report([unasked]))


class Lists(unittest.TestCase):
    def test_no_job_is_twice_in_a_list(self):
        for name, make in jobs.LISTS.items():
            names = [job.name for job in make()]
            self.assertEqual(len(names), len(set(names)), name)

    def test_the_half_that_judges_shares_no_model_and_no_seed_with_the_half_that_tunes(self):
        tune, judge = jobs.LISTS["tune"](), jobs.LISTS["judge"]()
        self.assertFalse({j.model for j in tune} & {j.model for j in judge})
        self.assertFalse({j.seed for j in tune} & {j.seed for j in judge})
        for half in (tune, judge):
            self.assertEqual({j.program for j in half if j.rule != jobs.HEALTHY}, {p for p, _ in jobs.FAULTS})


if __name__ == "__main__":
    unittest.main()
