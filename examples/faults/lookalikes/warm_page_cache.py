# SPDX-License-Identifier: Apache-2.0
"""Looks like io.local_disk_bound: every sample is read from a file. The files are in the page cache, and
the loader processes are ahead of the card."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tempfile  # noqa: E402

from common import Job, main  # noqa: E402
from common.data import Decoded  # noqa: E402


class FromFiles(Decoded):
    folder = None

    def __getitem__(self, index):
        with open(f"{self.folder.name}/{index % 64}", "rb") as file:
            file.read()
        return super().__getitem__(index)


class WarmPageCache(Job):
    def batches(self):
        images = FromFiles(self, 0.5 * self.step_seconds() / self.batch_size)
        images.folder = tempfile.TemporaryDirectory(dir="/var/tmp")
        for number in range(64):
            with open(f"{images.folder.name}/{number}", "wb") as file:
                file.write(bytes(200_000))
        return self.loader(images, workers=8)


main(WarmPageCache)
