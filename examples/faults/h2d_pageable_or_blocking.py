# SPDX-License-Identifier: Apache-2.0
"""h2d.pageable_or_blocking: large batches lie in pageable memory, and the program waits until each is
on the card. Fix: pinned memory, and copies that run beside the computation."""

import itertools
import time

import torch

from common import Job, main


class Pageable(Job):
    rule = "h2d.pageable_or_blocking"

    def batches(self):
        step = self.step_seconds()
        fields = torch.zeros(64 << 20 if self.cuda else 1 << 20)  # what else belongs to a batch: float32 fields
        start = time.perf_counter()
        fields.to(self.device)
        speed = fields.numel() / (time.perf_counter() - start)
        fields = torch.zeros(int(self.strength(0.3, 0.7, 1.5) * step * speed) + 1)
        batches = [[*batch, fields.clone()] for batch in self.host_batches(3)]
        if self.fix and self.cuda:
            batches = [[part.pin_memory() for part in batch] for batch in batches]
        return itertools.cycle(batches)

    def move(self, batch):
        if self.fix and self.cuda:
            return self.ahead(batch)
        x, y, _ = [part.to(self.device) for part in batch]
        return [x, y]

    def ahead(self, batch):
        """Copies this batch beside the computation, and hands out the one before."""
        if not hasattr(self, "side"):
            self.side, self.next = torch.cuda.Stream(), self.to_card(batch)
        torch.cuda.current_stream().wait_stream(self.side)
        ready = self.next
        for part in ready:
            part.record_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            self.next = self.to_card(batch)
        return ready[:2]


main(Pageable)
