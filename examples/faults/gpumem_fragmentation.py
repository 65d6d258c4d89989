# SPDX-License-Identifier: Apache-2.0
"""gpumem.fragmentation: sequences of random length, and between them small results that live long: the
allocator's blocks are split by them and fit nothing any more. Fix: expandable segments."""

import collections
import os
import random
import sys

if "--fix" in sys.argv:  # before PyTorch starts the card
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"

import torch  # noqa: E402

from common import Job, main  # noqa: E402


class Fragmentation(Job):
    rule = "gpumem.fragmentation"

    def build(self):
        super().build()
        self.random = random.Random(self.options.seed)
        self.kept = collections.deque(maxlen=self.strength(300, 600, 1200))
        total = torch.cuda.get_device_properties(0).total_memory if self.cuda else 1 << 30
        self.unit = total // 100
        self.frozen = torch.empty(int(total * (0.5 if self.cuda else 0.01)), dtype=torch.uint8, device=self.device)

    def bytes(self, count):
        return torch.empty(int(count), dtype=torch.uint8, device=self.device)

    def after_step(self, loss):
        super().after_step(loss)
        if not self.cuda:
            return
        # The activations of a long sequence, here without the model around them.
        parts = [self.bytes(self.unit * self.random.uniform(0.5, 6)) for _ in range(3)]
        del parts
        for _ in range(4):
            self.kept.append(self.bytes(self.unit * self.random.uniform(0.001, 0.03)))


main(Fragmentation)
