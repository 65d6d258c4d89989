# SPDX-License-Identifier: Apache-2.0
"""progress.none: a loader process waits for a lock that nobody gives back, and everybody waits for it.
Fix: no lock. The program ends after --seconds, which a real one would not."""

import multiprocessing
import os
import threading
import time

from common import Job, main
from common.data import Decoded

LOCK = multiprocessing.Lock()


class Locked(Decoded):
    last = None

    def __getitem__(self, index):
        if self.last is not None and index > self.last:
            LOCK.acquire(timeout=3600)  # nobody releases it
        return super().__getitem__(index)


class Deadlock(Job):
    rule = "progress.none"

    def batches(self):
        step = self.step_seconds()
        images = Locked(self, 0.3 * step / self.batch_size)
        if not self.fix:
            images.last = self.batch_size * max(int(self.strength(0.6, 0.3, 0.1) * self.options.seconds / step), 4)
            threading.Thread(target=self.give_up, daemon=True).start()
        return self.loader(images, workers=2, prefetch_factor=2)

    def give_up(self):
        time.sleep(self.options.seconds + 2)
        apart = self.options.seconds / max(self.steps, 1)
        self.report(self.options.seconds, [0, apart])
        for worker in multiprocessing.active_children():
            worker.kill()
        os._exit(0)


main(Deadlock)
