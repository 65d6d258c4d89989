# SPDX-License-Identifier: Apache-2.0
"""cpu.oversubscribed: a loader process on every core, and in each of them a linear algebra library
that takes every core once more. Fix: one thread in each process."""

import os
import sys

if "--fix" in sys.argv:  # before the library is loaded
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

import numpy  # noqa: E402

from common import Job, main  # noqa: E402
from common.data import Decoded  # noqa: E402

MATRIX = numpy.random.default_rng(0).standard_normal((384, 384))


class Whitened(Decoded):
    products = 1

    def __getitem__(self, index):
        for _ in range(self.products):
            MATRIX @ MATRIX
        return super().__getitem__(index)


class Oversubscribed(Job):
    rule = "cpu.oversubscribed"

    def batches(self):
        images = Whitened(self, 0)
        # A product takes about 2 ms of one core.
        core_seconds = self.strength(0.4, 0.8, 1.6) * self.cores * self.step_seconds() / self.batch_size
        images.products = max(round(core_seconds / 0.002), 1)
        return self.loader(images, workers=self.cores, prefetch_factor=2)


main(Oversubscribed)
