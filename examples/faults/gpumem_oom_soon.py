# SPDX-License-Identifier: Apache-2.0
"""gpumem.oom_soon: the job is as large as the card, and each longer batch takes a little more.
Fix: the micro-batch that fits, with gradient accumulation."""

import torch

from common import Job, main


class OomSoon(Job):
    rule = "gpumem.oom_soon"

    def build(self):
        super().build()
        if self.cuda and not self.fix:
            free, total = torch.cuda.mem_get_info()
            room = int(total * self.strength(0.07, 0.05, 0.025))
            self.step(self.move(next(self.batches())))
            self.wait()
            free, total = torch.cuda.mem_get_info()
            self.large = torch.empty(max(free - room, 1), dtype=torch.uint8, device=self.device)


main(OomSoon)
