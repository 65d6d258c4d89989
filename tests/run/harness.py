# SPDX-License-Identifier: Apache-2.0
"""Runs a program with and without `gpusight run`, in the same folder with the same files. Next:
programs.py (what is run), transparent_test.py."""
import os
import pathlib
import resource
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GPUSIGHT_BUILD", SOURCE / "build" / "debug"))
PROGRAM = str(BUILD / "bin" / "gpusight")
DRIVER = str(BUILD / "fake" / "libnvidia-ml.so.1")
RECORDING = str(BUILD / "fake" / "recordings" / "h200.json")
PATIENCE = 60

FILES = {
    "hello": "#!/bin/sh\necho hello from $0\n",
    "no-first-line": 'echo "$# arguments: $*"\n',
    "lost-interpreter": "#!/no/such/interpreter\n",
    "block.py": "import os, signal, sys\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, "
                "signal.SIGTERM, signal.SIGWINCH])\nos.execvp(sys.argv[1], sys.argv[1:])\n",
    "alarm.py": "import os, signal, sys\nsignal.setitimer(signal.ITIMER_REAL, 0.5)\n"
                "os.execvp(sys.argv[1], sys.argv[1:])\n",
    "group.py": "import os, signal, time\nprint('one', flush=True)\nos.kill(0, signal.SIGTERM)\n"
                "time.sleep(5)\n",
    "letters": "abcdefghij\nklm\n",
}


def children(pid):
    """The numbers of its children, oldest first."""
    return [int(c) for c in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Case(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="gpusight-run-"))
        self.addCleanup(shutil.rmtree, self.base, ignore_errors=True)
        self.work = self.base / "work"
        self.count = 0
        self.fresh()
        scenario = self.base / "scenario.json"
        scenario.write_text('{"devices": [{"recording": "%s"}]}' % RECORDING)
        # The ways to run something.
        self.modes = {
            "plain": [],
            "without a driver": [PROGRAM, "run", "--nvml", "/no/such/library"],
            "with the fake driver": [PROGRAM, "run", "--nvml", DRIVER],
            "with its output copied": [PROGRAM, "run", "--nvml", "/no/such/library", "--output-tail"],
        }

    def fresh(self):
        """The folder in which programs run, as new."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        for name, text in FILES.items():
            path = self.work / name
            path.write_text(text)
            path.chmod(0o755)
        (self.work / "hello-too").symlink_to("hello")

    def environment(self, **more):
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.base), "LANG": "C.UTF-8", "TERM": "xterm",
               "ORDER_B": "1", "ORDER_A": "2", "TMPDIR": str(self.base),
               "GPUSIGHT_FAKE_SCENARIO": str(self.base / "scenario.json")}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        env.update(more)
        return env

    def recorded(self, mode, *options):
        """The words in front of a program in that mode; where nothing of ours is in its folder."""
        words = self.modes[mode]
        if not words:
            return []
        self.count += 1
        self.recording = self.base / f"{self.count}.gpusight"
        return [*words, "-o", str(self.recording), *options, "--"]

    # What is in the recording that was made last

    def rows(self, question):
        connection = sqlite3.connect(f"file:{self.recording}?mode=ro", uri=True, timeout=10)
        try:
            return connection.execute(question).fetchall()
        finally:
            connection.close()

    def begun(self):
        """Something of the recording has been written."""
        try:
            return bool(self.recording.exists() and self.rows("SELECT id FROM run"))
        except sqlite3.OperationalError:
            return False

    def run_row(self):
        connection = sqlite3.connect(f"file:{self.recording}?mode=ro", uri=True, timeout=10)
        connection.row_factory = sqlite3.Row
        try:
            return dict(connection.execute("SELECT * FROM run").fetchone())
        finally:
            connection.close()

    def facts(self):
        return self.rows("SELECT kind, name, value FROM run_fact ORDER BY kind, position")

    def processes(self):
        """(pid, name) of those of the job."""
        return self.rows("SELECT pid, command FROM process WHERE in_job = 1")

    @staticmethod
    def words(program):
        """As a list for exec."""
        if isinstance(program, str):
            return ["sh", "-c", program]
        return [w.replace("{python}", sys.executable) for w in program]

    def line(self, program, prefix):
        """As a line for the shell, whose own number is that of the group and session."""
        words = shlex.join([*prefix, *self.words(program.words)])
        if program.before == "{}":
            words = "exec " + words
        before = program.before.replace("{python}", sys.executable)
        return "export TEST_GROUP=$$ TEST_SESSION=$$\n" + before.format(words)

    def run_line(self, line, feed=None):
        """(out, err, status, seconds) of a shell line in a session of its own."""
        begin = time.monotonic()
        process = subprocess.Popen(
            ["sh", "-c", line], cwd=self.work, env=self.environment(), start_new_session=True,
            stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, errors=None,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        try:
            out, err = process.communicate(feed, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
            return out, err, "hangs", PATIENCE
        return out, err, process.returncode, time.monotonic() - begin
