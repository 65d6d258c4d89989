# SPDX-License-Identifier: Apache-2.0
"""What `gpusight run` and `watch` say after a failure: each kind of end by a real program that ends so.
The kernel really kills and /dev/shm is really full where this machine lets us make a control group and
a mount; the card's errors are the fake driver's. Next: ../../docs/run.md (After a failure)."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import harness

GIB = 1 << 30
# A job that tells of a framework, as the adapters do, without any framework.
FRAMEWORK = """
import sys, time
sys.path.insert(0, {package!r})
from gpusight import _agent as agent
assert agent.open("test") == "ok"
agent.identify("PyTorch", "2.9.0", "3.11", "float32", "train.py", "", -1, -1, -1, 0, 0)
UUID = {uuid!r}
GIB = 1 << 30

def memory(allocated):
    agent.memory(0, UUID, allocated, allocated, allocated, allocated, allocated, 0, allocated, None, 0, 0)

def fail(requested=90, total=140, free=60, allocated=79, reserved=79, split=0):
    agent.out_of_memory(0, requested * GIB, total * GIB, free * GIB, allocated * GIB, reserved * GIB, allocated * GIB,
                        split * GIB, "model.py:40 forward;train.py:12 main")

def step():
    agent.step()
    time.sleep(0.1)

for i in range(5):
    memory((i + 1) * GIB)
    step()
"""
# Like a loader's shared memory: room is only taken when it is written to.
FILL_SHM = """
import mmap, os
fd = os.open("/dev/shm/torch_1_2_3", os.O_RDWR | os.O_CREAT)
os.ftruncate(fd, 64 << 20)
m = mmap.mmap(fd, 64 << 20)
for i in range(64):
    m[i << 20:(i + 1) << 20] = b"x" * (1 << 20)
