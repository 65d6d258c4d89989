# SPDX-License-Identifier: Apache-2.0
"""none.compute_bound: a job as it should be, for any model, batch, type and loader. Nothing is to be
found in it. With --workers N the batches come from N processes, otherwise they are on the card."""

from common import Job, main


class Healthy(Job):
    def batches(self):
        if self.options.workers is None:
            return super().batches()
        return self.loader(self.images(cost=0.3 * max(self.workers, 1)), self.workers)


main(Healthy)
