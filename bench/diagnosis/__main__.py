# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of examples/faults under `gpusight run`, asks `gpusight why` about each recording,
and says how often the answer was right.

    python3 bench/diagnosis --list calibrate-short --record-only --budget 420 --archive FILE.tar
    python3 bench/diagnosis --list judge            # runs what has no result yet, then writes the table
    python3 bench/diagnosis --list judge --again    # asks `why` about the recordings that are there

One line is printed for each job. A run that was cut short goes on where it stopped. Next: jobs.py,
runner.py, score.py."""

import argparse
import gzip
import io
import json
import os
import pathlib
import sys
import tarfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import jobs  # noqa: E402
import runner  # noqa: E402
import score  # noqa: E402


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/diagnosis", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", default="calibrate-short", choices=sorted(jobs.LISTS))
    parser.add_argument("--only", help="programs, by commas")
    parser.add_argument("--show", action="store_true", help="print the list and do nothing")
    parser.add_argument("--out", default=str(runner.ROOT / "build" / "diagnosis"), help="recordings and results")
    parser.add_argument("--gpusight", default=runner.default_gpusight())
    parser.add_argument("--python", default=runner.default_python(), help="the Python that has PyTorch")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--interval", default="1s", help="between two samples")
    parser.add_argument("--seconds", type=float, help="of each job, instead of the list's")
    parser.add_argument("--budget", type=float, help="seconds after which no job begins")
    parser.add_argument("--patience", type=float, default=45, help="seconds a job may take beside four times its own")
    parser.add_argument("--record-only", action="store_true", help="do not ask `why`")
    parser.add_argument("--again", action="store_true", help="run nothing, ask `why` about what was recorded")
    parser.add_argument("--archive", help="a tar file to which each recording is added, packed")
    return parser.parse_args()


def line(result: dict) -> str:
    told = result.get("told") or {}
    parts = [f"{result['job']:48.48}", f"{result['wall']:5.1f} s"]
    if result["skipped"]:
        parts.append("skipped: " + result.get("output", "").strip()[-80:])
    elif told:
        parts.append(f"{told['steps']:5d} steps {told['step_ms']:9.2f} ms, {told['sample_us']:9.1f} us a sample")
    else:
        parts.append(f"exit {result['exit']}: " + (result.get("output", "").strip().splitlines() or ["nothing"])[-1][:90])
    if "why" in result:
        parts.append(score.named(result) or result["why"].get("error", "no verdict")[:60])
        parts.append("right" if score.right(result) else "WRONG")
    return "  ".join(parts)


def add(archive: str, name: str, data: bytes) -> None:
    with tarfile.open(archive, "a") as file:
        packed = gzip.compress(data)
        entry = tarfile.TarInfo(name + ".gz")
        entry.size, entry.mtime = len(packed), int(time.time())
        file.addfile(entry, io.BytesIO(packed))


def main() -> int:
    options, begun = arguments(), time.monotonic()
    wanted = jobs.LISTS[options.list]()
    if options.only:
        wanted = [job for job in wanted if job.program in options.only.split(",")]
    if options.seconds:
        wanted = [jobs.dataclasses.replace(job, seconds=options.seconds) for job in wanted]
    if options.show:
        print("\n".join(f"{job.name:50} {job.expected}" for job in wanted))
        return 0
    run, path = runner.Runner(options), pathlib.Path(options.out) / "results.jsonl"
    results = {}
    if path.exists():
        results = {r["job"]: r for r in map(json.loads, path.read_text().splitlines())}
    for place, job in enumerate(wanted):
        if options.again:
            if job.name in results and run.recording(job).exists() and not results[job.name]["skipped"]:
                results[job.name]["why"] = run.why(run.recording(job))
                print(line(results[job.name]), flush=True)
            continue
        if job.name in results:
            continue
        if options.budget and time.monotonic() - begun + job.seconds > options.budget:
            print(f"{len(wanted) - place} jobs are left; the same command goes on with them", flush=True)
            break
        result = results[job.name] = run.run(job)
        with path.open("a") as file:
            file.write(json.dumps(result) + "\n")
        print(line(result), flush=True)
        if options.archive and run.recording(job).exists():
            add(options.archive, run.recording(job).name, run.recording(job).read_bytes())
    chosen = [results[job.name] for job in wanted if job.name in results]
    if options.again:
        path.write_text("".join(json.dumps(r) + "\n" for r in results.values()))
    if options.archive and path.exists():
        add(options.archive, "results.jsonl", path.read_bytes())
    if not options.record_only:
        report = score.report(chosen)
        (path.parent / "table.md").write_text(report)
        print(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
