# SPDX-License-Identifier: Apache-2.0
"""Looks like phase.checkpoint_stall: a checkpoint of a few hundred megabytes, written once in the whole
run, in a tenth of a second."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tempfile  # noqa: E402

import torch  # noqa: E402

from common import Job, main  # noqa: E402


class RareCheckpoint(Job):
    def build(self):
        super().build()
        self.saved = False

    def after_step(self, loss):
        super().after_step(loss)
        if not self.saved and self.elapsed() > self.options.seconds / 2:
            with tempfile.TemporaryFile(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as file:
                torch.save(self.model.state_dict(), file)
            self.saved = True


main(RareCheckpoint)
