#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gpusight top`, the real binary in a real terminal, on the fake driver.

    top_test.py BINARY FAKE_FOLDER [unittest's arguments]

Needs tmux. Next: terminal.py.
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import Terminal  # noqa: E402

BINARY, FAKE = sys.argv[1:3]
DEMO = [BINARY, "top", "--demo"]


def scenario(folder, processes=(), rules=(), devices=1):
    """Writes a scenario with recorded H200s; returns the command's options and environment."""
    recording = os.path.join(FAKE, "recordings", "h200.json")
    device = {"recording": os.path.relpath(recording, folder), "memory": {"residual_bytes": 1 << 20},
              "copies": devices}
    text = {"devices": [device], "processes": list(processes), "rules": list(rules)}
    path = os.path.join(folder, "scenario.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(text, file)
    return ["--nvml", os.path.join(FAKE, "libnvidia-ml.so.1")], {"GPUSIGHT_FAKE_SCENARIO": path}


def in_shell(command):
    """The command within a shell that says how it ended and what the terminal is like afterwards."""
    return ["sh", "-c", 'printf "%s\\n" before; "$@"; echo "ended $?"; stty -a; cat', "sh", *command]


class Screen(unittest.TestCase):
    def test_starts_shows_the_machine_and_quits(self):
        with Terminal(in_shell(DEMO)) as terminal:
            terminal.wait_for("NVIDIA H200")
            terminal.wait_for("train.py")
            self.assertEqual(terminal.fact("alternate_on"), "1")
            self.assertEqual(terminal.fact("cursor_flag"), "0")
            self.assertEqual(terminal.fact("mouse_any_flag"), "1")
            terminal.keys("q")
            terminal.wait_for("ended 0")
            self.assert_restored(terminal)

    def assert_restored(self, terminal):
        self.assertIn("before", terminal.screen())
        self.assertEqual(terminal.fact("alternate_on"), "0")
        self.assertEqual(terminal.fact("cursor_flag"), "1")
        self.assertEqual(terminal.fact("mouse_any_flag"), "0")
        settings = terminal.wait(lambda: re.search(r"-?icanon.*-?echo\b", terminal.screen(), re.S), "stty")
        self.assertNotIn("-icanon", terminal.screen())
        self.assertRegex(terminal.screen(), r"\secho\s")
        self.assertTrue(settings)

    def test_every_signal_that_ends_it_restores_the_terminal(self):
        for number, code in ((signal.SIGTERM, "0"), (signal.SIGINT, "0"), (signal.SIGHUP, "0"),
                             (signal.SIGSEGV, "139"), (signal.SIGABRT, "134"), (signal.SIGQUIT, "0"),
                             (signal.SIGUSR1, "138"), (signal.SIGALRM, "142"), (signal.SIGIO, "157")):
            with self.subTest(number), Terminal(in_shell(DEMO)) as terminal:
                terminal.wait_for("NVIDIA H200")
                child = self.child(terminal)
                # As pkill does: whoever guards the terminal has the same name.
                guard = subprocess.run(["pgrep", "-P", str(child)], check=True, capture_output=True, text=True)
                os.kill(int(guard.stdout), number)
                os.kill(child, number)
                terminal.wait_for(f"ended {code}")
                self.assert_restored(terminal)

    @staticmethod
    def child(terminal):
        shell = terminal.fact("pane_pid")
        return int(subprocess.run(["pgrep", "-P", shell, "gpusight"], check=True, capture_output=True,
                                  text=True).stdout)

    def test_being_killed_leaves_the_terminal_as_it_was(self):
        command = ["sh", "-c", '"$@"; sleep 2; echo "ended $?"; stty -a; cat', "sh", *DEMO]
        with Terminal(["sh", "-c", 'echo before; exec "$@"', "sh", *command]) as terminal:
            terminal.wait_for("NVIDIA H200")
            child = self.child(terminal)
            guard = subprocess.run(["pgrep", "-P", str(child)], check=True, capture_output=True, text=True).stdout
            self.assertEqual(len(os.listdir(f"/proc/{int(guard)}/fd")), 4)  # the terminal and the pipe
            os.kill(child, signal.SIGKILL)
            terminal.wait_for("ended")
            self.assert_restored(terminal)
            self.assertFalse(os.path.exists(f"/proc/{int(guard)}"))

    def test_nothing_stays_behind(self):
        with Terminal(in_shell(DEMO)) as terminal:
            terminal.wait_for("NVIDIA H200")
            child = self.child(terminal)
            guard = subprocess.run(["pgrep", "-P", str(child)], check=True, capture_output=True, text=True).stdout
            terminal.keys("q")
            terminal.wait_for("ended 0")
            self.assertFalse(os.path.exists(f"/proc/{int(guard)}"))

    def test_ctrl_z_gives_the_shell_back_and_fg_the_screen(self):
        with Terminal(["bash", "--norc", "--noprofile"], env={"PS1": "prompt> "}) as terminal:
            terminal.wait_for("prompt>")
            terminal.type(" ".join(DEMO) + "\n")
            terminal.wait_for("NVIDIA H200")
            terminal.keys("C-z")
            terminal.wait_for("Stopped")
            self.assertEqual(terminal.fact("alternate_on"), "0")
            terminal.type("fg\n")
            terminal.wait_for("NVIDIA H200")
            terminal.keys("h")
            terminal.wait_for("this help")
            terminal.keys("q", "q")
            terminal.wait_for("prompt>")

    def test_follows_the_size_of_the_window(self):
        with Terminal(DEMO, size=(80, 24)) as terminal:
            terminal.wait_for("NVIDIA H200")
            for columns, rows in ((200, 60), (40, 12), (20, 5), (120, 40)):
                terminal.resize(columns, rows)
                terminal.wait(lambda r=rows: terminal.lines()[0].strip() and
                              len([line for line in terminal.lines() if line.strip()]) >= min(r, 4), "a new screen")
                time.sleep(0.3)
                last = terminal.lines()[rows - 1]
                self.assertTrue(all(len(line) <= columns for line in terminal.lines()))
                if rows > 8:
                    self.assertTrue(last.startswith("h Help"), last)

    def test_takes_its_size_from_the_terminal_whatever_the_environment_says(self):
        for columns in ("1000000000", "20", "x"):
            with self.subTest(columns), Terminal(["env", "COLUMNS=" + columns, "LINES=9999999", *DEMO],
                                                 size=(100, 30)) as terminal:
                terminal.wait_for("NVIDIA H200")

    def test_speaks_chinese(self):
        with Terminal(DEMO + ["--lang", "zh"]) as terminal:
            terminal.wait_for("显存")
            terminal.wait_for("利用率")
            terminal.keys("h")
            terminal.wait_for("显示此帮助")

    def test_a_locale_without_unicode_gets_plain_ascii(self):
        with Terminal(DEMO, env={"LC_ALL": "C"}) as terminal:
            terminal.wait_for("NVIDIA H200")
            terminal.wait_for("train.py")
            self.assertTrue(terminal.screen().isascii(), terminal.screen())

    def test_no_color_means_no_color(self):
        for words, env in ((["--no-color"], {}), (["--color", "never"], {}), ([], {"NO_COLOR": "1"})):
            with self.subTest(words), Terminal(DEMO + words, env=env) as terminal:
                terminal.wait_for("NVIDIA H200")
                self.assertNotRegex(terminal.screen(colors=True), r"\x1b\[([0-9]+;)*3[0-8]")
        with Terminal(DEMO) as terminal:
            terminal.wait_for("NVIDIA H200")
            self.assertRegex(terminal.screen(colors=True), r"\x1b\[[0-9;]*38;5;")

    def test_a_terminal_without_a_cursor_is_refused_and_gets_status_by_default(self):
        for kind in ("dumb", ""):
            with self.subTest(kind), Terminal(in_shell(["env", "TERM=" + kind, *DEMO])) as terminal:
                terminal.wait_for("ended 2")
                self.assertIn("cannot place its cursor", terminal.screen())
            with Terminal(in_shell(["env", "TERM=" + kind, BINARY, "--demo"]), size=(100, 50)) as terminal:
                terminal.wait_for("ended 0")
                self.assertIn("residual", terminal.screen())

    def test_the_console_gets_chinese_only_when_it_is_asked_for(self):
        chinese = {"LC_ALL": "zh_CN.UTF-8"}
        with Terminal(["env", "TERM=linux", *DEMO], env=chinese) as terminal:
            terminal.wait_for("memory")
            self.assertTrue(terminal.screen().isascii(), terminal.screen())
        with Terminal(["env", "TERM=linux", *DEMO, "--lang", "zh"], env=chinese) as terminal:
            terminal.wait_for("显存")

    def test_terminals_of_every_kind_work(self):
        for kind in ("xterm-256color", "xterm", "linux", "vt100", "screen", "tmux-256color"):
            with self.subTest(kind), Terminal(["env", "TERM=" + kind, *DEMO]) as terminal:
                terminal.wait_for("NVIDIA H200")
                terminal.keys("t")
                time.sleep(0.2)
                self.assertEqual(terminal.fact("pane_dead"), "0")


class Keys(unittest.TestCase):
    def test_help_pages_filter_sort_and_tree(self):
        with Terminal(DEMO, size=(120, 40)) as terminal:
            terminal.wait_for("ipykernel")
            terminal.keys("F1")
            terminal.wait_for("this help")
            terminal.keys("Escape")
            terminal.wait_gone("this help")
            terminal.keys("Enter")
            terminal.wait_for("command line")
            terminal.wait_for("pt_autograd_0")  # its threads are read while the page is open
            terminal.keys("Escape")
            terminal.wait_gone("command line")
            terminal.keys("i")
            terminal.wait_for("not supported")
            terminal.keys("Escape", "\\")
            terminal.type("ipyk")
            terminal.wait_gone("train.py")
            terminal.keys("Enter", "Escape")
            terminal.wait_for("train.py")
            terminal.keys("t", "a")
            terminal.wait_for("├ ")
            terminal.keys("F6")
            terminal.wait_for("Sort by")
            terminal.keys("Home", "Enter")
            terminal.wait_for("▲")

    def test_the_mouse_selects_sorts_and_opens(self):
        with Terminal(DEMO, size=(100, 30)) as terminal:
            terminal.wait_for("ipykernel")
            terminal.wait_gone("not sampled yet")  # then the lines stay where they are
            row = next(i for i, line in enumerate(terminal.lines()) if "ipykernel" in line)
            heading = next(i for i, line in enumerate(terminal.lines()) if "COMMAND" in line)
            terminal.click(10, row)
            terminal.wait_for("2/2")
            terminal.click(6, heading)
            terminal.wait(lambda: "▲" in terminal.lines()[heading][:6], "a sorted PID column")
            row = next(i for i, line in enumerate(terminal.lines()) if "train.py" in line)
            terminal.click(10, row)
            terminal.click(10, row)
            terminal.wait_for("Process 41822")

    def test_typed_chinese_is_a_filter(self):
        with Terminal(DEMO) as terminal:
            terminal.wait_for("train.py")
            terminal.keys("\\")
            terminal.type("训练")
            terminal.wait_for("Filter: 训练")
            terminal.wait_for("No process matches")


class FrozenDriver(unittest.TestCase):
    def test_the_screen_lives_on_while_a_call_hangs(self):
        with tempfile.TemporaryDirectory() as folder:
            options, env = scenario(folder, rules=[{"calls": "nvmlDeviceGetUtilizationRates", "from": 4, "hang": True}])
            with Terminal(in_shell([BINARY, "top", *options]), env=env) as terminal:
                terminal.wait_for("NVIDIA H200")
                terminal.wait_for("The driver has not answered for")
                self.ticks(terminal)
                terminal.keys("h")
                terminal.wait_for("this help", seconds=10)
                terminal.keys("Escape", "q")
                terminal.wait_for("ended 0", seconds=10)

    def test_what_is_said_meanwhile_is_kept_until_the_screen_is_closed(self):
        with tempfile.TemporaryDirectory() as folder:
            options, env = scenario(folder, rules=[{"calls": "nvmlDeviceGetUtilizationRates", "from": 3, "hang": True}])
            with Terminal(in_shell([BINARY, "top", *options]), size=(140, 30), env=env) as terminal:
                terminal.wait_for("The driver has not answered for")
                self.assertNotIn("driver_silent", terminal.screen())
                terminal.keys("q")
                terminal.wait_for("ended 0", seconds=10)
                self.assertIn("event=driver_silent", terminal.screen())

    def test_a_driver_that_hangs_from_the_start_opens_the_screen_too(self):
        with tempfile.TemporaryDirectory() as folder:
            options, env = scenario(folder, rules=[{"calls": "nvmlInit_v2", "hang": True},
                                                   {"calls": "nvmlInitWithFlags", "hang": True}])
            with Terminal(in_shell([BINARY, "top", *options]), env=env) as terminal:
                terminal.wait_for("The driver has not answered for")
                self.ticks(terminal)
                terminal.keys("q")
                terminal.wait_for("ended 0", seconds=10)

    def test_it_goes_on_when_the_driver_answers_again(self):
        with tempfile.TemporaryDirectory() as folder:
            options, env = scenario(folder, rules=[{"calls": "nvmlDeviceGetUtilizationRates", "from": 3, "until": 9,
                                                    "hang": True}])
            with Terminal([BINARY, "top", *options], env=env) as terminal:
                terminal.wait_for("has not answered")
                terminal.wait_gone("has not answered", seconds=40)
                terminal.wait_for("util ")

    def ticks(self, terminal):
        """The clock and the seconds of the banner go on."""
        clock = lambda: re.search(r"\d\d:\d\d:\d\d", terminal.lines()[0]).group()  # noqa: E731
        silent = lambda: int(re.search(r"answered for (\d+)s", terminal.screen()).group(1))  # noqa: E731
        first, since = clock(), silent()
        terminal.wait(lambda: clock() != first, "the clock to tick", seconds=10)
        terminal.wait(lambda: silent() > since, "the silence to grow", seconds=10)


class Signals(unittest.TestCase):
    def start(self, folder, words=(), **more):
        """A process of ours on the fake GPU, and the view of it."""
        victim = subprocess.Popen(["sleep", "1000"])
        self.addCleanup(lambda: (victim.kill(), victim.wait()))
        options, env = scenario(folder, processes=[dict({"pid": victim.pid, "memory_bytes": 1 << 30}, **more)])
        terminal = Terminal([BINARY, "top", *options, *words], env=env)
        self.addCleanup(terminal.__exit__)
        terminal.wait_for("sleep 1000")
        return victim, terminal

    def test_a_confirmed_signal_reaches_the_process(self):
        with tempfile.TemporaryDirectory() as folder:
            victim, terminal = self.start(folder)
            terminal.keys("k")
            terminal.wait_for("Send which signal")
            terminal.keys("Enter")
            terminal.wait_for("Send SIGTERM?")
            terminal.wait_for(str(victim.pid))
            self.assertIsNone(victim.poll())
            terminal.keys("y")
            terminal.wait_for("SIGTERM was sent to process")
            self.assertEqual(victim.wait(5), -signal.SIGTERM)

    def test_no_means_no(self):
        with tempfile.TemporaryDirectory() as folder:
            victim, terminal = self.start(folder)
            terminal.keys("k", "End", "Enter")
            terminal.wait_for("Send SIGKILL?")
            terminal.keys("n")
            terminal.wait_gone("Send SIGKILL?")
            self.assertIsNone(victim.poll())

    def test_a_process_that_ended_meanwhile_is_not_signalled(self):
        with tempfile.TemporaryDirectory() as folder:
            victim, terminal = self.start(folder)
            terminal.keys("k", "Enter")
            terminal.wait_for("Send SIGTERM?")
            victim.kill()
            victim.wait()
            terminal.keys("y")
            terminal.wait_for("ended in the meantime")

    def test_read_only_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            victim, terminal = self.start(folder, ["--read-only"])
            terminal.wait_for("read-only")
            terminal.keys("k")
            terminal.wait_for("No signals: gpusight runs with --read-only.")
            self.assertIsNone(victim.poll())

    def test_a_recorded_machine_refuses(self):
        with Terminal(DEMO) as terminal:
            terminal.wait_for("train.py")
            terminal.keys("F9")
            terminal.wait_for("No signals: this is a recorded machine")


class Once(unittest.TestCase):
    def run_top(self, *words, **env):
        environment = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"], "HOME": "/nonexistent", **env}
        return subprocess.run([BINARY, "top", *words], env=environment, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)

    def test_prints_one_screen_of_the_wanted_size(self):
        result = self.run_top("--demo", "--once", COLUMNS="132", LINES="33")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.split("\n")
        self.assertEqual(len(lines), 34)
        self.assertTrue(all(len(line) <= 132 for line in lines))
        self.assertIn("train.py", result.stdout)
        self.assertNotIn("\x1b", result.stdout)

    def test_sorts_and_selects_devices(self):
        result = self.run_top("--demo", "--once", "--sort", "user", "--device", "0")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(result.stdout.index(" lin "), result.stdout.index(" wang "))

    def test_wrong_words_are_refused_with_a_sentence(self):
        for words, code in ((["--demo", "--once", "--device", "9"], 2), (["--sort", "nonsense"], 2),
                            (["--interval", "0"], 2), (["--demo"], 2),
                            (["--once", "--nvml", "/nonexistent/libnvidia-ml.so.1"], 3)):
            with self.subTest(words):
                result = self.run_top(*words)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_without_a_driver_the_screen_does_not_open(self):
        with Terminal(in_shell([BINARY, "top", "--nvml", "/nonexistent/libnvidia-ml.so.1"])) as terminal:
            terminal.wait_for("ended 3")
            self.assertIn("gpusight: ", terminal.screen())


class Economy(unittest.TestCase):
    def test_only_what_changed_is_sent(self):
        """A steady machine: after the first screen a second costs a few cells, not a screen."""
        with tempfile.TemporaryDirectory() as folder:
            options, env = scenario(folder, devices=8)
            pid, terminal = pty.fork()
            if pid == 0:
                os.execvpe(BINARY, [BINARY, "top", *options],
                           {**env, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder})
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
            try:
                first = self.read(terminal, 4)
                steady = self.read(terminal, 5)
            finally:
                os.kill(pid, signal.SIGTERM)
                self.read(terminal, 1)
                os.waitpid(pid, 0)
                os.close(terminal)
            self.assertGreater(first, 1000)
            self.assertLess(steady / 5, first / 10, f"{first} bytes at first, {steady} in 5 s")

    @staticmethod
    def read(fd, seconds):
        end, size = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            if select.select([fd], [], [], 0.1)[0]:
                try:
                    size += len(os.read(fd, 65536))
                except OSError:
                    break
        return size


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
