# SPDX-License-Identifier: Apache-2.0
"""The documents against the program and against each other (checks/docs.py GPUSIGHT): every command
has a page in docs/ and in docs/zh/, every page of docs/ has a Chinese twin with the same outline,
every flag of its --help is on both, every link and anchor leads somewhere, and every gpusight
command line that a document shows could be run. The tables that are made from the code are
compared by tests/cli/docs_test.py. Next: tree.py."""

import os
import re
import subprocess
import sys

import tree

# Documents that come in both languages besides docs/ and docs/zh/.
TWINS = {"README.md": "README.zh-CN.md"}
# Pages for who works on gpusight: in English, like the code and its tests.
ENGLISH_ONLY = {"docs/driver-quirks.md"}
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.M)
FENCE = re.compile(r"^( *)```[^\n]*\n(.*?)^\1```", re.M | re.S)
INDENTED = re.compile(r"^ {4,}\S.*$", re.M)
INLINE = re.compile(r"`([^`\n]+)`")
FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")
CALL = re.compile(r"^(?:\$ +|# +)?(?:[A-Z_]+=\S+ +|sudo +)*(?:\S*/)?gpusight(?= |$)(.*)$")


def Slug(heading):
    """The anchor that Git hosts give a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def Anchors(text):
    seen = {}
    for heading in HEADING.findall(FENCE.sub("", text)):
        slug = Slug(heading)
        count = seen.setdefault(slug, 0)
        seen[slug] += 1
        yield slug if count == 0 else f"{slug}-{count}"


def Links(files, pages):
    for path, text in pages.items():
        for target in LINK.findall(FENCE.sub("", text)):
            if re.match(r"[a-z]+:", target):
                continue  # checks/words.py looks at hosts
            name, _, anchor = target.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if to not in files and not any(f.startswith(to + "/") for f in files):
                yield f"{path}: the link '{target}' leads nowhere"
            elif anchor and to in pages and anchor not in Anchors(pages[to]):
                yield f"{path}: '{to}' has no heading '#{anchor}'"


def Outline(text):
    """The levels of the headings, in their order."""
    return [len(h) for h in re.findall(r"^(#{1,6}) ", FENCE.sub("", text), re.M)]


def Twins(pages):
    twins = dict(TWINS)
    for path in pages:
        if re.fullmatch(r"docs/[^/]+\.md", path) and path not in ENGLISH_ONLY:
            twins[path] = "docs/zh/" + path[5:]
    for english, chinese in twins.items():
        if english in pages and chinese in pages and Outline(pages[english]) != Outline(pages[chinese]):
            yield f"{chinese}: its headings are not those of {english}: a section is missing or on another level"
    for path in pages:
        if path.startswith("docs/zh/") and "docs/" + path[8:] not in pages:
            yield f"{path}: there is no English page docs/{path[8:]}"
    for english, chinese in twins.items():
        if english in pages and chinese not in pages:
            yield f"{english}: there is no {chinese}"


def Pages(pages, surface):
    for command, flags in surface.items():
        if not command:
            continue
        for folder in ("docs", "docs/zh"):
            path = f"{folder}/{command}.md"
            if path not in pages:
                yield f"{path}: the command '{command}' has no such page"
                continue
            for flag in sorted(flags - surface[""]):
                if flag not in FLAG.findall(pages[path]):
                    yield f"{path}: '{flag}' of 'gpusight {command} --help' is not on the page"


def Calls(pages, surface):
    for path, text in pages.items():
        blocks = [body for _, body in FENCE.findall(text)]
        rest = FENCE.sub("", text)
        lines = [line for block in blocks for line in block.splitlines()]
        lines += INDENTED.findall(rest) + INLINE.findall(rest)
        for line in lines:
            found = CALL.match(line.strip())
            if not found:
                continue
            call = re.split(r" +#| *[|>;&]| -- ", found.group(1))[0]  # behind "--": another program
            words = [w for w in call.split() if re.fullmatch(r"[a-z][a-z-]*", w)]
            command = next((w for w in words if w in surface), "")
            first = re.match(r" +([a-z][a-z-]*)(?= |$)", call)
            if first and first.group(1) not in surface and first.group(1) != "help":
                yield f"{path}: 'gpusight{call}': there is no command '{first.group(1)}'"
            for flag in FLAG.findall(call):
                if flag not in surface[command] | surface[""] | {"--help", "--version"}:
                    yield f"{path}: 'gpusight{call}': there is no '{flag}'"


def Checker(surface, paths=()):
    """`paths`: files that are no text, such as pictures."""
    def Check(items):
        files = dict(items)
        pages = {p: t for p, t in files.items() if p.endswith(".md") and "/testdata/" not in p}
        yield from Links(set(files) | set(paths), pages)
        yield from Twins(pages)
        yield from Pages(pages, surface)
        yield from Calls(pages, surface)
    return Check


def Surface(program):
    """{command: its flags}; "" holds the flags of every command."""
    def Run(*words):
        return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
    surface = {"": set(FLAG.findall(Run("--help")))}
    for command in Run("__complete", "commands").split():
        surface[command] = set(FLAG.findall(Run(command, "--help")))
    return surface


SURFACE = {"": {"--demo", "--help"}, "status": {"--json", "--demo"}}
GOOD = {"docs/status.md": "# status\n`--json`\n", "docs/zh/status.md": "# status\n`--json`\n"}
MUST_FAIL = [
    {"docs/status.md": "`--json`\n"},
    dict(GOOD, **{"docs/zh/status.md": "nothing\n"}),
    dict(GOOD, **{"docs/status.md": "# status\n`--json`\n\n## Exit codes\n"}),
    dict(GOOD, **{"docs/x.md": "# x\n"}),
    dict(GOOD, **{"README.md": "[x](docs/none.md)", "README.zh-CN.md": ""}),
    dict(GOOD, **{"README.md": "[x](docs/status.md#none)", "README.zh-CN.md": ""}),
    dict(GOOD, **{"README.md": "x\n"}),
    dict(GOOD, **{"docs/zh/other.md": "x\n"}),
    dict(GOOD, **{"CONTRIBUTING.md": "    gpusight stauts\n"}),
    dict(GOOD, **{"CONTRIBUTING.md": "```sh\nbuild/release/bin/gpusight --demo status --jsn | head\n```\n"}),
]
MUST_PASS = [
    dict(GOOD, **{"README.md": "    gpusight status --json -- python --lr 1\n", "README.zh-CN.md": ""}),
    dict(GOOD, **{"README.md": "[x](docs/status.md#status) `gpusight --demo status --json`\n",
                  "README.zh-CN.md": "```\n$ gpusight status --json > a   # --what\n```\n"}),
]

if __name__ == "__main__":
    program = next((a for a in sys.argv[1:] if not a.startswith("--")), None)
    check = Checker(Surface(program), tree.Paths()) if program else Checker(SURFACE)
    tree.Main(check, lambda path: True, MUST_FAIL, MUST_PASS)
