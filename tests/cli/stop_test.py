# SPDX-License-Identifier: Apache-2.0
"""A signal ends every command, also one that is stuck: in a pipe that nobody empties, or in a
driver that does not answer."""
import fcntl
import os
import pathlib
import pty
import resource
import signal
import subprocess
import termios
import time
import unittest

import harness

SILENT = {"rules": [{"calls": "nvmlInit*", "hang": True}]}
ENDINGS = (signal.SIGINT, signal.SIGTERM)


class Stop(harness.Case):
    def full_pipe(self):
        """The end to write to of a pipe that takes nothing more."""
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        flags = fcntl.fcntl(writer, fcntl.F_GETFL)
        fcntl.fcntl(writer, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            fcntl.fcntl(writer, fcntl.F_SETFL, flags)
        return writer

    def wait_until_stuck(self, process, seconds=0.4):
        """Until its main thread sleeps and has not woken for so long."""
        status = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/status")
        end, last, since = time.monotonic() + 60, None, time.monotonic()
        while time.monotonic() - since < seconds:
            self.assertLess(time.monotonic(), end, "never got stuck")
            time.sleep(0.02)
            text = status.read_text()
            now = [text.split(key)[1].split()[0] for key in ("State:", "voluntary_ctxt_switches:")]
            if now != last or now[0] != "S":
                last, since = now, time.monotonic()

    def assert_ends(self, process, number):
        with self.subTest(args=process.args, number=number):
            self.wait_until_stuck(process)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=30), -number)

    def test_writing_to_a_full_pipe(self):
        scenario = self.scenario()
        runs = [(number, self.start(*args, scenario=scenario, stdout=self.full_pipe()))
                for number in ENDINGS
                for args in (["log", "-i", "100ms"], ["status"], ["status", "--json"], ["who"],
                             ["status", "--watch", "100ms"])]
        for number, process in runs:
            self.assert_ends(process, number)

    def test_waiting_for_a_driver_that_does_not_answer(self):
        # One after the other: each gives the driver up after a while.
        scenario = self.scenario(**SILENT)
        for number in ENDINGS:
            for args in (["log"], ["status"], ["status", "--watch", "1"], ["who"], ["doctor"]):
                self.assert_ends(self.start(*args, scenario=scenario), number)

    def test_a_hang_up_ends_what_it_means_nothing_else_to(self):
        self.assert_ends(self.start("status", scenario=self.scenario(**SILENT)), signal.SIGHUP)
        for args in (["--help"], ["status", "--watch", "100ms"]):
            process = self.start(*args, scenario=self.scenario(), stdout=self.full_pipe())
            self.assert_ends(process, signal.SIGHUP)

    def test_without_descriptors_it_ends_and_says_so(self):
        for most in range(3, 9):
            with self.subTest(most):
                limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
                done = self.run_program("log", "-n", "1", scenario=self.scenario(), preexec_fn=limit)
                self.assertTrue(done.returncode == 0 or done.stderr, done)

    def test_the_live_view_on_a_terminal_that_takes_nothing_more(self):
        runs = []
        for number in (*ENDINGS, signal.SIGHUP):
            ours, theirs = pty.openpty()
            process = subprocess.Popen(
                [harness.PROGRAM, "top", "--demo"], stdin=theirs, stdout=theirs, stderr=theirs,
                env=self.environment(TERM="xterm"))
            self.addCleanup(process.kill)
            self.addCleanup(os.close, ours)
            self.addCleanup(os.close, theirs)
            os.read(ours, 1)  # its screen is open
            termios.tcflow(theirs, termios.TCOOFF)
            runs.append((number, process))
        for number, process in runs:
            with self.subTest(number):
                self.wait_until_stuck(process, 2)  # it draws each second
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=30), -number)


if __name__ == "__main__":
    unittest.main()
