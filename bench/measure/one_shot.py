# SPDX-License-Identifier: Apache-2.0
"""What one run of a short command costs, and what of it is the driver's initialisation."""

import json
import os
import statistics
import struct
import subprocess

RECORD = struct.Struct("64s4Q")  # bench/meter.h


def spawn(spawner: str, command: list, environment: dict) -> dict:
    """One run: wall_ms, user_ms, system_ms, peak_kib, exit."""
    result = output([spawner, *command], environment)
    if result.get("exit", 0) != 0:
        result["error"] = f"exit {result['exit']}"
    return result


def medians(runs: list) -> dict:
    good = [run for run in runs if "error" not in run]
    result = {"runs": len(good), "failed": len(runs) - len(good)}
    if len(good) < len(runs):
        result["error"] = next(run["error"] for run in runs if "error" in run)
    if good:
        for key in good[0]:
            values = [run[key] for run in good]
            result[key] = statistics.median(values)
            if key in ("wall_ms", "total_ms"):
                result[key + "_range"] = [min(values), max(values)]
    return result


def output(command: list, environment: dict, timeout: float = 60) -> dict:
    """The JSON object that one of our own programs prints."""
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=timeout)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": f"exit {done.returncode}: {(done.stdout + done.stderr).strip()[-400:]}"}


def metered(spawner: str, command: list, environment: dict, counters: str) -> dict:
    """One run with the driver behind the meter: which calls it made and what each cost."""
    result = spawn(spawner, command, {**environment, "GPUSIGHT_METER_OUT": counters})
    calls = []
    with open(counters, "rb") as file:
        data = file.read()
    for offset in range(0, len(data), RECORD.size):
        name, count, failures, cpu_ns, wall_ns = RECORD.unpack_from(data, offset)
        if count:
            calls.append({"name": name.rstrip(b"\0").decode(), "calls": count,
                          "failures": failures, "cpu_ms": cpu_ns / 1e6, "wall_ms": wall_ns / 1e6})
    result["calls"] = sorted(calls, key=lambda call: -call["wall_ms"])
    return result
