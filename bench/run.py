# SPDX-License-Identifier: Apache-2.0
"""The harness behind bench/run.sh: finds the programs, asks whether there is a card, runs the
measurements that the machine allows and writes results.json (numbers) and results.md (tables).
Next: measure/card.py, measure/fake.py, report.py."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import traceback

import report
from measure import card, fake, one_shot

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def programs_in(pack: str | None) -> tuple:
    """Paths of our programs, and the environment they need (carried libraries)."""
    if pack:
        pack = os.path.abspath(pack)
        paths = {"bin": f"{pack}/bin", "meter": f"{pack}/bench", "fake": f"{pack}/fake"}
        libraries = [f"{pack}/lib", os.environ.get("LD_LIBRARY_PATH", "")]
        ours = {"LD_LIBRARY_PATH": ":".join(filter(None, libraries))}
        site = [f"{pack}/site", os.environ.get("PYTHONPATH", "")]  # the peers
        os.environ["PYTHONPATH"] = ":".join(filter(None, site))
    else:
        build = f"{ROOT}/build/bench"
        paths = {"bin": f"{build}/bin", "meter": f"{build}/bench", "fake": f"{build}/fake"}
        ours = {}
    programs = {name: f"{paths['bin']}/bench_{name}"
                for name in ("nvml_cost", "driver_init", "status_calls", "spawn", "frame")}
    programs["gpusight"] = f"{paths['bin']}/gpusight"
    programs["meter"] = f"{paths['meter']}/libnvidia-ml-meter.so"
    programs["fake"] = f"{paths['fake']}/libnvidia-ml.so.1"
    return programs, ours


def machine(programs: dict, ours: dict) -> dict:
    found = {"kernel": platform.release(), "cpus": os.cpu_count(), "python": platform.python_version(),
             "time": time.strftime("%Y-%m-%d")}
    with open("/proc/cpuinfo") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    found["cpu"] = models[0] if models else platform.machine()
    with open("/etc/os-release") as file:
        release = dict(line.strip().split("=", 1) for line in file if "=" in line)
    found["system"] = release.get("PRETTY_NAME", "").strip('"')
    init = one_shot.output([programs["driver_init"], "libnvidia-ml.so.1"], ours)
    if "error" in init:
        return found
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        cards = subprocess.run(query, capture_output=True, text=True, timeout=30).stdout.strip()
    except OSError:
        cards = "unknown"
    found["cards"] = cards.splitlines()
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/run.sh", description=__doc__)
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "bench", "results"))
    parser.add_argument("--quick", action="store_true", help="one short round: does it work at all")
    parser.add_argument("--pack", help="a folder made by bench/pack.sh; nothing is built")
    parser.add_argument("--only", 
                        help="parts to run, by commas: raw,once,steady (these need a card), fake; "
                             "otherwise the three where there is a card, and fake where there is none")
    parser.add_argument("--no-load", action="store_true", help="measure an idle card")
    parser.add_argument("--seconds", type=float, default=20, help="of one steady measurement")
    parser.add_argument("--rounds", type=int, default=2, help="of steady measurements")
    parser.add_argument("--budget", type=float, default=500, help="seconds after which no round begins")
    return parser.parse_args()


def main() -> int:
    begin = time.monotonic()
    options = arguments()
    if options.quick:
        options.seconds, options.rounds = min(options.seconds, 6), 1
    os.makedirs(options.out, exist_ok=True)
    programs, ours = programs_in(options.pack)
    results = {"schema": 1, "quick": options.quick, "machine": machine(programs, ours)}
    with_card = "cards" in results["machine"]
    parts = set((options.only or ("raw,once,steady" if with_card else "fake")).split(","))

    def save() -> None:
        results["seconds"] = time.monotonic() - begin
        with open(os.path.join(options.out, "results.json"), "w") as file:
            json.dump(results, file, indent=1)
            file.write("\n")

    save()
    print(f"machine: {results['machine']}", flush=True)

    def part(name: str, title: str, measure) -> None:
        """One part; what goes wrong in it does not cost the others."""
        if name not in parts:
            return
        print(title, flush=True)
        try:
            measure()
        except Exception as error:  # whatever a peer or a machine comes up with
            traceback.print_exc()
            results.setdefault("errors", {})[name] = f"{type(error).__name__}: {error}"
        save()

    if with_card and parts & {"raw", "once", "steady"}:
        with card.Load(options.no_load) as load:
            results["load"] = load.running
            part("raw", "raw cost of the driver", lambda: card.raw(
                results, save, programs, ours, 8 if options.quick else 20))
            part("once", "one-shot runs", lambda: card.once(
                results, save, programs, ours, 4 if options.quick else 20, options.out))
            part("steady", "steady runs", lambda: card.steady(
                results, save, card.tools(programs["gpusight"], ours, load.pid), options.seconds, 4,
                options.rounds, begin + options.budget))
    elif parts & {"raw", "once", "steady"}:
        print("no usable card: no measurements beside peers", flush=True)
    part("fake", "fake driver", lambda: fake.run(
        results, save, programs, ours, options.out, options.quick))
    save()
    text = report.tables(results)
    with open(os.path.join(options.out, "results.md"), "w") as file:
        file.write(text)
    print(text)
    return 1 if "errors" in results else 0


if __name__ == "__main__":
    sys.exit(main())
