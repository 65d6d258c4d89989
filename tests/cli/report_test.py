# SPDX-License-Identifier: Apache-2.0
"""`gpusight report` and `gpusight compare` as programs: where they write, what they refuse, what
they print. What stands in the page is looked at by tests/report."""
import json
import os
import pathlib
import subprocess
import unittest

import harness

MAKE = harness.BUILD / "bin" / "gpusight_make_recording"


class Recorded(harness.Case):
    def make(self, name, *options):
        path = self.folder / name
        subprocess.run([MAKE, path, *options], check=True)
        return path

    def run_it(self, *args, cwd=None):
        return subprocess.run([harness.PROGRAM, *map(str, args)], capture_output=True, text=True,
                              env=self.environment(), cwd=cwd, timeout=60)


class ReportTest(Recorded):
    def test_writes_the_page_beside_the_recording(self):
        recording = self.make("run.1.gpusight", "seconds=20")
        done = self.run_it("report", recording)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = self.folder / "run.1.html"
        self.assertEqual(done.stdout, f"wrote {page}\n")
        self.assertTrue(page.read_text().startswith("<!doctype html>"))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["run.1.gpusight", "run.1.html"])

    def test_replaces_its_own_report_and_no_other_file(self):
        recording = self.make("run.gpusight", "seconds=20")
        page = self.folder / "run.html"
        page.write_text("my notes")
        refused = self.run_it("report", recording)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("is not a report of gpusight", refused.stderr)
        self.assertEqual(page.read_text(), "my notes")
        self.assertEqual(self.run_it("report", recording, "--force").returncode, 0)
        self.assertEqual(self.run_it("report", recording).returncode, 0)

    def test_never_replaces_the_recording(self):
        recording = self.make("run.html", "seconds=20")
        before = recording.read_bytes()
        for more in ([], ["-o", recording, "--force"]):
            self.assertEqual(self.run_it("report", recording, *more).returncode, 2)
        self.assertEqual(recording.read_bytes(), before)

    def test_leaves_nothing_behind_when_it_cannot_write(self):
        recording = self.make("run.gpusight", "seconds=20")
        done = self.run_it("report", recording, "-o", self.folder / "none" / "x.html")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file or directory", done.stderr)
        full = self.run_it("report", recording, "-o", "/dev/full")
        self.assertEqual(full.returncode, 1)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.gpusight"])

    def test_a_link_stays_a_link(self):
        recording = self.make("run.gpusight", "seconds=20")
        (self.folder / "real").mkdir()
        target = self.folder / "real" / "report.html"
        target.write_text("")
        link = self.folder / "run.html"
        link.symlink_to(target)
        self.assertEqual(self.run_it("report", recording).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertGreater(target.stat().st_size, 10_000)

    def test_json_is_one_object_and_markdown_is_for_people(self):
        recording = self.make("run.gpusight", "seconds=40")
        data = json.loads(self.run_it("report", recording, "--json").stdout)
        self.assertEqual((data["schema"], data["kind"]), (1, "report"))
        self.assertEqual(len(data["devices"]), 2)
        english = self.run_it("report", recording, "--markdown").stdout
        self.assertIn("## Findings", english)
        self.assertIn("while idle the main thread was at", english)
        self.assertIn("## 诊断", self.run_it("report", recording, "--markdown", "--lang", "zh").stdout)

    def test_tells_of_an_out_of_memory(self):
        recording = self.make("run.gpusight", "fails=1")
        data = json.loads(self.run_it("report", recording, "--json").stdout)
        self.assertEqual([p["class"] for p in data["post_mortems"]], ["too_big"])
        self.assertEqual(data["run"]["end"]["kind"], "out_of_memory")
        self.assertIn("asked for 90.00 GiB", self.run_it("report", recording, "--markdown").stdout)

    def test_says_what_is_wrong(self):
        text = self.folder / "text"
        text.write_text("not a recording\n" * 100)
        for args, code, words in ((["report"], 2, "no recording"), (["report", "nowhere"], 1, "nowhere"),
                                  (["report", text], 2, "is not a recording"), (["report", text, "--json", "--markdown"], 2, "exclude"),
                                  (["compare", text], 2, "two recordings")):
            done = self.run_it(*args, cwd=self.folder)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(done.stdout, "")

    def test_hostile_names_do_not_reach_the_terminal(self):
        recording = self.make("run.gpusight", "seconds=20", "hostile=1")
        for how in (["--markdown"], ["--json"]):
            out = self.run_it("report", recording, *how).stdout
            self.assertNotIn("\x1b", out)
        markdown = self.run_it("report", recording, "--markdown").stdout
        # The job's output stands as code, in which nothing is markup.
        self.assertNotIn("<img", "".join(l for l in markdown.splitlines() if not l.startswith("    ")))


class CompareTest(Recorded):
    def test_finds_the_difference_and_says_how_sure_it_is(self):
        a = self.make("a.gpusight", "seconds=400", "power=600")
        b = self.make("b.gpusight", "seconds=400", "power=350", "seed=2")
        data = json.loads(self.run_it("compare", a, b, "--json").stdout)
        power = data["metrics"]["power_watts"]
        self.assertTrue(power["distinguishable"])
        self.assertLess(power["interval"][1], 0)
        self.assertEqual(data["metrics"]["memory_peak_bytes"]["certainty"], "single_observation")
        text = self.run_it("compare", a, b)
        self.assertEqual(text.returncode, 0)
        self.assertRegex(text.stdout, r"power .*W .*W +-\d+\.\d% .* less")
        self.assertIn("95% 区间", self.run_it("compare", a, b, "--lang", "zh").stdout)
        self.assertIn("| --- |", self.run_it("compare", a, b, "--markdown").stdout)


if __name__ == "__main__":
    unittest.main()
