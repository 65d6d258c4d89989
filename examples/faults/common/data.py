# SPDX-License-Identifier: Apache-2.0
"""Data that costs what it is told to: every sample is unpacked and changed by the CPU for a given
time, measured on the machine at hand, so that a fault is as strong on a fast machine as on a slow
one. Next: work.py, job.py."""

import numpy
import torch
import torch.utils.data

from .work import decode_and_augment, seconds_per_pass

def samples(family, size: int, seed: int, count: int) -> list:
    random = numpy.random.default_rng(seed)
    return [tuple(torch.as_tensor(part) for part in family.sample(random, size)) for _ in range(count)]


class Decoded(torch.utils.data.Dataset):
    """Samples that cost `seconds` of a core each."""

    def __init__(self, job, seconds: float):
        self.samples = samples(job.family, job.size, job.options.seed, 64)
        self.passes = max(round(seconds / seconds_per_pass()), 1 if seconds > 0 else 0)

    def __len__(self):
        return 1 << 40

    def __getitem__(self, index):
        decode_and_augment(self.passes)
        return self.samples[index % len(self.samples)]


class Endless(torch.utils.data.Sampler):
    """0, 1, 2, …: one epoch that never ends."""

    def __init__(self):
        pass

    def __iter__(self):
        index = 0
        while True:
            yield index
            index += 1
