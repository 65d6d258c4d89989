# SPDX-License-Identifier: Apache-2.0
"""input.epoch_restart: epochs are short, and after each the loader processes end and new ones start,
which open the data set again. Fix: processes that stay."""

import time

from common import Job, main


class EpochRestart(Job):
    rule = "input.epoch_restart"

    def batches(self):
        images = self.images(cost=0.5)
        seconds = self.strength(1.2, 2, 4)
        count = max(round(1.5 / self.step_seconds()), 4)  # an epoch lasts 1.5 s
        loader = self.loader(images, workers=4, sampler=range(count * self.batch_size), prefetch_factor=2,
                             persistent_workers=self.fix, worker_init_fn=lambda worker: time.sleep(seconds))
        while True:
            yield from loader


main(EpochRestart)
