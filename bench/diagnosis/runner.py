# SPDX-License-Identifier: Apache-2.0
"""Runs one job under `gpusight run` and asks `gpusight why` about the recording. What happened becomes
one object of results.jsonl. Next: __main__.py, score.py."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
COMPANIONS = {"gpu_neighbour"}  # programs that need another one outside the job


class Runner:
    def __init__(self, options):
        self.options, self.folder = options, pathlib.Path(options.out)
        self.folder.mkdir(parents=True, exist_ok=True)

    def command(self, job) -> list:
        program = ROOT / "examples" / "faults" / f"{job.program}.py"
        found = [self.options.python, str(program), "--model", job.model, "--seed", str(job.seed), "--severity",
                 job.severity, "--seconds", f"{job.seconds:g}", "--device", self.options.device, *job.more]
        return found + ["--fix"] * job.fix

    def recording(self, job) -> pathlib.Path:
        return self.folder / f"{job.name}.gpusight"

    def run(self, job) -> dict:
        recording = self.recording(job)
        for old in (recording, recording.with_name(recording.name + "-journal")):
            old.unlink(missing_ok=True)
        environ, beside = dict(os.environ), None
        if job.program in COMPANIONS:
            environ["FAULT_COMPANION"] = "1"
            if not job.fix:
                beside = subprocess.Popen([*self.command(job), "--companion", "--seconds", "3600"],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        command = [self.options.gpusight, "run", "-o", str(recording), "-i", self.options.interval,
                   "--no-summary", "--tag", f"rule={job.expected}", "--tag", f"job={job.name}", "--", *self.command(job)]
        begun = time.time()
        limit = job.seconds * 4 + self.options.patience
        process = subprocess.Popen(command, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   errors="replace", start_new_session=True)
        try:
            output = process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            output = self.stop(process)
        if beside:
            beside.kill()
            beside.wait()
        result = {"job": job.name, "program": job.program, "rule": job.rule, "expected": job.expected,
                  "model": job.model, "seed": job.seed, "fix": job.fix, "severity": job.severity,
                  "seconds": job.seconds, "more": list(job.more), "begun": begun,
                  "wall": round(time.time() - begun, 2), "exit": process.returncode,
                  "skipped": process.returncode == SKIPPED, "told": told(output),
                  "recording": recording.name if recording.exists() else None,
                  "bytes": recording.stat().st_size if recording.exists() else 0}
        if result["told"] is None:
            result["output"] = output[-2000:]
        if not self.options.record_only and recording.exists() and not result["skipped"]:
            result["why"] = self.why(recording)
        return result

    @staticmethod
    def stop(process) -> str:
        """Ends this job, and it alone: its session is its own."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                return process.communicate(timeout=10)[0]
            except (subprocess.TimeoutExpired, ProcessLookupError):
                continue
        return ""

    def why(self, recording) -> dict:
        begun = time.perf_counter()
        done = subprocess.run([self.options.gpusight, "why", "--json", str(recording)], capture_output=True, text=True,
                              timeout=120)
        try:
            answer = json.loads(done.stdout)
            answer["asked_seconds"] = round(time.perf_counter() - begun, 3)
            return answer
        except ValueError:
            return {"error": (done.stderr or done.stdout)[-500:], "exit": done.returncode}


def told(output: str):
    """The job's own last line."""
    for line in reversed(output.splitlines()):
        if line.startswith('{"rule"'):
            try:
                return json.loads(line)
            except ValueError:
                return None
    return None


def default_gpusight() -> str:
    for place in ("build/release/bin/gpusight", "build/debug/bin/gpusight"):
        if (ROOT / place).exists():
            return str(ROOT / place)
    return "gpusight"


def default_python() -> str:
    return sys.executable