"""
EAT = "a = []\nwhile True: a.append(bytearray(16 << 20))\n"


class PostMortem(harness.Case):
    def run_job(self, *words, options=(), mode="without a driver", before=(), **more):
        prefix = self.recorded(mode, "--summary", *options)
        return subprocess.run([*before, *prefix, *words], cwd=self.work, env=self.environment(**more.pop("env", {})),
                              stdin=subprocess.DEVNULL, stdout=more.pop("stdout", subprocess.PIPE),
                              stderr=more.pop("stderr", subprocess.PIPE), text=True, timeout=harness.PATIENCE, **more)

    def report(self, *words):
        return subprocess.run([harness.PROGRAM, *words, "report", str(self.recording), "--post-mortem"],
                              env=self.environment(), capture_output=True, text=True, timeout=harness.PATIENCE,
                              check=True).stdout

    def card(self):
        """A GPU's UUID, of the fake driver."""
        out = subprocess.run([harness.PROGRAM, "status", "--json", "--nvml", harness.DRIVER], env=self.environment(),
                             capture_output=True, text=True, check=True).stdout
        return json.loads(out)["devices"][0]["uuid"]

    def framework(self, code):
        if not (harness.BUILD / "python" / "gpusight").is_dir():
            self.skipTest("builds with sanitizers leave the Python package out")
        script = self.work / "train.py"
        script.write_text(FRAMEWORK.format(package=str(harness.BUILD / "python"), uuid=self.card()) + code)
        return [sys.executable, "-S", str(script)]  # without our sitecustomize, which would tell of itself

    # Nothing went wrong

    def test_who_ends_as_it_should_gets_none(self):
        for words in (["true"], ["false"], ["sh", "-c", "kill -INT $$"]):
            out = self.run_job(*words)
            self.assertIn("recording", out.stderr)
            self.assertNotIn("What happened", out.stderr, words)

    def test_who_was_asked_to_end_gets_none(self):
        job = subprocess.Popen([*self.recorded("without a driver", "--summary"), "sleep", "30"], cwd=self.work,
                               env=self.environment(), stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        job.send_signal(signal.SIGTERM)
        _, err = job.communicate(timeout=harness.PATIENCE)
        self.assertIn("killed by SIGTERM", err)
        self.assertNotIn("What happened", err)
        self.assertIn("SIGTERM ended it. python", self.report())

    # Exit code and signal

    def test_a_signal(self):
        out = self.run_job("sh", "-c", "kill -SEGV $$")
        self.assertIn("What happened: SIGSEGV ended it.", out.stderr)
        self.assertEqual(out.returncode, -signal.SIGSEGV)
        out = self.run_job("sh", "-c", "kill -KILL $$")
        self.assertIn("What happened: SIGKILL ended it.", out.stderr)
        self.assertIn("dmesg", out.stderr)
        self.assertEqual(self.run_row()["end_kind"], "signal")

    def test_an_exception_that_is_read_from_the_output(self):
        with open(self.work / "log", "w") as log:
            self.run_job(sys.executable, "-c", "raise ValueError('no such column')", stdout=log, stderr=log)
        text = (self.work / "log").read_text()
        self.assertIn("What happened: The program ended with an error", text)
        self.assertIn("Its last words: ValueError: no such column", text)
        self.assertIn("ValueError: no such column", self.report())

    # Host memory

    @staticmethod
    def group(megabytes):
        """A control group of its own with that limit: (folder, how to enter it), or None."""
        for root, limit in (("/sys/fs/cgroup", "memory.max"), ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")):
            folder = pathlib.Path(root) / f"gpusight-test-{os.getpid()}"
            try:
                folder.mkdir()
            except OSError:
                continue
            try:
                if (folder / limit).exists():  # else it is no control group
                    (folder / limit).write_text(str(megabytes << 20))
                    return folder
            except OSError:
                pass
            folder.rmdir()
        return None

    def test_the_kernels_killer_by_the_counter_of_a_real_control_group(self):
        folder = self.group(400)
        if folder is None:
            self.skipTest("no control group can be made here; the next test has a counter that is made up")
        self.addCleanup(folder.rmdir)
        enter = ["sh", "-c", f'echo $$ >{folder}/cgroup.procs && exec "$@"', "sh"]
        out = self.run_job(sys.executable, "-c", EAT, before=enter)
        self.assertEqual(out.returncode, -signal.SIGKILL)
        self.assertEqual(self.run_row()["end_kind"], "oom_killed")
        self.assertIn("What happened: Killed by the kernel: no host memory left", out.stderr)
        self.assertIn("killed 1 process: no memory was left in its control group. The limit is 400.0MiB.", out.stderr.replace("\n  ", " "))
        self.assertIn("memory.max", out.stderr)

    def test_the_kernels_killer_by_the_counter_of_the_machine(self):
        root = self.base / "root"
        (root / "proc").mkdir(parents=True)
        shutil.copy("/proc/stat", root / "proc" / "stat")
        counter = root / "proc" / "vmstat"
        counter.write_text("oom_kill 3\n")
        out = self.run_job("sh", "-c", f"sleep 1.5; echo oom_kill 4 >{counter}; kill -KILL $$",
                           options=("--root", str(root)))
        self.assertEqual(self.run_row()["end_kind"], "oom_killed")
        self.assertIn("killed 1 process: no memory was left on the machine", out.stderr.replace("\n  ", " "))

    # Shared memory

    def small_shm(self):
        """What makes a mount namespace with a /dev/shm of 8 MiB, or None."""
        before = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=8m tmpfs /dev/shm && exec "$@"', "sh"]
        for words in (before, ["unshare", "-rm", *before[2:]]):
            if shutil.which("unshare") and subprocess.run([*words, "true"], capture_output=True).returncode == 0:
                return words
        return None

    def test_a_full_shared_memory(self):
        before = self.small_shm()
        if before is None:
            self.skipTest("no mount can be made here; src/record/run_end_test.cc and src/cli/run_signs_test.cc judge the rest")
        out = self.run_job(sys.executable, "-c", FILL_SHM, before=before)
        self.assertEqual(out.returncode, -signal.SIGBUS)
        self.assertEqual(self.run_row()["end_kind"], "shm_full")
        self.assertIn("What happened: No room in /dev/shm", out.stderr)
        self.assertIn("/dev/shm was full: 8.0MiB of 8.0MiB.", out.stderr)
        self.assertIn("--shm-size", out.stderr)

    def test_sigbus_with_room_in_shared_memory_is_only_a_signal(self):
        code = ("import mmap, os\nfd = os.open('file', os.O_RDWR | os.O_CREAT)\nos.ftruncate(fd, 8192)\n"
                "m = mmap.mmap(fd, 8192)\nos.ftruncate(fd, 0)\nm[0]\n")
        out = self.run_job(sys.executable, "-c", code)
        self.assertEqual(out.returncode, -signal.SIGBUS)
        self.assertEqual(self.run_row()["end_kind"], "signal")
        self.assertNotIn("was full", out.stderr)

    # The card

    def test_an_error_of_cuda(self):
        with open(self.work / "log", "w") as log:
            self.run_job(sys.executable, "-c",
                         "raise RuntimeError('CUDA error: device-side assert triggered\\nCUDA kernel errors might be')",
                         stdout=log, stderr=log)
        text = (self.work / "log").read_text()
        self.assertEqual(self.run_row()["end_kind"], "cuda_error")
        self.assertIn("What happened: A call to CUDA failed", text)
        self.assertIn("CUDA_LAUNCH_BLOCKING=1", text)

    def test_an_error_that_the_driver_reports(self):
        (self.base / "scenario.json").write_text(json.dumps({
            "devices": [{"recording": harness.RECORDING}],
            # Of another PID namespace, as in a container: whose they are nobody can say.
            "processes": [{"pid": 3999999, "device": 0, "name": "python", "memory_bytes": 1e9}],
            "events": [{"at": 1.5, "device": 0, "xid": 79}]}))
        out = self.run_job("sh", "-c", "sleep 3.2; exit 1", mode="with the fake driver")
        self.assertEqual(self.run_row()["end_kind"], "xid", self.rows("SELECT * FROM event"))
        self.assertIn("What happened: The driver reported an error of the GPU", out.stderr)
        self.assertIn("the card fell off the bus", out.stderr.replace("\n  ", " "))

    # Memory of the card

    def test_no_memory_on_the_card(self):
        job = self.framework("fail()\ntime.sleep(1.2)\nsys.exit(1)\n")
        out = self.run_job(*job, mode="with the fake driver")
        self.assertEqual(self.run_row()["end_kind"], "out_of_memory", out.stderr)
        for part in ("Out of GPU memory", "PyTorch asked for 90.00 GiB", "tensors of this job", "model.py:40 forward",
                     "What to try first", "PaddlePaddle"):
            self.assertIn(part, out.stderr)
        # The report has the same, in both languages.
        self.assertIn(self.report().split("\n\n")[0], out.stderr)
        self.assertIn("显存不足（OOM）", self.report("--lang", "zh"))

    def test_each_class_of_it(self):
        look = "for i in range(25):\n    memory({0})\n    step()\n"
        end = "sys.exit(1)\n"
        for name, code, words in (
                ("too big", "fail(requested=150)", "Too big for the device"),
                ("fragmentation", "fail(4, 80, 1, 60, 78, 17)", "Fragmentation"),
                ("leak", look.format("(20 + 2 * i) * GIB") + "fail(2, 80, 1, 68, 78)", "Leak"),
                ("evaluation", look.format("20 * GIB") + "agent.mark('phase', 'eval', 0.0)\n" +
                 look.format("60 * GIB") + "fail(8, 80, 2, 74, 77)", "Evaluation"),
                ("limit", "fail(2, 10, 60, 9, 9)", "A limit that was set")):
            with self.subTest(name):
                out = self.run_job(*self.framework(code + "\n" + end), mode="with the fake driver",
                                   options=("-i", "100ms"))
                self.assertIn(f"  {words}", out.stderr)
                self.assertIn("What to try first", out.stderr)

    def test_it_survives_kill_9(self):
        job = self.framework("fail()\nimport os\nos.kill(os.getpid(), 9)\n")
        out = self.run_job(*job, mode="with the fake driver")
        self.assertEqual(out.returncode, -signal.SIGKILL)
        self.assertEqual(self.run_row()["end_kind"], "out_of_memory")
        self.assertIn("PyTorch asked for 90.00 GiB", out.stderr)

    def test_it_is_told_also_when_the_job_caught_it(self):
        job = self.framework("fail()\nfor i in range(15): step()\n")
        out = self.run_job(*job, mode="with the fake driver")
        self.assertEqual(out.returncode, 0)
        self.assertEqual(self.run_row()["end_kind"], "exit")
        self.assertIn("What happened: Out of GPU memory, and the program went on", out.stderr)

    def test_without_a_recording_it_is_told_from_memory(self):
        job = self.framework("fail()\ntime.sleep(1.2)\nsys.exit(1)\n")
        # Nothing of a run can be written anywhere, but its pages can.
        prefix = [*self.modes["with the fake driver"], "-o", "/proc/none/a.gpusight", "--summary", "--"]
        full = {"XDG_STATE_HOME": "/proc/none", "TMPDIR": "/proc/none", "HOME": "/proc/none"}
        out = subprocess.run([*prefix, *job], cwd="/proc", env=self.environment(**full), capture_output=True, text=True,
                             timeout=harness.PATIENCE)
        self.assertIn("PyTorch asked for 90.00 GiB", out.stderr)
        self.assertNotIn("gpusight report", out.stderr)

    # The screen

    def test_nothing_reaches_the_jobs_output(self):
        out = self.run_job("sh", "-c", "echo mine; kill -SEGV $$")
        self.assertEqual(out.stdout, "mine\n")
        prefix = self.recorded("without a driver")
        quiet = subprocess.run([*prefix, "sh", "-c", "echo mine; kill -SEGV $$"], cwd=self.work, env=self.environment(),
                               capture_output=True, text=True)
        self.assertEqual((quiet.stdout, quiet.stderr), ("mine\n", ""))
        self.assertIn("SIGSEGV ended it", self.report())

    def test_in_chinese(self):
        out = self.run_job("sh", "-c", "kill -SEGV $$", options=("--lang", "zh"))
        self.assertIn("故障复盘：被 SIGSEGV 终止。", out.stderr)

    # watch

    def test_watch_tells_it_too(self):
        (self.work / "go").unlink(missing_ok=True)
        job = self.framework("while not __import__('os').path.exists('go'): step()\nfail()\ntime.sleep(1.5)\nsys.exit(1)\n")
        pages = self.base / "pages"
        pages.mkdir()
        env = self.environment(GPUSIGHT_PAGE_DIR=str(pages))
        child = subprocess.Popen(job, cwd=self.work, env=env)
        self.recording = self.base / "watched.gpusight"
        watch = subprocess.Popen([harness.PROGRAM, "watch", str(child.pid), "-o", str(self.recording), "--nvml",
                                  harness.DRIVER], cwd=self.work, env=self.environment(), stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 20
        while not self.recording.exists() and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1.2)
        (self.work / "go").touch()
        child.wait(timeout=harness.PATIENCE)
        _, err = watch.communicate(timeout=harness.PATIENCE)
        self.assertIn("PyTorch asked for 90.00 GiB", err)


if __name__ == "__main__":
    unittest.main()
