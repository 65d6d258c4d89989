# SPDX-License-Identifier: Apache-2.0
"""What `gpusight run` and `gpusight watch` record, and that neither a recorder that dies nor one that
cannot write harms the job."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import harness

FAMILY = """
import multiprocessing, os, subprocess, sys, time

def work():
    time.sleep(2.2)

if __name__ == "__main__":
    fork = multiprocessing.get_context("fork").Process(target=work)
    spawn = multiprocessing.get_context("spawn").Process(target=work)
    for process in (fork, spawn):
        process.start()
    # A launcher's rank in a session of its own, and a daemon that nobody waits for.
    rank = subprocess.Popen(["sleep", "2.2"], start_new_session=True)
    subprocess.run(["sh", "-c", "setsid sleep 2.3 </dev/null >/dev/null 2>&1 &"])
    names = {"fork": fork.pid, "spawn": spawn.pid, "rank": rank.pid}
    print(names, flush=True)
    for process in (fork, spawn):
        process.join()
    rank.wait()
"""


class Recording(harness.Case):
    def run_job(self, *words, options=(), mode="without a driver", **more):
        prefix = self.recorded(mode, *options)
        return subprocess.run([*prefix, *words], cwd=self.work, env=self.environment(**more.pop("env", {})),
                              stdin=subprocess.DEVNULL, stdout=more.pop("stdout", subprocess.PIPE),
                              stderr=subprocess.PIPE, text=True, timeout=harness.PATIENCE)

    def start_job(self, *words, options=(), mode="without a driver", **more):
        prefix = self.recorded(mode, *options)
        process = subprocess.Popen([*prefix, *words], cwd=self.work, env=self.environment(), text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   **more)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    @staticmethod
    def child(process, name):
        """The number of a child of gpusight's with that name."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for pid in harness.children(process.pid):
                try:
                    if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == name:
                        return pid
                except OSError:
                    pass
            time.sleep(0.01)
        raise AssertionError(f"gpusight has no child {name}")

    def wait_for(self, condition, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.02)
        raise AssertionError(f"waited for {what}")

    # What is in it

    def test_facts_of_the_run(self):
        self.run_job("sh", "-c", "exit 3", options=("--name", "try", "--tag", "lr=0.1,seed=7"),
                     env={"MY_TOKEN": "hush", "LEARNING": "yes"})
        run = self.run_row()
        self.assertEqual((run["name"], run["end_kind"], run["exit_code"], run["exit_signal"]), ("try", "exit", 3, None))
        self.assertEqual(run["folder"], str(self.work))
        facts = self.facts()
        self.assertEqual([v for k, n, v in facts if k == "argument"], ["sh", "-c", "exit 3"])
        self.assertIn(("tag", "lr", "0.1"), facts)
        self.assertIn(("tag", "seed", "7"), facts)
        self.assertIn(("environment", "LEARNING", "yes"), facts)
        self.assertIn(("environment", "MY_TOKEN", "[hidden]"), facts)
        self.assertIn("peak_resident_bytes", [n for k, n, v in facts if k == "end"])

    def test_a_job_that_was_killed(self):
        self.run_job("sh", "-c", "kill -KILL $$")
        run = self.run_row()
        self.assertEqual((run["end_kind"], run["exit_code"], run["exit_signal"]), ("signal", None, 9))

    def test_who_asked_it_to_end(self):
        process = self.start_job("sh", "-c", "echo ready; exec sleep 20")
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), -signal.SIGTERM)
        self.assertRegex(self.run_row()["end_text"], r"SIGTERM ended it. python\S* \(process %d\)" % os.getpid())

    def test_the_family_of_the_job(self):
        (self.work / "family.py").write_text(FAMILY)
        done = self.run_job(sys.executable, "family.py", options=("--interval", "200ms"))
        self.assertEqual(done.returncode, 0, done.stderr)
        pids = dict(self.processes())
        for what, pid in eval(done.stdout).items():
            self.assertIn(pid, pids, what)
        # Those are not told by parentage: the shell that started the daemon is gone.
        self.assertEqual(sum(name == "sleep" for name in pids.values()), 2, pids)
        # Nothing of ours, nor who started us.
        self.assertNotIn(os.getpid(), pids)
        self.assertFalse([n for n in pids.values() if n.startswith("gpusight")], pids)

    def test_the_commit_of_the_code(self):
        git = ["git", "-C", str(self.work), "-c", "user.name=x", "-c", "user.email=x@example.com"]
        for words in (["init", "-q"], ["add", "letters"], ["commit", "-q", "-m", "x"]):
            subprocess.run([*git, *words], check=True, env=self.environment())
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        self.run_job("true")
        self.assertEqual((self.run_row()["git_commit"], self.run_row()["git_changed"]), (commit, 0))
        (self.work / "letters").write_text("other\n")
        self.run_job("true")
        self.assertEqual((self.run_row()["git_commit"], self.run_row()["git_changed"]), (commit, 1))

    def test_the_end_of_the_output_where_it_goes_to_a_file(self):
        script = "echo some; head -c 200000 /dev/zero | tr '\\0' x; echo; echo the end; echo bad >&2"
        with open(self.work / "log", "w") as log:
            log.write("an earlier run\n")
            log.flush()
            self.run_job("sh", "-c", script, stdout=log)
        tails = dict(self.rows("SELECT stream, bytes FROM output_tail"))
        self.assertTrue(tails[1].endswith(b"x\nthe end\n"))
        self.assertEqual(len(tails[1]), 65536)
        self.assertNotIn(2, tails, "a pipe cannot be read back")
        with open(self.work / "log", "w") as log:
            self.run_job("sh", "-c", "echo small", stdout=log)
        self.assertEqual(self.rows("SELECT bytes FROM output_tail"), [(b"small\n",)])
        with open(self.work / "log", "w") as log:
            self.run_job("sh", "-c", "echo small", stdout=log, options=("--no-output-tail",))
        self.assertEqual(self.rows("SELECT bytes FROM output_tail"), [])

    def test_the_end_of_the_output_where_it_is_copied(self):
        script = "echo out; echo bad >&2; head -c 100000 /dev/zero | tr '\\0' x; echo; echo the end"
        done = self.run_job("sh", "-c", script, options=("--output-tail",))
        self.assertEqual((len(done.stdout), done.stderr), (100013, "bad\n"))
        tails = dict(self.rows("SELECT stream, bytes FROM output_tail"))
        self.assertEqual(tails[2], b"bad\n")
        self.assertEqual(tails[1], done.stdout.encode()[-65536:])

    def test_what_copies_the_output_may_die(self):
        script = "echo ready; sleep 0.5; i=0; while [ $i -lt 300 ]; do echo $i; i=$((i+1)); done; sleep 0.5; echo end"
        process = self.start_job("sh", "-c", script, options=("--output-tail",))
        process.stdout.readline()
        self.end_children(process, "gpusight-tail")
        time.sleep(0.7)
        self.end_children(process, "gpusight-tail")
        out, _ = process.communicate(timeout=harness.PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(out.endswith("299\nend\n"), out[-100:])

    def test_a_copied_output_outlives_the_launcher(self):
        process = self.start_job("sh", "-c", "echo ready; sleep 0.7; echo more; echo done >>log",
                                 options=("--output-tail",))
        process.stdout.readline()
        process.kill()
        out, _ = process.communicate(timeout=harness.PATIENCE)
        self.assertEqual(out, "more\n")
        self.assertEqual((self.work / "log").read_text(), "done\n")

    def end_children(self, process, name):
        for pid in harness.children(process.pid):
            if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == name:
                os.kill(pid, signal.SIGKILL)

    def test_processes_that_are_left_behind(self):
        # Long enough for a slow machine to see it; the fixture ends what is left.
        done = self.run_job("sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $! >left; sleep 1.2",
                            options=("--summary",))
        os.kill(int((self.work / "left").read_text()), signal.SIGKILL)
        self.assertIn("1 process of the job goes on", done.stderr)
        self.assertIn("Processes of it that go on: 1.", self.run_row()["end_text"])

    def test_the_card(self):
        self.run_job("sleep", "1.3", mode="with the fake driver")
        self.assertEqual([r[0] for r in self.rows("SELECT name FROM device")], ["NVIDIA H200"])
        self.assertGreaterEqual(self.rows("SELECT count(*) FROM frame")[0][0], 2)

    # Where it is

    def test_the_usual_place(self):
        prefix = [*self.modes["without a driver"], "--summary", "--"]
        done = subprocess.run([*prefix, "sh", "./hello"], cwd=self.work, env=self.environment(), text=True,
                              capture_output=True)
        files = list((self.work / "gpusight-runs").iterdir())
        self.assertEqual(len(files), 1)
        self.assertRegex(files[0].name, r"^\d{8}-\d{6}-sh\.gpusight$")
        self.assertIn(f"recording    gpusight-runs/{files[0].name} (", done.stderr)

    def test_nothing_is_overwritten(self):
        (self.base / "1.gpusight").write_text("precious")
        done = self.run_job("echo", "hello")
        self.assertEqual((done.returncode, done.stdout), (0, "hello\n"))
        self.assertRegex(done.stderr, r"^gpusight: \S+1\.gpusight exists and is kept; .*1-2\.gpusight\.\n$")
        self.assertEqual((self.base / "1.gpusight").read_text(), "precious")
        self.recording = self.base / "1-2.gpusight"
        self.assertEqual(self.run_row()["end_kind"], "exit")

    def test_a_folder_as_output(self):
        folder = self.base / "runs"
        folder.mkdir()
        done = subprocess.run([harness.PROGRAM, "run", "--nvml", "/no", "-o", str(folder), "--", "true"], cwd=self.work,
                              env=self.environment(), capture_output=True, text=True, timeout=harness.PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(" ".join(p.name for p in folder.iterdir()), r"^\d{8}-\d{6}-true\.gpusight$")
        self.assertEqual(sorted(p.name for p in self.base.iterdir() if p.name.startswith("runs")), ["runs"])

    def test_a_folder_that_is_missing(self):
        done = self.run_job("sh", "-c", "echo hello; exit 2", options=("-o", "none/there/x.gpusight"))
        self.assertEqual((done.returncode, done.stdout), (2, "hello\n"))
        self.assertRegex(done.stderr, r"^gpusight: .* cannot be written .*; the recording is put into .*gpusight-runs/.*\n$")
        self.assertEqual(done.stderr.count("\n"), 1)
        self.recording = next((self.work / "gpusight-runs").iterdir())
        self.assertEqual(self.run_row()["exit_code"], 2)

    @unittest.skipIf(os.geteuid() == 0 and not os.path.exists("/usr/bin/setpriv"), "root may write anywhere")
    def test_no_folder_that_can_be_written(self):
        self.work.chmod(0o555)
        self.base.chmod(0o555)
        self.addCleanup(self.base.chmod, 0o755)
        self.addCleanup(self.work.chmod, 0o755)
        lesser = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        words = [*lesser, *self.modes["without a driver"], "--", "sh", "-c", "echo hello; exit 2"]
        done = subprocess.run(words, cwd=self.work, env=self.environment(), text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (2, "hello\n"))
        self.assertRegex(done.stderr, r"^gpusight: nothing is recorded \(.*\)\. The command runs on\.\n$")

    def test_a_full_disk(self):
        words = "echo before; sleep 2.5; echo after; exit 4"
        done = subprocess.run(["sh", "-c", 'ulimit -f 40; exec "$@"', "sh", *self.recorded("with the fake driver"),
                               "sh", "-c", words], cwd=self.work, env=self.environment(), text=True,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (4, "before\nafter\n"))

    # Harm

    def test_a_recorder_that_is_killed(self):
        process = self.start_job("sh", "-c", "echo ready; sleep 1; echo done; exit 6", options=("--summary",))
        process.stdout.readline()
        self.wait_for(self.begun, "the recording")
        os.kill(self.child(process, "gpusight-record"), signal.SIGKILL)
        out, err = process.communicate(timeout=harness.PATIENCE)
        self.assertEqual((process.returncode, out), (6, "done\n"))
        self.assertRegex(err, r"^gpusight: the recorder ended early \(SIGKILL\); .*1\.gpusight holds")
        self.assertEqual(self.run_row()["name"], "sh")

    def test_a_recorder_that_hangs(self):
        process = self.start_job("sh", "-c", "echo ready; sleep 0.5; echo done; exit 6", options=("--summary",))
        process.stdout.readline()
        recorder = self.child(process, "gpusight-record")
        os.kill(recorder, signal.SIGSTOP)
        begin = time.monotonic()
        out, err = process.communicate(timeout=harness.PATIENCE)
        os.kill(recorder, signal.SIGKILL)
        self.assertEqual((process.returncode, out), (6, "done\n"))
        self.assertLess(time.monotonic() - begin, 6)
        self.assertIn("still writing", err)

    def test_nobody_waits_for_a_recorder_after_control_c(self):
        process = self.start_job("sh", "-c", "echo ready; sleep 0.5; exit 6")
        process.stdout.readline()
        recorder = self.child(process, "gpusight-record")
        os.kill(recorder, signal.SIGSTOP)
        time.sleep(0.8)  # the job has ended
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=harness.PATIENCE), 6)
        self.assertLess(time.monotonic() - begin, 1)
        os.kill(recorder, signal.SIGKILL)

    def test_a_launcher_that_is_killed(self):
        process = self.start_job("sh", "-c", "echo ready; sleep 1.5; echo done >>log; exit 6")
        process.stdout.readline()
        self.wait_for(self.begun, "the recording")
        process.kill()
        process.wait()
        self.wait_for((self.work / "log").exists, "the job to go on")
        self.wait_for(lambda: self.run_row()["end_kind"], "the recorder to finish")
        self.assertIn(self.run_row()["end_kind"], ("unknown", "exit"))

    def test_a_whole_group_that_is_killed(self):
        """kill -9 %1 in a shell: job and launcher die, and the recorder says so."""
        process = self.start_job("sh", "-c", "echo ready; sleep 20", start_new_session=True)
        process.stdout.readline()
        self.wait_for(self.begun, "the recording")
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.wait_for(lambda: self.run_row()["end_kind"], "the recorder to finish")
        self.assertIn(self.run_row()["end_kind"], ("unknown", "signal"))

    def test_grace_after_sigterm(self):
        """The job saves for two seconds after SIGTERM; nobody ends it before."""
        script = "trap 'sleep 2; echo saved; exit 7' TERM; echo ready; while :; do sleep 0.05; done"
        process = self.start_job("sh", "-c", script)
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=harness.PATIENCE)
        self.assertEqual((process.returncode, out), (7, "saved\n"))

    def test_every_process_of_a_service_is_told(self):
        """As systemd and Slurm end one: the job must get it once, not twice."""
        script = "import signal, time\nn = 0\n" \
                 "def got(s, f):\n    global n\n    n += 1\n" \
                 "signal.signal(signal.SIGTERM, got)\nprint('ready', flush=True)\n" \
                 "end = time.monotonic() + 1\nwhile time.monotonic() < end: time.sleep(0.02)\nprint(n)"
        process = self.start_job(sys.executable, "-c", script, start_new_session=True)
        process.stdout.readline()
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.getsid(int(name)) == process.pid:
                    os.kill(int(name), signal.SIGTERM)
            except ProcessLookupError:
                pass
        self.assertEqual(process.communicate(timeout=harness.PATIENCE)[0], "1\n")

    def test_pages_are_taken_away(self):
        done = self.run_job("sh", "-c", "echo $GPUSIGHT_PAGE_DIR; ls -ld $GPUSIGHT_PAGE_DIR | cut -c1-10")
        folder, mode = done.stdout.split()
        self.assertEqual(mode, "drwx------")
        self.assertFalse(os.path.exists(folder))

    def test_the_framework_layer_can_be_left_out(self):
        for options, env in ((("--no-framework",), {}), ((), {"GPUSIGHT": "0"})):
            done = self.run_job("sh", "-c", "echo ${GPUSIGHT_PAGE_DIR-none} ${PYTHONPATH-none}", options=options,
                                env=env)
            self.assertEqual(done.stdout, "none none\n")

    # Budget

    def test_a_budget_is_told_before_the_job_starts(self):
        done = self.run_job("sh", "-c", "echo $FLAGS_gpu_memory_limit_mb $XLA_PYTHON_CLIENT_MEM_FRACTION "
                            "$FLAGS_allocator_strategy $TF_FORCE_GPU_ALLOW_GROWTH",
                            options=("--memory-budget", "14GiB"), mode="with the fake driver",
                            env={"FLAGS_allocator_strategy": "naive_best_fit"})
        limit, share, strategy, growth = done.stdout.split()
        self.assertEqual((limit, strategy, growth), ("14336", "naive_best_fit", "true"))
        self.assertAlmostEqual(float(share), 14 / 140.4, places=3)
        self.assertIn("memory budget 14.0GiB: set FLAGS_gpu_memory_limit_mb=14336", done.stderr)
        self.assertIn("kept as you set them: FLAGS_allocator_strategy=naive_best_fit", done.stderr)

    def test_a_budget_without_a_driver(self):
        done = self.run_job("sh", "-c", "echo ${XLA_PYTHON_CLIENT_MEM_FRACTION-none}",
                            options=("--memory-budget", "8GiB"))
        self.assertEqual(done.stdout, "none\n")
        self.assertIn("JAX has no limit", done.stderr)

    # watch

    def watch(self, pid, *options):
        self.count += 1
        self.recording = self.base / f"{self.count}.gpusight"
        process = subprocess.Popen([harness.PROGRAM, "watch", str(pid), "--nvml", "/no/such/library", "-o",
                                    str(self.recording), *options], env=self.environment(), cwd=self.work,
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    def test_watch_records_a_job_that_runs(self):
        job = subprocess.Popen(["sh", "-c", "sleep 30 & wait"])
        self.addCleanup(job.wait)
        self.addCleanup(job.kill)
        watch = self.watch(job.pid, "--interval", "100ms")
        self.wait_for(lambda: self.begun() and "sleep" in dict(self.processes()).values(), "the job")
        watch.send_signal(signal.SIGINT)
        out, err = watch.communicate(timeout=harness.PATIENCE)
        self.assertEqual((watch.returncode, out), (0, ""))
        self.assertIn("and goes on", err)
        self.assertIsNone(job.poll(), "the job notices nothing")
        run = self.run_row()
        self.assertEqual((run["pid"], run["watched"], run["end_kind"]), (job.pid, 1, "running"))
        subprocess.run(["pkill", "-P", str(job.pid)], check=False)

    def test_watch_ends_with_the_job(self):
        job = subprocess.Popen(["sleep", "1"])
        watch = self.watch(job.pid)
        self.assertEqual(job.wait(), 0)
        _, err = watch.communicate(timeout=harness.PATIENCE)
        self.assertEqual(watch.returncode, 0)
        self.assertIn(self.run_row()["end_kind"], ("exit", "unknown"))
        self.assertRegex(err, "exit code 0|how it ended is not known")

    def test_watch_of_nobody(self):
        for word, what in (("999999999", "there is no process 999999999"), ("x", "'x' is not a process id"),
                           ("-1", "'-1'")):
            done = subprocess.run([harness.PROGRAM, "watch", word], capture_output=True, text=True,
                                  env=self.environment(), cwd=self.work)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(what, done.stderr)


if __name__ == "__main__":
    unittest.main()
