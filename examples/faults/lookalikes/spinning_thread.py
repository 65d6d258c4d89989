# SPDX-License-Identifier: Apache-2.0
"""Looks like host.launch_bound: the training thread takes a whole core. It waits in torch.cuda.synchronize,
which spins, while the card is busy."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import Job, main  # noqa: E402


class SpinningThread(Job):
    def after_step(self, loss):
        self.wait()


main(SpinningThread)
