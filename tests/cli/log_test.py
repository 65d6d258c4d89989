# SPDX-License-Identifier: Apache-2.0
"""gpusight log on the fake driver: formats, schedule, processes, signals."""
import csv
import datetime
import io
import json
import re
import shlex
import shutil
import signal
import unittest

import harness
from harness import GIB

SHAPE = re.compile(
    r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] GPU-\d+: util=\d+%, mem_used=\d+\.\dGiB, "
    r"mem_total=\d+\.\dGiB$")
TWO = [{"recording": harness.RECORDING, "copies": 2, "memory": {"used_bytes": 12 * GIB}}]


class Log(harness.Case):
    def lines(self, *args, **options):
        if "scenario" not in options:
            options["scenario"] = self.scenario(devices=TWO)
        return self.ok("log", *args, **options).splitlines()

    def test_text_is_one_line_per_device_and_interval(self):
        lines = self.lines("-n", "2", "-i", "1s")
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertRegex(line, SHAPE)
        self.assertEqual([line[22:27] for line in lines], ["GPU-0", "GPU-1"] * 2)
        self.assertIn("mem_used=12.0GiB", lines[0])

    def test_the_time_is_local_to_the_second(self):
        line = self.lines("-n", "1", env={"TZ": "CST-8"})[0]
        told = datetime.datetime.strptime(line[1:20], "%Y-%m-%d %H:%M:%S")
        now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        self.assertLess(abs(told - now - datetime.timedelta(hours=8)),
                        datetime.timedelta(seconds=30))

    def test_below_a_second_the_time_shows_milliseconds(self):
        self.assertRegex(self.lines("-n", "1", "-i", "100ms")[0], r"^\[[-\d]+ [:\d]+\.\d{3}\] ")

    def test_more_fields_in_the_order_given(self):
        line = self.lines("-n", "1", "--fields", "temp,fan,util", "-d", "1")[0]
        self.assertRegex(line, r"GPU-1: temp=\d+C, fan=n/a\(not supported\), util=\d+%$")

    def test_a_field_may_be_named_by_its_long_name_and_twice(self):
        line = self.lines("-n", "1", "--fields", "utilization_ratio,util", "-d", "0")[0]
        self.assertRegex(line, r"GPU-0: util=\d+%$")

    def test_logfmt(self):
        line = self.lines("-n", "1", "-f", "logfmt", "--fields", "util,mem_used,fan")[0]
        pairs = dict(word.split("=", 1) for word in shlex.split(line))
        self.assertEqual(pairs["gpu"], "0")
        self.assertEqual(pairs["memory_used_bytes"], str(12 * GIB))
        self.assertEqual(pairs["unknown"], "fan_ratio: not supported")
        self.assertNotIn("fan_ratio", pairs)
        self.assertTrue(pairs["time"].endswith("Z"))

    def test_csv_has_its_header_once(self):
        text = self.ok("log", "-f", "csv", "-n", "3", "-i", "100ms", "--fields", "util,fan",
                       scenario=self.scenario(devices=TWO))
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), 6)
        self.assertEqual(text.count("time,gpu,uuid"), 1)
        for row in rows:
            float(row["utilization_ratio"])
            self.assertEqual((row["fan_ratio"], row["unknown"]), ("", "fan_ratio: not supported"))

    def test_jsonl(self):
        for line in self.lines("-f", "jsonl", "-n", "2", "-i", "100ms", "--fields",
                               "util,mem_used,fan"):
            record = json.loads(line)
            self.assertEqual(record["memory_used_bytes"], 12 * GIB)
            self.assertIsNone(record["fan_ratio"])
            self.assertEqual(record["unknown"], {"fan_ratio": "not supported"})

    def test_all_fields_can_be_logged_in_every_format(self):
        listed = re.findall(r"^  (\w+) ", self.ok("log", "--fields", "help"), re.MULTILINE)
        fields = ",".join(f for f in listed if not f.startswith("proc_"))
        self.assertGreater(fields.count(","), 70)
        for form in ("text", "logfmt", "csv", "jsonl"):
            self.lines("-n", "1", "-f", form, "--fields", fields)

    def test_the_intervals_do_not_drift(self):
        lines = self.lines("-f", "jsonl", "-i", "100ms", "--for", "2s", "-d", "0",
                           "--fields", "util")
        times = [datetime.datetime.fromisoformat(json.loads(x)["time"][:-1]) for x in lines]
        # 21 when the machine kept up; a deadline that was missed is skipped, never piled up.
        self.assertLessEqual(len(times), 21)
        self.assertGreater(len(times), 5)
        for at in times:
            offset = (at - times[0]).total_seconds() % 0.1
            self.assertLess(min(offset, 0.1 - offset), 0.06)

    def test_for_and_count_end_it(self):
        self.assertEqual(len(self.lines("-i", "200ms", "--for", "400ms", "-d", "0")), 3)
        self.assertEqual(len(self.lines("-i", "100ms", "-n", "2", "-d", "0")), 2)

    def test_a_device_by_the_beginning_of_its_uuid(self):
        everything = self.lines("-n", "1", "-f", "jsonl")
        uuid = json.loads(everything[1])["uuid"]
        chosen = self.lines("-n", "1", "-f", "jsonl", "-d", uuid.lower())
        self.assertEqual([json.loads(x)["gpu"] for x in chosen], [1])

    def trainer(self):
        """A scenario in which the demonstration's training process uses the first device."""
        return self.scenario(processes=[
            {"pid": harness.TRAINER, "device": 0, "memory_bytes": 3 * GIB, "sm_percent": 55},
            {"pid": 1, "device": 0, "memory_bytes": GIB}])

    def test_lines_about_a_process(self):
        self.host(harness.TRAINER)
        args = ("--pid", harness.TRAINER, "-n", "1")
        line = self.lines(*args, scenario=self.trainer())[0]
        self.assertRegex(line, r"GPU-0: pid=41822, command=\S+, util=.*proc_mem=3\.0GiB, proc_sm=")
        record = json.loads(self.lines(*args, "-f", "jsonl", "--fields", "proc_mem,proc_rss",
                                       scenario=self.trainer())[0])
        self.assertEqual(record["pid"], harness.TRAINER)
        self.assertEqual(record["proc_memory_bytes"], 3 * GIB)
        self.assertGreater(record["proc_resident_bytes"], 1 << 20)

    def test_lines_about_a_process_end_with_it(self):
        root = self.host(harness.TRAINER)
        process = self.start("log", "--pid", harness.TRAINER, "-i", "100ms",
                             scenario=self.trainer())
        self.assertIn("pid=41822", process.stdout.readline())
        shutil.rmtree(root / "proc" / str(harness.TRAINER))
        _, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, err), (0, ""))

    def test_a_process_that_only_the_driver_lists_is_explained(self):
        self.host()
        (self.root() / "dev").mkdir()
        (self.root() / "dev" / "nvidiactl").touch()
        for namespace, words in ((4026531836, "has ended; the driver lists it"),
                                 (4026532000, "is outside this container")):
            with self.subTest(words=words):
                ns = self.root() / "proc" / "self" / "ns" / "pid"
                ns.unlink()
                ns.symlink_to(f"pid:[{namespace}]")
                line = self.refused("log", "--pid", harness.TRAINER, "-n", "1",
                                    scenario=self.trainer())
                self.assertIn(f"process {harness.TRAINER} {words}", line)

    def test_a_driver_that_hangs_is_told_in_a_sentence(self):
        never = self.scenario(rules=[{"calls": "nvmlInit*", "hang": True}])
        done = self.run_program("log", "-n", "1", scenario=never)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
        self.assertIn("has not answered yet", done.stderr)
        later = self.scenario(rules=[{"calls": "nvmlDeviceGetTemperature*", "hang": True,
                                      "from": 1}])
        process = self.start("log", "-i", "500ms", "--fields", "temp", "--for", "6s",
                             scenario=later)
        _, err = process.communicate(timeout=50)
        self.assertRegex(err, r"^gpusight: The driver has not answered for \d+ s\.\n$")

    def test_a_process_that_uses_no_device_is_waited_for(self):
        self.host(harness.TRAINER)
        process = self.start("log", "--pid", harness.TRAINER, "-i", "100ms", "--for", "300ms",
                             scenario=self.scenario())
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out), (0, ""))
        self.assertIn("uses no device yet", err)

    def test_interrupt_and_termination_finish_the_line_and_succeed(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("log", "-i", "100ms", scenario=self.scenario(devices=TWO))
            process.stdout.readline()
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
            self.assertEqual((process.returncode, err), (0, ""))
            self.assertTrue(out == "" or out.endswith("\n"))

    def test_a_signal_does_not_wait_for_a_long_interval(self):
        process = self.start("log", "-i", "6h", scenario=self.scenario())
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 0)

    def test_a_reader_that_leaves_ends_it_quietly_and_at_once(self):
        process = self.start("log", "-i", "6h", scenario=self.scenario())
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertEqual(process.stderr.read(), "")

    def test_field_help_in_chinese(self):
        self.assertIn("利用率", self.ok("log", "--fields", "help", "--lang", "zh"))


if __name__ == "__main__":
    unittest.main()
