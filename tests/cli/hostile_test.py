# SPDX-License-Identifier: Apache-2.0
"""Names and command lines that were chosen to do harm: escape sequences, 8-bit controls, text that
runs backwards, a megabyte, formulas for a spreadsheet."""
import csv
import io
import json
import os
import unittest

import harness

# ESC, CSI in one byte (U+009B), a right-to-left override and an isolate, a line separator, DEL,
# a byte that is no UTF-8
EVIL = b"evil\x1b[31m\xc2\x9b31m\xe2\x80\xaetxt.exe\xe2\x81\xa6\xe2\x80\xa8\x7f\xff"
CONTROLS = [0x1B, 0x7F, 0x9B, 0x202E, 0x2066, 0x2028]


class Hostile(harness.Case):
    def setUp(self):
        super().setUp()
        self.host(harness.TRAINER)
        self.proc = self.root() / "proc" / str(harness.TRAINER)

    def machine(self, command_line, comm=b"python", user=b"lin"):
        self.proc.joinpath("cmdline").write_bytes(command_line)
        stat = self.proc.joinpath("stat").read_bytes()
        rest = stat[stat.rindex(b")"):]
        self.proc.joinpath("stat").write_bytes(b"%d (%s%s" % (harness.TRAINER, comm, rest))
        (self.root() / "etc").mkdir(exist_ok=True)
        (self.root() / "etc" / "passwd").write_bytes(b"%s:x:1000:1000::/:/bin/sh\n" % user)
        name = "H200\x9b31m\u202e"
        return self.scenario(
            devices=[{"recording": harness.RECORDING, "identity": {"name": name}}],
            processes=[{"pid": harness.TRAINER, "device": 0, "memory_bytes": 1 << 30}])

    def output(self, *args, scenario):
        done = self.run_program(*args, scenario=scenario)
        self.assertIn(done.returncode, (0, 4), done.stderr)
        return done.stdout

    def commands(self):
        for command in ("status", "who"):
            yield [command], "text"
            yield [command, "--json"], "json"
        yield ["status", "--csv"], "text"
        yield ["doctor"], "text"
        yield ["doctor", "--pid", str(harness.TRAINER)], "text"
        for form in ("text", "csv", "logfmt", "jsonl"):
            kind = "json" if form == "jsonl" else "text"
            yield ["log", "--count", "1", "--format", form], kind
            yield ["log", "--count", "1", "--format", form, "--pid", str(harness.TRAINER)], kind

    def test_pipes_in_place_of_files_are_not_waited_for(self):
        scenario = self.machine(b"python\0train.py\0")
        inside = self.proc / "root" / "etc"
        inside.mkdir(parents=True)
        for path in (self.root() / "etc" / "passwd", self.root() / "proc" / "modules",
                     self.root() / "proc" / "self" / "mountinfo", self.proc / "mountinfo",
                     self.proc / "environ", self.proc / "status", inside / "hostname",
                     self.root() / "sys" / "kernel" / "hostname"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            os.mkfifo(path)
        for args, _ in self.commands():
            with self.subTest(args=args):
                self.output(*args, scenario=scenario)

    def test_no_control_reaches_an_output(self):
        (self.proc / "environ").write_bytes(b"CUDA_VISIBLE_DEVICES=" + EVIL + b"\0FLAGS_x=" + EVIL)
        scenario = self.machine(EVIL + b"\0--x\0", comm=EVIL[:12], user=EVIL)
        for args, kind in self.commands():
            text = self.output(*args, scenario=scenario)
            with self.subTest(args=args):
                self.assertEqual([hex(c) for c in CONTROLS if chr(c) in text], [])
                if kind == "json":
                    for line in text.splitlines():
                        json.loads(line)

    def test_json_keeps_them_as_escapes(self):
        text = self.output("status", "--json", scenario=self.machine(EVIL + b"\0"))
        for escape in ("\\u009B", "\\u202E", "\\u2066", "\\u2028", "\\u007F", "\\u001B"):
            self.assertIn(escape, text)
        process = json.loads(text)["devices"][0]["processes"][0]
        self.assertEqual(process["command_line"], EVIL.decode(errors="replace"))

    def test_a_command_line_of_a_megabyte_is_cut_and_says_so(self):
        wide = "进".encode() * 350_000
        scenario = self.machine(b"python3\0" + wide + b"\0")
        for args, kind in self.commands():
            with self.subTest(args=args):
                text = self.output(*args, scenario=scenario)
                self.assertLess(len(text), 40_000)
                self.assertNotIn("\ufffd", text)
        process = json.loads(self.output("status", "--json", scenario=scenario))
        line = process["devices"][0]["processes"][0]["command_line"]
        self.assertLessEqual(len(line.encode()), 4096 + 16)
        self.assertTrue(line.endswith("进… [cut]"), line[-20:])

    def test_a_cell_of_text_is_no_formula(self):
        for comm in (b"=1+1", b"+1", b"-bash", b"@SUM(A1)"):
            scenario = self.machine(b"x\0", comm=comm)
            args = ["log", "--count", "1", "--format", "csv", "--pid", str(harness.TRAINER),
                    "--fields", "proc_memory_bytes"]
            text = self.output(*args, scenario=scenario)
            row = next(csv.DictReader(io.StringIO(text)))
            self.assertEqual(row["command"], "'" + comm.decode(), text)
            self.assertEqual(float(row["proc_memory_bytes"]), 1 << 30)  # numbers stay numbers


if __name__ == "__main__":
    unittest.main()
