# SPDX-License-Identifier: Apache-2.0
"""Shared by the judges' tests: machines played by the fake driver whose processes really run, and what
each program says about them in one common form:

    {uuid: {"used": bytes, "total": bytes, "busy": percent, "celsius": n, "watts": n,
            "processes": {pid: {"memory": bytes or None, "sm": percent or None}}}}
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["GPUSIGHT_BUILD"])
SOURCE = pathlib.Path(os.environ["GPUSIGHT_SOURCE"])
MACHINES = SOURCE / "testdata" / "machines"
GPUSIGHT = BUILD / "bin" / "gpusight"
MIB = 1 << 20


def script(name):
    """A program of the judges' environment."""
    return pathlib.Path(sys.executable).parent / name


class Machine:
    """A scenario and as many sleeping processes as it names; {pid0}, {pid1}... stand for them."""

    def __init__(self, scenario, processes=0, variant=""):
        self.library = BUILD / "fake" / variant
        self.sleepers = [subprocess.Popen(["sleep", "600"]) for _ in range(processes)]
        self.pids = [sleeper.pid for sleeper in self.sleepers]
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "scenario.json"
        self.path.write_text(json.dumps(scenario(self.pids)))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for sleeper in self.sleepers:
            sleeper.kill()
            sleeper.wait()
        self.folder.cleanup()

    def run(self, command, check=True):
        environment = dict(os.environ, GPUSIGHT_FAKE_SCENARIO=str(self.path), LD_LIBRARY_PATH=str(self.library),
                           LC_ALL="C.UTF-8", PYTHONWARNINGS="ignore")
        result = subprocess.run([str(c) for c in command], env=environment, capture_output=True, text=True, timeout=60)
        if check and result.returncode != 0:
            raise AssertionError(f"{command} ended with {result.returncode}:\n{result.stdout}\n{result.stderr}")
        return result

    def judge(self, name, check=True):
        """What `ask_<name>` below finds, in a process of its own, because each loads the driver."""
        result = self.run([sys.executable, "-B", __file__, name], check)
        return json.loads(result.stdout, object_hook=_pids) if result.returncode == 0 else None

    def status(self):
        result = self.run([GPUSIGHT, "status", "--json", "--nvml", self.library / "libnvidia-ml.so.1"])
        return json.loads(result.stdout)


def _pids(value):
    return {int(k) if k.isdigit() else k: v for k, v in value.items()}


def from_status(status):
    percent = lambda ratio: None if ratio is None else round(ratio * 100)
    return {
        d["uuid"]: {
            "used": d["memory"]["used_bytes"], "total": d["memory"]["total_bytes"],
            "busy": percent(d["utilization_ratio"]), "celsius": d["temperature_celsius"], "watts": d["power_watts"],
            "processes": {p["pid"]: {"memory": p["used_bytes"], "sm": percent(p["sm_ratio"])} for p in d["processes"]},
        } for d in status["devices"]
    }


def ask_pynvml():
    import pynvml as n
    n.nvmlInit()
    found = {}
    for i in range(n.nvmlDeviceGetCount()):
        h = n.nvmlDeviceGetHandleByIndex(i)
        memory = n.nvmlDeviceGetMemoryInfo(h, version=n.nvmlMemory_v2)
        listed = {p.pid: p.usedGpuMemory for p in n.nvmlDeviceGetComputeRunningProcesses(h)}
        try:
            use = {s.pid: s.smUtil for s in n.nvmlDeviceGetProcessUtilization(h, 0)}
        except n.NVMLError_NotFound:
            use = {}
        found[n.nvmlDeviceGetUUID(h)] = {
            "used": memory.used, "total": memory.total, "busy": n.nvmlDeviceGetUtilizationRates(h).gpu,
            "celsius": n.nvmlDeviceGetTemperature(h, n.NVML_TEMPERATURE_GPU), "watts": n.nvmlDeviceGetPowerUsage(h) / 1000,
            "processes": {p: {"memory": m, "sm": use.get(p, 0)} for p, m in listed.items()},
        }
    n.nvmlShutdown()
    return found


def ask_nvitop():
    import nvitop
    known = lambda value: None if value == nvitop.NA else value
    found = {}
    for d in nvitop.Device.all():
        found[d.uuid()] = {
            "used": known(d.memory_used()), "total": known(d.memory_total()), "busy": known(d.gpu_utilization()),
            "celsius": known(d.temperature()), "watts": d.power_usage() / 1000,
            "processes": {pid: {"memory": known(p.gpu_memory()), "sm": known(p.gpu_sm_utilization())}
                          for pid, p in d.processes().items()},
        }
    return found


def ask_gpustat():
    import gpustat
    found = {}
    for g in gpustat.new_query():
        g = g.jsonify()
        found[g["uuid"]] = {
            "used": g["memory.used"] * MIB, "total": g["memory.total"] * MIB, "busy": g["utilization.gpu"],
            "celsius": g["temperature.gpu"], "watts": g["power.draw"],
            "processes": {p["pid"]: {"memory": None if p["gpu_memory_usage"] is None else p["gpu_memory_usage"] * MIB,
                                     "sm": None} for p in g["processes"]},
        }
    return found


if __name__ == "__main__":
    json.dump({"pynvml": ask_pynvml, "nvitop": ask_nvitop, "gpustat": ask_gpustat}[sys.argv[1]](), sys.stdout)
