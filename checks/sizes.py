# SPDX-License-Identifier: Apache-2.0
"""File sizes: over 400 lines is a smell and named, over 800 is refused. Recorded data and lock
files are not written by hand and do not count. Next: tree.py."""

import sys

import tree

SMELL, LIMIT = 400, 800
FREE = ("LICENSE", "package-lock.json", "CHANGELOG.md")


def Check(files):
    for path, text in files:
        lines = text.count("\n")
        if lines > LIMIT:
            yield f"{path}: {lines} lines; split it, {LIMIT} is the limit"
        elif lines > SMELL:
            print(f"note: {path} has {lines} lines, more than {SMELL}", file=sys.stderr)


def Keep(path):
    return not path.startswith(tree.RECORDED) and path.split("/")[-1] not in FREE


if __name__ == "__main__":
    tree.Main(Check, Keep, [{"src/base/a.cc": "int a;\n" * 801}], [{"src/base/a.cc": "\n" * 800}])
