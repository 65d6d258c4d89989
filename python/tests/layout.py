# SPDX-License-Identifier: Apache-2.0
"""The telemetry page's layout, read from src/agent/page_layout.h, and a reader of pages made of it.
For tests and for the tables of docs/page.md: what they say is what the header says. Next:
layout_test.py."""

import collections
import os
import pathlib
import re
import struct

ROOT = pathlib.Path(os.environ.get("GPUSIGHT_SOURCE")
                    or pathlib.Path(__file__).resolve().parent.parent.parent)
HEADER = ROOT / "src" / "agent" / "page_layout.h"
SIZES = {"char": (1, "c"), "uint8_t": (1, "B"), "uint32_t": (4, "I"), "int32_t": (4, "i"),
         "uint64_t": (8, "Q"), "double": (8, "d")}

Field = collections.namedtuple("Field", "offset size type name count text")
Struct = collections.namedtuple("Struct", "name size fields told text")


def Constants(text):
    return {name: int(value) for name, value in
            re.findall(r"^#define (GPUSIGHT_PAGE_\w+) (\d+)u$", text, re.M)}


def _Fields(body, constants, structs):
    offset = 0
    # One declaration a match, with the comment behind it and those on lines of their own below.
    for match in re.finditer(r"^  (?:struct )?(\w+) ([^;]+);(?: *// (.*))?((?:\n {4,}// .*)*)", body, re.M):
        kind, names, text, more = match.groups()
        text = " ".join([text or ""] + re.findall(r"// (.*)", more)).strip()
        size = SIZES[kind][0] if kind in SIZES else structs[kind].size
        for name in names.split(","):
            name, _, count = name.strip().partition("[")
            count = count.rstrip("]").rstrip("u")
            count = int(constants.get(count, count)) if count else 0
            yield Field(offset, size * (count or 1), kind, name, count, text)
            offset += size * (count or 1)


def Structs(text=None):
    """{name: Struct}, in the header's order; natural alignment leaves no gap in any of them."""
    text = HEADER.read_text() if text is None else text
    constants = Constants(text)
    found = {}
    pattern = r"^struct gpusight_(\w+) \{(?: *// ([^\n]*))?\n(.*?)^\};(?: *// (\d+))?"
    for name, about, body, told in re.findall(pattern, text, re.M | re.S):
        body = body.replace("gpusight_", "")
        fields = list(_Fields(body, constants, found))
        found[name] = Struct(name, fields[-1].offset + fields[-1].size, fields,
                             int(told) if told else None, about)
    return found


STRUCTS = Structs()


class Page:
    """A page, as a reader sees it: sections as dicts, rings as the entries that are whole."""

    def __init__(self, path):
        self.data = pathlib.Path(path).read_bytes()
        self._page = {f.name: f for f in STRUCTS["page"].fields}

    def _One(self, kind, offset):
        values = {}
        for field in STRUCTS[kind].fields:
            at = offset + field.offset
            if field.type in ("char", "uint8_t"):
                values[field.name] = self.data[at:at + field.size].split(b"\0")[0].decode(
                    "utf-8", "replace")
            else:
                values[field.name], = struct.unpack_from("<" + SIZES[field.type][1], self.data, at)
        return values

    def Section(self, name):
        return self._One(self._page[name].type, self._page[name].offset)

    def Array(self, name):
        field = self._page[name]
        step = field.size // field.count
        return [self._One(field.type, field.offset + i * step) for i in range(field.count)]

    def Ring(self, name):
        """Entries by their number, oldest first."""
        entries = [e for e in self.Array(name) if 0 < e["number"] < 2 ** 64 - 1]
        return sorted(entries, key=lambda e: e["number"])

    def Devices(self):
        return [m for m in self.Array("memory") if m["ordinal"] >= 0]

    def Marks(self):
        return [(m["type"], m["text"]) for m in self.Ring("mark")]

    def Stacks(self):
        return {s["text"]: s["count"] for s in self.Ring("stack")}


PHASE, CHECKPOINT, EXCEPTION, NOTE, METRIC = 1, 2, 3, 4, 5
FRAMEWORKS = {"": 0, "PyTorch": 1, "PaddlePaddle": 2, "JAX": 3}
