# SPDX-License-Identifier: Apache-2.0
"""hostmem.leak: every step appends its outputs to a list in the host's memory. Fix: a running mean."""

import numpy

from common import Job, main


class HostLeak(Job):
    rule = "hostmem.leak"

    def build(self):
        super().build()
        self.outputs, self.mean = [], 0.0

    def after_step(self, loss):
        super().after_step(loss)
        megabytes = self.strength(1, 4, 16) if self.cuda else 0.1
        if self.fix:
            self.mean += 0.01
        else:
            self.outputs.append(numpy.full(int(megabytes * (1 << 20)), self.steps % 256, numpy.uint8))


main(HostLeak)
