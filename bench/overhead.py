# SPDX-License-Identifier: Apache-2.0
"""What gpusight adds to the step time of a real training job: launch-bound, compute-bound, data-bound.
    python3 bench/overhead.py [--gpusight PROGRAM] [--only launch,compute,data] [--seconds 70]
                              [--block 0.2] [--cpu] [--nvml LIBRARY] [--out FILE.json]
PROGRAM is a build's bin/gpusight, its Python package beside it (default: the first of build/*/bin).
Each job runs once, under `gpusight run` at one sample a second, and switches gpusight off and on
between blocks of steps (overhead_job.py). A unit is four blocks of each state in random order; its
ratio is that of their sums, so that what happens once a second counts as often as it happens. The
figure is the mean of the units' ratios without the outer tenths, its bounds are a bootstrap's. The
"control" compares blocks without anything with each other: it must include 0. Prints a line for each
job as it goes; FILE gets what bench/report.py reads. Exit code 0: all targets are met. Next: hooks.py."""

import argparse
import glob
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = ("launch", "compute", "data")
MOST, MOST_BOUND, MOST_HOOK = 0.003, 0.005, 2.0
RESAMPLES = 4000


def trimmed(values):
    values = sorted(values)
    cut = len(values) // 10
    return statistics.fmean(values[cut:len(values) - cut])


def estimate(ratios):
    """The figure with its 95 % bounds."""
    order = random.Random(1)
    again = sorted(trimmed(order.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return {"added": trimmed(ratios), "low": again[RESAMPLES // 40], "high": again[-RESAMPLES // 40 - 1],
            "median": statistics.median(ratios), "mean": statistics.fmean(ratios)}


def compare(units):
    """Of each unit the seconds of its blocks by state -> what "all" and the part inside add."""
    def ratios(state, base):
        return [sum(unit[state]) / sum(unit[base]) - 1 for unit in units]

    control = []
    for number, unit in enumerate(units):
        halves = sum(unit["none"][0::2]), sum(unit["none"][1::2])
        control.append(halves[number % 2] / halves[1 - number % 2] - 1)
    blocks = [seconds for unit in units for seconds in unit["none"]]
    return {"units": len(units), "all": estimate(ratios("all", "none")), "inside": estimate(ratios("all", "outside")),
            "control": estimate(control), "block_noise": statistics.stdev(blocks) / statistics.fmean(blocks)}


def run(kind, options, folder):
    output, recording = os.path.join(folder, kind + ".json"), os.path.join(folder, kind + ".gpusight")
    command = [options.gpusight, "run", *(["--nvml", options.nvml] if options.nvml else []), "--no-summary",
               "-o", recording, "--", sys.executable, os.path.join(HERE, "overhead_job.py"), kind,
               str(options.seconds), str(options.block), output, "cpu" if options.cpu else "cuda"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=options.seconds + 120)
    if done.returncode != 0 or not os.path.exists(output):
        return {"error": f"exit code {done.returncode}: {done.stderr[-1500:]}"}
    with open(output) as file:
        told = json.load(file)
    found = compare(told["units"])
    blocks = [seconds for unit in told["units"] for seconds in unit["none"]]
    found["step_us"] = statistics.median(blocks) / told["steps_in_a_block"] * 1e6
    found["steps_in_a_block"] = told["steps_in_a_block"]
    found["recording_bytes"] = os.path.getsize(recording)
    return found


def hook(options):
    """Microseconds that the hooks take of a step with one batch."""
    package = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(options.gpusight))), "python")
    done = subprocess.run([sys.executable, os.path.join(HERE, "hooks.py"), package, "--json"], capture_output=True,
                          text=True, check=False, timeout=120)
    return json.loads(done.stdout) if done.stdout else {"error": done.stderr[-1500:]}


def line(kind, found):
    if "error" in found:
        return f"{kind:8} {found['error']}"
    parts = [f"{name} {one['added']:+.3%} [{one['low']:+.3%}, {one['high']:+.3%}]"
             for name, one in ((n, found[n]) for n in ("all", "inside", "control"))]
    return (f"{kind:8} {met(found)}: {'; '.join(parts)}; {found['units']} units of 12 blocks of "
            f"{found['steps_in_a_block']} steps of {found['step_us']:.0f} µs, block noise {found['block_noise']:.1%}")


def met(found):
    good = "all" in found and found["all"]["added"] <= MOST and found["all"]["high"] <= MOST_BOUND
    return "met" if good else "MISSED"


def machine(cpu):
    found = {"cpus": os.cpu_count(), "python": platform.python_version(), "time": time.strftime("%Y-%m-%d")}
    import torch
    found["torch"] = torch.__version__
    found["device"] = "cpu" if cpu else torch.cuda.get_device_name()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpusight", default=next(iter(sorted(glob.glob(
        os.path.join(HERE, "..", "build", "*", "bin", "gpusight")), key=lambda p: "release" not in p)), None))
    parser.add_argument("--only", default=",".join(JOBS))
    parser.add_argument("--seconds", type=float, default=70, help="of each job's blocks")
    parser.add_argument("--block", type=float, default=0.2, help="seconds of one")
    parser.add_argument("--nvml")
    parser.add_argument("--cpu", action="store_true", help="without a card: tries the method itself")
    parser.add_argument("--out")
    options = parser.parse_args()
    if options.gpusight is None:
        sys.exit("no built gpusight; name one with --gpusight")
    results = {"machine": machine(options.cpu), "hook_us": hook(options), "jobs": {}}
    print(f"hooks    {json.dumps(results['hook_us'])}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.only.split(","):
            results["jobs"][kind] = run(kind, options, folder)
            print(line(kind, results["jobs"][kind]), flush=True)
            if options.out:  # what is known by now
                with open(options.out, "w") as file:
                    json.dump({"in_job": results}, file, indent=1)
                    file.write("\n")
    good = all(met(found) == "met" for found in results["jobs"].values())
    return 0 if good and results["hook_us"].get("step with one batch", MOST_HOOK + 1) <= MOST_HOOK else 1


if __name__ == "__main__":
    sys.exit(main())
