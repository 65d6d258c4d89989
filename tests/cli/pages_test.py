# SPDX-License-Identifier: Apache-2.0
"""Pages at several widths: on a terminal, in a pipe, with COLUMNS; and `gpusight help`."""
import pathlib
import unicodedata
import unittest

import harness
import terminal

COMMAND = "--model gpt-1.3b --batch-size 48 --precision bf16 --data /data/c4 --workers 4"


def cells(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


class Pages(harness.Case):
    def on_terminal(self, *args, columns=80):
        return terminal.on_terminal([harness.PROGRAM, *args], self.environment(), columns)

    def test_a_pipe_of_unknown_width_gets_its_tables_whole(self):
        for command in ("status", "who"):
            self.assertIn(COMMAND, self.ok("--demo", command))

    def test_columns_in_the_environment_decide_the_width_of_a_pipe(self):
        for command in ("status", "who"):
            page = self.ok("--demo", command, env={"COLUMNS": "60"})
            self.assertNotIn(COMMAND, page)
            for line in page.splitlines():
                self.assertLessEqual(cells(line), 60, line)
            self.assertIn(COMMAND, self.ok("--demo", command, env={"COLUMNS": "300"}))

    def test_columns_that_make_no_sense_are_as_good_as_none(self):
        for columns in ("", "0", "-5", "19", "10001", "1e3", "wide"):
            with self.subTest(columns=columns):
                self.assertIn(COMMAND, self.ok("--demo", "who", env={"COLUMNS": columns}))

    def test_pages_fit_terminals_down_to_40_columns_in_both_languages(self):
        for lang in ("en", "zh"):
            for columns in (40, 60, 80, 120):
                for command in ("status", "who"):
                    page = self.on_terminal("--demo", "--lang", lang, command, columns=columns)
                    for line in page.splitlines():
                        self.assertLessEqual(cells(line), columns, f"{lang} {command}: {line}")
                # Remedies stay in one line, to be pasted, and a path is not broken.
                page = self.on_terminal("--demo", "--lang", lang, "doctor", columns=columns)
                for line in page.splitlines():
                    if "→" not in line and max(map(len, line.split()), default=0) < 20:
                        self.assertLessEqual(cells(line), columns, f"{lang} doctor: {line}")

    def test_help_fits_terminals_down_to_40_columns_in_both_languages(self):
        for lang in ("en", "zh"):
            for columns in (40, 50, 64, 80, 120):
                for args in (["--help"], *([c, "--help"] for c in (
                        "status", "log", "top", "who", "doctor", "run", "watch", "explain",
                        "completion", "report", "compare", "replay", "export"))):
                    page = self.on_terminal("--lang", lang, *args, columns=columns)
                    for line in page.splitlines():
                        # A path, or the word of an option with all its values, is not broken.
                        if max(map(len, line.split()), default=0) < 20:
                            self.assertLessEqual(cells(line), columns, f"{lang} {args}: {line}")

    def test_without_utf8_pages_are_ascii_and_data_is_not_touched(self):
        plain = {"LC_ALL": "C"}
        for command in (["status"], ["who"], ["doctor"], ["top", "--once"], ["--help"],
                        ["status", "--sample", "200ms"]):
            with self.subTest(command):
                page = self.run_program("--demo", *command, env=plain).stdout
                self.assertTrue(page.isascii(), [c for c in page if not c.isascii()])
                self.assertNotEqual(page, "")
        log = pathlib.Path(harness.SOURCE / "testdata" / "ooms" / "killed.log")
        self.assertTrue(self.run_program("explain", log, env=plain).stdout.isascii())
        recordings = harness.SOURCE / "testdata" / "recordings"
        self.assertTrue(self.ok("compare", recordings / "v1.gpusight", recordings / "v2.gpusight",
                                env=plain).isascii())
        scenario = self.scenario(devices=[{"recording": harness.RECORDING,
                                           "identity": {"name": "H200 é"}}])
        for form in ("--json", "--csv"):
            self.assertIn("H200 é", self.ok("status", form, scenario=scenario, env=plain))
        self.assertIn("█", self.ok("--demo", "status", env={"LC_ALL": "en_US.utf8"}))

    def test_the_help_of_a_command_can_be_asked_for_with_a_word(self):
        self.assertEqual(self.ok("help"), self.ok("--help"))
        self.assertEqual(self.ok("help", "log"), self.ok("log", "--help"))
        self.assertEqual(self.ok("--lang", "zh", "help", "who"), self.ok("--lang=zh", "who", "-h"))
        self.assertIn("'status'", self.refused("help", "stats"))

    def test_a_range_of_devices_is_what_it_covers(self):
        self.assertEqual(self.ok("--demo", "who", "-d", "0-0"), self.ok("--demo", "who"))
        self.assertIn("backwards", self.refused("--demo", "who", "-d", "3-0"))
        self.assertIn("empty", self.refused("--demo", "who", "-d", ""))

    def test_one_screen_as_text_offers_no_keys(self):
        page = self.ok("--demo", "top", "--once", env={"COLUMNS": "100", "LINES": "30"})
        self.assertNotIn("h Help", page)
        self.assertNotIn("q Quit", page)

    def test_the_demonstration_is_a_machine_of_today_that_works(self):
        page = self.on_terminal("--demo", "status", columns=160)
        row = next(line for line in page.splitlines() if " 41822 " in line)
        self.assertRegex(row, r" 9\d% +[5-9]\d%  python3 train\.py|\d% +[5-9]\d%  python3 train\.py")
        self.assertNotIn("2026-04-05", page)


if __name__ == "__main__":
    unittest.main()
