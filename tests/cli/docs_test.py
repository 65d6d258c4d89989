# SPDX-License-Identifier: Apache-2.0
"""The tables in docs/ that are made from the code are as the code has them now.

A page holds them between "<!-- generated: TOPIC -->" and "<!-- end -->"; the topics are listed in
src/cli/generate/markdown.h. To write them anew: GPUSIGHT_UPDATE_DOCS=1 ctest -R cli.docs"""
import os
import re
import unittest

import harness

BLOCK = re.compile(r"<!-- generated: ([\w-]+) -->\n(.*?)<!-- end -->", re.DOTALL)
DOCS = harness.SOURCE / "docs"


class Docs(harness.Case):
    def test_generated_tables_are_current(self):
        seen = set()
        for page in sorted(DOCS.rglob("*.md")):
            lang = "zh" if "zh" in page.relative_to(DOCS).parts else "en"
            text = page.read_text()

            def now(match):
                if match.group(1).startswith("python-"):
                    return match.group()  # python/tests/docs_test.py makes these
                seen.add(match.group(1))
                table = self.ok("__docs", match.group(1), "--lang", lang)
                return f"<!-- generated: {match.group(1)} -->\n{table}<!-- end -->"

            fresh = BLOCK.sub(now, text)
            if os.environ.get("GPUSIGHT_UPDATE_DOCS"):
                page.write_text(fresh)
            else:
                self.assertEqual(text, fresh, f"{page} is out of date: GPUSIGHT_UPDATE_DOCS=1 "
                                              "ctest -R cli.docs writes it anew")
        for topic in ("metrics-device", "metrics-use", "metrics-process", "metrics-container",
                      "metrics-host", "metrics-framework", "metrics-allocator", "exit-codes",
                      "configuration", "options-global",
                      "options-status", "options-run", "options-watch", "options-log", "options-who", "options-doctor",
                      "options-report", "options-compare", "options-explain", "options-replay",
                      "memory-flags-paddle", "memory-flags-other", "allocator-keys",
                      "recording-tables", "recording-columns", "recording-views", "options-export", "options-why",
                      "diagnosis-rules", "diagnosis-limits", "diagnosis-signals", "tensorboard-charts"):
            self.assertIn(topic, seen, "no page has this table")

    def test_every_command_has_a_page(self):
        for command in self.ok("__complete", "commands").split():
            self.assertTrue((DOCS / f"{command}.md").exists(), command)


if __name__ == "__main__":
    unittest.main()
