# SPDX-License-Identifier: Apache-2.0
"""docs/driver-quirks.md names a test for each habit of a driver: every one of them must exist.
Next: tree.py."""

import re

import tree

PAGE = "docs/driver-quirks.md"
NAMED = re.compile(r"`([A-Z]\w+)\.([A-Z]\w+)`")
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")


def Check(files):
    pages, tests = {}, set()
    for path, text in files:
        if path == PAGE:
            pages[path] = text
        else:
            tests.update(TEST.findall(text))
    for path, text in pages.items():
        for match in NAMED.finditer(text):
            if match.groups() not in tests:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: there is no test {match.group(1)}.{match.group(2)}"


def Keep(path):
    return path == PAGE or path.endswith("_test.cc")


MUST_FAIL = [
    {PAGE: "`Card.Sleeps`\n"},
    {PAGE: "`Card.Sleeps`\n", "a_test.cc": "TEST(Card, Wakes) {}\n"},
]
MUST_PASS = [
    {PAGE: "`Card.Sleeps` and `gpm.h`\n", "a_test.cc": "TEST_F(Card, Sleeps) {}\n"},
]

if __name__ == "__main__":
    tree.Main(Check, Keep, MUST_FAIL, MUST_PASS)
