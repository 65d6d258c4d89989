# SPDX-License-Identifier: Apache-2.0
"""Every null of every JSON object, on every recorded machine and host, has its reason in the member
"unknown" of the same object, and nothing else is in there."""
import json
import unittest

import harness

HOSTS = sorted(p for p in (harness.SOURCE / "testdata" / "hosts").iterdir() if p.is_dir())
# Machines that a command cannot look at: it waits for them and then complains.
SILENT = {"hang-init"}


def unexplained(value, where):
    """Where nulls have no reason, and where reasons have no null."""
    if isinstance(value, list):
        return [w for i, item in enumerate(value) for w in unexplained(item, f"{where}[{i}]")]
    if not isinstance(value, dict):
        return []
    reasons = value.get("unknown", {})
    found = [f"{where}.{key}" for key, item in value.items() if item is None and not reasons.get(key)]
    found += [f"{where}.unknown.{key}" for key in reasons if value.get(key, 0) is not None]
    for key, item in value.items():
        if key != "unknown":
            found += unexplained(item, f"{where}.{key}")
    return found


class Nulls(harness.Case):
    def look(self, command, machine, root, *args):
        done = self.run_program(command, "--json", "--root", root, *args, scenario=machine)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_the_walk_finds_what_is_wrong(self):
        good = {"a": None, "b": [{"c": 1}], "unknown": {"a": "not supported"}}
        self.assertEqual(unexplained(good, ""), [])
        self.assertEqual(unexplained({"a": [{"b": None}]}, ""), [".a[0].b"])
        self.assertEqual(unexplained({"a": 1, "unknown": {"a": "lost"}}, ""), [".unknown.a"])

    def test_of_every_machine(self):
        seen = 0
        for number, scenario in enumerate(sorted(harness.MACHINES.glob("*/scenario.json"))):
            machine = scenario.parent
            if machine.name in SILENT:
                continue
            own = machine / "root"
            root = own if own.is_dir() else HOSTS[number % len(HOSTS)]
            for command in ("status", "who"):
                for answer in self.look(command, machine, root):
                    seen += 1
                    with self.subTest(command=command, machine=machine.name, root=root.name):
                        self.assertEqual(unexplained(answer, ""), [])
        self.assertGreater(seen, 60)

    def test_of_every_host(self):
        for root in HOSTS + [self.root()]:
            pids = [int(p.name) for p in (root / "proc").glob("[0-9]*")]
            scenario = self.scenario(processes=[
                {"pid": pid, "device": 0, "memory_bytes": 1 << 20} for pid in pids])
            for command, args in (("status", ()), ("status", ("--sample", "50ms")), ("who", ())):
                for answer in self.look(command, scenario, root, *args):
                    with self.subTest(command=command, root=root.name):
                        self.assertEqual(unexplained(answer, ""), [])


if __name__ == "__main__":
    unittest.main()
