# SPDX-License-Identifier: Apache-2.0
"""host.sync_points: statistics of every layer and every gradient are read with .item(), so the card
drains and waits for the next launch each time. Fix: they are read once in 50 steps."""

from torch import nn

from common import Job, main


class SyncPoints(Job):
    rule = "host.sync_points"

    def build(self):
        super().build()
        self.seen = {}
        for name, module in self.model.named_modules():
            if isinstance(module, (nn.Linear, nn.LayerNorm, nn.Conv2d, nn.BatchNorm2d)):
                module.register_forward_hook(lambda module, given, output, name=name: self.watch(name, output))

    def watch(self, name, tensor):
        if self.fix and self.steps % 50:
            return
        self.seen[name] = tensor.float().mean().item()
        if self.options.severity == "strong":
            self.seen[name + " spread"] = tensor.float().std().item()

    def after_step(self, loss):
        if self.options.severity != "mild":
            for name, parameter in self.model.named_parameters():
                self.watch("gradient of " + name, parameter.grad)


main(SyncPoints)
