# SPDX-License-Identifier: Apache-2.0
"""How a file opens: the SPDX line, then a comment that says what the file is for; a header has
`#pragma once`. Next: tree.py."""

import re

import tree

SPDX = "SPDX-License-Identifier: Apache-2.0"
SCRIPT = re.compile(r"\.(py|sh)$|(^|/)(test|quickstart|run)$")


def Check(files):
    for path, text in files:
        lines = text.split("\n")
        if lines[0].startswith("#!"):
            lines = lines[1:]
        mark = "#" if SCRIPT.search(path) else "//"
        if lines[0] != f"{mark} {SPDX}":
            yield f"{path}: the first line is not '{mark} {SPDX}'"
            continue
        lines = [line for line in lines[1:] if not line.startswith("# shellcheck")]
        if not re.match(r'//|#|"""', lines[0] if lines else ""):
            yield f"{path}: no comment after the SPDX line says what the file is for"
        if path.endswith(".h") and "\n#pragma once\n" not in text:
            yield f"{path}: no '#pragma once'"


def Keep(path):
    return not path.startswith(tree.RECORDED) and (tree.IsSource(path) or bool(SCRIPT.search(path)))


GOOD = f"// {SPDX}\n// Says something.\n"
MUST_FAIL = [
    {"a.cc": "int a;\n"},
    {"a.cc": f"// {SPDX}\nint a;\n"},
    {"a.h": GOOD + "int a;\n"},
    {"a.py": f"// {SPDX}\n// Says something.\n"},
]
MUST_PASS = [
    {"a.cc": GOOD},
    {"a.h": GOOD + "#pragma once\n"},
    {"test": f"#!/bin/sh\n# {SPDX}\n# Says something.\n"},
]

if __name__ == "__main__":
    tree.Main(Check, Keep, MUST_FAIL, MUST_PASS)
