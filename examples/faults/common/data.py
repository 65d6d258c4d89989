# SPDX-License-Identifier: Apache-2.0
"""Data that costs what it is told to: every sample is unpacked and changed by the CPU for a given
time, measured on the machine at hand, so that a fault is as strong on a fast machine as on a slow
one. Next: models.py, job.py."""

import time
import zlib

import numpy
import torch
import torch.utils.data

PACKED = zlib.compress(numpy.arange(40_000, dtype=numpy.int32).tobytes())


def decode_and_augment(passes: int) -> float:
    """What a decoder and the usual augmentations do to a core, `passes` times."""
    total = 0.0
    for _ in range(passes):
        raw = numpy.frombuffer(zlib.decompress(PACKED), dtype=numpy.uint8).astype(numpy.float32)
        raw = numpy.clip(raw[::-1] * 1.1 + 3, 0, 255)
        total += float(raw[::997].mean())
    return total


def seconds_per_pass() -> float:
    decode_and_augment(3)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        decode_and_augment(1)
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


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
