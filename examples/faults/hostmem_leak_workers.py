# SPDX-License-Identifier: Apache-2.0
"""hostmem.leak: a list of Python strings in the data set. Loader processes share it with the trainer
only until they touch it: reading a string counts a reference, which writes to its page, and page
after page is copied. Fix: one array of bytes."""

import random

import numpy

from common import Job, main
from common.data import Decoded


class Captions(Decoded):
    def __init__(self, job, count, seconds):
        super().__init__(job, seconds)
        self.count, self.random, self.touched = count, random.Random(0), 64
        text = [f"{n:08d} a caption of some length" for n in range(count)]
        self.texts = numpy.array(text, dtype="S40") if job.fix else text

    def __getitem__(self, index):
        for _ in range(self.touched):
            self.texts[self.random.randrange(self.count)]
        return super().__getitem__(index)


class WorkersLeak(Job):
    rule = "hostmem.leak"

    def batches(self):
        count = self.strength(5, 10, 20) * 1_000_000 if self.cuda else 10_000
        return self.loader(Captions(self, count, 0.3 * self.step_seconds() / self.batch_size), workers=8)


main(WorkersLeak)
