# SPDX-License-Identifier: Apache-2.0
"""gpumem.leak: the evaluation collects losses without torch.no_grad(), so that all its graphs live at
once. Fix: torch.no_grad()."""

import contextlib
import time

import torch

from common import Job, main


class LeakEval(Job):
    rule = "gpumem.leak"

    def build(self):
        super().build()
        self.evaluated = time.perf_counter()
        self.held_out = self.to_card(next(self.host_batches(1)))

    def after_step(self, loss):
        super().after_step(loss)
        if not self.begun or time.perf_counter() - self.evaluated < 2:
            return
        with torch.no_grad() if self.fix else contextlib.nullcontext():
            losses = [self.loss(self.held_out) for _ in range(self.strength(2, 4, 8))]
        self.last = torch.stack(losses).mean().item()
        self.evaluated = time.perf_counter()


main(LeakEval)
