# SPDX-License-Identifier: Apache-2.0
"""progress.none: training is over, but the program lives on and keeps the card's memory. Fix: it ends."""

import time

from common import Job, main


class Finished(Job):
    rule = "progress.none"

    def __init__(self, given):
        self.asleep = {"mild": 1, "medium": 2, "strong": 4}[given.severity] * given.seconds / 2
        given.seconds /= 2
        super().__init__(given)

    def finish(self):
        if not self.fix:
            time.sleep(self.asleep)


main(Finished)
