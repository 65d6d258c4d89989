# SPDX-License-Identifier: Apache-2.0
"""What gpusight adds to the step time of a real training job: launch-bound, compute-bound, data-bound.
    python3 bench/overhead.py [--gpusight PROGRAM] [--only launch,compute,data] [--seconds 70]
                              [--block 0.04] [--outside] [--cpu] [--nvml LIBRARY] [--out FILE.json]
PROGRAM is a build's bin/gpusight, its Python package beside it (default: the first of build/*/bin).
Each job runs once, under `gpusight run` at one sample a second, and switches gpusight off and on
between short blocks of steps (overhead_job.py), so that what drifts meets both states. The figure is
the interquartile mean of the rounds' ratios of "all" to "none", since a virtual machine's pauses are
rare and long. It would lose what gpusight does once a second, so that is added as measured directly:
what blocks in which the recorder took a sample take longer than others of the same state, and the time
of the look at the allocator. Bounds are a bootstrap's over groups of rounds. The "control" compares
blocks without anything with each other: it must include 0. --outside measures a third state, without
the part inside. Prints a line for each job as it goes; FILE gets what bench/report.py reads, FILE.raw
all blocks. Exit code 0: all targets are met. Next: hooks.py."""

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
RESAMPLES = 1000
GROUP = 10           # rounds that are drawn together, for neighbours are alike
SAMPLE_CPU = 0.0005  # seconds of the recorder's CPU in a block that tell of a sample


def middle(values, cut=4):
    """Mean without the outer quarters."""
    values = sorted(values)
    outer = len(values) // cut
    return statistics.fmean(values[outer:len(values) - outer])


def sampled(rounds, state):
    """Whether and by how many seconds blocks with a sample of the recorder take longer: a second has one."""
    base = middle([blocks[state][0] for blocks in rounds])
    with_it = [blocks[state][0] - base for blocks in rounds if blocks[state][2] >= SAMPLE_CPU]
    return middle(with_it, 10) if len(with_it) >= 5 else 0.0


def ratios(rounds, state, base="none"):
    return [blocks[state][0] / blocks[base][0] - 1 for blocks in rounds]


def control(rounds):
    pairs = zip(rounds[0::2], rounds[1::2])
    return middle([(a if i % 2 else b)["none"][0] / (b if i % 2 else a)["none"][0] - 1 for i, (a, b) in enumerate(pairs)])


def estimate(rounds, figure):
    """The figure with its 95 % bounds."""
    groups = [rounds[i:i + GROUP] for i in range(0, len(rounds), GROUP)]
    order = random.Random(1)
    again = sorted(figure([one for group in order.choices(groups, k=len(groups)) for one in group])
                   for _ in range(RESAMPLES))
    return {"added": figure(rounds), "low": again[RESAMPLES // 40], "high": again[-RESAMPLES // 40 - 1]}


def compare(rounds, polls):
    """What "all" adds, and the parts of that."""
    poll = statistics.fmean(polls) if polls else 0.0
    blocks = [one["none"][0] for one in rounds]
    found = {"rounds": len(rounds),
             "all": estimate(rounds, lambda some: middle(ratios(some, "all")) + sampled(some, "all") + poll),
             "steady": estimate(rounds, lambda some: middle(ratios(some, "all"))),
             "sample": estimate(rounds, lambda some: sampled(some, "all")), "poll": poll,
             "cpu": estimate(rounds, lambda some: middle([o["all"][1] / o["none"][1] - 1 for o in some])),
             "control": estimate(rounds, control),
             "block_noise": statistics.stdev(blocks) / statistics.fmean(blocks)}
    if "outside" in rounds[0]:
        found["inside"] = estimate(rounds, lambda some: middle(ratios(some, "all", "outside")))
    return found


def run(kind, options, folder):
    output, recording = os.path.join(folder, kind + ".json"), os.path.join(folder, kind + ".gpusight")
    seconds = options.seconds / 2 if kind == "compute" else options.seconds  # the card keeps time
    command = [options.gpusight, "run", *(["--nvml", options.nvml] if options.nvml else []), "--no-summary",
               "-o", recording, "--", sys.executable, os.path.join(HERE, "overhead_job.py"), kind,
               str(seconds), str(options.block), output, "cpu" if options.cpu else "cuda",
               "none,outside,all" if options.outside else "none,all"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=options.seconds + 120)
    if done.returncode != 0 or not os.path.exists(output):
        return {"error": f"exit code {done.returncode}: {done.stderr[-1500:]}"}
    with open(output) as file:
        told = json.load(file)
    if options.out:
        with open(f"{options.out}.{kind}.raw", "w") as file:
            json.dump(told, file)
    found = compare(told["rounds"], told["polls"])
    blocks = [one["none"][0] for one in told["rounds"]]
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
    parts = [f"{name} {found[name]['added']:+.3%} [{found[name]['low']:+.3%}, {found[name]['high']:+.3%}]"
             for name in ("all", "steady", "sample", "inside", "cpu", "control") if name in found]
    return (f"{kind:8} {met(found)}: {'; '.join(parts)}; poll {found['poll']:.4%}; {found['rounds']} rounds of blocks of "
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
    parser.add_argument("--block", type=float, default=0.04, help="seconds of one")
    parser.add_argument("--outside", action="store_true")
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
