# SPDX-License-Identifier: Apache-2.0
"""Whatever is wrong: one clear sentence, what to do next, the right exit code, nothing half-written."""
import os
import re
import resource
import unittest

import harness

BUILD_IS_SANITIZED = harness.BUILD.name in ("asan", "tsan")

TWO = {"devices": [{"recording": harness.RECORDING, "copies": 2}]}

# arguments, exit code, the whole complaint
WRONG = [
    (["statsu"], 2, "unknown command 'statsu'. Did you mean 'status'?"),
    (["frobnicate"], 2, "unknown command 'frobnicate'. 'gpusight --help' lists what there is."),
    (["status", "--jsn"], 2,
     "unknown option '--jsn' for 'gpusight status'. Did you mean '--json'?"),
    (["log", "--intervall=5s"], 2,
     "unknown option '--intervall' for 'gpusight log'. Did you mean '--interval'?"),
    (["log", "--interval"], 2,
     "option --interval needs exactly one value. 'gpusight log --help' lists what there is."),
    (["log", "--interval", "5 parsecs"], 2,
     "'5 parsecs' is not a valid value for --interval. Write a time such as 500ms, 5s, 2m or 1h."),
    (["log", "--interval", "99ms"], 2,
     "'99ms' is not a valid value for --interval. The least is 100ms."),
    (["log", "--interval=-1s"], 2,
     "'-1s' is not a valid value for --interval. Write a time such as 500ms, 5s, 2m or 1h."),
    (["log", "-i", "1e9h"], 2,
     "'1e9h' is not a valid value for --interval. The most is 366d."),
    (["log", "--for", "0"], 2,
     "'0' is not a valid value for --for. Write a time such as 500ms, 5s, 2m or 1h."),
    (["status", "--sample", "1e300h"], 2,
     "'1e300h' is not a valid value for --sample. The most is 366d."),
    (["log", "-d", ""], 2,
     "the value of --device is empty. Give it one, or leave the option away."),
    (["log", "--pid", ""], 2,
     "the value of --pid is empty. Give it one, or leave the option away."),
    (["log", "--fields", ","], 2,
     "',' is not a valid value for --fields. Write one comma between two words, and none at the "
     "ends."),
    (["log", "-o", ""], 2,
     "the value of --output is empty. Give it one, or leave the option away."),
    (["log", "--format=", "-n", "1"], 2,
     "the value of --format is empty. Give it one, or leave the option away."),
    (["status", "--json="], 2,
     "the value of --json is empty. Give it one, or leave the option away."),
    (["status", "-d", "--json"], 2,
     "option --device needs exactly one value. 'gpusight status --help' lists what there is."),
    (["status", "--config", ""], 2,
     "the value of --config is empty. Give it one, or leave the option away."),
    (["-d", "0", "status"], 2,
     "-d is an option of 'status'. Write it behind the command: gpusight status -d."),
    (["--", "status"], 2,
     "the command 'status' stands behind '--'. Did you mean 'gpusight status'?"),
    (["--", "statsu"], 2, "unknown command 'statsu'. Did you mean 'status'?"),
    (["log", "--fields", "util,help"], 2,
     "'help' stands among fields. 'gpusight log --fields help' lists all fields."),
    (["log", "--count", "many"], 2,
     "'many' is not a valid value for --count. Write a whole number from 1 to 1000000000000."),
    (["log", "--format", "xml"], 2,
     "'xml' is not a valid value for --format. Use one of: text, logfmt, csv, jsonl."),
    (["log", "--format", "jsnl"], 2,
     "'jsnl' is not a valid value for --format. Did you mean 'jsonl'?"),
    (["log", "--fields", "utill"], 2, "there is no field 'utill'. Did you mean 'util'?"),
    (["log", "--fields", "util,qwertz"], 2,
     "there is no field 'qwertz'. 'gpusight log --fields help' lists all fields."),
    (["log", "--fields", "proc_mem"], 2,
     "the field 'proc_mem' is about one process. Name the process with --pid."),
    (["log", "--pid", "init"], 2, "'init' is not a process id. Write a number such as 4242."),
    (["log", "--pid", "0"], 2, "'0' is not a process id. Write a number such as 4242."),
    (["log", "--rotate-size", "1MiB"], 2, "--rotate-size needs a file. Name it with -o FILE."),
    (["log", "--rotate-age", "1h"], 2, "--rotate-age needs a file. Name it with -o FILE."),
    (["log", "-o", "x", "--rotate-size", "huge"], 2,
     "'huge' is not a valid value for --rotate-size. Write a size such as 64MiB or 1GiB."),
    (["status", "--json", "--csv"], 2,
     "--json and --csv exclude one another. Choose one of them."),
    (["status", "extra"], 2,
     "'extra' is one word too many for 'gpusight status'. 'gpusight status --help' lists what "
     "there is."),
    (["--lang", "fr", "status"], 2,
     "'fr' is not a valid value for --lang. Use one of: en, zh."),
    (["completion"], 2, "a shell must be named. Use one of: bash, zsh, fish."),
    (["completion", "bsh"], 2, "'bsh' is not a valid value for SHELL. Did you mean 'bash'?"),
]


