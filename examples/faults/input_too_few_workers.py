# SPDX-License-Identifier: Apache-2.0
"""input.too_few_workers: two processes load all they can, the other cores do nothing, and the card
waits. Fix: more of them."""

from common import Job, main


class TooFewWorkers(Job):
    rule = "input.too_few_workers"

    def batches(self):
        images = self.images(cost=self.strength(3, 4, 6))
        return self.loader(images, workers=max(self.cores - 3, 3) if self.fix else 2)


main(TooFewWorkers)
