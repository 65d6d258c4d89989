# SPDX-License-Identifier: Apache-2.0
"""gpusight status on the fake driver."""
import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import unittest

import harness
from harness import GIB

JOBS = {
    "devices": [{"recording": harness.RECORDING, "memory": {"residual_bytes": 20971520}}],
    "processes": [
        {"pid": 101, "device": 0, "name": "python", "memory_bytes": 63 * GIB + 4096},
        {"pid": 102, "device": 0, "name": "python", "memory_bytes": 3 * GIB},
    ],
}


class Status(harness.Case):
    def json(self, *args, **options):
        return json.loads(self.ok("status", "--json", *args, **options))

    def test_json_has_the_promised_shape(self):
        frame = self.json(scenario=self.scenario(**JOBS))
        self.assertEqual(frame["schema"], 1)
        device = frame["devices"][0]
        self.assertEqual(device["name"], "NVIDIA H200")
        self.assertEqual(device["index"], 0)
        self.assertTrue(device["uuid"].startswith("GPU-"))
        for process in device["processes"]:
            for key in ("pid", "start_time", "user", "command", "container", "used_bytes",
                        "sm_ratio"):
                self.assertIn(key, process)
        self.assertEqual(device["unknown"]["fan_ratio"], "not supported")
        self.assertIsNone(device["fan_ratio"])

    def test_the_memory_account_adds_up_to_the_byte(self):
        device = self.json(scenario=self.scenario(**JOBS))["devices"][0]
        memory = device["memory"]
        self.assertEqual(memory["total_bytes"], memory["used_bytes"] + memory["free_bytes"]
                         + memory["driver_reserved_bytes"])
        self.assertEqual(memory["used_bytes"], memory["residual_bytes"]
                         + sum(p["used_bytes"] for p in device["processes"]))
        self.assertEqual(memory["residual_bytes"], 20971520)

    def test_without_a_gpu_json_is_a_whole_document_that_says_why(self):
        for scenario, state in (({"devices": []}, "no_device"),
                                ({"base": str(harness.MACHINES / "driver-not-loaded/scenario.json")}, "error"),
                                (None, "no_library")):
            for command in ("status", "who"):
                with self.subTest(state, command=command):
                    library = [] if scenario else ["--nvml", self.folder / "none.so"]
                    done = self.run_program(command, "--json", *library,
                                            scenario=self.scenario(**scenario) if scenario else None)
                    self.assertEqual(done.returncode, 3, done.stderr)
                    document = json.loads(done.stdout)
                    self.assertEqual(document["devices"], [])
                    self.assertEqual(document["driver"]["state"], state)
                    self.assertTrue(document["driver"]["reason"])
                    self.assertIn("gpusight: ", done.stderr)

    def test_the_message_without_a_gpu_names_the_doctor(self):
        done = self.run_program("status", scenario=self.scenario(devices=[]))
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stdout, "")
        self.assertIn("gpusight doctor", done.stderr)

    def test_two_looks_tell_what_needs_an_interval(self):
        scenario = self.scenario(**JOBS)
        once = self.json(scenario=scenario)["devices"][0]
        self.assertEqual(once["unknown"]["sm_activity_ratio"], "not sampled yet")
        twice = self.json("--sample", "200ms", scenario=scenario)["devices"][0]
        self.assertIsInstance(twice["sm_activity_ratio"], (int, float))
        self.assertGreater(len(twice["samples"]["utilization_ratio"]), 1)

    def test_csv_has_one_line_per_device_and_every_column(self):
        scenario = self.scenario(devices=[{"recording": harness.RECORDING, "copies": 3}])
        rows = list(csv.DictReader(io.StringIO(self.ok("status", "--csv", scenario=scenario))))
        self.assertEqual([row["gpu"] for row in rows], ["0", "1", "2"])
        for row in rows:
            self.assertNotIn(None, row)
            self.assertGreater(int(row["memory_total_bytes"]), GIB)
            self.assertEqual(row["fan_ratio"], "")
            self.assertIn("fan_ratio: not supported", row["unknown"])

    def test_only_the_devices_that_were_asked_for(self):
        scenario = self.scenario(devices=[{"recording": harness.RECORDING, "copies": 3}])
        frame = self.json("--device", "2,0", scenario=scenario)
        self.assertEqual([d["index"] for d in frame["devices"]], [0, 2])
        page = self.ok("status", "-d", "1", scenario=scenario)
        self.assertIn("GPU 1", page)
        self.assertNotIn("GPU 0", page)

    def test_the_page_shows_devices_account_and_processes(self):
        page = self.ok("status", scenario=self.scenario(**JOBS))
        self.assertIn("GPU 0  NVIDIA H200", page)
        used = re.search(r"used +([\d.]+) = processes ([\d.]+) \+ residual ([\d.]+)", page)
        total = re.search(r"total +([\d.]+) = used ([\d.]+) \+ free ([\d.]+) \+ driver ([\d.]+)",
                          page)
        hundredths = [[round(float(x) * 100) for x in m.groups()] for m in (used, total)]
        for whole, *parts in hundredths:
            self.assertEqual(whole, sum(parts))
        self.assertEqual(hundredths[0][0], hundredths[1][1])
        self.assertRegex(page, r"101 .* 63\.0GiB")

    def test_a_pipe_gets_no_colours_and_no_program_name_runs_status(self):
        scenario = self.scenario(**JOBS)
        self.assertNotIn("\x1b", self.ok("status", scenario=scenario))
        self.assertIn("GPU 0  NVIDIA H200", self.ok(scenario=scenario))
        self.assertIn("\x1b[", self.ok("status", "--color", "always", scenario=scenario))

    def in_terminal(self, *args, **env):
        """The output of a run whose output is a terminal."""
        main, side = pty.openpty()
        process = subprocess.Popen(self.arguments(args, "x"), stdin=subprocess.DEVNULL,
                                   stdout=side, stderr=subprocess.PIPE,
                                   env=self.environment(self.scenario(**JOBS), **env))
        self.addCleanup(self.end, process)
        os.close(side)
        out = b""
        try:
            while chunk := os.read(main, 65536):
                out += chunk
        except OSError:
            pass  # the other side was closed
        os.close(main)
        self.assertEqual(process.wait(), 0)
        return out.decode()

    def test_a_terminal_gets_colours_unless_no_color_is_set(self):
        self.assertIn("\x1b[", self.in_terminal("status", TERM="xterm"))
        self.assertNotIn("\x1b", self.in_terminal("status", TERM="xterm", NO_COLOR="1"))
        self.assertNotIn("\x1b", self.in_terminal("status", TERM="dumb"))

    def test_a_terminal_gets_two_looks(self):
        self.assertRegex(self.in_terminal("status", TERM="dumb"), r"SM \d+%")

    def test_a_terminal_that_is_not_utf8_gets_ascii(self):
        page = self.in_terminal("status", TERM="dumb", LANG="C")
        self.assertTrue(page.isascii(), page)

    def test_chinese(self):
        page = self.ok("status", "--lang", "zh", scenario=self.scenario(**JOBS))
        for word in ("利用率", "显存", "已用", "未归属", "进程号"):
            self.assertIn(word, page)
        self.assertIn("显存", self.ok("status", scenario=self.scenario(**JOBS),
                                     env={"LC_ALL": "zh_CN.UTF-8"}))

    def test_watch_repeats_until_it_is_interrupted(self):
        process = self.start("status", "--json", "--watch", "0.1", scenario=self.scenario(**JOBS))
        sequences = [json.loads(process.stdout.readline())["sequence"] for _ in range(3)]
        self.assertEqual(sequences, [1, 2, 3])
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, err), (0, ""))

    def test_a_lost_gpu_affects_only_itself(self):
        scenario = self.scenario(
            base=str(harness.MACHINES / "two-h200" / "scenario.json"),
            rules=[{"calls": ["nvmlDeviceGetUtilizationRates", "nvmlDeviceGetMemoryInfo_v2"],
                    "device": 1, "code": 15}])
        first, second = self.json(scenario=scenario)["devices"]
        self.assertEqual((first["state"], second["state"]), ("ok", "lost"))
        self.assertIsNotNone(first["utilization_ratio"])
        self.assertEqual(second["unknown"]["utilization_ratio"], "GPU lost")
        self.assertIn("!! the GPU fell off the bus", self.ok("status", scenario=scenario))

    def test_the_demonstration_needs_no_gpu(self):
        page = self.ok("status", "--demo")
        self.assertIn("GPU 0  NVIDIA H200", page)
        self.assertIn("python3 train", page)

    def test_a_reader_that_leaves_is_no_error(self):
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "w") as out:
            done = self.run_program("status", scenario=self.scenario(**JOBS), stdout=out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = self.run_program("status", scenario=self.scenario(**JOBS), stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)

    def test_a_closed_standard_output_is_told_and_nothing_is_written_elsewhere(self):
        log = self.folder / "own.log"
        done = self.run_program("status", "--log-file", log, scenario=self.scenario(**JOBS),
                                stdout=None, preexec_fn=lambda: os.close(1))
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output is closed", done.stderr)
        self.assertFalse(log.exists() and log.read_text())

    def test_a_hang_up_ends_the_watch(self):
        process = self.start("status", "-w", "100ms", scenario=self.scenario(**JOBS))
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        process.stdout.read()
        self.assertEqual(process.wait(10), 0)


class SlowDriver(harness.Case):
    def test_one_that_never_answers_is_not_called_a_missing_gpu(self):
        scenario = self.scenario(rules=[{"calls": "nvmlInit_v2", "hang": True}])
        complaint = self.refused("status", code=1, scenario=scenario)
        self.assertIn("has not answered yet, after 15 s", complaint)
        self.assertIn("nvidia-smi -pm 1", complaint)
        self.assertNotIn("waiting", complaint)

    def test_one_that_loads_for_seconds_is_waited_for(self):
        scenario = self.scenario(rules=[{"calls": "nvmlInit_v2", "times": 1, "delay_seconds": 2.5}])
        self.assertIn("H200", self.ok("status", scenario=scenario))


class Namespaces(harness.Case):
    """Inside a PID namespace a newer driver lists only the processes of that namespace."""
    def page(self, namespace, *more):
        self.host(namespace=namespace)
        used = {"recording": harness.RECORDING, "memory": {"used_bytes": 60 * harness.GIB}}
        scenario = self.scenario(devices=[used], processes=[])
        return " ".join(self.ok("status", *more, scenario=scenario).split())

    def test_hidden_owners_are_hinted_at(self):
        self.assertIn("60.0GiB may belong to processes that are hidden from this PID namespace",
                      self.page(4026532777))

    def test_in_chinese(self):
        self.assertIn("命名空间不可见", self.page(4026532777, "--lang", "zh"))

    def test_on_the_machine_itself_nobody_is_hidden(self):
        page = self.page(4026531836)
        self.assertNotIn("hidden", page)
        self.assertIn("60.0GiB are used under no listed process", page)


if __name__ == "__main__":
    unittest.main()
