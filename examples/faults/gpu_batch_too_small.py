# SPDX-License-Identifier: Apache-2.0
"""gpu.batch_too_small: the launches are fast (a CUDA graph), but a batch of a few samples does not
fill the card. Fix: a batch that does; look at the time of a sample, not of a step."""

from common import Job, main
from common.graph import Captured


class BatchTooSmall(Job):
    rule = "gpu.batch_too_small"

    def __init__(self, given):
        self.batch_factor = 1 if given.fix else {"mild": 1 / 32, "medium": 1 / 64, "strong": 1 / 128}[given.severity]
        super().__init__(given)

    def step(self, batch):
        if self.fix or not self.cuda:
            return super().step(batch)
        if not hasattr(self, "graph"):
            self.graph = Captured(self, batch)
        return self.graph.step(batch)


main(BatchTooSmall)
