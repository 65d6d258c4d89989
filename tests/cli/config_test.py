# SPDX-License-Identifier: Apache-2.0
"""The configuration file: where it is looked for, what it may say, how mistakes are told."""
import os
import time
import unittest

import harness


class Config(harness.Case):
    def write(self, text, path=None):
        path = path or self.folder / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_it_gives_defaults_that_the_command_line_overrides(self):
        scenario = self.scenario()
        path = self.write('[log]\nfields = ["temp", "util"]\ncount = 1\n')
        line = self.ok("log", "--config", path, scenario=scenario)
        self.assertRegex(line, r"GPU-0: temp=\d+C, util=\d+%\n$")
        line = self.ok("log", "--config", path, "--fields", "util", scenario=scenario)
        self.assertRegex(line, r"GPU-0: util=\d+%\n$")

    def test_it_is_looked_for_in_the_usual_places(self):
        scenario = self.scenario()
        self.write('lang = "zh"\n', self.folder / ".config" / "gpusight" / "config.toml")
        self.assertIn("显存", self.ok("status", scenario=scenario))
        other = self.folder / "xdg"
        self.write('lang = "en"\n', other / "gpusight" / "config.toml")
        page = self.ok("status", scenario=scenario, env={"XDG_CONFIG_HOME": str(other)})
        self.assertNotIn("显存", page)
        self.assertNotIn("显存", self.ok("status", "--lang", "en", scenario=scenario))

    def test_mistakes_are_told_with_line_and_column(self):
        for text, where, what in [
                ('[log]\ninterval = 5x\n', "2:", "The file is TOML"),
                ('lang = "en"\n[log]\nintervall = "5s"\n', "3:1:", "Did you mean 'interval'?"),
                ('[lgo]\n', "1:", "Did you mean 'log'?"),
                ('[log]\ninterval = "5ms"\n', "2:12:", "The least is 100ms."),
                ('lang = "fr"\n', "1:8:", "Use one of: en, zh."),
                ('[log]\nfields = ["foo"]\n', "2:11:", "there is no field 'foo'"),
                ('[log]\nfields = [\n  "util",\n  "proc_mem"]\n', "4:3:", "with --pid"),
                ('[log]\nfields = []\n', "2:10:", "the value of --fields is empty"),
                ('[log]\ncount = nan\n', "2:9:", "'nan' is not a valid value for --count"),
                ('[log]\ncount = -inf\n', "2:9:", "'-inf' is not a valid value"),
                ('[log]\nrotate-size = "huge"\n', "2:15:", "such as 64MiB"),
                ('[log]\nrotate-age = "1e9h"\n', "2:14:", "The most is 366d."),
                ('[log]\nfor = 0\n', "2:7:", "'0' is not a valid value for --for"),
                ('nvml = ""\n', "1:8:", "the value of --nvml is empty"),
                ('root = "/no/such"\n', "1:8:", "--root /no/such is not a folder"),
                ('[log]\nfields = [1, [2]]\n', "2:", "Write a text in quotes"),
                ('demo = true\n', "1:1:", "docs/configuration.md lists all keys"),
        ]:
            with self.subTest(text=text):
                path = self.write(text)
                line = self.refused("log", "--config", path)
                self.assertTrue(line.startswith(f"gpusight: {path}:{where}"), line)
                self.assertIn(what, line)

    def test_what_only_this_machine_refuses_is_told_with_its_place_too(self):
        scenario = self.scenario()
        for command in ("status", "log", "who", "top"):
            path = self.write(f'[{command}]\ndevice = ["0", "9"]\n')
            args = ["--once"] if command == "top" else []
            line = self.refused(command, "--config", path, *args, scenario=scenario)
            self.assertTrue(line.startswith(f"gpusight: {path}:2:16: there is no device '9'"), line)
            self.assertNotIn(str(path), self.refused(command, "--config", path, "-d", "9", *args,
                                                     scenario=scenario))
        path = self.write('nvml = "/no/such"\n')
        line = self.refused("status", "--config", path, code=3)
        self.assertTrue(line.startswith(f"gpusight: {path}:1:8: /no/such cannot be loaded"), line)
        path = self.write('log-file = "/no/such/file"\n')
        line = self.refused("status", "--config", path, code=1)
        self.assertTrue(line.startswith(f"gpusight: {path}:1:12: the log file cannot"), line)

    def test_a_form_on_the_command_line_comes_before_the_files(self):
        scenario = self.scenario()
        path = self.write("[status]\njson = true\n")
        self.assertTrue(self.ok("status", "--config", path, "--csv", scenario=scenario)
                        .startswith("time,"))
        path = self.write("[status]\njson = true\ncsv = true\n")
        line = self.refused("status", "--config", path, scenario=scenario)
        self.assertIn(f"{path}:3:7: --json and --csv exclude", line)

    def test_rotation_in_the_file_does_not_ask_for_an_output_file(self):
        path = self.write('[log]\nrotate-size = "1MiB"\nrotate-age = "1d"\n')
        self.assertIn("GPU-0", self.ok("log", "-n", "1", "--config", path,
                                       scenario=self.scenario()))

    def test_a_mistake_in_another_commands_section_is_told_too(self):
        line = self.refused("status", "--config", self.write('[log]\nintervall = "5s"\n'))
        self.assertIn("Did you mean 'interval'?", line)

    def test_a_named_file_that_is_not_there(self):
        line = self.refused("status", "--config", self.folder / "none.toml")
        self.assertIn("No such file or directory", line)
        self.assertIn("--config", line)

    def test_a_folder_or_a_huge_file_is_refused(self):
        self.assertIn("cannot be read", self.refused("status", "--config", self.folder))
        path = self.write("#" * (1 << 20))
        self.assertIn("larger than 256 KiB", self.refused("status", "--config", path))

    def test_a_usual_file_that_cannot_be_read_is_told_and_left_out(self):
        usual = self.folder / ".config" / "gpusight" / "config.toml"
        usual.parent.mkdir(parents=True)
        os.mkfifo(usual)
        done = self.run_program("log", "-n", "1", scenario=self.scenario())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Not a regular file", done.stderr)
        self.assertIn("GPU-0", done.stdout)
        self.assertIn("cannot be read", self.refused("status", "--config", usual.parent))

    def test_a_pipe_that_nobody_writes_is_not_waited_for_for_ever(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        before = time.monotonic()
        line = self.refused("status", "--config", pipe, scenario=self.scenario())
        self.assertLess(time.monotonic() - before, 20)
        self.assertIn(f"cannot be read ({pipe}: Nothing came from its writer for 5 s)", line)

    def test_a_named_file_may_be_a_pipe(self):
        read, write = os.pipe()
        os.write(write, b'[log]\nfields = ["power"]\n')
        os.close(write)
        with open(read) as pipe:
            self.assertIn("power=", self.ok("log", "-n", "1", "--config", "/dev/stdin",
                                            scenario=self.scenario(), stdin=pipe))

    def test_the_list_of_fields_cannot_be_asked_for_in_the_file(self):
        line = self.refused("log", "--config", self.write('[log]\nfields = "help"\n'),
                            scenario=self.scenario())
        self.assertIn("belongs on the command line", line)

    def test_help_works_whatever_the_file_says(self):
        path = self.write("rubbish")
        self.assertIn("--interval", self.ok("log", "--help", "--config", path))


if __name__ == "__main__":
    unittest.main()
