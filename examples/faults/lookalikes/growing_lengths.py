# SPDX-License-Identifier: Apache-2.0
"""Looks like gpumem.leak: batches grow, as in a curriculum of lengths, and memory with them: up to the
middle of the run, and no further."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import Job, main  # noqa: E402


class GrowingLengths(Job):
    def move(self, batch):
        share = min(0.3 + 1.4 * self.elapsed() / self.options.seconds, 1)
        return self.to_card([part[:max(int(len(part) * share), 1)] for part in batch])


main(GrowingLengths)
