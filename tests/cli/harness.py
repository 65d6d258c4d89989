# SPDX-License-Identifier: Apache-2.0
"""Runs the real program on the fake driver. A test case derives from Case and calls run() or
start(); nothing of the user's environment or configuration reaches the program."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GPUSIGHT_BUILD", SOURCE / "build" / "debug"))
PROGRAM = str(BUILD / "bin" / "gpusight")
DRIVER = str(BUILD / "fake" / "libnvidia-ml.so.1")
DEMO_ROOT = BUILD / "fake" / "demo" / "root"
TRAINER = 41822  # the training process of the demonstration
RECORDING = str(BUILD / "fake" / "recordings" / "h200.json")
MACHINES = SOURCE / "testdata" / "machines"

GIB = 1 << 30


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gpusight-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def scenario(self, **members):
        """Writes a scenario (testing/fake_nvml/README.md); one idle H200 unless told otherwise."""
        if "base" not in members:
            members.setdefault("devices", [{"recording": RECORDING}])
        path = self.folder / "scenario.json"
        path.write_text(json.dumps(members))
        return path

    def environment(self, scenario=None, **more):
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "TZ": "UTC",
               "LANG": "C.UTF-8"}
        # Sanitizers are told how to behave by their own variables.
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        if scenario is not None:
            env["GPUSIGHT_FAKE_SCENARIO"] = str(scenario)
        env.update(more)
        return env

    def arguments(self, args, scenario):
        args = [str(a) for a in args]
        if scenario is not None:
            args += ["--nvml", DRIVER]
            if "--root" not in args:
                args += ["--root", str(self.root())]
        return [PROGRAM] + args

    def root(self):
        """A host with nothing on it, so that this machine's processes are not read."""
        root = self.folder / "root"
        root.mkdir(exist_ok=True)
        return root

    def host(self, *pids, namespace=4026531836):
        """A host folder with these processes of the demonstration, in that PID namespace (the
        machine's own unless told otherwise)."""
        proc = self.root() / "proc"
        (proc / "self" / "ns").mkdir(parents=True)
        (proc / "self" / "ns" / "pid").symlink_to(f"pid:[{namespace}]")
        for name in ("stat", "uptime", "meminfo"):
            shutil.copy(DEMO_ROOT / "proc" / name, proc / name)
        for pid in pids:
            shutil.copytree(DEMO_ROOT / "proc" / str(pid), proc / str(pid), symlinks=True)
        return self.root()

    def run_program(self, *args, scenario=None, env=None, stdin=subprocess.DEVNULL, **options):
        return subprocess.run(self.arguments(args, scenario), stdin=stdin, text=True,
                              stdout=options.pop("stdout", subprocess.PIPE),
                              stderr=subprocess.PIPE, timeout=60,
                              env=self.environment(scenario, **(env or {})), **options)

    def start(self, *args, scenario=None, **options):
        process = subprocess.Popen(self.arguments(args, scenario), stdin=subprocess.DEVNULL,
                                   text=True, stdout=options.pop("stdout", subprocess.PIPE),
                                   stderr=subprocess.PIPE, env=self.environment(scenario),
                                   **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def ok(self, *args, **options):
        """The output of a run that must succeed without a word on standard error."""
        done = self.run_program(*args, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.args)
        return done.stdout

    def refused(self, *args, code=2, **options):
        """The complaint of a run that must fail: one line, and nothing on standard output."""
        done = self.run_program(*args, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        return lines[0]
