# SPDX-License-Identifier: Apache-2.0
"""gpumem.leak: a sum over the epoch keeps the graph of every step, and with it what the card computed.
Fix: .detach() before adding."""

from common import Job, main


class Leak(Job):
    rule = "gpumem.leak"

    def build(self):
        super().build()
        self.energy = 0

    def after_step(self, loss):
        super().after_step(loss)
        features = self.model.features
        part = features[:max(int(len(features) * self.strength(0.1, 0.3, 1)), 1)]
        energy = part.float().square().mean()
        self.energy = self.energy + (energy.detach() if self.fix else energy)


main(Leak)
