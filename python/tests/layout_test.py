# SPDX-License-Identifier: Apache-2.0
"""The layout as tests and documents read it is the compiler's, and the tables of docs/page.md and
docs/zh/page.md are those of the header (GPUSIGHT_UPDATE_DOCS=1 writes them). Next: layout.py."""

import os
import re
import unittest

import layout

DOCUMENTS = ("docs/page.md", "docs/zh/page.md")
HEADS = {"docs/page.md": ("offset", "bytes", "type", "field", "meaning"),
         "docs/zh/page.md": ("偏移", "字节数", "类型", "字段")}


def Whole(name):
    return name if name == "page" else "page_" + name


def Table(name, document):
    head = HEADS[document]
    rows = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for field in layout.STRUCTS[Whole(name)].fields:
        kind = "%s × %d" % (field.type, field.count) if field.count else field.type
        cells = [str(field.offset), str(field.size), "`%s`" % kind, "`%s`" % field.name, field.text]
        rows.append("| " + " | ".join(cells[:len(head)]) + " |")
    return "\n".join(rows) + "\n"


def Written(document):
    """The document with its tables made anew."""
    text = (layout.ROOT / document).read_text()

    def Replace(match):
        return match.group(1) + Table(match.group(2), document) + match.group(3)
    return re.sub(r"(<!-- generated: layout (\w+) -->\n).*?(<!-- end -->)", Replace, text, flags=re.S), text


class Layout(unittest.TestCase):
    def test_every_size_is_the_one_that_the_header_tells(self):
        told = {name: one.told for name, one in layout.STRUCTS.items() if one.told}
        self.assertGreaterEqual(len(told), 9)
        self.assertEqual(told, {name: layout.STRUCTS[name].size for name in told})

    def test_the_page_is_as_large_as_the_compiler_says(self):
        self.assertEqual(layout.STRUCTS["page"].size, 358400)

    def test_every_field_is_aligned_so_that_no_compiler_leaves_a_gap(self):
        for one in layout.STRUCTS.values():
            for field in one.fields:
                size = layout.SIZES.get(field.type, (8,))[0]
                self.assertEqual(field.offset % size, 0, (one.name, field.name))

    def test_the_tables_of_the_documents_are_those_of_the_header(self):
        for document in DOCUMENTS:
            now, before = Written(document)
            if os.environ.get("GPUSIGHT_UPDATE_DOCS"):
                (layout.ROOT / document).write_text(now)
                continue
            self.assertEqual(now, before, document + ": run with GPUSIGHT_UPDATE_DOCS=1")
            named = {Whole(n) for n in re.findall(r"<!-- generated: layout (\w+) -->", before)}
            self.assertEqual(named, set(layout.STRUCTS), document)


if __name__ == "__main__":
    unittest.main()
