# SPDX-License-Identifier: Apache-2.0
"""gpu.neighbour: another program computes on the same card. Fix: the card is this job's own.
Started alone, the program brings its neighbour along; `gpu_neighbour.py --companion` is only that."""

import os
import subprocess
import sys
import time

import torch

from common import Job, main


class Neighbour(Job):
    rule = "gpu.neighbour"

    def setup(self):
        if self.fix or "FAULT_COMPANION" in os.environ:
            return
        # Not a child of this job: its parent ends at once.
        command = [sys.executable, os.path.abspath(__file__), "--companion", "--device", self.options.device,
                   "--severity", self.options.severity, "--seconds", str(self.options.seconds + 5)]
        subprocess.run(["sh", "-c", '"$@" >/dev/null 2>&1 &', "sh", *command], start_new_session=True, check=True,
                       env={k: v for k, v in os.environ.items() if not k.startswith(("GPUSIGHT", "PYTHONPATH"))})

    @staticmethod
    def companion(given):
        size = 8192 if given.device.startswith("cuda") else 128
        a = torch.ones(size, size, device=given.device, dtype=torch.bfloat16)
        held = torch.empty(size * size * {"mild": 50, "medium": 150, "strong": 500}[given.severity],
                           dtype=torch.uint8, device=given.device)
        end = time.perf_counter() + given.seconds
        while time.perf_counter() < end:
            for _ in range(20):
                torch.mm(a, a)
            held[:1].item()


main(Neighbour)
