# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over every source of a build but the tests (checks/lint.py build/release), with the checks that
.clang-tidy names. A file that passed is remembered by the hash of its preprocessed text, so that
only what changed is read again. With --self-test: proves that a known bug is found. Next:
../.clang-tidy."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import tree

TIDY = "clang-tidy-19"
BUG = """#include <string>
#include <utility>
int Twice(std::string a) {
  std::string b = std::move(a);
  return static_cast<int>(a.size() + b.size());
}
"""


def CacheFolder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(base) / "gpusight-lint"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def Preprocessed(entry):
    """The text that the compiler sees of this file, without the places it came from."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, w in enumerate(words) if w.endswith(("g++", "gcc", "c++", "cc"))
                       or "clang" in os.path.basename(w)):]
    out = words.index("-o")
    words = words[:out] + words[out + 2:]
    words.remove("-c")
    return subprocess.run(words + ["-E", "-P"], cwd=entry["directory"], check=True,
                          capture_output=True).stdout


def Lint(entry, build, salt, cache):
    """(file, complaints or None, seconds)"""
    start = time.monotonic()
    file = os.path.relpath(entry["file"], tree.ROOT)
    try:
        source = pathlib.Path(entry["file"]).read_bytes()  # comments hold NOLINT
        key = hashlib.sha256(salt + source + Preprocessed(entry)).hexdigest()
    except subprocess.CalledProcessError as error:
        return file, error.stderr.decode("utf-8", "replace"), 0.0
    stamp = cache / key
    if stamp.exists():
        stamp.touch()
        return file, None, 0.0
    done = subprocess.run(
        [TIDY, "-p", build, "--quiet", "--extra-arg=-Wno-unknown-warning-option", entry["file"]],
        cwd=tree.ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        stamp.touch()
        return file, None, time.monotonic() - start
    return file, (done.stdout + done.stderr).strip(), time.monotonic() - start


def SelfTest():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "bug.cc"
        file.write_text(BUG)
        done = subprocess.run([TIDY, f"--config-file={tree.ROOT}/.clang-tidy", str(file), "--",
                               "-std=c++20"], capture_output=True, text=True)
    if done.returncode == 0 or "bugprone-use-after-move" not in done.stdout:
        sys.exit("clang-tidy let a use after a move pass")
    print("a use after a move is found")


def Main():
    if "--self-test" in sys.argv[1:]:
        return SelfTest()
    build = sys.argv[1]
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    salt = version + (tree.ROOT / ".clang-tidy").read_bytes()
    cache = CacheFolder()
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    tracked = set(tree.Paths())
    entries = {os.path.relpath(e["file"], tree.ROOT): e for e in entries}
    # Tests are left out: GoogleTest's macros triple the time and hide what the checks look for.
    entries = [e for file, e in sorted(entries.items())
               if file in tracked and not file.endswith("_test.cc")]
    bad, slow = 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(Lint, entry, build, salt, cache) for entry in entries]
        for job in concurrent.futures.as_completed(jobs):
            file, complaints, seconds = job.result()
            slow.append((seconds, file))
            if complaints is not None:
                bad += 1
                print(f"{complaints}\n", flush=True)
    # Stamps that no run used for a month go.
    for stamp in cache.iterdir():
        if time.time() - stamp.stat().st_mtime > 30 * 86400:
            stamp.unlink(missing_ok=True)
    fresh = sum(1 for seconds, _ in slow if seconds)
    print("slowest: " + ", ".join(f"{file} {seconds:.1f} s" for seconds, file in sorted(slow)[-3:]))
    print(f"{len(entries)} files, {fresh} read anew, {bad} with complaints")
    sys.exit(1 if bad or not entries else 0)


if __name__ == "__main__":
    Main()
