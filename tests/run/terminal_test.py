# SPDX-License-Identifier: Apache-2.0
"""What a program on a terminal sees and what its shell sees of it, with and without `gpusight run`:
keys that send signals, job control, sizes, settings, a terminal that goes away."""
import os
import pathlib
import shutil
import signal
import sys
import time
import unittest

import harness
from terminal import Terminal

FACTS = """
import os, termios, fcntl, struct
for fd in range(3):
    print(fd, os.isatty(fd), os.ttyname(fd) == os.environ["TEST_TTY"])
print("foreground", os.tcgetpgrp(0) == os.getpgrp())
print("session", os.getsid(0) == int(os.environ["TEST_SESSION"]), os.getpgrp() == os.getsid(0))
print("settings", termios.tcgetattr(0)[:6])
print("size", struct.unpack("HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, b"x" * 8)))
with open("/dev/tty", "r+b", buffering=0) as tty:
    tty.write(b"to the terminal itself\\n")
"""

# Counts its signals; ends at SIGQUIT or when it is told to.
COUNTER = """
import os, select, signal, sys, time
counts = {}
def note(number, frame):
    name = signal.Signals(number).name
    counts[name] = counts.get(name, 0) + 1
    if name in ("SIGQUIT", "SIGHUP"):
        with open("counter-ended", "w") as out:
            out.write(name)
    try:
        os.write(1, b"got %s %d\\n" % (name.encode(), counts[name]))
    except OSError:  # the terminal is gone
        pass
    if name in ("SIGQUIT", "SIGHUP"):
        sys.exit(3)
for name in "INT QUIT HUP TERM USR1 USR2 WINCH CONT".split():
    signal.signal(getattr(signal, "SIG" + name), note)
print("ready", flush=True)
while sys.argv[1:] == ["deaf"]:
    time.sleep(0.02)
while True:
    # A signal just before read() would wait with it; "eager" wants to be stopped for reading.
    while sys.argv[1:] != ["eager"] and not select.select([0], [], [], 0.02)[0]:
        pass
    line = sys.stdin.readline()
    if line.strip() == "end":
        print("ends", counts, flush=True)
        break
    print("heard", line.strip(), flush=True)
"""

# As an editor does it: raw keys, and the shell's settings back while it is stopped.
EDITOR = """
import os, signal, sys, termios, tty
before = termios.tcgetattr(0)
def raw():
    tty.setraw(0)
    os.write(1, b"\\x1b[?1049h-- editor --\\r\\n")
def cooked():
    os.write(1, b"\\x1b[?1049l")
    termios.tcsetattr(0, termios.TCSADRAIN, before)
raw()
while True:
    key = os.read(0, 1)
    if key == b"q":
        break
    if key == b"\\x1a":
        cooked()
        os.kill(0, signal.SIGTSTP)
        raw()
    else:
        os.write(1, b"key %02x\\r\\n" % key[0])
cooked()
sys.exit(6)
"""

CURSES = """
import curses
def main(screen):
    screen.addstr(0, 0, "curses is here")
    screen.addstr(1, 0, "size %d %d" % screen.getmaxyx())
    screen.refresh()
    while True:
        key = screen.getch()
        if key == ord("q"):
            return
        screen.addstr(2, 0, "key %s " % (key if key != curses.KEY_RESIZE else "resize %d %d" % screen.getmaxyx()))
        screen.refresh()
curses.wrapper(main)
"""


