# SPDX-License-Identifier: Apache-2.0
"""nvidia-ml-py, nvitop and gpustat see the same machine as `gpusight status`, and both see what the scenario
says. Everything on the machine stands still, so that looking one after the other makes no difference."""

import unittest

from machine import MACHINES, MIB, Machine, from_status, script

TOTAL, RESERVED = 150754820096, 644939776
FIRST = "GPU-00000000-1111-2222-3333-444444444444"
SECOND = "GPU-55555555-6666-7777-8888-999999999999"


def standing_still(pids):
    """Two cards; pids[0] trains on the first, pids[1] holds memory on both, pids[2] serves on the second."""
    recording = str(MACHINES / "recordings" / "h200.json")
    card = lambda busy, watts, celsius: {
        "recording": recording, "memory": {"residual_bytes": 20 * MIB},
        "tracks": {"utilization_percent": busy, "memory_activity_percent": 30, "power_watts": watts,
                   "temperature_celsius": celsius}}
    second = card(37, 251, 48)
    second["identity"] = {"uuid": SECOND, "pci_bus_id": "00000000:00:07.0", "minor": 1}
    return {
        "devices": [card(93, 655, 62), second],
        "processes": [
            {"pid": pids[0], "device": 0, "memory_bytes": 60000 * MIB, "sm_percent": 88},
            {"pid": pids[1], "device": 0, "memory_bytes": 3000 * MIB},
            {"pid": pids[1], "device": 1, "memory_bytes": 512 * MIB},
            {"pid": pids[2], "device": 1, "memory_bytes": 24000 * MIB, "sm_percent": 35},
        ],
    }


def expected(pids):
    return {
        FIRST: {"used": (60000 + 3000 + 20) * MIB, "total": TOTAL, "busy": 93, "celsius": 62, "watts": 655,
                "processes": {pids[0]: {"memory": 60000 * MIB, "sm": 88}, pids[1]: {"memory": 3000 * MIB, "sm": 0}}},
        SECOND: {"used": (512 + 24000 + 20) * MIB, "total": TOTAL, "busy": 37, "celsius": 48, "watts": 251,
                 "processes": {pids[1]: {"memory": 512 * MIB, "sm": 0}, pids[2]: {"memory": 24000 * MIB, "sm": 35}}},
    }


class Agreement(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.machine = Machine(standing_still, processes=3)
        cls.ours = cls.machine.status()

    @classmethod
    def tearDownClass(cls):
        cls.machine.__exit__()

    def test_gpusight_sees_what_the_scenario_says(self):
        self.assertEqual(from_status(self.ours), expected(self.machine.pids))

    def test_nvidia_ml_py_agrees(self):
        self.assertEqual(self.machine.judge("pynvml"), from_status(self.ours))

    def test_nvitop_agrees(self):
        self.assertEqual(self.machine.judge("nvitop"), from_status(self.ours))

    def test_gpustat_agrees_as_far_as_it_looks(self):
        theirs, ours = self.machine.judge("gpustat"), from_status(self.ours)
        for device in ours.values():  # it shows whole MiB and no use of processes
            device["total"] = device["total"] // MIB * MIB
            device["processes"] = {p: {"memory": v["memory"], "sm": None} for p, v in device["processes"].items()}
        self.assertEqual(theirs, ours)

    def test_the_memory_account_adds_up_with_the_judges_numbers(self):
        theirs = self.machine.judge("pynvml")
        for device in self.ours["devices"]:
            memory, judged = device["memory"], theirs[device["uuid"]]
            listed = sum(p["memory"] for p in judged["processes"].values())
            self.assertEqual(memory["residual_bytes"], judged["used"] - listed)
            self.assertEqual(memory["total_bytes"],
                             memory["used_bytes"] + memory["free_bytes"] + memory["driver_reserved_bytes"])

    def test_the_judges_own_screens_work(self):
        text = self.machine.run([script("nvitop"), "-1", "-U"]).stdout
        for pid in self.machine.pids:
            self.assertIn(str(pid), text)
        text = self.machine.run([script("gpustat"), "--no-color", "-p"]).stdout
        self.assertIn("[1] NVIDIA H200", text)


if __name__ == "__main__":
    unittest.main()
