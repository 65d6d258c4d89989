# SPDX-License-Identifier: Apache-2.0
"""h2d.link_saturated: batches in float32 fill the link to the card, though pinned and copied ahead.
Fix: they travel as bytes and become numbers on the card."""

import itertools
import time

import torch

from common import Job, main


class LinkSaturated(Job):
    rule = "h2d.link_saturated"

    def batches(self):
        step = self.step_seconds()
        fields = torch.zeros(256 << 20 if self.cuda else 1 << 20, dtype=torch.uint8)
        fields = fields.pin_memory() if self.cuda else fields
        for _ in range(3):  # the first copies are slow
            self.wait()
            start = time.perf_counter()
            fields.to(self.device, non_blocking=True)
            self.wait()
        speed = fields.numel() / (time.perf_counter() - start)
        size = int(self.strength(1.3, 2, 4) * step * speed) + 4
        fields = torch.zeros(size // 4 if self.fix else size, dtype=torch.uint8)
        self.extra["link_gb_s"] = round(speed / 1e9, 1)
        fields = fields.pin_memory() if self.cuda else fields
        self.side = torch.cuda.Stream() if self.cuda else None
        self.next = None
        return itertools.cycle([[*batch, fields] for batch in self.host_batches(3, pinned=True)])

    def move(self, batch):
        if not self.cuda:
            return self.to_card(batch)[:2]
        torch.cuda.current_stream().wait_stream(self.side)
        ready, now = self.next, torch.cuda.current_stream()
        with torch.cuda.stream(self.side):
            self.next = self.to_card(batch)
        for part in ready or []:
            part.record_stream(now)
        return ready[:2] if ready else self.move(batch)


main(LinkSaturated)
