# SPDX-License-Identifier: Apache-2.0
"""How much later a job starts, and how much later its shell goes on, under `gpusight run`.

Starts the same small program with and without gpusight in turn. The program writes one byte at its
start: the time from fork to that byte is the start, the time from its end to the end of gpusight is
what the summary and the last writes take. Target: the start adds at most 30 ms (median).

    python3 bench/start.py build/release/bin/gpusight [--pairs 100] [--nvml LIBRARY] [--json]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TARGET_MS = 30
JOB = ["sh", "-c", "echo; exec sleep 0.05"]


def once(prefix: list, environment: dict) -> tuple:
    """Milliseconds until the job's first byte, and from its last to the end of all."""
    begin = time.perf_counter()
    process = subprocess.Popen([*prefix, *JOB], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env=environment)
    process.stdout.read(1)
    first = time.perf_counter()
    process.stdout.read()  # the job has closed it, and nobody else holds it
    last = time.perf_counter()
    process.wait()
    process.stdout.close()
    return (first - begin) * 1e3, (time.perf_counter() - last) * 1e3


def measure(program: str, pairs: int, options: list, environment: dict) -> dict:
    plain, recorded = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(pairs + 1):
            prefix = [program, "run", *options, "-o", f"{folder}/{number}.gpusight", "--"]
            # In turn, and each first as often as the other, so that what drifts meets both.
            order = (([], plain), (prefix, recorded))
            for words, results in order if number % 2 else reversed(order):
                results.append(once(words, environment))
    del plain[0], recorded[0]  # cold
    starts = [b[0] - a[0] for a, b in zip(plain, recorded)]
    ends = [b[1] - a[1] for a, b in zip(plain, recorded)]
    return {"pairs": pairs, "plain_start_ms": statistics.median(p[0] for p in plain),
            "added_start_ms": statistics.median(starts),
            "added_start_p95_ms": statistics.quantiles(starts, n=20)[-1],
            "added_end_ms": statistics.median(ends), "added_end_p95_ms": statistics.quantiles(ends, n=20)[-1]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--nvml", help="the driver's library; the machine's own unless told")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    extra = ["--nvml", options.nvml] if options.nvml else []
    result = measure(os.path.abspath(options.program), options.pairs, extra, dict(os.environ))
    result["met"] = result["added_start_ms"] <= TARGET_MS
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        print(f"start: {result['plain_start_ms']:.1f} ms, under gpusight {result['added_start_ms']:+.1f} ms "
              f"(95 %: {result['added_start_p95_ms']:+.1f} ms), target {TARGET_MS} ms\n"
              f"end: {result['added_end_ms']:+.1f} ms (95 %: {result['added_end_p95_ms']:+.1f} ms)")
    return 0 if result["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
