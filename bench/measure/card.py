# SPDX-License-Identifier: Apache-2.0
"""The measurements that need a real card: gpusight beside its peers under one load, the raw cost of
the driver, and one-shot runs. Each stores its part in `results` and calls `save`, so that a run
that is cut short keeps what it has."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import time

from measure import one_shot
from measure.watch import Tool, watch

HERE = os.path.dirname(os.path.abspath(__file__))
TERMINAL = (160, 45)


# Fields of `log` that make it sample GPM.
GPM_FIELDS = {"gr_active", "sm", "occupancy", "tensor", "tensor_half", "tensor_double", "tensor_int",
              "fp64", "fp32", "fp16", "int", "dram", "pcie_rx", "pcie_tx", "nvlink_rx", "nvlink_tx"}


# Fields of `log` that make it drain the driver's rings of samples.
RING_FIELDS = {"util_mean", "util_max", "idle", "power_mean", "power_max"}


def log_fields(binary: str, ours: dict) -> list:
    """The names of all fields that `log` knows, as it lists them itself."""
    text = subprocess.run([binary, "log", "--fields", "help"], env={**os.environ, **ours},
                          capture_output=True, text=True, check=True).stdout
    fields = re.findall(r"^  (\w+) ", text, re.M)
    missing = (GPM_FIELDS | RING_FIELDS) - set(fields)
    if missing:
        raise RuntimeError(f"log has no fields {sorted(missing)} any more")
    return fields


def tools(binary: str, ours: dict, pid: int) -> list:
    """Everything at one sample a second. Peers that are not installed report that themselves.
    `log` samples what its fields need: all of them and a process mean processes, host facts, the
    driver's rings, events and GPM."""
    python = sys.executable
    log = [binary, "log", "--interval", "1s", "-o", "/dev/null"]
    fields = log_fields(binary, ours)
    everything = ["--pid", str(pid), "--fields", ",".join(fields)]

    def without(left_out: set) -> list:
        return ["--pid", str(pid), "--fields", ",".join(f for f in fields if f not in left_out)]

    found = [
        Tool("gpusight log, everything", [*log, *everything], ours),
        Tool("gpusight log, without GPM", [*log, *without(GPM_FIELDS)], ours),
        Tool("gpusight log, without GPM and rings", [*log, *without(GPM_FIELDS | RING_FIELDS)], ours),
        Tool("gpusight log", log, ours),
        Tool("gpusight top", [binary, "top", "--interval", "1s"], ours, TERMINAL),
        Tool("nvidia-smi dmon", ["nvidia-smi", "dmon", "-d", "1"]),
        Tool("nvidia-smi -l 1", ["nvidia-smi", "-l", "1"]),
        Tool("nvitop", [python, "-m", "nvitop", "--monitor", "full", "--interval", "1"], {}, TERMINAL),
        Tool("gpustat -i 1", [python, "-m", "gpustat", "-i", "1"], {}, TERMINAL),
    ]
    if shutil.which("nvtop"):
        found.append(Tool("nvtop", ["nvtop", "-d", "10"], {}, TERMINAL))
    return found


class Load:
    """One training process and one that only holds memory. Where they cannot start, the card is
    measured idle, and the results say so."""

    def __init__(self, idle: bool):
        load = os.path.join(HERE, "load.py")
        kinds = () if idle else (["train"], ["hold", "2048"])
        self.processes = [
            subprocess.Popen([sys.executable, load, *arguments], stdout=subprocess.PIPE, text=True)
            for arguments in kinds]
        self.running = False
        self.pid = os.getpid()  # whose host facts `log` shows

    def __enter__(self):
        ready = [process.stdout.readline().strip() == "READY" for process in self.processes]
        self.running = bool(ready) and all(ready)
        if self.running:
            self.pid = self.processes[0].pid
            time.sleep(2)
        elif ready:
            print("the load did not start; measuring an idle card", flush=True)
            self.__exit__()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def summary(rounds: list) -> dict:
    good = [entry for entry in rounds if "error" not in entry]
    result = {"rounds": rounds}
    if good:
        for key in good[0]:
            result[key] = statistics.median(entry[key] for entry in good)
    else:
        result["error"] = rounds[-1]["error"]
    return result


def steady(results: dict, save, found: list, seconds: float, warm: float, rounds: int,
           deadline: float) -> None:
    """Each tool alone, in rounds that alternate their order, until `deadline` (monotonic)."""
    measured = {tool.name: [] for tool in found}
    for number in range(rounds):
        order = found if number % 2 == 0 else list(reversed(found))
        if number > 0 and time.monotonic() + len(order) * (seconds + warm + 1) > deadline:
            results["note"] = f"only {number} of {rounds} rounds: out of time"
            break
        for tool in order:
            measured[tool.name].append(watch(tool, seconds, warm))
            results["steady"] = {n: summary(r) for n, r in measured.items() if r}
            save()
            print(f"  {tool.name}: {measured[tool.name][-1]}", flush=True)


def raw(results: dict, save, programs: dict, ours: dict, ticks: int) -> None:
    """CPU of one sample beside the driver calls it makes, at 1 Hz in one process."""
    results["raw"] = {}
    for name, flags in (("default", []), ("no_gpm", ["--no-gpm"])):
        command = [programs["nvml_cost"], "--meter", programs["meter"], "--ticks", str(ticks), *flags]
        results["raw"][name] = one_shot.output(command, ours, timeout=ticks * 2 + 60)
        save()
        shown = {k: v for k, v in results["raw"][name].items() if k not in ("calls", "probes")}
        print(f"  {name}: {shown}", flush=True)


def once(results: dict, save, programs: dict, ours: dict, repetitions: int, folder: str) -> None:
    """`status` beside driver initialisation, interleaved; then which calls `status` makes."""
    spawner, library = programs["spawn"], "libnvidia-ml.so.1"
    status = [programs["gpusight"], "status"]
    runs = {"status": [], "driver_init": [], "driver_init_process": [], "status_calls_only": [],
            "status_calls_process": []}
    calls, first = [programs["status_calls"], library], {}
    for _ in range(repetitions):
        runs["status"].append(one_shot.spawn(spawner, status, ours))
        runs["driver_init"].append(one_shot.output([programs["driver_init"], library], {}))
        runs["driver_init_process"].append(
            one_shot.spawn(spawner, [programs["driver_init"], library], {}))
        runs["status_calls_process"].append(one_shot.spawn(spawner, calls, ours))
        only = one_shot.output(calls, ours)
        for call in only.pop("calls", []):
            first.setdefault(call["name"], []).append(call["ms"])
        runs["status_calls_only"].append(only)
    results["one_shot"] = {name: one_shot.medians(entries) for name, entries in runs.items()}
    results["one_shot"]["status_calls_only"]["calls"] = [
        {"name": name, "ms": statistics.median(times)} for name, times in first.items()]
    save()
    python = sys.executable
    peers = {"nvidia-smi": ["nvidia-smi"], "gpustat": [python, "-m", "gpustat"],
             "nvitop -1": [python, "-m", "nvitop", "-1"]}
    for name, command in peers.items():
        results["one_shot"][name] = one_shot.medians(
            [one_shot.spawn(spawner, command, {}) for _ in range(3)])
    results["one_shot"]["status_calls"] = one_shot.metered(
        spawner, [*status, "--nvml", programs["meter"]], ours, os.path.join(folder, "meter.bin"))
    save()
    for name, entry in results["one_shot"].items():
        print(f"  {name}: {entry}", flush=True)
