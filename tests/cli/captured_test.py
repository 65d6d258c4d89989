# SPDX-License-Identifier: Apache-2.0
"""The machines that `gpusight doctor --capture` wrote on a real H200, played back: what status
says of them is what nvidia-smi said on the card at that moment."""
import json
import unittest

from harness import MACHINES, Case

TOTAL = 150754820096
RESERVED = 644939776


class CapturedMachines(Case):
    def memory(self, machine):
        device = json.loads(self.ok("status", "--json", scenario=MACHINES / machine))["devices"][0]
        self.assertEqual(device["name"], "NVIDIA H200")
        memory = device["memory"]
        self.assertEqual(memory["total_bytes"], TOTAL)
        self.assertEqual(memory["driver_reserved_bytes"], RESERVED)
        self.assertEqual(memory["used_bytes"] + memory["free_bytes"] + RESERVED, TOTAL)
        return device, memory

    def test_an_idle_card_uses_no_memory(self):
        device, memory = self.memory("captured-h200-idle")
        self.assertEqual(memory["used_bytes"], 0)
        self.assertEqual(device["processes"], [])

    def test_two_jobs_and_the_residual_add_up_to_what_is_used(self):
        device, memory = self.memory("captured-h200-two-jobs")
        self.assertEqual(sorted(p["used_bytes"] for p in device["processes"]),
                         [2690646016, 3735027712])
        self.assertEqual(memory["residual_bytes"], 15073280)
        self.assertEqual(memory["processes_bytes"] + memory["residual_bytes"],
                         memory["used_bytes"])
        self.assertEqual(device["utilization_ratio"], 0.98)

    def test_one_job_is_all_that_a_loaded_card_holds(self):
        device, memory = self.memory("captured-h200-loaded")
        self.assertEqual(len(device["processes"]), 1)
        self.assertEqual(device["processes"][0]["used_bytes"], memory["processes_bytes"])

    def test_a_process_on_two_cards_is_counted_on_each(self):
        devices = json.loads(self.ok("status", "--json",
                                     scenario=MACHINES / "captured-two-h200"))["devices"]
        self.assertEqual([d["nvlink"]["links"] for d in devices], [18, 18])
        pids = [{p["pid"] for p in d["processes"]} for d in devices]
        self.assertEqual([len(p) for p in pids], [2, 2])
        self.assertEqual(len(pids[0] & pids[1]), 1)
        for device in devices:
            memory = device["memory"]
            self.assertEqual(sum(p["used_bytes"] for p in device["processes"]),
                             memory["used_bytes"] - memory["residual_bytes"])

    def test_inside_a_pid_namespace_the_jobs_memory_is_residual(self):
        device, memory = self.memory("captured-h200-nested")
        self.assertEqual(device["processes"], [])
        self.assertEqual(memory["residual_bytes"], memory["used_bytes"])


if __name__ == "__main__":
    unittest.main()
