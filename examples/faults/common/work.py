# SPDX-License-Identifier: Apache-2.0
"""Work for a core, as a decoder does it, and how long it takes on this machine. For every framework.
Next: data.py, ../paddle/loop.py."""

import time
import zlib

import numpy

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
