# SPDX-License-Identifier: Apache-2.0
"""The measurements that need no card: the frame of a large machine on the fake driver, what a line of
`log` costs, and what `top` writes while nothing or one thing changes. The processes of the made-up
machines are live ones that sleep, so that the host's probe reads what it would read."""

import json
import os
import subprocess

from measure import one_shot
from measure.watch import Tool, watch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORDING = os.path.join(ROOT, "testdata", "machines", "recordings", "h200.json")
DEVICES, PROCESSES = 8, 200
STEADY = {"utilization_percent": 87, "memory_activity_percent": 30, "power_watts": 610,
          "temperature_celsius": 61, "sm_clock_mhz": 1725}


class Sleepers:
    """`count` processes that do nothing, for as long as the block lasts."""

    def __init__(self, count: int):
        self.processes = [subprocess.Popen(["sleep", "3600"]) for _ in range(count)]
        self.pids = [process.pid for process in self.processes]

    def __enter__(self):
        return self.pids

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


def write_scenario(path: str, devices: int, placed: list, tracks: dict) -> dict:
    """A machine with `placed` = [(pid, device)]; returns the environment that names it."""
    processes = [{"pid": pid, "device": device, "memory_bytes": (64 + pid % 100) << 20, "sm_percent": 1}
                 for pid, device in placed]
    with open(path, "w") as file:
        json.dump({"devices": [{"recording": RECORDING, "copies": devices, "tracks": tracks}],
                   "processes": processes}, file)
    return {"GPUSIGHT_FAKE_SCENARIO": path}


def frames(programs: dict, environment: dict, names: str, interval_ms: int) -> dict:
    """{benchmark: its numbers}, the median of three repetitions."""
    command = [programs["frame"], programs["meter"], programs["fake"], str(interval_ms),
               f"--benchmark_filter=^({names})", "--benchmark_repetitions=3",
               "--benchmark_report_aggregates_only=true", "--benchmark_format=json"]
    answer = one_shot.output(command, environment, timeout=300)
    if "error" in answer:
        return answer
    found = {}
    for entry in answer["benchmarks"]:
        if entry.get("error_occurred"):
            return {"error": f"{entry['name']}: {entry.get('error_message')}"}
        if entry.get("aggregate_name") == "median":
            found[entry["run_name"].split("/")[0]] = entry
    return found


def large_machine(folder: str, programs: dict, ours: dict, interval_ms: int) -> dict:
    path = os.path.join(folder, "large.json")
    with Sleepers(DEVICES * PROCESSES) as pids:
        each = [(pid, i // PROCESSES) for i, pid in enumerate(pids)]
        environment = {**ours, **write_scenario(path, DEVICES, each, STEADY)}
        result = frames(programs, environment, "card|log", interval_ms)
        shared = [(pid, device) for device in range(DEVICES) for pid in pids[:PROCESSES]]
        environment = {**ours, **write_scenario(path, DEVICES, shared, STEADY)}
        answer = frames(programs, environment, "card_and_host|files", interval_ms)
    if "error" in result or "error" in answer:
        return {"error": result.get("error") or answer.get("error")}
    return {**result, "card_and_host_shared": answer["card_and_host"], "files": answer["files"]}


def screen(folder: str, programs: dict, ours: dict, seconds: float) -> dict:
    """Bytes a second that `top` writes to its terminal."""
    path = os.path.join(folder, "screen.json")
    result = {}
    moving = {"period": 2, "points": [[0, 500], [1, 600]]}
    with Sleepers(3) as pids:
        for name, tracks in (("nothing", STEADY), ("power", {**STEADY, "power_watts": moving})):
            environment = {**ours, **write_scenario(path, 1, [(pid, 0) for pid in pids], tracks)}
            command = [programs["gpusight"], "top", "--interval", "1s", "--nvml", programs["fake"]]
            result[name] = watch(Tool("top", command, environment, (160, 45)), seconds, 5)
    return result


def run(results: dict, save, programs: dict, ours: dict, folder: str, quick: bool) -> None:
    results["fake"] = {"devices": DEVICES, "processes": PROCESSES}
    results["fake"]["large"] = large_machine(folder, programs, ours, 200 if quick else 500)
    save()
    results["fake"]["top"] = screen(folder, programs, ours, 5 if quick else 10)
    save()
    print(f"  {json.dumps(results['fake'], indent=1)}", flush=True)
