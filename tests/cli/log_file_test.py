# SPDX-License-Identifier: Apache-2.0
"""gpusight log -o: rotation, reopening, disks that are full."""
import os
import resource
import signal
import subprocess
import unittest

import harness


class LogFile(harness.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "gpu.log"
        self.one = self.scenario()

    def log(self, *args):
        self.assertEqual(self.ok("log", "-o", self.path, "-i", "100ms", *args, scenario=self.one),
                         "")

    def grown(self, path, size):
        """Waits until the file is larger than that."""
        while not path.exists() or path.stat().st_size <= size:
            os.sched_yield()

    def test_lines_are_appended_and_the_csv_header_is_written_once(self):
        for _ in range(2):
            self.log("-f", "csv", "-n", "2")
        lines = self.path.read_text().splitlines()
        self.assertEqual(len(lines), 5)
        self.assertEqual(sum(line.startswith("time,") for line in lines), 1)

    def test_a_dash_is_standard_output(self):
        out = self.ok("log", "-o", "-", "-n", "1", scenario=self.one, cwd=self.folder)
        self.assertIn("GPU-0", out)
        self.assertFalse((self.folder / "-").exists())

    def test_a_file_with_other_columns_is_left_alone(self):
        self.log("-f", "csv", "-n", "1")
        before = self.path.read_text()
        line = self.refused("log", "-o", self.path, "-f", "csv", "--fields", "temp",
                            scenario=self.one)
        self.assertIn("begins with other columns", line)
        self.assertEqual(self.path.read_text(), before)

    def test_rotation_by_size_keeps_the_newest_and_every_file_has_its_header(self):
        self.log("-f", "csv", "-n", "8", "--rotate-size", "300", "--keep", "2")
        files = sorted(p.name for p in self.folder.glob("gpu.log*"))
        self.assertEqual(files, ["gpu.log", "gpu.log.1", "gpu.log.2"])
        last = []
        for name in reversed(files):
            text = (self.folder / name).read_text()
            self.assertLessEqual(len(text), 300)
            self.assertTrue(text.startswith("time,gpu,uuid,"))
            self.assertTrue(text.endswith("\n"))
            last += text.splitlines()[1:]
        self.assertEqual(last, sorted(last))

    def test_rotation_leaves_files_of_others_alone(self):
        for name in ("gpu.log", "gpu.log.1", "gpu.log.3"):
            with self.subTest(name):
                theirs = self.folder / name
                theirs.write_text("my notes\n" * 99)
                line = self.refused("log", "-o", self.path, "--rotate-size", "300", "-n", "1",
                                    scenario=self.one)
                self.assertIn(f"{theirs} was not written by 'gpusight log'. Rotation would", line)
                self.assertEqual(theirs.read_text(), "my notes\n" * 99)
                theirs.unlink()
                self.assertEqual(list(self.folder.glob("gpu.log*")), [])

    def test_old_files_of_every_format_are_its_own(self):
        for number, form in enumerate(("text", "logfmt", "csv", "jsonl")):
            self.log("-f", form, "-n", "2", "--rotate-size", "1", "--keep", "9")
            self.path.rename(self.folder / "gpu.log.9")
        self.assertGreater(len(list(self.folder.glob("gpu.log.*"))), 4)

    def test_a_closed_standard_output_is_named(self):
        closed = {"preexec_fn": lambda: os.close(1), "scenario": self.one, "code": 1}
        diary = self.folder / "diary"
        for command in (["log", "-n", "1"], ["status"], ["doctor"], ["--help"], ["who", "--json"],
                        ["status", "--log-file", diary], ["--version"]):
            with self.subTest(command):
                line = self.refused(*command, **closed)
                self.assertRegex(line, r"^gpusight: standard output is closed\. (Send|Name) .*\.$")
        self.assertEqual(diary.read_text(), "")

    def test_rotation_by_age(self):
        self.log("-n", "13", "--rotate-age", "1s")
        self.assertTrue((self.folder / "gpu.log.1").exists())

    def test_hang_up_opens_the_file_again(self):
        process = self.start("log", "-o", str(self.path), "-i", "100ms", "-f", "csv",
                             scenario=self.one)
        self.grown(self.path, 0)
        moved = self.folder / "moved.log"
        self.path.rename(moved)
        process.send_signal(signal.SIGHUP)
        self.grown(self.path, 0)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 0)
        for path in (moved, self.path):
            self.assertTrue(path.read_text().startswith("time,gpu,uuid,"))
            self.assertTrue(path.read_text().endswith("\n"))

    def test_a_hang_up_before_it_is_ready_does_not_end_it(self):
        config = self.folder / "config"
        os.mkfifo(config)
        process = self.start("log", "-o", str(self.path), "-n", "2", "-i", "100ms", "--config",
                             str(config), scenario=self.one)
        with open(config, "w") as pipe:  # opens when the program reads it
            process.send_signal(signal.SIGHUP)
            pipe.write("")
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertEqual(len(self.path.read_text().splitlines()), 2)

    def test_a_file_size_limit_is_told_like_a_full_disk(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        done = self.run_program("log", "-o", self.path, "-n", "2", "-i", "100ms",
                                scenario=self.one, preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("File too large", done.stderr)

    def test_a_file_that_another_log_rotates_is_refused(self):
        first = self.start("log", "-o", str(self.path), "-i", "100ms", "--rotate-size", "1MiB",
                           scenario=self.one)
        self.grown(self.path, 0)
        line = self.refused("log", "-o", self.path, "-n", "1", code=1, scenario=self.one)
        self.assertIn("another gpusight log writes to", line)
        first.send_signal(signal.SIGTERM)
        self.assertEqual(first.wait(timeout=30), 0)

    def test_more_old_files_than_can_be_renamed_are_refused(self):
        line = self.refused("log", "-o", self.path, "--keep", "1000000000000", scenario=self.one)
        self.assertIn("from 0 to 9999", line)

    def test_a_log_without_a_usable_device_says_so_by_its_exit_code(self):
        lost = self.scenario(devices=[{"recording": harness.RECORDING}],
                             rules=[{"calls": "nvmlDeviceGetHandleByIndex_v2", "code": 999}])
        done = self.run_program("log", "-n", "1", scenario=lost)
        self.assertEqual(done.returncode,
                         self.run_program("status", scenario=lost).returncode, done.stderr)
        self.assertEqual(done.returncode, 3)

    def test_a_full_disk_is_reported_once_and_does_not_stop_the_sampling(self):
        done = self.run_program("log", "-o", "/dev/full", "-n", "5", "-i", "100ms",
                                scenario=self.one)
        first, last = done.stderr.splitlines()
        self.assertIn("No space left on device", first)
        self.assertIn("Sampling goes on", first)
        self.assertEqual(last, "gpusight: 5 lines could not be written (/dev/full: No space left "
                         "on device). Make room, or write to another place with -o FILE.")
        self.assertEqual(done.returncode, 1)

    def test_nothing_goes_on_after_the_last_line(self):
        for args in (["-n", "1"], ["--for", "50ms"]):
            line = self.refused("log", "-o", "/dev/full", *args, code=1, scenario=self.one)
            self.assertEqual(line, "gpusight: 1 line could not be written (/dev/full: No space "
                             "left on device). Make room, or write to another place with -o FILE.")
        line = self.refused("log", "-o", "/dev/full", "-n", "1", "--lang", "zh", code=1,
                            scenario=self.one)
        self.assertEqual(line, "gpusight：有 1 行未能写入（/dev/full: 磁盘空间不足）。"
                         "请腾出空间，或用 -o 文件 换一个位置。")

    def test_standard_output_on_a_full_disk(self):
        with open("/dev/full", "w") as full:
            process = self.start("log", "-i", "100ms", scenario=self.one, stdout=full)
            self.assertIn("No space left on device", process.stderr.readline())
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, err), (0, ""))

    @unittest.skipUnless(os.geteuid() == 0, "mounting a tmpfs needs root")
    def test_a_disk_that_fills_up_leaves_whole_lines_and_is_used_again(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk],
                                 capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"a tmpfs cannot be mounted here: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", disk])
        path = disk / "gpu.log"
        process = self.start("log", "-o", str(path), "-i", "100ms", "--fields",
                             ",".join(["util", "mem_used", "temp", "power", "energy", "fan"] * 2),
                             "-f", "jsonl", scenario=self.one)
        self.assertIn("No space left on device", process.stderr.readline())
        text = path.read_text()
        self.assertTrue(text.endswith("\n"))
        self.assertGreater(len(text), 3000)
        # Room again: the lines go on in the same file.
        os.truncate(path, 0)
        self.assertRegex(process.stderr.readline(), r"\d lines? w(as|ere) lost")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, err), (0, ""))
        for line in path.read_text().splitlines():
            self.assertTrue(line.startswith("{") and line.endswith("}"), line)


if __name__ == "__main__":
    unittest.main()
