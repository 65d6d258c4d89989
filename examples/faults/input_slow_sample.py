# SPDX-License-Identifier: Apache-2.0
"""input.too_few_workers: one sample of a thousand takes long, and all batches behind it wait, because they
are handed out in order. Fix: such samples are cut to a bound when the data set is made."""

import time

from common import Job, main
from common.data import Decoded


class WithSlowOnes(Decoded):
    slow = 0.0

    def __getitem__(self, index):
        if index % 997 == 996:
            time.sleep(self.slow)
        return super().__getitem__(index)


class SlowSample(Job):
    rule = "input.too_few_workers"

    def batches(self):
        images = WithSlowOnes(self, 0.5 * self.step_seconds() / self.batch_size)
        images.slow = 0 if self.fix else self.strength(1.0, 1.5, 3.0)
        return self.loader(images, workers=4)


main(SlowSample)
