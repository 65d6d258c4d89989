# SPDX-License-Identifier: Apache-2.0
"""Looks like a clock that is held down: large products in bfloat16 take all the power that the card may
have, and it lowers its clock a little. That is what it is built for."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import torch  # noqa: E402

from common import Job, main  # noqa: E402


class PowerCap(Job):
    def build(self):
        super().build()
        size = 16384 if self.cuda else 128
        self.a = torch.randn(size, size, device=self.device, dtype=torch.bfloat16 if self.cuda else torch.float32)

    def after_step(self, loss):
        super().after_step(loss)
        for _ in range(4):
            torch.mm(self.a, self.a)


main(PowerCap)
