# SPDX-License-Identifier: Apache-2.0
"""host.launch_bound: a narrow, deep model and a small batch: hundreds of kernels of a few microseconds,
and Python cannot launch them as fast as the card computes them. Fix: a CUDA graph, and an optimizer
that updates all parameters in one kernel."""

from common import Job, main
from common.graph import Captured


class LaunchBound(Job):
    rule = "host.launch_bound"
    batch_factor = 1 / 32

    def build(self):
        width = {"mlp": 256, "lstm": 128}.get(self.options.model, 64 if self.cuda else 16)
        depth = {"lstm": 8, "unet": 4, "resnet": 4}.get(self.options.model, self.strength(12, 24, 48))
        self.model = self.family(self.size, width=width, depth=depth).to(self.device)
        self.optimizer = self.adam() if self.fix else self.adam(fused=False, foreach=False) if self.cuda else self.adam()

    def step(self, batch):
        if not self.fix or not self.cuda:
            return super().step(batch)
        if not hasattr(self, "graph"):
            self.graph = Captured(self, batch)
        return self.graph.step(batch)


main(LaunchBound)
