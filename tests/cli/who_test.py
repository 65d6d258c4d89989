# SPDX-License-Identifier: Apache-2.0
"""gpusight who on the fake driver."""
import json
import os
import subprocess
import unittest

import harness
from harness import GIB


class Who(harness.Case):
    def holders(self, *args, **options):
        return json.loads(self.ok("who", "--json", *args, **options))["devices"][0]

    def test_the_largest_holder_comes_first(self):
        scenario = self.scenario(processes=[
            {"pid": 101, "device": 0, "memory_bytes": GIB},
            {"pid": 102, "device": 0, "memory_bytes": 5 * GIB}])
        device = self.holders(scenario=scenario)
        self.assertEqual([h["used_bytes"] for h in device["holders"]], [5 * GIB, GIB])
        page = self.ok("who", scenario=scenario)
        self.assertLess(page.index("5.0GiB"), page.index("1.0GiB"))

    def test_a_holder_of_this_machine_is_named(self):
        self.host(harness.TRAINER)
        scenario = self.scenario(
            processes=[{"pid": harness.TRAINER, "device": 0, "memory_bytes": 2 * GIB}])
        holder = self.holders(scenario=scenario)["holders"][0]
        self.assertEqual(holder["pid"], harness.TRAINER)
        self.assertTrue(holder["translated"])
        self.assertIn("python", holder["command"])
        self.assertIsInstance(holder["start_time"], (int, float))

    def test_a_holder_outside_this_container_is_counted_and_labelled(self):
        self.host(namespace=4026532777)
        scenario = self.scenario(processes=[{"pid": 999999, "device": 0, "memory_bytes": GIB}])
        device = self.holders(scenario=scenario)
        self.assertEqual(device["hidden_count"], 1)
        self.assertEqual(device["hidden_bytes"], GIB)
        page = self.ok("who", scenario=scenario)
        self.assertIn("(outside this container)", page)
        self.assertIn("On the host, 'gpusight who' names", " ".join(page.split()))

    def test_a_holder_that_ended_is_a_zombie(self):
        # A child that ended and is not collected yet keeps its entry in /proc.
        child = subprocess.Popen(["true"])
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        scenario = self.scenario(
            processes=[{"pid": child.pid, "device": 0, "memory_bytes": GIB}])
        device = self.holders("--root", "/", scenario=scenario)
        page = self.ok("who", "--root", "/", scenario=scenario)
        child.wait()
        self.assertEqual(device["zombie_count"], 1)
        self.assertIn("ended", page)

    def test_much_memory_and_nobody_listed_is_explained(self):
        scenario = self.scenario(
            devices=[{"recording": harness.RECORDING, "memory": {"used_bytes": 60 * GIB}}],
            processes=[])
        self.assertEqual(self.holders(scenario=scenario)["residual_is"], "hidden_owners")
        self.assertIn("the owners are hidden",
                      " ".join(self.ok("who", scenario=scenario).split()))

    def test_an_idle_card(self):
        scenario = self.scenario(processes=[])
        self.assertIn("no process is listed", self.ok("who", scenario=scenario))

    def test_the_demonstration_in_both_languages(self):
        self.assertIn("train", self.ok("who", "--demo"))
        self.assertIn("未归属", self.ok("who", "--demo", "--lang", "zh"))


if __name__ == "__main__":
    unittest.main()
