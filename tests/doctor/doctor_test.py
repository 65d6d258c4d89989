# SPDX-License-Identifier: Apache-2.0
"""The real program `gpusight doctor`: on the fake driver in bad states, on machines without one, in
both languages, on a terminal, and with environments that are wrong in every way."""
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["GPUSIGHT_BUILD"])
SOURCE = pathlib.Path(os.environ["GPUSIGHT_SOURCE"])
PROGRAM = str(BUILD / "bin" / "gpusight")
DRIVER = str(BUILD / "fake" / "libnvidia-ml.so.1")
RECORDING = str(BUILD / "fake" / "recordings" / "h200.json")
KMSG = "4,2,9140900,-;NVRM: Xid (PCI:0000:17:00): 79, pid=1, GPU has fallen off the bus.\n"
OK, FAILED, USAGE, PROBLEM = 0, 1, 2, 4


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gpusight-doctor-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root = self.folder / "host"
        self.root.mkdir()

    def file(self, path, text=""):
        where = self.root / path.lstrip("/")
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(text)

    def link(self, path, target):
        where = self.root / path.lstrip("/")
        where.parent.mkdir(parents=True, exist_ok=True)
        where.symlink_to(target)

    def card(self, bus_id, driver=None):
        self.file(f"/sys/bus/pci/devices/{bus_id}/vendor", "0x10de\n")
        self.file(f"/sys/bus/pci/devices/{bus_id}/class", "0x030200\n")
        if driver:
            self.link(f"/sys/bus/pci/devices/{bus_id}/driver", f"../../drivers/{driver}")

    def environment(self, more):
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        return {**env, **more}

    def run_doctor(self, *args, scenario=None, env=(), **options):
        """On the empty root, without a driver unless a scenario is given."""
        env = dict(env)
        library = str(self.folder / "none.so")
        if scenario is not None:
            library = DRIVER
            path = self.folder / "scenario.json"
            path.write_text(json.dumps(scenario))
            env["GPUSIGHT_FAKE_SCENARIO"] = str(path)
        command = [PROGRAM, "doctor", "--nvml", library, "--root", str(self.root), *map(str, args)]
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env=self.environment(env), timeout=60, **options)

    def checks(self, *args, code=None, stderr=rb"", **options):
        done = self.run_doctor("--json", *args, **options)
        self.assertRegex(done.stderr, rb"^" + stderr + rb"$")
        answer = json.loads(done.stdout)
        self.assertEqual(answer["schema"], 1)
        states = [check["state"] for check in answer["checks"]]
        self.assertEqual(done.returncode, PROBLEM if "problem" in states else OK)
        if code is not None:
            self.assertEqual(done.returncode, code)
        return answer["checks"]

    def verdicts(self, *args, **options):
        return [f"{c['state']} {c['id']}" for c in self.checks(*args, **options)]

    @staticmethod
    def device(**more):
        return {"recording": RECORDING, **more}


class WithoutDriver(Case):
    def test_no_card_is_said_once(self):
        self.file("/sys/bus/pci/devices/0000:00:02.0/vendor", "0x8086\n")
        bad = [v for v in self.verdicts(code=PROBLEM) if v.startswith("problem")]
        self.assertEqual(bad, ["problem driver.cards"])

    def test_nouveau(self):
        self.card("0000:01:00.0", "nouveau")
        self.file("/proc/modules", "nouveau 3096576 4 - Live 0x0000000000000000\n")
        remedies = {c["id"]: c["remedy"] for c in self.checks(code=PROBLEM)}
        self.assertIn("blacklist nouveau", remedies["driver.module"])

    def test_container_without_gpu(self):
        self.card("0000:01:00.0", "nvidia")
        self.file("/proc/driver/nvidia/version",
                  "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24\n")
        self.file("/.dockerenv")
        checks = self.checks(env={"NVIDIA_VISIBLE_DEVICES": "void"}, code=PROBLEM)
        bad = [c["id"] for c in checks if c["state"] == "problem"]
        self.assertEqual(bad, ["container.no_gpu", "container.visible_devices"])
        self.assertIn("--gpus all", checks[-1]["remedy"] or str(checks))

    def test_machine_that_is_this_one(self):
        """Whatever it is: an answer in time, no word on standard error."""
        start = time.monotonic()
        done = subprocess.run([PROGRAM, "doctor"], stdin=subprocess.DEVNULL, capture_output=True,
                              env=self.environment({}), timeout=60)
        self.assertIn(done.returncode, (OK, PROBLEM))
        self.assertEqual(done.stderr, b"")
        self.assertLess(time.monotonic() - start, 30)


