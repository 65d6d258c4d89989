# SPDX-License-Identifier: Apache-2.0
"""gpumem.leak: every step's features stay in a list on the card. Fix: only their mean is kept, in
the host's memory."""

from common import Job, main


class LeakOutputs(Job):
    rule = "gpumem.leak"

    def build(self):
        super().build()
        self.history = []

    def after_step(self, loss):
        super().after_step(loss)
        features = self.model.features.detach()
        part = features[:max(int(len(features) * self.strength(0.1, 0.3, 1)), 1)]
        if not self.fix:
            self.history.append(part.clone())
        elif self.steps % 50 == 0:
            self.history.append(part.float().mean().item())


main(LeakOutputs)
