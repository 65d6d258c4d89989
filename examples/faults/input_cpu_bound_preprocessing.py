# SPDX-License-Identifier: Apache-2.0
"""input.cpu_bound_preprocessing: a process on every core augments samples, and still the card waits:
more of them cannot help. Fix: the card augments."""

import torch

from common import Job, main


def augment(x):
    """On the card, for a thousandth of what it costs a core."""
    return x.flip(-1) if x.dim() > 2 and x.dtype == torch.uint8 else x


class CpuBound(Job):
    rule = "input.cpu_bound_preprocessing"

    def batches(self):
        workers = max(self.cores - 1, 1)
        cost = 0.2 if self.fix else workers * self.strength(1.4, 2, 4)
        return self.loader(self.images(cost), workers=workers, prefetch_factor=2)

    def move(self, batch):
        x, y = self.to_card(batch)
        return [augment(x), y] if self.fix else [x, y]


main(CpuBound)
