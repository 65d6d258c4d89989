# SPDX-License-Identifier: Apache-2.0
"""Looks like input.too_few_workers: the loader processes are at 80 % of their cores. They are still ahead
of the card, which never waits."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import Job, main  # noqa: E402


class BusyWorkers(Job):
    def batches(self):
        workers = 6
        return self.loader(self.images(cost=0.75 * workers), workers)


main(BusyWorkers)
