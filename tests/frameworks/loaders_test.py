# SPDX-License-Identifier: Apache-2.0
"""Whether `gpusight status` recognises the workers of a real DataLoader: starts loader_job.py, tells
the fake driver that this process holds memory, and compares gpusight's answer with what the
framework itself said. `loaders_test.py torch|paddle fork|spawn GPUSIGHT FAKE_DRIVER`. Next:
loader_job.py."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FRAMEWORK, METHOD, GPUSIGHT, DRIVER = sys.argv[1:5]
HERE = pathlib.Path(__file__).resolve().parent
MACHINES = HERE.parent.parent / "testdata" / "machines"
WORKERS = 3


class Job:
    """The framework's program; `told` is what it says about itself."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(HERE / "loader_job.py"), FRAMEWORK, METHOD, str(WORKERS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.startswith("{"):
                self.told = json.loads(line)
                return self
        raise RuntimeError(f"the {FRAMEWORK} job ended with {self.process.wait()}")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


def Status(processes):
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder) / "scenario.json"
        recording = str(MACHINES / "recordings" / "h200.json")
        scenario.write_text(json.dumps({"devices": [{"recording": recording}],
                                        "processes": processes}))
        answer = subprocess.run([GPUSIGHT, "--nvml", DRIVER, "status", "--json"], check=True,
                                env=dict(os.environ, GPUSIGHT_FAKE_SCENARIO=str(scenario)),
                                capture_output=True, text=True).stdout
    return json.loads(answer)


class LoaderWorkers(unittest.TestCase):
    def test_are_recognised_and_counted(self):
        with Job() as job:
            self.assertEqual(len(job.told["workers"]), WORKERS)
            status = Status([{"pid": job.told["pid"], "device": 0, "memory_bytes": 5 << 30}])
        trainer, = status["devices"][0]["processes"]
        self.assertEqual(trainer["pid"], job.told["pid"])
        self.assertEqual(trainer["host"]["loader_workers"], WORKERS)
        workers = [p["pid"] for p in status["relatives"] if p["role"] == "loader_worker"]
        self.assertEqual(sorted(workers), job.told["workers"])
        for relative in status["relatives"]:
            if relative["pid"] in workers:
                self.assertEqual(relative["parent"], job.told["pid"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
