# SPDX-License-Identifier: Apache-2.0
"""What TensorBoard's own loader reads in our event files: every point is compared with the tables that
`export --format jsonl` makes of the same recording."""

import datetime
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

warnings.simplefilter("ignore")
from tensorboard.backend.event_processing import event_accumulator, event_file_loader  # noqa: E402

BUILD = pathlib.Path(os.environ["GPUSIGHT_BUILD"])
SOURCE = pathlib.Path(os.environ["GPUSIGHT_SOURCE"])
GPUSIGHT = BUILD / "bin" / "gpusight"
RECORDING = SOURCE / "testdata" / "recordings" / "v2.gpusight"
DRIVER = BUILD / "fake" / "libnvidia-ml.so.1"
PATIENCE = 60


def wall_time(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(
        tzinfo=datetime.timezone.utc).timestamp()


def as_stored(value):
    """TensorBoard keeps 32 bits of a number."""
    return struct.unpack("f", struct.pack("f", value))[0]


def records(data):
    """The lengths of the records of which a file is made; fails on one that is cut."""
    lengths, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        lengths.append(length + 16)
        at += length + 16
    if at != len(data):
        raise AssertionError(f"a record ends {at - len(data)} bytes behind the file")
    return lengths


def limit_file_size():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


class TensorBoard(unittest.TestCase):
    maxDiff = 3000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gpusight-tensorboard-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        scenario = self.folder / "scenario.json"
        recording = BUILD / "fake" / "recordings" / "h200.json"
        scenario.write_text(json.dumps({"devices": [{"recording": str(recording)}]}))
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8",
                            "GPUSIGHT_FAKE_SCENARIO": str(scenario)}

    def call(self, *words, code=0, **options):
        done = subprocess.run([str(GPUSIGHT), *map(str, words)], env=self.environment, cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def export(self, *options):
        out = self.folder / "events"
        self.call("export", RECORDING, "--format", "tensorboard", "-o", out, *options)
        return out

    def load(self, run):
        """The accumulator that TensorBoard itself fills from such a folder."""
        loaded = event_accumulator.EventAccumulator(str(run), size_guidance={"scalars": 0, "tensors": 0})
        loaded.Reload()
        return loaded

    def runs(self, out):
        return {path.name: self.load(path) for path in sorted(out.iterdir())}

    def tables(self, recording):
        out = self.folder / f"tables-{recording.stem}"
        self.call("export", recording, "--format", "jsonl", "-o", out)
        return {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in out.iterdir()}

    @staticmethod
    def text(run, tag):
        return run.Tensors(tag)[-1].tensor_proto.string_val[0].decode()

    def compare(self, run, group, rows):
        """Every number of the rows that has a chart in that group is a point there, and nothing else is."""
        tags = [tag for tag in run.Tags()["scalars"] if tag.split("/")[0] == group]
        self.assertTrue(tags, group)
        for tag in tags:
            field = tag.split("/")[1]
            points, wanted = run.Scalars(tag), [row for row in rows if row[field] is not None]
            self.assertEqual([event.value for event in points], [as_stored(row[field]) for row in wanted], tag)
            for event, row in zip(points, wanted):
                self.assertAlmostEqual(event.wall_time, wall_time(row["time"]), delta=1e-5)
        return len(tags)

    # From a recording

    def test_every_point_is_that_of_the_tables(self):
        runs, tables = self.runs(self.export()), self.tables(RECORDING)
        self.assertEqual(list(runs), ["gpu0", "gpu1", "host", "job", "rank0", "rank1"])
        pids = sorted({row["pid"] for row in tables["framework_frame"]})  # of rank 0, of rank 1
        for n in range(2):
            rows = [row for row in tables["device_frame"] if row["device_index"] == n]
            groups = ("gpu", "gpu_memory", "gpu_power", "gpu_link")
            self.assertEqual(sum(self.compare(runs[f"gpu{n}"], group, rows) for group in groups), 23)
            for group, table in (("framework", "framework_frame"), ("allocator", "allocator_frame"),
                                 ("process", "process_frame"), ("process_gpu", "use_frame")):
                self.compare(runs[f"rank{n}"], group, [row for row in tables[table] if row["pid"] == pids[n]])
        self.compare(runs["host"], "host", tables["host_frame"])

    def test_steps_of_the_optimizer_are_an_axis(self):
        runs, tables = self.runs(self.export()), self.tables(RECORDING)
        pid = min(row["pid"] for row in tables["framework_frame"])
        rows = [row for row in tables["framework_frame"] if row["pid"] == pid]
        points = [(event.step, event.value) for event in runs["rank0"].Scalars("step/step_seconds")]
        self.assertEqual(points, [(row["steps"], as_stored(row["step_seconds"])) for row in rows])
        power = [event.value for event in runs["rank0"].Scalars("step/power_mean_watts")]
        self.assertEqual(power, [event.value for event in runs["gpu0"].Scalars("gpu_power/power_mean_watts")])

    def test_a_step_never_comes_twice(self):
        """TensorBoard's data server shows the last point of each step, and drops all when one goes back."""
        for name, run in self.runs(self.export()).items():
            for tag in run.Tags()["scalars"]:
                steps = [event.step for event in run.Scalars(tag)]
                self.assertEqual(steps, sorted(set(steps)), f"{name} {tag}")

    def test_seconds_count_from_the_begin_of_the_recording(self):
        whole = self.runs(self.export())["host"].Scalars("host/cpu_cores")
        for event in whole:
            self.assertAlmostEqual(event.step - 60, event.wall_time - whole[0].wall_time, delta=0.6)
        out = self.folder / "piece"
        self.call("export", RECORDING, out, "--format", "tensorboard", "--from", "115s", "--for", "5s")
        piece = self.load(out / "host").Scalars("host/cpu_cores")
        self.assertEqual(piece, [event for event in whole if 115 <= event.step < 120])

    def test_facts_and_events_are_texts(self):
        job = self.runs(self.export())["job"]
        self.assertIn("| command | python train.py --lr 0.1 |", self.text(job, "job/run"))
        events = self.text(job, "job/events")
        self.assertIn("| xid | gpu1 | 79 |", events)
        self.assertIn("| out_of_memory | rank0 |", events)
        self.assertRegex(self.text(job, "job/findings"), "^- .+: .+\n")
        plugin = job.SummaryMetadata("job/events").plugin_data.plugin_name
        self.assertEqual(plugin, "text")

    def test_a_file_that_is_cut_anywhere_is_read_up_to_there(self):
        data = next((self.export() / "rank0").iterdir()).read_bytes()
        ends, at = [], 0
        for length in records(data):
            at += length
            ends.append(at)
        for size in [*range(24, 3000, 7), len(data) - 1, len(data)]:
            path = self.folder / "events.out.tfevents.1.x"
            path.write_bytes(data[:size])
            events = list(event_file_loader.EventFileLoader(str(path)).Load())
            self.assertEqual(len(events), sum(end <= size for end in ends), size)

    def test_overwrites_nothing(self):
        out = self.export()
        done = self.call("export", RECORDING, out, "--format", "tensorboard", code=2)
        self.assertIn("holds event files of another run", done.stderr)
        done = self.call("export", RECORDING, out, "-o", "other", "--format", "tensorboard", code=2)
        self.assertIn("given twice", done.stderr)

    def test_a_full_disk_leaves_whole_events(self):
        out = self.folder / "events"
        done = self.call("export", RECORDING, out, "--format", "tensorboard", code=1, preexec_fn=limit_file_size)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for file in out.glob("*/*"):
            records(file.read_bytes())

    # While a job runs

    def run_words(self, out, *command, options=()):
        return ["run", "--nvml", DRIVER, "-o", self.folder / "run.gpusight", "--tensorboard", out, *options, "--",
                *command]

    def test_a_job_can_be_followed_while_it_runs(self):
        out = self.folder / "deep" / "live"
        process = subprocess.Popen([str(GPUSIGHT), *map(str, self.run_words(out, "sh", "-c", "read line"))],
                                   env=self.environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        counts, end = [], time.monotonic() + PATIENCE
        while len(counts) < 3 and time.monotonic() < end:
            if (out / "gpu0").exists():
                run = self.load(out / "gpu0")
                count = len(run.Scalars("gpu_power/power_watts")) if run.Tags()["scalars"] else 0
                if count and (not counts or count > counts[-1]):
                    counts.append(count)
            time.sleep(0.05)
        _, err = process.communicate("end\n", timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(len(counts), 3, "no new points while the job ran")
        tables = self.tables(self.folder / "run.gpusight")
        for group in ("gpu", "gpu_memory", "gpu_power"):
            self.compare(self.load(out / "gpu0"), group, tables["device_frame"])
        self.compare(self.load(out / "host"), "host", tables["host_frame"])
        self.assertIn("| end |", self.text(self.load(out / "job"), "job/run"))

    def test_what_a_program_measures_is_a_chart(self):
        program = ("import gpusight, time\ngpusight.attach()\nfor i in range(3):\n"
                   "    gpusight.metric('loss', 3.0 - i)\n    time.sleep(0.5)\n")
        self.call(*self.run_words("live", sys.executable, "-c", program))
        run = next(path for path in (self.folder / "live").iterdir() if path.name.startswith("pid"))
        self.assertEqual([event.value for event in self.load(run).Scalars("metric/loss")], [3.0, 2.0, 1.0])

    def test_a_folder_of_another_run_is_left_alone(self):
        for _ in range(2):
            done = self.call(*self.run_words("live", "true"))
        self.assertIn("TensorBoard are put into", done.stderr)
        self.assertEqual(len(list((self.folder / "live" / "host").iterdir())), 1)
        self.assertEqual(len(list((self.folder / "live-2" / "host").iterdir())), 1)

    def test_a_folder_that_cannot_be_made_does_not_harm_the_job(self):
        (self.folder / "file").write_text("")
        done = self.call(*self.run_words("file/live", "sh", "-c", "echo out; exit 3"), code=3)
        self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("out\n", 1), done.stderr)
        self.assertIn("points for TensorBoard are lost", done.stderr)
        self.assertTrue(self.tables(self.folder / "run.gpusight")["host_frame"])

    def test_a_disk_that_fills_up_does_not_harm_the_job(self):
        (self.folder / "small").mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12k", "tmpfs", self.folder / "small"],
                                 capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("only root may mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder / "small"])
        # Where standard error is a pipe, gpusight lets go of it once the job runs.
        with open(self.folder / "errors", "w+", encoding="utf-8") as errors:
            words = self.run_words("small/live", "sh", "-c", "sleep 3; exit 3", options=("-i", "200ms"))
            done = subprocess.run([str(GPUSIGHT), *map(str, words)], env=self.environment, cwd=self.folder,
                                  stdin=subprocess.DEVNULL, stderr=errors, timeout=PATIENCE)
        said = (self.folder / "errors").read_text()
        self.assertEqual((done.returncode, len(said.splitlines())), (3, 1), said)
        self.assertIn("points for TensorBoard are lost", said)
        for file in (self.folder / "small").rglob("*.gpusight"):
            records(file.read_bytes())
        self.assertGreaterEqual(len(self.tables(self.folder / "run.gpusight")["host_frame"]), 3)

    def test_watch_writes_them_too(self):
        job = subprocess.Popen(["sleep", "3"])
        self.addCleanup(job.wait)
        self.call("watch", job.pid, "--nvml", DRIVER, "-o", "watch.gpusight", "--tensorboard", "live", "--no-summary")
        self.assertGreaterEqual(len(self.load(self.folder / "live" / "gpu0").Scalars("gpu_power/power_watts")), 2)


if __name__ == "__main__":
    unittest.main()
