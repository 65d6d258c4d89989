# SPDX-License-Identifier: Apache-2.0
"""What recording costs, and what kill -9 costs a recording. Usage:

    bench/recording.py PROGRAM [--kills 1000] [--parallel 8] [--folder DIR] [--seconds 60]

PROGRAM is bench_recording (recording.cc). Each kill: a recorder of its own takes ten frames a second and
is killed at a random moment; then every frame that was taken more than a second before must be in its
file. Prints JSON. Next: recording.cc."""

import argparse
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import tempfile
import time

LONGEST = 5.0  # seconds that a recorder lives
ALLOWED = 1.0  # seconds that may be lost


def kill_once(program, folder, number, wait):
    """(opened and whole, a commit was cut, seconds lost)"""
    path = os.path.join(folder, f"{number}.gpusight")
    recorder = subprocess.Popen([program, "write", path, "60", "0.1", "2", "8"], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
    recorder.stdout.readline()  # the first frame
    time.sleep(wait)
    killed = time.time_ns()
    recorder.send_signal(signal.SIGKILL)
    taken = [int(line) for line in recorder.stdout.read().split() if line.isdigit()]
    recorder.wait()
    must = [frame for frame in taken if frame <= killed - ALLOWED * 1e9]
    journal = path + "-journal"
    cut = os.path.exists(journal) and os.path.getsize(journal) > 0
    done = subprocess.run([program, "check", path, str(must[-1] if must else 0)], capture_output=True, text=True,
                          check=False)
    if not must and "is empty" in done.stdout:  # killed before its first commit
        done.returncode = 0
    lost = 0.0
    if done.returncode == 0 and must:
        lost = max(0.0, (killed - must[-1]) / 1e9 + float(done.stdout.split()[2]))
    elif done.returncode != 0:
        print(f"kill {number} after {wait:.3f} s: {done.stdout.strip()} {done.stderr.strip()}", flush=True)
    for name in (path, journal):
        if os.path.exists(name):
            os.unlink(name)
    return done.returncode == 0, cut, lost


def kills(program, count, parallel, folder):
    random.seed(1)
    waits = [random.uniform(0.0, LONGEST) for _ in range(count)]
    with concurrent.futures.ThreadPoolExecutor(parallel) as pool:
        results = list(pool.map(lambda n: kill_once(program, folder, n, waits[n]), range(count)))
    return {"kills": count, "failed": sum(not good for good, _, _ in results),
            "commits_cut": sum(cut for _, cut, _ in results),
            "longest_loss_seconds": round(max(lost for _, _, lost in results), 3)}


def cost(program, folder, seconds):
    """One job with a rank and 15 workers on one device, one frame a second."""
    path = os.path.join(folder, "cost.gpusight")
    done = subprocess.run([program, "write", path, str(seconds), "1", "1", "16"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=True)
    os.unlink(path)
    found = json.loads(done.stderr)
    both = found["writer_cpu_seconds"] + found["sampler_cpu_seconds"]
    return {**found, "share_of_a_core": round(both / found["seconds"], 5)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--parallel", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        result = {"cost": cost(options.program, folder, options.seconds)}
        if options.kills:
            result["kills"] = kills(options.program, options.kills, options.parallel, folder)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
