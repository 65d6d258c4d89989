# SPDX-License-Identifier: Apache-2.0
"""`gpusight export`: the tables say what the recording says, with types that hold."""
import csv
import datetime
import json
import os
import sqlite3
import unittest

import harness

RECORDING = harness.SOURCE / "testdata" / "recordings" / "v2.gpusight"


def time_of(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)


PARSE = {"timestamp[us, tz=UTC]": time_of, "int64": int, "double": float, "string": str}


class Export(harness.Case):
    def export(self, *options):
        folder = self.folder / "out"
        self.ok("export", RECORDING, "-o", folder, *options)
        return folder

    def table(self, folder, name):
        with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def rows(self, sql):
        connection = sqlite3.connect(f"file:{RECORDING}?mode=ro", uri=True)
        rows = connection.execute(sql).fetchall()
        connection.close()
        return rows

    def test_csv_holds_every_row(self):
        folder = self.export()
        counts = {"device_frame": "device_frame", "process_frame": "process_frame", "host_frame": "frame",
                  "allocator_frame": "allocator_frame", "step": "step", "event": "event", "mark": "mark",
                  "out_of_memory": "out_of_memory", "process": "process", "device": "device"}
        for name, table in counts.items():
            self.assertEqual(len(self.table(folder, name)), self.rows(f"SELECT count(*) FROM {table}")[0][0], name)
        power = [float(row["power_watts"]) for row in self.table(folder, "device_frame") if row["device_index"] == "0"]
        self.assertEqual(power, [row[0] for row in self.rows(
            "SELECT power_watts FROM v_device WHERE device_index = 0 ORDER BY t")])

    def test_rows_are_complete_although_the_recording_repeats_nothing(self):
        folder = self.export()
        for row in self.table(folder, "device_frame"):
            self.assertEqual(row["memory_total_bytes"], "150754820096")
            self.assertEqual(row["fan_ratio"], "")
        for row in self.table(folder, "use_frame"):
            self.assertEqual(row["memory_bytes"], "19327352832")

    def test_samples_are_decoded(self):
        samples = self.table(self.export(), "sample")
        power = [float(row["value"]) for row in samples if row["metric"] == "power_watts"]
        self.assertTrue(power and all(570 < watts < 630 for watts in power))
        self.assertEqual(len(power), 10 * sum(row["metric"] == "utilization_ratio" for row in samples))

    def test_jsonl_says_the_same_with_null_for_the_unknown(self):
        folder = self.export("--format", "jsonl")
        rows = [json.loads(line) for line in (folder / "device_frame.jsonl").read_text().splitlines()]
        self.assertEqual(len(rows), self.rows("SELECT count(*) FROM device_frame")[0][0])
        self.assertIsNone(rows[0]["fan_ratio"])
        self.assertIsInstance(rows[0]["memory_used_bytes"], int)
        time_of(rows[0]["time"])

    def test_every_cell_for_parquet_is_of_the_type_that_the_schema_promises(self):
        folder = self.export("--format", "parquet")
        schema = json.loads((folder / "schema.json").read_text())
        self.assertEqual({path.name for path in folder.iterdir()},
                         {table["file"] for table in schema.values()} | {"schema.json"})
        cells = 0
        for table in schema.values():
            with open(folder / table["file"], newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                self.assertEqual(reader.fieldnames, [column["name"] for column in table["columns"]])
                for row in reader:
                    for column in table["columns"]:
                        if row[column["name"]] != "":
                            PARSE[column["type"]](row[column["name"]])
                            cells += 1
        self.assertGreater(cells, 10_000)

    def test_a_piece_of_it(self):
        folder = self.export("--from", "115s", "--for", "5s")
        times = {row["time"] for row in self.table(folder, "host_frame")}
        self.assertEqual(len(times), 5)
        self.assertLessEqual(len(self.table(folder, "step")), 60)

    def test_names_its_folder_after_the_recording(self):
        self.ok("export", RECORDING, cwd=self.folder)
        self.assertTrue((self.folder / "v2-csv" / "device.csv").exists())

    def test_overwrites_nothing(self):
        self.export()
        self.assertIn("exists already", self.refused("export", RECORDING, "-o", self.folder / "out"))

    def test_refuses_in_one_sentence(self):
        self.assertIn("needs a recording", self.refused("export"))
        self.assertIn("cannot be made", self.refused("export", RECORDING, "-o", self.folder / "a" / "b", code=1))
        self.assertIn("No such file", self.refused("export", self.folder / "none", code=1))
        self.assertFalse(os.path.exists("none-csv"))

    def test_says_when_the_disk_is_full(self):
        folder = self.folder / "out"
        done = self.run_program("export", RECORDING, "-o", folder, preexec_fn=limit_file_size)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)


def limit_file_size():
    import resource
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


if __name__ == "__main__":
    unittest.main()
