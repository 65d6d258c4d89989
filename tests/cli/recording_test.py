# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/recording.md do what they say, with Python's sqlite3 on a real recording; and
the recording is what the page says of it."""
import re
import shutil
import sqlite3
import types
import unittest

import harness

RECORDING = harness.SOURCE / "testdata" / "recordings" / "v2.gpusight"
PAGES = [harness.SOURCE / "docs" / "recording.md", harness.SOURCE / "docs" / "zh" / "recording.md"]
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.S)


def blocks(page, kind):
    return [body for name, body in BLOCK.findall(page.read_text()) if name == kind]


def connect():
    return sqlite3.connect(f"file:{RECORDING}?mode=ro", uri=True)


class Examples(harness.Case):
    def rows(self, sql):
        with connect() as connection:
            rows = connection.execute(sql).fetchall()
        connection.close()
        return rows

    def test_every_query_runs_and_most_have_something_to_say(self):
        for page in PAGES:
            queries = [q.strip() for block in blocks(page, "sql") for q in block.split(";\n") if q.strip()]
            self.assertGreaterEqual(len(queries), 10)
            empty = [q for q in queries if not self.rows(q.rstrip(";"))]
            # The recording of the tests printed nothing.
            self.assertEqual(len(empty), 1, empty)

    def test_both_languages_have_the_same_code(self):
        strip = [re.sub(r'""".*?"""', "", "".join(b for _, b in BLOCK.findall(p.read_text()))) for p in PAGES]
        self.assertEqual(strip[0], strip[1])

    def test_the_queries_are_right(self):
        queries = blocks(PAGES[0], "sql")
        busy = self.rows(queries[0])
        self.assertEqual([row[:2] for row in busy], [(0, "NVIDIA H200"), (1, "NVIDIA H200")])
        self.assertTrue(all(0.7 < row[2] < 0.8 and 40_000 < row[4] < 43_000 for row in busy), busy)
        stacks = self.rows(queries[1])
        self.assertAlmostEqual(sum(row[1] for row in stacks), 200, delta=1)
        steps = self.rows(queries[2])
        self.assertEqual(sum(row[1] for row in steps), 1300)
        self.assertAlmostEqual(steps[0][2], 0.2, delta=0.01)
        memory = self.rows(queries[3])
        self.assertTrue(all(row[2] == 16 and row[4] == 2 for row in memory), memory)

    def test_python_examples_decode_the_samples(self):
        pandas = types.ModuleType("pandas")
        pandas.read_sql_query = lambda sql, connection: connection.execute(sql).fetchall()
        for page in PAGES:
            code = "\n".join(blocks(page, "python")).replace("run.gpusight", str(RECORDING))
            space = {}
            import sys
            before = sys.modules.get("pandas")
            sys.modules["pandas"] = pandas
            try:
                exec(compile(code, str(page), "exec"), space)  # pylint: disable=exec-used
            finally:
                del sys.modules["pandas"]
                if before is not None:
                    sys.modules["pandas"] = before
            frames = self.rows("SELECT count(*) FROM frame WHERE merged = 1")[0][0]
            power = space["power"]
            self.assertEqual(len(power), 50 * frames)
            self.assertTrue(all(570 < watts < 630 for _, watts in power))
            gaps = [b[0] - a[0] for a, b in zip(power, power[1:])]
            self.assertTrue(all(0.018 < gap < 0.022 for gap in gaps), (min(gaps), max(gaps)))
            space["connection"].close()


class Format(harness.Case):
    def test_names_its_application_and_version(self):
        with connect() as connection:
            self.assertEqual(connection.execute("PRAGMA application_id").fetchone()[0], 0x47505553)
            self.assertEqual(connection.execute("PRAGMA user_version").fetchone()[0], 2)
        connection.close()

    def test_every_table_and_column_is_on_the_page(self):
        with connect() as connection:
            tables = [row[0] for row in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for page in PAGES:
                overview, text = page.read_text(), page.with_name("recording-columns.md").read_text()
                for table in tables:
                    self.assertIn(f"| `{table}` |", overview)
                    if table.endswith(("_min", "_max")):
                        continue
                    section = text[text.index(f"\n**{table}**"):]
                    section = section[:section.find("\n**", 3)]
                    for column in connection.execute(f"PRAGMA table_info({table})"):
                        self.assertIn(f"| `{column[1]}` |", section, table)
        connection.close()

    def test_every_view_works(self):
        with connect() as connection:
            views = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
            self.assertGreaterEqual(len(views), 10)
            for view in views:
                self.assertIsNotNone(connection.execute(f"SELECT * FROM {view}").fetchone(), view)
        connection.close()

    def test_is_sound_for_sqlite(self):
        copy = self.folder / "copy.gpusight"
        shutil.copy(RECORDING, copy)
        with sqlite3.connect(copy) as connection:
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone()[0], "ok")
        connection.close()


if __name__ == "__main__":
    unittest.main()