class OnTheFakeDriver(Case):
    def test_demonstration_has_no_problem(self):
        done = subprocess.run([PROGRAM, "doctor", "--demo", "--json"], capture_output=True,
                              env=self.environment({}), timeout=60)
        self.assertEqual((done.returncode, done.stderr), (OK, b""))
        checks = json.loads(done.stdout)["checks"]
        self.assertIn("580.159.04", str([c for c in checks if c["id"] == "driver.answer"]))

    def test_a_driver_that_hangs_does_not_hang_the_doctor(self):
        start = time.monotonic()
        checks = self.checks(code=PROBLEM, scenario={
            "devices": [self.device()], "rules": [{"calls": "nvmlInit_v2", "hang": True}]})
        self.assertLess(time.monotonic() - start, 20)
        self.assertIn("not answered yet", str([c for c in checks if c["id"] == "driver.answer"]))

    def test_version_mismatch(self):
        self.file("/proc/driver/nvidia/version",
                  "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Sat Feb 24\n")
        self.file("/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.550.54.15")
        verdicts = self.verdicts(code=PROBLEM, scenario={
            "devices": [self.device()], "rules": [{"calls": "nvmlInit_v2", "code": 18}]})
        self.assertIn("problem driver.versions", verdicts)
        self.assertIn("problem driver.answer", verdicts)

    def test_sick_devices(self):
        sick = {"nvmlDeviceGetPersistenceMode": {"v": 0}, "nvmlDeviceGetComputeMode": {"v": 2},
                "nvmlDeviceGetRemappedRows": {"v": [0, 1, 1, 0]},
                "nvmlDeviceGetEnforcedPowerLimit": {"v": 400000},
                "nvmlDeviceGetCurrPcieLinkWidth": {"v": 8}}
        verdicts = self.verdicts(code=PROBLEM, scenario={"devices": [
            self.device(), self.device(override=sick), self.device(mig_mode=True)]})
        for verdict in ("note device.persistence", "problem device.compute_mode",
                        "problem device.remap", "note device.power_limit", "note link.pcie",
                        "problem device.mig"):
            self.assertIn(verdict, verdicts)

    def test_lost_device(self):
        verdicts = self.verdicts(code=PROBLEM, scenario={
            "devices": [self.device(copies=2)],
            "rules": [{"calls": "nvmlDeviceGet*", "device": 1, "code": 15}]})
        self.assertIn("problem device.lost", verdicts)
        self.assertIn("ok device", verdicts)

    def test_counters_that_another_profiler_holds(self):
        verdicts = self.verdicts(code=PROBLEM, scenario={
            "devices": [self.device()], "rules": [{"calls": "nvmlGpmSampleGet", "code": 19}]})
        self.assertIn("problem profiling.counters_taken", verdicts)

    def test_every_recorded_machine_and_host(self):
        """Whatever is recorded: an answer in both languages, and the same verdicts in each."""
        hosts = sorted((SOURCE / "testdata/hosts").iterdir())
        machines = sorted((SOURCE / "testdata/machines").glob("*/scenario.json"))
        hosts = [host for host in hosts if host.is_dir()]
        self.assertGreater(len(hosts), 3)
        self.assertGreater(len(machines), 20)
        idle = SOURCE / "testdata/machines/h200-idle/scenario.json"
        pairs = [(idle, host) for host in hosts] + [(machine, self.root) for machine in machines[::4]]
        for machine, host in pairs:
            with self.subTest(machine=machine.parent.name, host=host.name):
                said = []
                for lang in ("en", "zh"):
                    done = subprocess.run(
                        [PROGRAM, "doctor", "--json", "--lang", lang, "--nvml", DRIVER,
                         "--root", str(host)], capture_output=True, timeout=60,
                        env=self.environment({"GPUSIGHT_FAKE_SCENARIO": str(machine)}))
                    checks = json.loads(done.stdout)["checks"]
                    said.append([(c["id"], c["state"]) for c in checks])
                self.assertEqual(*said)

    def test_inside_a_container_on_the_recorded_host(self):
        self.root = SOURCE / "testdata/hosts/inside"
        verdicts = self.verdicts(scenario={"devices": [self.device()]})
        self.assertIn("note container.pid_namespace", verdicts)
        self.assertIn("ok host.memory", verdicts)

    def test_xids_of_the_past(self):
        self.file("/dev/kmsg", KMSG)
        checks = self.checks(code=PROBLEM, scenario={"devices": [self.device()]})
        self.assertIn("XID 79", str([c for c in checks if c["id"] == "device.xid"]))

    def test_visible_devices(self):
        for value, verdict in (("1,0", "ok"), ("0,7", "problem"), ("", "note"), ("-1", "note")):
            verdicts = self.verdicts(scenario={"devices": [self.device(copies=2)]},
                                     env={"CUDA_VISIBLE_DEVICES": value})
            self.assertIn(f"{verdict} environment.visible_devices", verdicts, value)


