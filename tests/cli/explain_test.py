# SPDX-License-Identifier: Apache-2.0
"""gpusight explain on logs of real programs (testdata/ooms) and on logs with the literal messages of
cards that no test machine has."""
import json
import os
import pty
import re
import subprocess
import time
import unittest

import harness

OOMS = harness.SOURCE / "testdata" / "ooms"

TORCH = ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU {gpu} has a total "
         "capacity of 79.15 GiB of which 1.66 GiB is free. Including non-PyTorch memory, this process "
         "has 77.31 GiB memory in use. Of the allocated memory 62.09 GiB is allocated by PyTorch, and "
         "14.34 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large "
         "try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See "
         "documentation for Memory Management  "
         "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)")


class Explain(harness.Case):
    def log(self, text, name="train.log"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def explain(self, path, *args):
        return json.loads(self.ok("explain", path, "--json", *args))

    def words(self, path, *args):
        return " ".join(self.ok("explain", path, *args).split())

    def test_the_logs_of_real_programs(self):
        for name, cause, framework, size in (
                ("torch-cpu", "host_memory", "PyTorch", 4e14),
                ("torch-loader-killed", "host_memory", "PyTorch", None),
                ("torch-loader-bus", "shared_memory", "PyTorch", None),
                ("paddle-cpu", "host_memory", "PaddlePaddle", 4e13),
                ("paddle-loader-bus", "shared_memory", "PaddlePaddle", None),
                ("jax-cpu", "host_memory", "JAX", 4e12),
                ("numpy", "host_memory", None, round(72.8 * 2**40)),
                ("memoryerror", "host_memory", None, None),
                ("errno12", "host_memory", None, None),
                ("bad-alloc", "host_memory", None, None),
                ("killed", "host_memory", None, None)):
            with self.subTest(name):
                found = self.explain(OOMS / f"{name}.log")
                self.assertEqual([c["class"] for c in found["causes"]], [cause])
                lead = found["failures"][found["causes"][0]["failure"]]
                self.assertEqual(lead["framework"], framework)
                self.assertEqual(lead["requested_bytes"], size)

    def test_a_log_without_a_message_is_said_in_one_sentence(self):
        path = self.log("step 1 loss 0.3\nstep 2 loss 0.2\n")
        done = self.run_program("explain", path)
        self.assertEqual(done.returncode, 5)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout,
                         f"No out-of-memory message is in {path} (2 lines, 32B).\n")
        done = self.run_program("explain", path, "--json")
        self.assertEqual(done.returncode, 5)
        self.assertEqual(json.loads(done.stdout)["failures"], [])
        self.assertEqual(self.run_program("explain", self.log("", "empty")).returncode, 5)

    def test_the_page_has_the_arithmetic_and_the_evidence(self):
        path = self.log(
            "Epoch [3/10] step 1240 loss 0.31\n"
            "Traceback (most recent call last):\n"
            '  File "/job/train.py", line 140, in training_step\n    out = model(x)\n'
            + TORCH.format(gpu=3) + "\n")
        page = self.ok("explain", path)
        self.assertIn("Fragmentation  (PyTorch, GPU 3, confidence", page)
        rows = {label.strip(): number for label, number in
                re.findall(r"^    (\S.*?)  +(\d+\.\d\d)$", page, re.M)}
        parts = ["tensors of this job", "cached, free in pieces", "this job outside its allocator",
                 "other processes", "driver, or nobody listed", "free"]
        hundredths = {label: int(number.replace(".", "")) for label, number in rows.items()}
        self.assertEqual(sum(hundredths[p] for p in parts), hundredths["= the device has"])
        self.assertEqual(hundredths["asked for"] - hundredths["free"], hundredths["missing"])
        self.assertIn("    line 5  torch.OutOfMemoryError", page)
        self.assertIn("in training_step at /job/train.py:140", page)
        self.assertIn("last progress: epoch 3, step 1240", page)
        self.assertIn("It ended the program.", page)
        self.assertIn("\n       export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n", page)
        self.assertIn("The same for PaddlePaddle", page)
        self.assertIn("\n       export FLAGS_use_virtual_memory_auto_growth=true\n", page)

    def test_ranks_that_fail_alike_are_one_cause(self):
        path = self.log("".join(f"[rank{i}]: {TORCH.format(gpu=i)}\n" for i in range(4)) +
                        "  traceback : Signal 9 (SIGKILL) received by PID 812\n")
        page = self.ok("explain", path)
        self.assertIn("4 failures, 1 cause", page)
        self.assertIn("3 more of the same kind: line 2 [rank 1]; line 3", " ".join(page.split()))
        self.assertIn("Then, in line 5: A process was killed with SIGKILL.", page)
        self.assertEqual(page.count("Try first"), 1)
        every = self.ok("explain", path, "--all")
        self.assertEqual(every.count("Fragmentation  ("), 4)
        found = self.explain(path)
        self.assertEqual([f["rank"] for f in found["failures"]], [0, 1, 2, 3, None])
        self.assertEqual([c["consequence"] for c in found["causes"]], [False, True])
        self.assertEqual(len(self.explain(path, "--all")["causes"]), 5)

    def test_a_caught_failure_does_not_end_the_program(self):
        path = self.log("step 7\n" + TORCH.format(gpu=0) + "\nretrying with half the batch\nstep 8\n")
        self.assertIn("The program went on.", self.ok("explain", path))

    def test_settings_in_the_log_are_shown_and_not_proposed_again(self):
        path = self.log("export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n" +
                        TORCH.format(gpu=0) + "\n")
        page = self.ok("explain", path)
        self.assertIn("the log sets PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", page)
        self.assertNotIn("export PYTORCH_CUDA_ALLOC_CONF=expandable_segments", page)

    def test_standard_input_and_chinese(self):
        done = subprocess.run(self.arguments(["explain", "-", "--lang", "zh"], None), text=True,
                              input=TORCH.format(gpu=0) + "\n", capture_output=True, timeout=60,
                              env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("显存碎片", done.stdout)
        self.assertIn("标准输入", done.stdout)
        self.assertIn("首先尝试", done.stdout)

    def test_wrong_use_is_refused_in_one_sentence(self):
        self.assertEqual(self.refused("explain"),
                         "gpusight: the log is not named. Name a file, or - for standard input.")
        self.assertIn("No such file or directory", self.refused("explain", "/nowhere.log", code=1))
        self.assertIn("is a folder", self.refused("explain", self.folder))
        for magic in (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ"):
            self.assertIn("zcat", self.refused("explain", self.log(magic + b"x" * 50, "a.gz")))

    def test_a_hostile_log(self):
        noise = bytes(range(256)) * 300
        path = self.log(noise + b"\n" + b"x" * 300_000 + TORCH.format(gpu=2).encode() +
                        b"y" * 300_000 + b"\n\x1b[31m\x1b]0;evil\x07" + TORCH.format(gpu=1).encode() +
                        b"\x9b31m\n" + noise)
        page = self.ok("explain", path)
        self.assertNotIn("\x1b", page)
        self.assertNotIn("\x9b", page)
        self.assertEqual(sorted(f["device"] for f in self.explain(path)["failures"]), [1, 2])

    def test_the_examples_in_the_documents_are_what_it_prints(self):
        # To write those of docs/ anew: GPUSIGHT_UPDATE_DOCS=1 ctest -R cli.explain
        for page in ("docs/explain.md", "docs/zh/explain.md", "README.md", "README.zh-CN.md"):
            text = (harness.SOURCE / page).read_text()
            call, shown = re.search(r"```\n\$ gpusight (explain [^\n]*)\n(.*?)```\n", text,
                                    re.S).groups()
            now = self.ok(*call.split(), cwd=harness.SOURCE)
            if shown.endswith("…\n"):
                self.assertTrue(now.startswith(shown[:-2]), page)
            elif os.environ.get("GPUSIGHT_UPDATE_DOCS"):
                (harness.SOURCE / page).write_text(text.replace(shown, now))
            else:
                self.assertEqual(shown, now, page)

    def test_a_large_log_takes_little_memory_and_time(self):
        line = b"2026-01-02 03:04:05 INFO Epoch 1 step %d loss 0.31 memory 12345 MB, lr 1e-4\n"
        begin = time.monotonic()
        process = subprocess.Popen(self.arguments(["explain", "-", "--json"], None),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=self.environment())
        self.addCleanup(self.end, process)
        for i in range(100):
            process.stdin.write(b"".join(line % j for j in range(i * 10_000, (i + 1) * 10_000)))
        process.stdin.write(TORCH.format(gpu=0).encode())
        process.stdin.flush()
        with open(f"/proc/{process.pid}/status") as status:
            most = int(re.search(r"VmHWM:\s+(\d+) kB", status.read()).group(1))
        out = json.loads(process.communicate(timeout=60)[0])
        self.assertEqual(process.returncode, 0)
        self.assertEqual(out["failures"][0]["step"], 999_999)
        self.assertEqual(out["lines"], 1_000_001)
        self.assertLess(time.monotonic() - begin, 60)
        if "ASAN_OPTIONS" not in os.environ:
            self.assertLess(most, 48 << 10, "KiB")

    @staticmethod
    def everything(terminal):
        """What was written to a terminal whose other end is closed; it comes in pieces."""
        shown = b""
        try:
            while piece := os.read(terminal, 65536):
                shown += piece
        except OSError:  # EIO: no more
            pass
        return shown

    def test_a_terminal_is_told_how_far_it_is(self):
        path = self.folder / "slow"
        os.mkfifo(path)
        master, slave = pty.openpty()
        process = subprocess.Popen(self.arguments(["explain", path], None), stderr=slave,
                                   stdout=subprocess.PIPE, env=self.environment(TERM="xterm"))
        self.addCleanup(self.end, process)
        os.close(slave)
        with open(path, "wb") as pipe:
            for _ in range(8):
                pipe.write(b"step 1\n" * 20_000)
                pipe.flush()
                time.sleep(0.1)
            pipe.write(TORCH.format(gpu=0).encode())
        self.assertIn(b"Fragmentation", process.stdout.read())
        process.wait(60)
        shown = self.everything(master).decode()
        os.close(master)
        self.assertRegex(shown, r"\r\d+(\.\d+)?[KM]iB read, 0 found\x1b\[K")
        self.assertTrue(shown.endswith("\r\x1b[K"), "the line is taken away again")

    def test_a_reader_that_went_away(self):
        process = subprocess.Popen(self.arguments(["explain", OOMS / "killed.log"], None),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment())
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(60), 0)


if __name__ == "__main__":
    unittest.main()
