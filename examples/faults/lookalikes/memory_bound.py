# SPDX-License-Identifier: Apache-2.0
"""Looks like gpu.tensor_cores_unused: element by element, in float32, through tensors far larger than
the cache. The card's memory is as fast as it can be: there is no product to speed up."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import torch  # noqa: E402

from common import Job, main  # noqa: E402


class MemoryBound(Job):
    def build(self):
        super().build()
        count = (1 << 28) if self.cuda else 1 << 16
        self.field = torch.nn.Parameter(torch.ones(count, device=self.device))
        self.optimizer = torch.optim.SGD([self.field], lr=1e-9)

    def loss(self, batch):
        return (self.field * 1.0001).tanh().sin().mean()


main(MemoryBound)
