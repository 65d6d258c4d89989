# SPDX-License-Identifier: Apache-2.0
"""psutil sees the same processes as `gpusight status`: a live Python program with a child, threads, memory, open
files and a known amount of CPU time behind it, which the fake driver lists. Everything in it stands still while the two look."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import psutil

from machine import BUILD, GPUSIGHT, MACHINES, MIB

LIBRARY = BUILD / "fake" / "libnvidia-ml.so.1"

PROGRAM = """
import os, sys, threading, time
memory = bytearray(48 << 20)
open_files = [open(os.devnull) for _ in range(5)]
for _ in range(3):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
while time.process_time() < 0.3:
    pass
child = os.fork()
if child == 0:
    sys.stdin.read()
    os._exit(0)
print(child, flush=True)
sys.stdin.read()
"""


class Host(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.job = subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env=dict(os.environ, RANK="3", CUDA_VISIBLE_DEVICES="0"))
        cls.child = int(cls.job.stdout.readline())
        with tempfile.TemporaryDirectory() as folder:
            scenario = pathlib.Path(folder) / "scenario.json"
            scenario.write_text(json.dumps({
                "devices": [{"recording": str(MACHINES / "recordings" / "h200.json")}],
                "processes": [{"pid": cls.job.pid, "device": 0, "memory_bytes": 1000 * MIB}]}))
            answer = subprocess.run([GPUSIGHT, "status", "--json", "--nvml", LIBRARY], check=True, capture_output=True, text=True,
                                    env=dict(os.environ, GPUSIGHT_FAKE_SCENARIO=str(scenario))).stdout
        cls.frame = json.loads(answer)
        cls.ours, = cls.frame["devices"][0]["processes"]
        cls.theirs = psutil.Process(cls.job.pid)

    @classmethod
    def tearDownClass(cls):
        cls.job.stdin.close()
        cls.job.wait(30)
        cls.job.stdout.close()

    def test_who_it_is(self):
        self.assertEqual(self.ours["user"], self.theirs.username())
        self.assertEqual(self.ours["parent"], self.theirs.ppid())
        self.assertEqual(self.ours["command"], self.theirs.name())
        self.assertEqual(self.ours["command_line"].split(), " ".join(self.theirs.cmdline()).split())
        self.assertAlmostEqual(self.ours["start_time"], self.theirs.create_time(), delta=1.5)
        self.assertEqual(self.ours["visible_devices"], "0")

    def test_what_it_costs(self):
        host, memory = self.ours["host"], self.theirs.memory_info()
        times = self.theirs.cpu_times()
        self.assertAlmostEqual(host["cpu_user_seconds"], times.user, delta=0.03)
        self.assertAlmostEqual(host["cpu_system_seconds"], times.system, delta=0.03)
        self.assertEqual(host["threads"], self.theirs.num_threads())
        self.assertEqual(host["open_files"], self.theirs.num_fds())
        self.assertAlmostEqual(host["resident_bytes"], memory.rss, delta=MIB)
        self.assertGreater(host["private_bytes"], 48 * MIB)
        self.assertAlmostEqual(host["private_bytes"], memory.rss - memory.shared, delta=MIB)

    def test_what_it_read_and_wrote(self):
        host, io = self.ours["host"], self.theirs.io_counters()
        self.assertEqual(host["read_bytes"], io.read_bytes)
        self.assertEqual(host["read_call_bytes"], io.read_chars)
        self.assertEqual(host["read_calls"], io.read_count)
        self.assertEqual(host["written_call_bytes"], io.write_chars)
        self.assertEqual(host["write_calls"], io.write_count)

    def test_its_child(self):
        self.assertEqual([p.pid for p in self.theirs.children(recursive=True)], [self.child])
        relative, = [p for p in self.frame["relatives"] if p["pid"] == self.child]
        self.assertEqual(relative["parent"], self.job.pid)
        self.assertEqual(self.ours["host"]["children"], 1)
        self.assertEqual(self.ours["host"]["loader_workers"], 1)

    def test_the_machine(self):
        host, memory, swap = self.frame["host"], psutil.virtual_memory(), psutil.swap_memory()
        self.assertEqual(host["cpus"], psutil.cpu_count())
        self.assertEqual(host["memory_total_bytes"], memory.total)
        self.assertAlmostEqual(host["memory_available_bytes"], memory.available, delta=512 * MIB)
        self.assertEqual(host["swap_total_bytes"], swap.total)
        shm = psutil.disk_usage("/dev/shm")
        self.assertEqual(host["shm_total_bytes"], shm.total)


if __name__ == "__main__":
    unittest.main()
