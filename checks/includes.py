# SPDX-License-Identifier: Apache-2.0
"""The arrows between the rooms: an #include "room/..." may only point upward in the layout. ROOMS
below is that layout; a room may include itself and the rooms named beside it, nothing else.
ARCHITECTURE.md draws the same table. Next: tree.py."""

import re

import tree

ROOMS = {
    "base": [],
    "model": ["base"],
    "probe": ["base", "model", "agent"],
    "record": ["base", "model"],
    "memory": ["base", "model"],
    "launch": ["base"],
    "nullcuda": [],
    "diagnose": ["base", "model", "memory"],
    "alert": ["base", "model"],
    "export": ["base", "model"],
    "http": ["base"],
    "serve": ["base", "model", "export", "http", "record", "diagnose", "alert"],
    "report": ["base", "model", "record", "memory", "diagnose", "export"],
    "tui": ["base", "model", "diagnose"],
    "agent": [],
    "cli": ["base", "model", "probe", "record", "memory", "launch", "diagnose", "alert", "export",
            "http", "serve", "report", "tui", "agent"],
}
# Inside probe/ the folders do not know each other; only the sampler joins them.
PROBES = ("nvml", "host", "cgroup", "page")
# A process belongs to a container, and a telemetry page to a process.
PROBE_ARROWS = {("host", "cgroup"), ("page", "cgroup"), ("page", "host")}
# Heavy or limited headers and the only rooms that may see them.
LIMITED = {
    "CLI/": ("cli",),
    "toml++/": ("cli",),
    "boost/": ("http",),
    "openssl/": ("http",),
    "sqlite3": ("record",),
    "ncurses": ("tui",),
    "curses": ("tui",),
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def Check(files):
    for path, text in files:
        parts = path.split("/")
        if parts[0] != "src":
            continue
        room = parts[1]
        test = path.endswith("_test.cc")
        if room not in ROOMS:
            yield f"{path}: the layout in checks/includes.py has no room '{room}'"
            continue
        for match in INCLUDE.finditer(text):
            quote, name = match.groups()
            where = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
            for prefix, rooms in LIMITED.items():
                if name.startswith(prefix) and room not in rooms:
                    yield f"{where}: only {', '.join(rooms)}/ may include <{name}>"
            if quote == "<":
                continue
            target = name.split("/")
            if target[0] == "testing" and test:
                continue  # fakes are for tests
            if target[0] not in ROOMS or len(target) == 1:
                yield f'{where}: "{name}" is not named from src/ ("room/file.h")'
            elif target[0] != room and target[0] not in ROOMS[room]:
                yield f"{where}: {room}/ may not include {target[0]}/"
            elif (room == target[0] == "probe" and len(parts) > 3 and parts[2] in PROBES
                  and target[1] in PROBES and target[1] != parts[2]
                  and (parts[2], target[1]) not in PROBE_ARROWS):
                yield f"{where}: probe/{parts[2]}/ may not include probe/{target[1]}/"


MUST_FAIL = [
    {"src/base/a.h": '#include "model/known.h"\n'},
    {"src/model/a.cc": '#include "base/text.h"\n#include "probe/sampler.h"\n'},
    {"src/tui/a.cc": '# include "probe/sampler.h"\n'},
    {"src/export/a.cc": '#include "probe/sampler.h"\n'},
    {"src/probe/nvml/a.cc": '#include "probe/host/host_probe.h"\n'},
    {"src/export/a.cc": "#include <CLI/CLI.hpp>\n"},
    {"src/model/a.cc": '#include "known.h"\n'},
    {"src/model/a.cc": '#include "testing/fake_clock.h"\n'},
    {"src/attic/a.cc": "int a;\n"},
]
MUST_PASS = [
    {"src/cli/a.cc": '#include <CLI/CLI.hpp>\n#include "probe/sampler.h"\n'},
    {"src/probe/host/a_test.cc": '#include "testing/fake_clock.h"\n#include "base/text.h"\n'},
    {"src/probe/sampler.cc": '#include "probe/nvml/nvml_probe.h"\n'},
    {"tests/a.cc": '#include "cli/main.h"\n'},
]

if __name__ == "__main__":
    tree.Main(Check, tree.IsSource, MUST_FAIL, MUST_PASS)
