# SPDX-License-Identifier: Apache-2.0
"""input.too_few_workers with PaddlePaddle: two processes load all they can, and the card waits.
Fix: more of them."""

from loop import Job, main


class TooFewWorkers(Job):
    rule = "input.too_few_workers"

    def batches(self):
        return self.loader(cost=self.strength(3, 4, 6), workers=12 if self.fix else 2)


if __name__ == "__main__":
    main(TooFewWorkers)
