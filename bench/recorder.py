# SPDX-License-Identifier: Apache-2.0
"""What `gpusight run` itself costs beside a job: CPU of all its processes and growth of its file, one
sample a second of a job with a main process that trains (pages, steps, stacks) and workers.
    python3 bench/recorder.py PROGRAM [--workers 15] [--seconds 60] [--warm 8] [--nvml LIBRARY] [--json]
    python3 bench/recorder.py PROGRAM --out FILE.json [--kills 1000] [--seconds 60] [--nvml LIBRARY]
PROGRAM is bin/gpusight of a release build, its Python package beside it. CPU is the kernel's nanosecond
clock of each thread, after a warm-up. Targets: 0.3 % of a core with 16 processes; 1.5 KiB a second and
device of file with five (--workers 4). The second form measures both, the start of a job (start.py) and,
with bench_recording beside PROGRAM, kills (recording.py), and writes what report.py reads. Next:
recording.py, which measures the writer alone."""

import argparse
import glob
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

from measure.fake import STEADY, Sleepers, write_scenario

MOST_CPU, MOST_BYTES = 0.003, 1536
JOB = """
import os, subprocess, sys, time
import gpusight
from gpusight import _recorder
workers = [subprocess.Popen([sys.executable, "-S", "-c", '''
import time
x = bytearray(8 << 20)
while True:
    sum(range(20000)); time.sleep(0.05)
''']) for _ in range(int(sys.argv[1]))]
gpusight.attach()
def Forward(n): time.sleep(0.008 + n * 0.0001)
def Backward(n): time.sleep(0.009)
def Save(): time.sleep(0.003)
end, n = time.time() + float(sys.argv[2]), 0
while time.time() < end:
    Forward(n % 7)
    Backward(n % 5)
    if n % 20 == 0: Save(); gpusight.metric("loss", 1 / (n + 1))
    gpusight.step(); n += 1
for worker in workers: worker.kill()
for worker in workers: worker.wait()
"""


def threads_of(pid):
    return glob.glob(f"/proc/{pid}/task/*/schedstat")


def cpu_seconds(pids):
    total = 0
    for pid in pids:
        for path in threads_of(pid):
            try:
                with open(path) as file:
                    total += int(file.read().split()[0])
            except OSError:
                pass
    return total / 1e9


def helpers(pid):
    """The recorder's own children: what carries its program."""
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with open(path) as file:
            children = file.read().split()
        for child in children:
            try:
                if os.readlink(f"/proc/{child}/exe") == os.readlink(f"/proc/{pid}/exe"):
                    found.append(int(child))
            except OSError:
                pass
    return found


def measure(program, workers, seconds, warm, options):
    """On a fake driver the card is held by as many processes, which are others: the job's are not known
    when it reads its scenario."""
    with tempfile.TemporaryDirectory() as folder, Sleepers(workers + 1 if options else 0) as others:
        job, path = os.path.join(folder, "job.py"), os.path.join(folder, "run.gpusight")
        with open(job, "w") as file:
            file.write(JOB)
        fake = write_scenario(os.path.join(folder, "scenario.json"), 1, [(pid, 0) for pid in others], STEADY)
        process = subprocess.Popen([program, "run", *options, "--no-summary", "-o", path, "--", sys.executable, job,
                                    str(workers), str(warm + seconds + 3)], stdin=subprocess.DEVNULL,
                                   env={**os.environ, **fake})
        time.sleep(warm)
        pids = [process.pid, *helpers(process.pid)]
        begin, size, cpu = time.monotonic(), os.path.getsize(path), cpu_seconds(pids)
        time.sleep(seconds)
        elapsed, spent = time.monotonic() - begin, cpu_seconds(pids) - cpu
        grown = os.path.getsize(path) - size
        process.wait()
        return {"processes": workers + 1, "seconds": elapsed, "share_of_a_core": spent / elapsed,
                "bytes_per_second": grown / elapsed, "exit_code": process.returncode}


def everything(options, nvml):
    here = os.path.dirname(os.path.abspath(__file__))
    program = os.path.abspath(options.program)

    def script(name, *words):
        done = subprocess.run([sys.executable, os.path.join(here, name), *words], capture_output=True, text=True,
                              check=False)
        return json.loads(done.stdout)

    found = {"machine": {"cpus": os.cpu_count(), "kernel": platform.release(), "time": time.strftime("%Y-%m-%d"),
                         "card": not nvml},
             "sixteen": measure(program, 15, options.seconds, options.warm, nvml),
             "five": measure(program, 4, options.seconds, options.warm, nvml),
             "start": script("start.py", program, "--pairs", "60", "--json", *nvml)}
    writer = os.path.join(os.path.dirname(program), "bench_recording")
    if options.kills and os.path.exists(writer):
        found["kills"] = script("recording.py", writer, "--seconds", "2", "--kills", str(options.kills))["kills"]
    with open(options.out, "w") as file:
        json.dump({"recorder": found}, file, indent=1)
        file.write("\n")
    print(json.dumps(found, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=8)
    parser.add_argument("--nvml", help="the driver's library; the machine's own unless told")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", help="measure everything and write it here")
    parser.add_argument("--kills", type=int, default=1000)
    options = parser.parse_args()
    nvml = ["--nvml", os.path.abspath(options.nvml)] if options.nvml else []
    if options.out:
        return everything(options, nvml)
    found = measure(os.path.abspath(options.program), options.workers, options.seconds, options.warm, nvml)
    met = found["exit_code"] == 0 and found["share_of_a_core"] <= MOST_CPU
    if options.workers <= 4:
        met = met and found["bytes_per_second"] <= MOST_BYTES
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print(f"{found['processes']} processes: {found['share_of_a_core']:.3%} of a core, "
              f"{found['bytes_per_second']:.0f} B/s of file: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
