# SPDX-License-Identifier: Apache-2.0
"""Manual pages and --help: complete, in both languages, and well-formed."""
import re
import shutil
import subprocess
import unittest

import harness

MAN = harness.BUILD / "share" / "man"


class Man(harness.Case):
    def commands(self):
        return self.ok("__complete", "commands").split()

    def options(self, command):
        """The long options that the completion script knows, as an independent list."""
        text = (harness.BUILD / "share/bash-completion/completions/gpusight").read_text()
        found = re.search(rf'^    {command}\) options="([^"]*)"', text, re.MULTILINE)
        return [word for word in found.group(1).split() if word.startswith("--")]

    def test_every_command_has_a_page_and_help_in_both_languages(self):
        for command in self.commands():
            for lang, folder in (("en", "man1"), ("zh", "zh_CN/man1")):
                page = (MAN / folder / f"gpusight-{command}.1").read_text()
                text = self.ok(command, "--help", "--lang", lang)
                for option in self.options(command):
                    with self.subTest(command=command, lang=lang, option=option):
                        self.assertIn(option, text)
                        self.assertIn(option.replace("-", r"\-"), page)
            english = self.ok(command, "--help", "--lang", "en")
            self.assertTrue(english.isascii() or command == "top", english)

    def test_help_is_at_most_80_columns_wide(self):
        for command in self.commands():
            for line in self.ok(command, "--help", "--lang", "en").splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_chinese_help_and_pages_have_no_english_punctuation(self):
        for command in self.commands():
            for text in (self.ok(command, "--help", "--lang", "zh"),
                         (MAN / f"zh_CN/man1/gpusight-{command}.1").read_text()):
                self.assertNotRegex(text, r"[\u4e00-\u9fff）][.:,;]")
            self.assertNotIn("[OPTIONS]", self.ok(command, "--help", "--lang", "zh"))

    def test_help_says_which_words_a_value_may_be_and_how_times_are_written(self):
        text = self.ok("top", "--help").replace("\n" + " " * 23, " ")
        self.assertIn("Sort processes by this column: pid, user, gpu", text)
        self.assertIn("TIME is written as 500ms, 5s", text)
        self.assertIn("SIZE is written as", self.ok("log", "--help"))
        self.assertNotIn("TIME", self.ok("who", "--help"))
        self.assertIn("gpusight completion SHELL [OPTIONS]", self.ok("completion", "--help"))

    def test_no_line_of_help_ends_in_blanks(self):
        for command in self.commands():
            for lang in ("en", "zh"):
                self.assertNotRegex(self.ok(command, "--help", "--lang", lang), r"(?m) $")

    def test_help_lists_every_command(self):
        text = self.ok("--help")
        for command in self.commands():
            self.assertRegex(text, rf"(?m)^  {command} ")

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_pages_are_well_formed(self):
        for page in sorted((MAN / "man1").glob("*.1")):
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", page],
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page)


if __name__ == "__main__":
    unittest.main()