class Environment(Case):
    def setUp(self):
        super().setUp()
        self.scenario = {"devices": [self.device()]}

    def flags(self, *args, **env):
        checks = self.checks(*args, scenario=self.scenario, env=env)
        return {c["id"]: c for c in checks if c["id"].startswith("memory_flag")}

    def test_the_folklore_flag_of_the_issue(self):
        check = self.flags(FLAGS_malloc_trunk_size="512")["memory_flag.FLAGS_malloc_trunk_size"]
        self.assertEqual(check["state"], "problem")
        self.assertEqual(check["text"], "FLAGS_malloc_trunk_size is in no Paddle: nothing reads it")
        self.assertEqual(check["remedy"], "Use FLAGS_auto_growth_chunk_size_in_mb.")

    def test_in_chinese(self):
        check = self.flags("--lang", "zh", FLAGS_malloc_trunk_size="1")
        self.assertEqual(check["memory_flag.FLAGS_malloc_trunk_size"]["text"],
                         "Paddle 中没有 FLAGS_malloc_trunk_size，不会生效")
        self.assertEqual(check["memory_flag.FLAGS_malloc_trunk_size"]["state"], "problem")

    def test_good_settings_are_ok(self):
        found = self.flags(PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True",
                           FLAGS_allocator_strategy="auto_growth")
        self.assertEqual({c["state"] for c in found.values()}, {"ok"})
        self.assertEqual(list(self.flags()), ["memory_flag"])

    def test_hostile_values(self):
        evil = "\x1b[2J\x07" + "A" * 100000
        found = self.flags(FLAGS_gpu_memory_limit_mb=evil, PYTORCH_CUDA_ALLOC_CONF="[" * 5000,
                           **{"FLAGS_" + "x" * 5000: "1"})
        for check in found.values():
            self.assertNotRegex(check["text"], r"[\x00-\x1f\x7f]")
        self.assertEqual(found["memory_flag.FLAGS_gpu_memory_limit_mb"]["state"], "problem")

    def test_values_of_unknown_variables_are_not_shown(self):
        done = self.run_doctor(scenario=self.scenario,
                               env={"FLAGS_token": "s3cret", "AWS_SECRET_ACCESS_KEY": "s3cret",
                                    "CUDA_VISIBLE_DEVICE": "s3cret"})
        self.assertNotIn(b"s3cret", done.stdout)

    def test_of_another_process(self):
        self.file("/proc/41822/status", "Name:\tpython3\nUid:\t0\t0\t0\t0\n")
        self.file("/proc/41822/stat", "41822 (python3) S 1 " + "0 " * 48 + "\n")
        self.file("/proc/41822/environ", "FLAGS_malloc_trunk_size=1\0")
        found = self.flags("--pid", "41822", FLAGS_allocator_strategy="auto_growth")
        self.assertEqual(list(found), ["memory_flag.FLAGS_malloc_trunk_size"])

    def test_of_a_live_process(self):
        child = subprocess.Popen(["sleep", "60"], env={"FLAGS_malloc_trunk_size": "1"})
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        done = subprocess.run([PROGRAM, "doctor", "--json", "--pid", str(child.pid)],
                              capture_output=True, env=self.environment({}), timeout=60)
        self.assertEqual(done.returncode, PROBLEM)
        self.assertIn(b"memory_flag.FLAGS_malloc_trunk_size", done.stdout)


