# SPDX-License-Identifier: Apache-2.0
"""host.compile_stall: torch.compile, and a new shape every second: each is compiled anew, and the card
waits. Fix: one shape."""

import os
import tempfile
import time

import torch

from common import Job, NotHere, main

os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp(prefix="fault-"))  # nothing is known yet


class CompileStall(Job):
    rule = "host.compile_stall"
    batch_factor = 0.5

    def build(self):
        if not hasattr(torch, "compile"):
            raise NotHere("this PyTorch has no torch.compile")
        torch._dynamo.config.cache_size_limit = 1000
        self.model = self.family(self.size, depth=2).to(self.device)
        self.optimizer, plain = self.adam(), self.model
        self.model = torch.compile(plain, dynamic=False)
        self.model.loss = plain.loss
        self.smaller, self.next_shape = 0, 0.0

    def move(self, batch):
        if not self.fix and time.perf_counter() > self.next_shape:
            self.smaller += 1
            self.fresh = True
        x, y = super().move(batch)
        keep = max(len(x) - self.smaller, 1)
        return [x[:keep], y[:keep]]

    def after_step(self, loss):
        super().after_step(loss)
        if getattr(self, "fresh", False):
            self.fresh, self.next_shape = False, time.perf_counter() + self.strength(4, 2, 1)


main(CompileStall)
