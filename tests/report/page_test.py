# SPDX-License-Identifier: Apache-2.0
"""The page of `gpusight report` in a real Chromium: it asks for nothing, its sums hold, its timelines
move together, and it speaks both languages. The recordings are made by gpusight_make_recording."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from browser import Browser

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("GPUSIGHT_BUILD", SOURCE / "build" / "debug")) / "bin"
CHINESE = "[\u4e00-\u9fff]"


def Make(folder, name, *options):
    recording = folder / f"{name}.gpusight"
    subprocess.run([BIN / "gpusight_make_recording", recording, *options], check=True)
    subprocess.run([BIN / "gpusight", "report", recording], check=True, stdout=subprocess.DEVNULL,
                   env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"})
    return folder / f"{name}.html"


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="gpusight-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.usual = Make(cls.folder, "usual")
        cls.hostile = Make(cls.folder, "hostile", "hostile=1", "seconds=60")
        cls.failed = Make(cls.folder, "failed", "fails=1")
        cls.browser = cls.enterClassContext(Browser())

    def open(self, path=None, **how):
        page = self.browser.open(path or self.usual, **how)
        self.addCleanup(page.context.close)
        return page

    def charts(self, page):
        return page.eval_on_selector_all(
            ".chart", "all => all.map(c => [c.dataset.min, c.dataset.max])")

    def quiet(self, page, path):
        self.assertEqual(page.complaints, [])
        self.assertEqual(page.requests, [f"file://{path}"])

    def test_asks_for_nothing_and_complains_of_nothing(self):
        for width in (1280, 420):
            for scheme in ("light", "dark"):
                with self.subTest(width=width, scheme=scheme):
                    page = self.open(width=width, scheme=scheme)
                    page.click("#language")
                    page.select_option("#theme", "dark")
                    page.select_option("#device", "0")
                    self.quiet(page, self.usual)

    def test_its_policy_keeps_it_from_the_network(self):
        page = self.open()
        refused = page.evaluate("fetch('https://example.com/').then(() => false, () => true)")
        self.assertTrue(refused)

    def test_no_page_is_wider_than_the_screen(self):
        for width in (1280, 420):
            for path in (self.usual, self.hostile):
                page = self.open(path, width=width)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)

    def test_hostile_text_is_shown_as_it_is(self):
        page = self.open(self.hostile)
        self.quiet(page, self.hostile)
        self.assertEqual(page.locator("img").count(), 0)
        self.assertIn("</script><img src=x onerror=alert(1)>", page.inner_text("h1"))
        self.assertIn("onerror", page.inner_text("#process-table"))

    def test_the_memory_account_adds_up(self):
        page = self.open()
        for table in page.locator(".account table").all():
            rows = table.locator("tr").evaluate_all(
                "rows => rows.map(r => [r.className, r.dataset.kind, Number(r.dataset.bytes)])")
            total = next(b for _, kind, b in rows if kind == "total")
            self.assertEqual(sum(b for c, kind, b in rows if c == "depth-0"), total)
            reserved = [b for _, kind, b in rows if kind == "reserved"]
            self.assertEqual(sum(b for c, _, b in rows if c == "depth-2"), sum(reserved))
            process = next(b for _, kind, b in rows if kind == "process")
            inside = [b for c, _, b in rows if c == "depth-1"]
            self.assertEqual(sum(inside), process)

    def test_the_data_in_the_page_are_those_of_json(self):
        page = self.open()
        shown = json.loads(page.locator("#data").text_content())
        printed = json.loads(subprocess.run(
            [BIN / "gpusight", "report", self.folder / "usual.gpusight", "--json"],
            check=True, capture_output=True, text=True).stdout)
        self.assertEqual(shown, printed)
        for device in shown["devices"]:
            memory = device["memory"]
            for i, total in enumerate(memory["total_bytes"]):
                layers = [layer["bytes"][i] for layer in memory["layers"]]
                if total is None:
                    self.assertTrue(all(b is None for b in layers))
                else:
                    self.assertEqual(sum(layers), total)

    def test_all_timelines_zoom_together(self):
        page = self.open()
        before = self.charts(page)
        plot = page.locator("#chart-power .u-over")
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 50)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 50, steps=4)
        page.mouse.up()
        after = self.charts(page)
        self.assertNotEqual(before[0], after[0])
        self.assertEqual(len({tuple(c) for c in after}), 1)
        low, high = map(float, after[0])
        self.assertAlmostEqual(high - low, 75, delta=8)

    def test_the_keyboard_zooms_moves_and_points(self):
        page = self.open()
        page.focus("#timelines")
        page.keyboard.press("+")
        zoomed = self.charts(page)
        self.assertEqual(len({tuple(c) for c in zoomed}), 1)
        self.assertAlmostEqual(float(zoomed[0][1]) - float(zoomed[0][0]), 150, delta=5)
        page.keyboard.press("ArrowRight")
        self.assertGreater(float(self.charts(page)[0][0]), float(zoomed[0][0]))
        page.keyboard.press("]")
        self.assertTrue(page.text_content("#pointed"))
        page.keyboard.press("0")
        self.assertGreater(float(self.charts(page)[0][1]), 299)

    def test_pointing_shows_the_same_instant_in_all(self):
        page = self.open()
        plot = page.locator("#chart-utilization .u-over")
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        x = page.evaluate("JSON.parse(document.getElementById('data').textContent).timeline")
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 40)
        page.wait_for_function("document.querySelectorAll('.chart[data-pointed]').length > 8")
        pointed = page.locator(".chart[data-pointed]").count()
        self.assertEqual(pointed, page.locator(".chart").count())
        # The value that stands beside power is that of the piece below the pointer.
        data = json.loads(page.locator("#data").text_content())
        low, high = map(float, self.charts(page)[0])
        at = low + (high - low) * 0.5
        zero = data["run"]["first_frame_seconds"] - x["start_seconds"]
        means = data["devices"][0]["series"]["power_watts"]["means"]
        near = {f"{means[i]:.0f} W" for i in range(int(at + zero) - 2, int(at + zero) + 3)}
        self.assertIn(page.locator("#chart-power .value").first.inner_text(), near)

    def test_a_short_stretch_shows_the_drivers_own_samples(self):
        page = self.open()
        self.assertTrue(page.locator("#chart-utilization[data-detail]").count())  # five minutes
        long = self.open(self.day())
        self.assertFalse(long.locator("#chart-utilization[data-detail]").count())
        long.focus("#timelines")
        for _ in range(4):
            long.keyboard.press("+")
        self.assertTrue(long.locator("#chart-utilization[data-detail]").count())

    def day(self):
        path = self.folder / "day.html"
        return path if path.exists() else Make(self.folder, "day", "seconds=3000", "devices=1")

    def test_speaks_chinese(self):
        page = self.open()
        page.click("#language")
        self.assertEqual(page.get_attribute("html", "lang"), "zh-CN")
        for title in page.locator("h2, thead button, dt").all_inner_texts():
            if title and title not in ("PID", "GPU", "rank", "p50", "p95", "p99", "Git", "gpusight", "torch",
                             "python", "experiment", "data_wait_ratio", "CUDA_VISIBLE_DEVICES"):
                self.assertRegex(title, CHINESE)
        self.assertIn("的时间空闲", page.inner_text("#idle .lead"))
        absent = page.locator(".chart .absent").first.inner_text()
        self.assertNotRegex(absent, "not supported|not sampled")
        page.click("#language")
        self.assertNotRegex(page.inner_text("#idle"), CHINESE)

    def test_opens_in_the_language_of_its_maker(self):
        out = self.folder / "zh.html"
        subprocess.run([BIN / "gpusight", "report", self.folder / "usual.gpusight", "-o", out, "--lang", "zh"],
                       check=True, stdout=subprocess.DEVNULL)
        page = self.open(out)
        self.assertRegex(page.inner_text("h2 >> nth=0"), CHINESE)

    def test_tables_sort(self):
        page = self.open()
        head = page.locator("#process-table thead button").first
        head.click()
        first = page.locator("#process-table tbody tr >> nth=0").locator("td").first.inner_text()
        head.click()
        self.assertNotEqual(first, page.locator("#process-table tbody tr >> nth=0").locator("td").first.inner_text())
        self.assertEqual(page.get_attribute("#process-table th >> nth=0", "aria-sort"), "ascending")

    def test_the_flame_graph_shows_a_box_alone(self):
        page = self.open()
        boxes = page.locator(".flame").first.locator("button")
        before = boxes.count()
        box = boxes.filter(has_text="data.py:88")
        box.first.focus()
        page.keyboard.press("Enter")
        self.assertLess(page.locator(".flame").first.locator("button").count(), before)
        self.assertIn("data.py:88", page.inner_text("#idle [aria-live]"))

    def test_a_finding_leads_to_its_time(self):
        page = self.open()
        page.click(".finding .link >> nth=0")
        low, high = map(float, self.charts(page)[0])
        self.assertTrue(0 < low < 30 and 130 < high < 200, (low, high))

    def test_says_why_memory_ran_out(self):
        page = self.open(self.failed, width=420)
        self.quiet(page, self.failed)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 420)
        self.assertIn("90.00 GiB", page.inner_text("#post-mortem"))
        numbers = [float(n.split()[0]) for n in
                   page.locator(".oom-account tbody >> nth=0").locator("td").all_inner_texts()]
        self.assertAlmostEqual(sum(numbers[:-1]), numbers[-1], places=6)
        page.click("#post-mortem .link")
        low, high = map(float, self.charts(page)[0])
        self.assertAlmostEqual(high - low, 65, delta=2)
        page.click("#language")
        self.assertRegex(page.inner_text("#post-mortem .lead"), CHINESE)
        self.assertFalse(self.open().locator("#post-mortem").count())

    def test_both_themes_can_be_read(self):
        for scheme in ("light", "dark"):
            page = self.open(scheme="light")
            page.select_option("#theme", scheme)
            contrast = page.evaluate("""() => {
              const luminance = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number)
                .map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
              const page = luminance(getComputedStyle(document.body).backgroundColor);
              return [...document.querySelectorAll("h1, p.quiet, td, dt, .legend button, .card .name")]
                .map(e => luminance(getComputedStyle(e).color))
                .map(l => (Math.max(l, page) + 0.05) / (Math.min(l, page) + 0.05));
            }""")
            self.assertGreater(min(contrast), 4.5, scheme)

    def test_every_control_has_a_name(self):
        page = self.open()
        nameless = page.evaluate("""() => [...document.querySelectorAll("button, select, [role]")]
          .filter(e => !(e.getAttribute("aria-label") || e.title || e.textContent.trim())).length""")
        self.assertEqual(nameless, 0)

    def test_on_paper_there_are_no_controls(self):
        page = self.open()
        page.emulate_media(media="print")
        self.assertFalse(page.locator(".toolbar").is_visible())
        self.assertTrue(page.locator("#chart-power canvas").is_visible())

    def test_without_javascript_it_says_what_to_do(self):
        page = self.open(script=False)
        self.assertIn("--markdown", page.inner_text("noscript"))


if __name__ == "__main__":
    unittest.main()
