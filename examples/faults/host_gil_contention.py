# SPDX-License-Identifier: Apache-2.0
"""host.gil_contention: threads of pure Python (metrics, logging) take the interpreter's lock from the
thread that launches kernels. Fix: they are processes."""

import multiprocessing
import threading
import time

from common import Job, main


def count_words(duty):
    """Busy for `duty` of the time."""
    while True:
        end = time.perf_counter() + 0.02 * duty
        total = 0
        while time.perf_counter() < end:
            total += len(str(total).split("1"))
        time.sleep(0.02 * (1 - duty))


class GilContention(Job):
    rule = "host.gil_contention"

    def setup(self):
        kind = multiprocessing.get_context("fork").Process if self.fix else threading.Thread
        for _ in range(self.strength(1, 2, 3)):
            kind(target=count_words, args=(self.strength(0.2, 0.3, 1.0),), daemon=True).start()


main(GilContention)
