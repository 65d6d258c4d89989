# SPDX-License-Identifier: Apache-2.0
"""What people read stands in both languages: the rooms that speak to them (cli, tui, export) hold no
prose outside a Text{english, chinese}, whose twin the compiler demands. Prose is a literal with
three English words in a row, or with a Chinese character. Next: tree.py."""

import re

import tree

ROOMS = ("src/cli/", "src/tui/", "src/export/")
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
# Text{"one" " more", "一"}, or a row of a table: ("one", "一") of a Text, {{...}, {...}} of a CountedText.
TEXT = re.compile(rf'\bText(?:\s+\w+)?\s*[({{]\s*(?:{LITERAL}\s*)+,\s*(?:{LITERAL}\s*)+[)}}]')
ASSERT = re.compile(r'\bstatic_assert\([^;]*;')  # for who compiles it
COMMENT = re.compile(rf'{LITERAL}|//[^\n]*')
PROSE = re.compile(r'[\u4e00-\u9fff]|\b[a-z]+ [a-z]+ [a-z]+\b')
# What the kernel or the driver writes, and what a shell reads.
FOREIGN = re.compile(r'^src/cli/generate/completion_')


def Blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def Check(files):
    for path, text in files:
        text = COMMENT.sub(lambda m: m.group() if m.group().startswith('"') else Blank(m), text)
        text = ASSERT.sub(Blank, TEXT.sub(Blank, text))
        for match in re.finditer(LITERAL, text):
            if PROSE.search(match.group()):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: {match.group()[:60]} is in one language; make it a Text in model/text/"


def Keep(path):
    return (path.startswith(ROOMS) and tree.IsSource(path) and not path.endswith("_test.cc")
            and "/test_" not in path and not FOREIGN.search(path))


if __name__ == "__main__":
    tree.Main(
        Check, Keep,
        [{"src/cli/a.cc": 'Fail(code, "there is no topic");'},
         {"src/tui/a.cc": 'line.Add(zh ? "风扇" : "fan");'},
         {"src/cli/a.cc": 'Text("one two three");'}],
        [{"src/cli/a.cc": 'Text("what it does", "它的作用"); // not at all prose "here it is"'},
         {"src/cli/a.cc": 'constexpr Text kA{"of two lines "\n    "one more word", "两行"};'},
         {"src/cli/a.cc": 'Say(language, text::kA); env("HOME"); "time,gpu"'}])