class OnATerminal(harness.Case):
    def setUp(self):
        super().setUp()
        for name, text in (("facts.py", FACTS), ("counter.py", COUNTER), ("editor.py", EDITOR),
                           ("screen.py", CURSES)):
            harness.FILES[name] = text
        self.fresh()

    def both(self, story, screen=False, **more):
        """The story's result, which must be the same in every mode. `screen`: of a program that steers
        the terminal through its output, for which --output-tail is not meant."""
        expected = None
        for mode in self.modes:
            if screen and mode == "with its output copied":
                continue
            self.fresh()
            prefix = self.recorded(mode, "--no-summary")
            try:
                result = story(prefix, **more)
            except AssertionError as error:
                raise AssertionError(f"{mode}: {error}") from error
            if expected is None:
                expected = result
            else:
                self.assertEqual(result, expected, mode)
        return expected

    def program(self, prefix, *words):
        """The program alone on a terminal, as its session leader, or gpusight's."""
        words = [*prefix, *(words or (sys.executable, "counter.py"))]
        return Terminal(words, self.work, self.environment())

    def shell(self):
        """An interactive bash that is ready."""
        terminal = Terminal(["bash", "--norc", "--noprofile", "--noediting", "-i"], self.work,
                            self.environment(PS1="<>", HISTFILE=""))
        terminal.expect("<>")
        return terminal

    @staticmethod
    def say(terminal, line, prompt="<>"):
        """What the shell answers, without the echo of the line."""
        terminal.type(line + "\n")
        terminal.expect(line.split("\n")[-1][-10:] + "\r\n" if len(line) < 60 else "\n")
        return terminal.expect(prompt)

    def script(self, prefix, line):
        """A file that runs the line, so that the shell's echo is the same in every mode."""
        path = pathlib.Path(self.work, "go")
        import shlex
        path.write_text("#!/bin/sh\nexec " + shlex.join([*prefix, *line]) + "\n")
        path.chmod(0o755)
        return "./go"

    # Alone on the terminal

    def test_what_it_finds(self):
        def story(prefix):
            facts = ("sh", "-c", f"TEST_TTY=$(tty) exec {sys.executable} facts.py")
            line = ["sh", "-c", 'TEST_SESSION=$$ exec "$@"', "sh", *prefix, *facts]
            with Terminal(line, self.work, self.environment(), size=(91, 17)) as terminal:
                status = terminal.wait()
                return status, terminal.rest(), terminal.settings()
        status, text, _ = self.both(story, screen=True)
        self.assertIn("size (17, 91", text)
        self.assertEqual(status, 0)

    def test_control_c_is_heard_once(self):
        def story(prefix):
            with self.program(prefix) as terminal:
                terminal.expect("ready")
                terminal.type("\x03")
                out = terminal.expect("got SIGINT 1")
                terminal.type("end\n")
                return out, terminal.expect("}"), terminal.wait()
        self.assertIn("{'SIGINT': 1}", self.both(story)[1])

    def test_control_backslash(self):
        def story(prefix):
            with self.program(prefix) as terminal:
                terminal.expect("ready")
                terminal.type("\x1c")
                return terminal.expect("got SIGQUIT 1"), terminal.wait()
        self.assertEqual(self.both(story)[1], 3)

    def test_control_c_kills(self):
        def story(prefix):
            with self.program(prefix, "sleep", "20") as terminal:
                time.sleep(0.3)
                terminal.type("\x03")
                return terminal.wait(), terminal.rest()
        self.assertEqual(self.both(story), (-signal.SIGINT, "^C"))

    def test_a_new_size_is_told_once(self):
        def story(prefix):
            with self.program(prefix) as terminal:
                terminal.expect("ready")
                terminal.resize(100, 50)
                terminal.expect("got SIGWINCH 1")
                time.sleep(0.1)
                terminal.type("end\n")
                return terminal.expect("}"), terminal.wait()
        # A copied output may be told twice: the second time when the copy has the size, too.
        self.assertIn("{'SIGWINCH': 1}", self.both(story, screen=True)[0])

    def test_a_terminal_that_goes_away(self):
        def story(prefix):
            with self.program(prefix, sys.executable, "counter.py", "deaf") as terminal:
                terminal.expect("ready")
                terminal.release_side()
                terminal.hang_up()
                status = terminal.wait()
                return status, (self.work / "counter-ended").read_text()
        self.assertEqual(self.both(story), (3, "SIGHUP"))

    def test_an_editor(self):
        def story(prefix):
            with self.program(prefix, sys.executable, "editor.py") as terminal:
                before = terminal.settings()
                terminal.expect("-- editor --")
                raw = terminal.settings()
                terminal.type("\x03")  # a key like any other
                out = terminal.expect("key 03")
                terminal.type("q")
                return out, before, raw, terminal.wait(), terminal.settings()
        result = self.both(story)
        self.assertEqual(result[3], 6)
        self.assertNotEqual(result[1], result[2])
        self.assertEqual(result[1], result[4])

    def test_a_full_screen_and_a_new_size(self):
        def story(prefix):
            with self.program(prefix, sys.executable, "screen.py") as terminal:
                terminal.expect("size 24 80")
                time.sleep(0.2)  # a signal just before it waits for a key would wait with it
                terminal.resize(70, 20)
                terminal.expect("20 70")
                terminal.type("q")
                return terminal.wait(), terminal.settings()
        self.both(story, screen=True)

    @unittest.skipUnless(shutil.which("less"), "less is not installed")
    def test_a_pager_at_the_end_of_a_pipe(self):
        def story(prefix):
            import shlex
            line = "seq 1 500 | " + shlex.join([*prefix, "less"])
            with Terminal(["sh", "-c", line], self.work, self.environment()) as terminal:
                terminal.expect("23\r\n")
                terminal.type("G")
                terminal.expect("500")
                terminal.type("q")
                return terminal.wait(), terminal.settings()
        self.both(story, screen=True)

    def test_one_that_dies_with_the_terminal_raw(self):
        def story(prefix):
            killer = "import os, tty; tty.setraw(0); os.kill(os.getpid(), 9)"
            with self.program(prefix, sys.executable, "-c", killer) as terminal:
                return terminal.wait(), terminal.settings(), terminal.rest()
        self.assertEqual(self.both(story)[0], -9)

    def test_streams_that_are_no_terminal(self):
        def story(prefix):
            import shlex
            tell = shlex.join([*prefix, "sh", "-c", "for i in 0 1 2; do test -t $i; echo $?; done >&2"])
            line = tell + " >file 2>err; cat err; N " + tell + " | cat; N " + tell + " </dev/null 2>&1 | cat"
            line = line.replace("N ", f"rm -f {self.base}/*.gpusight; ")
            with Terminal(["sh", "-c", line], self.work, self.environment()) as terminal:
                terminal.wait()
                return terminal.rest()
        self.assertEqual(self.both(story).split(), list("011" "000" "111"))

    # Under a shell with job control

    def test_control_z_and_back(self):
        def story(prefix):
            go = self.script(prefix, [sys.executable, "counter.py"])
            with self.shell() as terminal:
                terminal.type(go + "\n")
                terminal.expect("ready")
                terminal.type("\x1a")
                stopped = terminal.expect("<>")
                jobs = self.say(terminal, "jobs")
                status = self.say(terminal, "echo $?")
                terminal.type("fg\n")
                terminal.expect("got SIGCONT 1")
                time.sleep(0.1)
                terminal.type("hello\n")
                terminal.expect("heard hello")
                terminal.type("end\n")
                counts = terminal.expect("<>")
                return stopped, jobs, status, counts, self.say(terminal, "echo $?")
        stopped, jobs, _, counts, status = self.both(story)
        self.assertIn("Stopped", stopped)
        self.assertIn("Stopped", jobs)
        self.assertIn("{'SIGCONT': 1}", counts)
        self.assertIn("0\r\n", status)

    def test_an_editor_that_is_stopped(self):
        def story(prefix):
            go = self.script(prefix, [sys.executable, "editor.py"])
            with self.shell() as terminal:
                before = terminal.settings()
                terminal.type(go + "\n")
                terminal.expect("-- editor --")
                terminal.type("\x1a")
                out = terminal.expect("<>")
                stopped = terminal.settings()
                terminal.type("fg\n")
                terminal.expect("-- editor --")
                raw = terminal.settings()
                terminal.type("q")
                terminal.expect("<>")
                return out, before, stopped, raw, terminal.settings(), self.say(terminal, "echo $?")
        result = self.both(story)
        self.assertIn("Stopped", result[0])
        self.assertEqual(result[1], result[2])
        self.assertIn("6\r\n", result[5])

    def test_in_the_background_and_back(self):
        def story(prefix):
            go = self.script(prefix, [sys.executable, "counter.py", "eager"])
            with self.shell() as terminal:
                terminal.type(go + "\n")
                terminal.expect("ready")
                terminal.type("\x1a")
                terminal.expect("<>")
                terminal.type("bg\n")
                terminal.expect("got SIGCONT 1")
                # It reads the terminal at once, which it may not from there.
                time.sleep(0.3)
                jobs = self.say(terminal, "jobs")
                terminal.type("fg\n")
                terminal.expect("got SIGCONT 2")
                terminal.type("end\n")
                counts = terminal.expect("}")
                terminal.expect("<>")  # the prompt of the job's end, not of what is said next
                return jobs, counts, self.say(terminal, "echo $?")
        jobs, counts, _ = self.both(story)
        self.assertIn("Stopped", jobs)
        self.assertIn("{'SIGCONT': 2}", counts)

    def test_kill_by_job_number(self):
        def story(prefix):
            go = self.script(prefix, [sys.executable, "counter.py", "deaf"])
            with self.shell() as terminal:
                terminal.type(go + " &\n")
                terminal.expect("ready")
                for name in ("USR1", "TERM", "INT"):
                    terminal.type(f"kill -{name} %1\n")
                    terminal.expect(f"got SIG{name} 1")
                time.sleep(0.2)
                terminal.type("kill -QUIT %1\n")
                terminal.expect("got SIGQUIT 1")
                terminal.type("wait %1; echo is $?\n")
                return terminal.expect("is 3\r\n")[-6:]
        self.both(story)

    def test_kill_of_a_stopped_job(self):
        def story(prefix):
            go = self.script(prefix, ["sleep", "30"])
            with self.shell() as terminal:
                terminal.type(go + "\n")
                time.sleep(0.4)
                terminal.type("\x1a")
                terminal.expect("<>")
                terminal.type("kill %1; kill -CONT %1; wait %1; echo is $?\n")
                return terminal.expect("is 143\r\n")[-8:]
        self.both(story)

    def test_a_shell_with_jobs_of_its_own(self):
        def story(prefix):
            go = self.script(prefix, ["env", "PS1=[]", "bash", "--norc", "--noprofile", "--noediting",
                                      "-i"])
            with self.shell() as terminal:
                outer = terminal.foreground()
                terminal.type(go + "\n")
                terminal.expect("[]")
                terminal.type("sleep 30\n")
                time.sleep(0.3)
                terminal.type("\x1a")
                stopped = terminal.expect("Stopped")[-7:]
                terminal.expect("[]")
                terminal.type("fg\n")
                time.sleep(0.2)
                terminal.type("\x03")
                terminal.expect("[]")
                status = self.say(terminal, "echo $?", "[]")
                # suspend: the shell itself, with the group that it made for itself.
                terminal.type("suspend\n")
                terminal.expect("<>")
                terminal.type("fg\n")
                terminal.expect("[]")
                terminal.type("exit 7\n")
                terminal.expect("<>")
                return stopped, status, self.say(terminal, "echo $?"), terminal.foreground() == outer
        result = self.both(story, screen=True)
        self.assertIn("130", result[1])
        self.assertIn("7\r\n", result[2])
        self.assertTrue(result[3])

    def test_who_wakes_the_job_alone_wakes_the_shell_as_well(self):
        def story(prefix):
            go = self.script(prefix, [sys.executable, "counter.py", "deaf"])
            with self.shell() as terminal:
                terminal.type(go + "\n")
                terminal.expect("ready")
                terminal.type("\x1a")
                terminal.expect("<>")
                # The job's own process, not gpusight: its parent is somebody else's business.
                terminal.type("pkill -CONT -f '^[^ ]*python[^ ]* counter.py deaf'\n")
                terminal.expect("got SIGCONT 1")
                time.sleep(0.3)
                jobs = self.say(terminal, "jobs")
                terminal.type("fg\n")
                terminal.expect("./go\r\n")
                time.sleep(0.2)
                terminal.type("\x1c")
                terminal.expect("got SIGQUIT 1")
                terminal.expect("<>")
                return jobs, self.say(terminal, "echo $?")
        self.both(story)

    def test_a_copied_output_is_that_of_a_terminal(self):
        script = ("import os, sys, termios; print(os.isatty(0), os.isatty(1), os.isatty(2));"
                  "print(os.get_terminal_size(1).columns, os.get_terminal_size(2).lines);"
                  "print(os.ttyname(0) == os.ttyname(1), os.ttyname(1) == os.ttyname(2));"
                  "sys.stderr.write('bar \\r bar\\n'); print('end')")

        def story(prefix):
            with Terminal([*prefix, sys.executable, "-c", script], self.work, self.environment(),
                          size=(91, 17)) as terminal:
                return terminal.wait(), terminal.rest()
        plain = story([])
        copied = story(self.recorded("with its output copied", "--no-summary"))
        self.assertEqual(copied[0], plain[0])
        self.assertEqual(copied[1], plain[1].replace("True True\r\nbar", "False True\r\nbar"))
        kept = self.rows("SELECT bytes FROM output_tail")
        self.assertEqual(len(kept), 1, "both streams go to one place")
        self.assertEqual(kept[0][0].replace(b"\n", b"\r\n").decode(), copied[1])

    def test_sentences_are_broken_at_blanks(self):
        prefix = [harness.PROGRAM, "run", "--nvml", "/no", "--no-summary", "-o", "/no/such/folder/file.gpusight", "--"]
        with self.program(prefix, "sleep", "0.5") as terminal:
            self.assertEqual(terminal.wait(), 0)
            lines = terminal.rest().strip().split("\r\n")
        self.assertGreater(len(lines), 1)
        for line in lines:
            self.assertLessEqual(len(line), 80, lines)
            self.assertRegex(line, r"^(gpusight: |  )\S")

    def test_the_summary_comes_after_all_else(self):
        prefix = self.recorded("with the fake driver")
        with self.program(prefix, "sh", "-c", "echo last; exit 4") as terminal:
            self.assertEqual(terminal.wait(), 4)
            text = terminal.rest()
        # Blanks to the end of the line make sure of a fresh one, wherever the job left the cursor.
        self.assertRegex(text, r"^last\r\n +\rgpusight: sh took ")
        self.assertIn("exit code 4\r\n", text)
        self.assertIn(str(self.recording), text)


if __name__ == "__main__":
    unittest.main()
