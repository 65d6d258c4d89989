# SPDX-License-Identifier: Apache-2.0
"""`gpusight run` as the first process of a PID namespace, as an image's entrypoint: it buries orphans,
passes signals on, and ends with the job's code, since no signal kills a first process."""
import os
import signal
import subprocess
import sys
import time
import unittest

import harness

UNSHARE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def can_unshare():
    try:
        return subprocess.run([*UNSHARE, "true"], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@unittest.skipUnless(can_unshare(), "no PID namespace can be made here")
class FirstProcess(harness.Case):
    def start(self, *words, mode="without a driver"):
        """The job in a namespace of its own; unshare itself only waits."""
        prefix = self.recorded(mode, "--no-summary")
        return subprocess.Popen([*UNSHARE, *prefix, *words], cwd=self.work, text=True,
                                env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def finish(self, *words, **options):
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=harness.PATIENCE)
        return process.returncode, out, err

    def first_of(self, process):
        """The number of gpusight outside its namespace."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            children = harness.children(process.pid)
            if children:
                return children[0]
            time.sleep(0.01)
        raise AssertionError("unshare started nothing")

    def test_the_exit_code(self):
        for code in (0, 1, 42, 255):
            self.assertEqual(self.finish("sh", "-c", f"exit {code}")[0], code)

    def test_a_signal_becomes_128_and_its_number(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV):
            status, _, err = self.finish("sh", "-c", f"kill -{int(number)} $$")
            self.assertEqual((status, err), (128 + number, ""))

    def test_a_program_that_is_missing(self):
        self.assertEqual(self.finish("no-such-program")[0], 127)
        self.assertEqual(self.finish("/etc/passwd")[0], 126)

    def test_signals_are_passed_on(self):
        script = "import signal, sys, time\n" \
                 "def end(n, f): print('got', n, flush=True); time.sleep(0.3); print('saved'); sys.exit(5)\n" \
                 "signal.signal(signal.SIGTERM, end)\nprint('ready', flush=True)\n" \
                 "while True: time.sleep(0.05)\n"
        process = self.start(sys.executable, "-c", script)
        process.stdout.readline()
        os.kill(self.first_of(process), signal.SIGTERM)  # as `docker stop` does
        out, err = process.communicate(timeout=harness.PATIENCE)
        self.assertEqual((process.returncode, out, err), (5, "got 15\nsaved\n", ""))

    def test_orphans_are_buried(self):
        script = "for i in 1 2 3; do sh -c 'sh -c \"sleep 0.1; exit 1\" &'; done; sleep 0.5\n" \
                 "ps -eo stat= | grep -c Z || true"
        status, out, _ = self.finish("sh", "-c", script)
        self.assertEqual((status, out), (0, "0\n"))

    def test_everything_in_the_container_is_of_the_job(self):
        script = "env -i setsid sh -c 'exec sleep 3' & sleep 1.3; exit 0"
        self.assertEqual(self.finish("sh", "-c", script)[0], 0)
        names = {name for _, name in self.processes()}
        self.assertIn("sleep", names)
        self.assertFalse([n for n in names if n.startswith("gpusight")], names)

    def test_with_a_driver(self):
        status, out, err = self.finish("echo", "hello", mode="with the fake driver")
        self.assertEqual((status, out, err), (0, "hello\n", ""))


if __name__ == "__main__":
    unittest.main()
