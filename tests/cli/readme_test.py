# SPDX-License-Identifier: Apache-2.0
"""What the documents show as the program's output is what a terminal of 80 columns shows: the blocks
that begin with "$ gpusight --demo". Numbers, bars and the cut of a command may differ, and remarks
(!) come and go with the recorded minute; a line "…" stands for any lines. To write those without
such a line anew: GPUSIGHT_UPDATE_DOCS=1 ctest -R cli.readme"""
import os
import re
import shlex
import unittest

import harness
import terminal

BLOCK = re.compile(r"^```\n\$ ((?:\w+=\S+ )*)gpusight (--demo [^\n]*)\n(.*?)^```$", re.M | re.S)
FILES = ["README.md", "README.zh-CN.md", *(f"docs/{d}{n}.md" for d in ("", "zh/")
                                           for n in ("status", "who", "log", "doctor"))]


def shape(text):
    lines = []
    for line in text.splitlines():
        if re.match(r" +!", line):
            continue
        line = re.sub(r"\b\d+(\.\d+)?(ms|s)\b", "0s", line)
        line = re.sub(r"<?\d[\d.:/-]*", "0", line)
        line = re.sub(r"[▁-█▏▎▍▌▋▊▉▓▒·]{2,}|[▁-▏]", "", line)
        line = re.sub(r"python0 .*", "python …", line)
        line = re.sub(r"\d ?W\b", "0W", line)
        lines.append(re.sub(r" +", " ", line.strip()))
    return lines


def fits(wanted, got):
    """Whether the lines are those, "…" standing for any number of them."""
    if not wanted:
        return not got
    if wanted[0] == "…":
        return any(fits(wanted[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and wanted[0] == got[0] and fits(wanted[1:], got[1:])


class Readme(harness.Case):
    def output(self, variables, arguments):
        env = self.environment(**dict(v.split("=", 1) for v in variables.split()))
        return terminal.on_terminal([harness.PROGRAM, *shlex.split(arguments)], env)

    def test_examples_are_what_a_terminal_shows(self):
        count = 0
        for name in FILES:
            path = harness.SOURCE / name
            text = path.read_text()
            for variables, arguments, shown in BLOCK.findall(text):
                count += 1
                now = self.output(variables, arguments)
                with self.subTest(file=name, command=arguments):
                    if os.environ.get("GPUSIGHT_UPDATE_DOCS") and "…" not in shown.splitlines():
                        text = text.replace(shown, now)
                    elif not fits(shape(shown), shape(now)):
                        self.assertEqual("\n".join(shape(shown)), "\n".join(shape(now)))
            if os.environ.get("GPUSIGHT_UPDATE_DOCS"):
                path.write_text(text)
        self.assertGreater(count, 7)


if __name__ == "__main__":
    unittest.main()
