# SPDX-License-Identifier: Apache-2.0
"""A signal ends every command, also one that is stuck: in a pipe that nobody empties, or in a
driver that does not answer."""
import fcntl
import os
import pathlib
import pty
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

    def wait_until_stuck(self, process):
        """Until all its threads sleep and have used no processor time for a while."""
        tasks = pathlib.Path(f"/proc/{process.pid}/task")
        end, last, same = time.monotonic() + 30, None, 0
        while same < 20:
            self.assertLess(time.monotonic(), end, "never got stuck")
            time.sleep(0.02)
            now = [(task / "stat").read_text().rsplit(")", 1)[1].split()[i]
                   for task in tasks.iterdir() for i in (0, 11, 12)]
            same = same + 1 if now == last and set(now[::3]) == {"S"} else 0
            last = now

    def assert_end(self, commands, scenario, signals=ENDINGS, full=False):
        """Each signal ends each of the commands once it is stuck."""
        runs = [(number, self.start(*args, scenario=scenario,
                                    **({"stdout": self.full_pipe()} if full else {})))
                for number in signals for args in commands]
        for number, process in runs:
            with self.subTest(args=process.args, number=number):
                self.wait_until_stuck(process)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=30), -number)

    def test_writing_to_a_full_pipe(self):
        self.assert_end((["log", "-i", "100ms"], ["status"], ["status", "--json"], ["who"],
                         ["status", "--watch", "100ms"]), self.scenario(), full=True)

    def test_waiting_for_a_driver_that_does_not_answer(self):
        self.assert_end((["log"], ["status"], ["status", "--watch", "1"], ["who"], ["doctor"]),
                        self.scenario(**SILENT))

    def test_a_hang_up_ends_one_look_too(self):
        self.assert_end((["status"],), self.scenario(**SILENT), (signal.SIGHUP,))

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
                self.wait_until_it_ticks_no_more(process)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=30), -number)

    def wait_until_it_ticks_no_more(self, process):
        """Until its main thread, which draws each second, has not woken for two."""
        status = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/status")
        end, last, since = time.monotonic() + 30, None, time.monotonic()
        while time.monotonic() - since < 2:
            self.assertLess(time.monotonic(), end, "never got stuck")
            time.sleep(0.02)
            now = status.read_text().split("voluntary_ctxt_switches:")[1].split()[0]
            if now != last:
                last, since = now, time.monotonic()


if __name__ == "__main__":
    unittest.main()
