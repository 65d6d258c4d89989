# SPDX-License-Identifier: Apache-2.0
"""Old and broken drivers: where nvitop copes, gpusight sees the same processes; where nvitop is known to fail,
gpusight sees what the scenario says. So the fake's imitation of each driver is judged too."""

import json
import sys
import unittest

from machine import GPUSIGHT, MACHINES, MIB, Machine, from_status

ROOMS = [20480, 10240, 5120, 2560]  # MiB held by four processes


def on_top_of(name):
    def scenario(pids):
        return {"base": str(MACHINES / name / "scenario.json"),
                "processes": [{"pid": p, "memory_bytes": r * MIB} for p, r in zip(pids, ROOMS)]}
    return scenario


def memories(devices):
    (device,) = devices.values()
    return {pid: process["memory"] for pid, process in device["processes"].items()}


class Drivers(unittest.TestCase):
    def four_processes(self, name, variant="", nvitop_copes=True):
        with Machine(on_top_of(name), processes=4, variant=variant) as machine:
            truth = dict(zip(machine.pids, (r * MIB for r in ROOMS)))
            self.assertEqual(memories(from_status(machine.status())), truth)
            theirs = machine.judge("nvitop", check=nvitop_copes)
            theirs = None if theirs is None else memories(theirs)
            if nvitop_copes:
                self.assertEqual(theirs, truth)
            else:
                self.assertNotEqual(theirs, truth, "the judge copes by now: this imitation has lost its point")

    def test_580(self):
        self.four_processes("h200-two-jobs")

    def test_450_has_only_the_first_list(self):
        self.four_processes("r450-v1-only", variant="r450")

    def test_535_98_lacks_the_third_list(self):
        self.four_processes("driver-535-no-v3", variant="r535-98")

    def test_535_writes_records_of_16_bytes(self):
        self.four_processes("driver-535-16-byte-records", nvitop_copes=False)

    def test_535_writes_records_of_32_bytes(self):
        self.four_processes("driver-535-32-byte-records", nvitop_copes=False)

    def test_pid_and_memory_change_places(self):
        self.four_processes("swapped-records", nvitop_copes=False)

    def test_wsl2_hides_the_memory_of_processes(self):
        def scenario(pids):
            hidden = on_top_of("wsl2")(pids)
            for process in hidden["processes"]:
                process["hidden"] = True
            return hidden
        with Machine(scenario, processes=4) as machine:
            self.assertEqual(memories(from_status(machine.status())), dict.fromkeys(machine.pids))
            self.assertEqual(memories(machine.judge("nvitop")), dict.fromkeys(machine.pids))

    def test_mig_has_no_utilization(self):
        def scenario(pids):
            mig = on_top_of("h200-mig")(pids)
            for process in mig["processes"]:
                process.update(gpu_instance=2, compute_instance=0)
            return mig
        with Machine(scenario, processes=4) as machine:
            status = machine.status()
            gpu = next(d for d in status["devices"] if d["uuid"].startswith("GPU-"))
            self.assertIsNone(gpu["utilization_ratio"])
            self.assertIsNone(machine.judge("nvitop")[gpu["uuid"]]["busy"])
            instances = [d["uuid"] for d in status["devices"] if d["uuid"].startswith("MIG-")]
            theirs = machine.run([sys.executable, "-c", "import nvitop; print(*[m.uuid() for d in nvitop.Device.all() "
                                                   "for m in d.mig_devices()], sep='\\n')"]).stdout.split()
            self.assertEqual(instances, theirs)

    def test_every_machine_is_told_as_json_or_refused_in_one_sentence(self):
        slow = {"hang-init", "hang-for-ever", "slow-driver"}  # they are the business of other tests
        for folder in sorted(MACHINES.iterdir()):
            if not (folder / "scenario.json").exists() or folder.name in slow:
                continue
            library = json.loads((folder / "scenario.json").read_text()).get("library", "")
            with self.subTest(folder.name), Machine(lambda _: {"base": str(folder / "scenario.json")},
                                                    variant=library) as machine:
                result = machine.run([GPUSIGHT, "status", "--json", "--nvml", machine.library / "libnvidia-ml.so.1"],
                                     check=False)
                self.assertIn(result.returncode, (0, 3), result.stderr)
                if result.returncode == 0:
                    self.assertEqual(json.loads(result.stdout)["schema"], 1)
                else:
                    self.assertIn(len(result.stderr.strip().splitlines()), (1, 2), result.stderr)


if __name__ == "__main__":
    unittest.main()
