# SPDX-License-Identifier: Apache-2.0
"""Looks like gpumem.fragmentation: one large evaluation at the beginning left a large cache. The
allocator uses it again, and nothing is stuck."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import torch  # noqa: E402

from common import Job, main  # noqa: E402


class CacheAfterPeak(Job):
    def build(self):
        super().build()
        total = torch.cuda.get_device_properties(0).total_memory if self.cuda else 1 << 28
        peak = torch.empty(int(total * self.strength(0.3, 0.5, 0.8)), dtype=torch.uint8, device=self.device)
        del peak


main(CacheAfterPeak)
