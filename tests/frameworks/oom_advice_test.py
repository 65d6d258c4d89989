# SPDX-License-Identifier: Apache-2.0
"""What `gpusight explain` proposes, against the installed PyTorch and PaddlePaddle, and what it makes
of what they really print: `oom_advice_test.py LIST_OOM_ADVICE GPUSIGHT`. Next: list_oom_advice.cc."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import unittest

GPUSIGHT = sys.argv.pop()
CODES = subprocess.run([sys.argv.pop()], text=True, check=True,
                       capture_output=True).stdout.splitlines()
# Newer than the PyTorch 1.13 of Debian 12.
LATER = {"torch.cuda.memory._record_memory_history", "torch.cuda.memory._dump_snapshot"}


def Exists(name):
    """Whether "torch.cuda.empty_cache" leads somewhere, importing what must be imported."""
    parts, broken = name.split("."), False
    for end in range(len(parts), 0, -1):
        try:
            place = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        except ValueError:
            # PyTorch 1.13's FSDP is there, but Python 3.11 refuses to import it.
            broken = True
            continue
        try:
            for part in parts[end:]:
                place = getattr(place, part)
        except AttributeError:
            return broken
        return True
    return False


class TheCalls(unittest.TestCase):
    def check(self, module):
        names = {name for code in CODES if not code.startswith("export")
                 for name in re.findall(rf"\b{module}(?:\.\w+)+", code)}
        self.assertGreater(len(names), 3)
        missing = {name for name in names if not Exists(name)}
        self.assertEqual(missing - LATER, set())

    def test_of_pytorch_exist(self):
        self.check("torch")

    def test_of_paddle_exist(self):
        self.check("paddle")

    def test_are_python(self):
        for code in CODES:
            if "(" in code and not code.startswith(("export", "docker", "sudo", "gpusight")):
                compile(code.replace("…", "pass"), code, "exec")


class TheMessages(unittest.TestCase):
    def explain(self, program):
        # Now and then Paddle's loader waits for ever for a worker that was killed: then once more.
        for left in (2, 1, 0):
            job = subprocess.Popen([sys.executable, "-c", program], text=True, start_new_session=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                out, err = job.communicate(timeout=60)
                break
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                job.communicate()
                if left == 0:
                    raise
        self.assertNotEqual(job.returncode, 0)
        done = subprocess.run([GPUSIGHT, "explain", "-", "--json"], text=True, capture_output=True,
                              input=out + err, timeout=60)
        self.assertEqual(done.returncode, 0, err)
        return json.loads(done.stdout)

    def test_of_an_allocation_on_the_cpu(self):
        for framework, program, size in (
                ("PyTorch", "import torch; torch.empty(10**14)", 4e14),
                ("PaddlePaddle", "import paddle; paddle.zeros([10**13])", 4e13)):
            with self.subTest(framework):
                found = self.explain(program)
                self.assertEqual(found["failures"][0]["framework"], framework)
                self.assertEqual(found["failures"][0]["requested_bytes"], size)
                self.assertEqual(found["causes"][0]["class"], "host_memory")

    def test_of_a_worker_that_was_killed(self):
        program = """
import os, {0}
class Data({1}.Dataset):
    def __len__(self): return 100
    def __getitem__(self, i):
        if i == 5: os.kill(os.getpid(), {2})
        return 1.0
for batch in {1}.DataLoader(Data(), batch_size=2, num_workers=2): pass
"""
        found = self.explain(program.format("torch.utils.data", "torch.utils.data", 9))
        self.assertEqual(found["causes"][0]["class"], "host_memory")
        self.assertGreater(found["failures"][0]["killed_pid"], 1)
        found = self.explain(program.format("torch.utils.data", "torch.utils.data", 7))
        self.assertEqual(found["causes"][0]["class"], "shared_memory")
        found = self.explain(program.format("paddle", "paddle.io", 7))
        self.assertEqual(found["causes"][0]["class"], "shared_memory")
        self.assertEqual(found["failures"][0]["framework"], "PaddlePaddle")


if __name__ == "__main__":
    unittest.main()