class Output(Case):
    def test_wrong_pids(self):
        done = self.run_doctor("--pid", "4711")
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""))
        self.assertRegex(done.stderr.decode(), r"^gpusight: there is no process 4711\. .*\n$")
        for value in ("0", "-1", "one", "99999999999999999999"):
            done = self.run_doctor("--pid=" + value)
            self.assertEqual((done.returncode, done.stdout), (USAGE, b""), value)

    def test_pids_that_only_the_driver_knows(self):
        scenario = {"devices": [self.device()], "processes": [{"pid": 17, "memory_bytes": 1 << 30}]}
        self.file("/proc/2/comm", "kthreadd\n")  # every number is one of this machine
        self.file("/dev/nvidiactl", "")  # and the driver is this machine's
        done = self.run_doctor("--pid", "17", scenario=scenario)
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""))
        self.assertRegex(done.stderr.decode(), r"^gpusight: process 17 has ended; .*'gpusight who'.*\n$")
        self.file("/proc/2/comm", "bash\n")
        done = self.run_doctor("--pid", "17", scenario=scenario)
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""))
        self.assertRegex(done.stderr.decode(), r"^gpusight: process 17 is outside .* on the host\.\n$")

    def test_a_pid_of_which_little_is_recorded(self):
        self.file("/proc/41822/stat", "41822 (python3) S 1 " + "0 " * 48 + "\n")
        self.file("/proc/41822/environ", "FLAGS_malloc_trunk_size=1\0")
        self.assertIn("note memory_flag.FLAGS_malloc_trunk_size",
                      [v.replace("problem", "note") for v in self.verdicts("--pid", "41822")])

    def test_no_colours_in_a_pipe(self):
        self.assertNotIn(b"\x1b", self.run_doctor().stdout)
        self.assertIn(b"\x1b[1;31mproblem", self.run_doctor("--color", "always").stdout)

    def test_colours_and_width_of_a_terminal(self):
        master, slave = pty.openpty()
        done = self.run_doctor(stdout=slave, env={"TERM": "xterm"})
        os.close(slave)
        text = b""
        try:
            while piece := os.read(master, 65536):
                text += piece
        except OSError:  # the other side is closed
            pass
        os.close(master)
        self.assertEqual(done.returncode, PROBLEM)
        self.assertIn(b"\x1b[1;31mproblem", text)

    def test_nobody_reads(self):
        read, write = os.pipe()
        os.close(read)
        done = self.run_doctor(stdout=write)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (OK, b""))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = self.run_doctor(stdout=full)
        self.assertEqual(done.returncode, FAILED)
        self.assertRegex(done.stderr.decode(), r"^gpusight: .*No space left on device.*\n$")

    def test_fits_a_page(self):
        page = self.run_doctor(scenario={"devices": [self.device(copies=8)]}).stdout.decode()
        self.assertLess(len(page.splitlines()), 60)


class Capture(Case):
    def test_a_capture_can_be_played(self):
        done = self.run_doctor("--capture", self.folder / "capture",
                               scenario={"devices": [self.device(copies=2)]})
        self.assertEqual((done.returncode, done.stderr), (OK, b""))
        self.assertIn(b"scenario.json", done.stdout)
        played = subprocess.run(
            [PROGRAM, "status", "--json", "--nvml", DRIVER, "--root", str(self.root)],
            capture_output=True, timeout=60, env=self.environment(
                {"GPUSIGHT_FAKE_SCENARIO": str(self.folder / "capture" / "scenario.json")}))
        self.assertEqual(played.returncode, OK, played.stderr)
        devices = json.loads(played.stdout)["devices"]
        self.assertEqual([d["name"] for d in devices], ["NVIDIA H200"] * 2)
        self.assertIn(b"--nvml ", done.stdout)
        # A second one does not take its place.
        again = self.run_doctor("--capture", self.folder / "capture", scenario={
            "devices": [self.device()]})
        self.assertEqual(again.returncode, 2)
        self.assertIn(b"there is a recording", again.stderr)
        # The identifiers of the captured machine are not in it.
        original = json.loads(pathlib.Path(RECORDING).read_text())["calls"]["nvmlDeviceGetUUID"]["v"]
        for file in (self.folder / "capture").iterdir():
            self.assertNotIn(original[:-2], file.read_text())

    def test_without_a_driver(self):
        done = self.run_doctor("--capture", self.folder / "capture")
        self.assertEqual((done.returncode, done.stdout), (3, b""))
        self.assertFalse((self.folder / "capture").exists())

    def test_not_with_json(self):
        done = self.run_doctor("--json", "--capture", self.folder / "capture")
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""))

    def test_a_driver_that_hangs_is_not_waited_for(self):
        done = self.run_doctor("--capture", self.folder / "capture", scenario={
            "devices": [self.device()], "rules": [{"calls": "nvmlInit_v2", "hang": True}]})
        self.assertEqual((done.returncode, done.stdout), (FAILED, b""))
        self.assertIn(b"has not answered", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_where_nothing_can_be_written(self):
        done = self.run_doctor("--capture", "/proc/none", scenario={"devices": [self.device()]})
        self.assertEqual((done.returncode, done.stdout), (FAILED, b""))
        self.assertEqual(len(done.stderr.splitlines()), 1)


class Documentation(Case):
    def test_every_identifier_is_on_its_page(self):
        pattern = re.compile(r'"((?:driver|nodes|container|device|link|host|profiling|environment)'
                             r'(?:\.[a-z_]+)?)"')
        code = set()
        for source in (SOURCE / "src/cli/doctor").glob("*.cc"):
            if not source.name.endswith("_test.cc"):
                code |= set(pattern.findall(source.read_text()))
        page = (SOURCE / "docs/doctor.md").read_text()
        rows = re.findall(r"^\| (`.*`) \|", page, re.M)
        documented = set(re.findall(r"`([a-z_.]+)`", " ".join(rows)))
        self.assertEqual(code - documented, set())
        self.assertEqual(documented - code, {"memory_flag"})


if __name__ == "__main__":
    unittest.main()
