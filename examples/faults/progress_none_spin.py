# SPDX-License-Identifier: Apache-2.0
"""progress.none: a kernel that waits for a signal that never comes, as a collective does when one rank
is missing: the card is "busy", but nothing moves. Fix: the signal comes."""

import time

import torch

from common import Job, main


class Spin(Job):
    rule = "progress.none"

    def after_step(self, loss):
        super().after_step(loss)
        if self.fix or self.elapsed() <= self.strength(0.6, 0.3, 0.1) * self.options.seconds:
            return
        while self.elapsed() < self.options.seconds:
            if self.cuda:
                torch.cuda._sleep(200_000_000)  # a tenth of a second and more
                torch.cuda.synchronize()
            else:
                time.sleep(0.1)


main(Spin)