class BadInput(harness.Case):
    def test_each_mistake_gets_its_sentence(self):
        for args, code, sentence in WRONG:
            with self.subTest(args=args):
                self.assertEqual(self.refused(*args, code=code), "gpusight: " + sentence)

    def test_each_mistake_gets_a_chinese_sentence_too(self):
        for args, code, _ in WRONG:
            if "--lang" in args:
                continue
            with self.subTest(args=args):
                line = self.refused("--lang", "zh", *args, code=code)
                self.assertRegex(line, r"^gpusight：.*[。？]$")

    def test_the_systems_own_words_are_translated(self):
        path = self.folder / "no" / "such.log"
        for args, code in ((["log", "-o", path], 1), (["status", "--config", path], 2),
                           (["status", "--log-file", path], 1)):
            line = self.refused(*args, "--lang", "zh", scenario=self.scenario(), code=code)
            self.assertIn(f"{path}: 文件或目录不存在", line)

    def test_a_device_that_is_not_there(self):
        scenario = self.scenario(**TWO)
        for command in ("status", "log", "who"):
            with self.subTest(command=command):
                self.assertEqual(
                    self.refused(command, "--device", "9", scenario=scenario),
                    "gpusight: there is no device '9'; this machine has 2. "
                    "'gpusight status' lists them.")

    def test_a_device_prefix_that_fits_several(self):
        line = self.refused("log", "--device", "GPU-", scenario=self.scenario(**TWO))
        self.assertEqual(line, "gpusight: 'GPU-' fits 2 devices. Write more of the UUID.")

    def test_a_process_that_is_not_there(self):
        line = self.refused("log", "--pid", "4000000", scenario=self.scenario())
        self.assertEqual(line, "gpusight: there is no process 4000000. 'gpusight who' lists the "
                               "processes on every device.")

    def test_a_library_that_is_not_there_or_is_none(self):
        other = self.folder / "libnvidia-ml.so.1"
        for _ in range(2):
            for command in ("status", "log", "who"):
                line = self.refused(command, "--nvml", other, code=3)
                self.assertEqual(line, f"gpusight: {other} cannot be loaded as NVIDIA's "
                                       "management library. Check the path, or leave --nvml away "
                                       "to search the usual places.")
            other.write_bytes(b"not a library")

    def test_a_driver_of_another_version_than_its_kernel_module(self):
        scenario = self.scenario(rules=[{"calls": "nvmlInit*", "code": 18}])
        line = self.refused("status", scenario=scenario, code=3)
        self.assertIn("different versions", line)
        self.assertIn("Reboot", line)

    def test_a_driver_that_says_no(self):
        scenario = self.scenario(rules=[{"calls": "nvmlInit*", "code": 4}])
        line = self.refused("status", scenario=scenario, code=3)
        self.assertIn("/dev/nvidia", line)

    def test_device_nodes_that_may_not_be_opened(self):
        scenario = self.scenario(rules=[{"calls": "nvmlDeviceGetHandleBy*", "code": 4}])
        line = self.refused("status", scenario=scenario, code=3)
        self.assertIn("/dev/nvidia", line)

    def test_too_few_file_descriptors_for_the_driver(self):
        # Without any the library itself cannot be loaded; with some the driver says that it is not
        # loaded, that it does not know why, or that its nodes may not be opened.
        for limit, call, code in ((4, "nvmlInit*", 0), (8, "nvmlInit*", 9), (8, "nvmlInit*", 999),
                                  (8, "nvmlInit*", 4), (8, "nvmlDeviceGetHandleBy*", 999),
                                  (8, "nvmlDeviceGetHandleBy*", 4)):
            if limit == 4 and BUILD_IS_SANITIZED:
                continue  # the sanitizer needs a descriptor itself, to see whether it may read
            scenario = self.scenario(rules=[{"calls": call, "code": code}] if code else [])
            limited = {"preexec_fn": lambda n=limit: resource.setrlimit(
                resource.RLIMIT_NOFILE, (n, n)), "scenario": scenario}
            more = ["--log-file", "/dev/null"] if limit == 4 else []  # the last descriptor
            for command in (["status"], ["log", "-n", "1"], ["who"], ["top", "--once"]):
                with self.subTest(limit=limit, call=call, code=code, command=command):
                    line = self.refused(*command, *more, code=3, **limited)
                    self.assertIn("too many open files", line)
                    self.assertIn("ulimit -n", line)
                    line = self.refused(*command, *more, "--lang", "zh", code=3, **limited)
                    self.assertIn("打开的文件过多", line)
            said = " ".join(self.run_program("doctor", *more, **limited).stdout.split())
            self.assertIn("too many open files", said)
            self.assertNotIn("was not found", said)

    def test_a_driver_without_a_gpu(self):
        line = self.refused("status", scenario=self.scenario(devices=[]), code=3)
        self.assertIn("finds no GPU", line)

    def test_no_driver_for_every_state_in_both_languages(self):
        for code in (1, 4, 9, 12, 15, 18, 999):
            scenario = self.scenario(rules=[{"calls": "nvmlInit*", "code": code}])
            for lang, ends in (("en", "."), ("zh", "。")):
                with self.subTest(code=code, lang=lang):
                    line = self.refused("status", "--lang", lang, scenario=scenario, code=3)
                    self.assertTrue(line.endswith(ends), line)
                    self.assertFalse(line.endswith(ends * 2), line)

    def test_all_gpus_lost_are_shown_but_are_no_success(self):
        scenario = self.scenario(rules=[
            {"calls": ["nvmlDeviceGetUtilizationRates", "nvmlDeviceGetMemoryInfo_v2"],
             "code": 15}])
        done = self.run_program("status", scenario=scenario)
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("!! the GPU fell off the bus", done.stdout)

    def test_a_root_that_is_no_folder(self):
        line = self.refused("status", "--root", self.folder / "none")
        self.assertIn("is not a folder", line)

    def test_a_log_file_that_cannot_be_opened(self):
        line = self.refused("status", "--log-file", self.folder, code=1)
        self.assertIn("the log file cannot be opened", line)

    def test_a_driver_too_old_to_be_asked_still_shows_what_it_can(self):
        done = self.run_program("status", "--json", "--nvml",
                                harness.BUILD / "fake" / "r450" / "libnvidia-ml.so.1", "--root",
                                self.root(),
                                env={"GPUSIGHT_FAKE_SCENARIO": str(self.scenario())})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("driver too old", done.stdout)

    def test_an_output_file_that_cannot_be_opened(self):
        path = self.folder / "no" / "such" / "folder.log"
        line = self.refused("log", "-o", path, scenario=self.scenario(), code=1)
        self.assertIn("No such file or directory", line)
        self.assertFalse(path.exists())

    def test_a_wrong_command_line_creates_no_file(self):
        path = self.folder / "gpu.log"
        self.refused("log", "-o", path, "--fields", "utill", scenario=self.scenario())
        self.refused("log", "-o", path, "--device", "9", scenario=self.scenario())
        self.assertFalse(path.exists())

    def test_words_that_a_terminal_would_obey_are_not_repeated(self):
        for args in (["\x1b[2J"], ["status", "--\x1b]0;x\x07"], ["log", "--fields", "\x1b[1m"],
                     ["log", "--interval", "\x1b[1m"], ["--lang", "\x1b[1m"],
                     ["log", "--pid", "\x1b[1m"]):
            with self.subTest(args=args):
                self.assertNotRegex(self.refused(*args), r"[\x00-\x1f\x7f]")

    def test_arguments_of_any_bytes_are_refused_and_not_obeyed(self):
        for raw in (b"\xff\xfe", b"--\xff", b"--fields=\xff", b"-" * 5000, b"=" * 3, b"--", b"-",
                    b""):
            with self.subTest(raw=raw):
                done = self.run_program("log", os.fsdecode(raw), "--nvml", "/nonexistent")
                self.assertIn(done.returncode, (2, 3))
                self.assertTrue(re.match("gpusight: ", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
