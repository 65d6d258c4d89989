# SPDX-License-Identifier: Apache-2.0
"""What the checks share: which files the repository holds, how a check reports, how it proves that
it can fail. A check is a function from (path, text) pairs to complaints. Next: includes.py."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Recorded on machines, not written by hand.
RECORDED = ("testdata/", "bench/results/")


def Paths():
    """The tracked and the new files, relative to the root; without git, all but build/."""
    try:
        listed = subprocess.run(
            ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*")
                  if p.parts[len(ROOT.parts)] not in (".git", "build")]
    return sorted(p for p in listed if p and (ROOT / p).is_file())


def Texts(keep=lambda path: True):
    """(path, text) of every kept file that is text."""
    for path in Paths():
        if not keep(path):
            continue
        data = (ROOT / path).read_bytes()
        if b"\0" in data[:8192]:
            continue
        yield path, data.decode("utf-8", "replace")


def IsSource(path):
    return path.endswith((".cc", ".h", ".c")) and not path.startswith(RECORDED)


def Main(check, keep, must_fail, must_pass=()):
    """Runs `check` over the kept files; with --self-test over each of the small trees (dicts from
    path to text) that must, or must not, give a complaint."""
    if "--self-test" in sys.argv[1:]:
        wrong = [f"no complaint about {tree}" for tree in must_fail if not list(check(tree.items()))]
        wrong += [f"complaint {list(check(tree.items()))} about {tree}" for tree in must_pass
                  if list(check(tree.items()))]
        print("\n".join(wrong) or f"{len(must_fail)} faults found, {len(must_pass)} good trees pass")
        sys.exit(1 if wrong else 0)
    files = list(Texts(keep))
    complaints = list(check(files))
    print("\n".join(complaints) or f"{len(files)} files are fine")
    sys.exit(1 if complaints or not files else 0)
