# SPDX-License-Identifier: Apache-2.0
"""io.local_disk_bound: every sample is read from the disk in small pieces, past the page cache.
Fix: the data set fits into memory and is read once."""

import mmap
import os
import random
import tempfile
import time

from common import Job, NotHere, main
from common.data import Decoded

PIECE = 16 << 10


class OnDisk(Decoded):
    """Samples of `pieces` reads each, at random places of one file."""

    def __init__(self, job, megabytes):
        super().__init__(job, 0)
        self.file = tempfile.NamedTemporaryFile(dir=os.environ.get("FAULT_DISK", "/var/tmp"))
        block = os.urandom(1 << 20)
        for _ in range(megabytes):
            self.file.write(block)
        self.file.flush()
        os.fsync(self.file.fileno())
        self.size, self.direct = megabytes << 20, not job.fix
        self.handle = self.buffer = None
        self.pieces = 1

    def read(self):
        if self.handle is None:
            flags = os.O_RDONLY | (os.O_DIRECT if self.direct else 0)
            self.handle, self.buffer = os.open(self.file.name, flags), mmap.mmap(-1, PIECE)
        os.preadv(self.handle, [self.buffer], random.randrange(self.size // PIECE) * PIECE)

    def __getitem__(self, index):
        for _ in range(self.pieces):
            self.read()
        return super().__getitem__(index)


class DiskBound(Job):
    rule = "io.local_disk_bound"

    def batches(self):
        workers = 8
        images = OnDisk(self, 512 if self.cuda else 16)
        try:
            images.direct = True
            images.read()
            start = time.perf_counter()
            for _ in range(50):
                images.read()
            one = (time.perf_counter() - start) / 50
        except OSError as error:
            raise NotHere(f"no direct reads below {images.file.name}: {error}") from error
        images.direct, images.handle = not self.fix, None
        wanted = self.strength(1.8, 3, 6) * workers * self.step_seconds() / self.batch_size
        images.pieces = min(max(round(wanted / one), 1), 2000)
        self.extra["read_us"] = round(one * 1e6, 1)
        return self.loader(images, workers, prefetch_factor=2)


main(DiskBound)
