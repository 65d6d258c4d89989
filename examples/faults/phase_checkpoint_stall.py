# SPDX-License-Identifier: Apache-2.0
"""phase.checkpoint_stall: every few seconds all parameters and the optimizer's state go to a slow disk,
and training waits. Fix: they are copied to memory, and a thread writes them."""

import io
import os
import tempfile
import threading
import time

import torch

from common import Job, main


class SlowDisk(io.RawIOBase):
    """A file that takes `rate` bytes a second."""

    def __init__(self, path, rate):
        self.file, self.rate, self.begun, self.done = open(path, "wb"), rate, time.perf_counter(), 0

    def writable(self):
        return True

    def write(self, data):
        self.file.write(data)
        self.done += len(memoryview(data).cast("B"))
        time.sleep(max(self.begun + self.done / self.rate - time.perf_counter(), 0))
        return len(memoryview(data).cast("B"))


class CheckpointStall(Job):
    rule = "phase.checkpoint_stall"

    def build(self):
        super().build()
        self.path = tempfile.mkstemp(suffix=".pt", dir="/var/tmp")[1]
        self.ballast = torch.zeros(48 << 20 if self.cuda else 1 << 18, device=self.device)  # an embedding, frozen
        self.saved, self.writer = time.perf_counter(), None

    def state(self):
        return {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "frozen": self.ballast}

    def save(self, state):
        size = 12 * sum(p.numel() for p in self.model.parameters()) + 4 * self.ballast.numel()
        torch.save(state, SlowDisk(self.path, rate=size / self.strength(0.7, 1.2, 2.5)))

    def after_step(self, loss):
        if not self.begun or time.perf_counter() - self.saved < 2.5:
            return
        if not self.fix:
            self.save(self.state())
        elif self.writer is None or not self.writer.is_alive():
            copy = torch.utils._pytree.tree_map(
                lambda x: x.detach().cpu() if isinstance(x, torch.Tensor) else x, self.state())
            self.writer = threading.Thread(target=self.save, args=(copy,))
            self.writer.start()
        self.saved = time.perf_counter()

    def finish(self):
        if self.writer:
            self.writer.join()
        os.unlink(self.path)


main(CheckpointStall)
