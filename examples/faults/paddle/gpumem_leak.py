# SPDX-License-Identifier: Apache-2.0
"""gpumem.leak with PaddlePaddle: every step's outputs stay in a list on the card. Fix: their mean is
kept, as a number."""

from loop import Job, main


class Leak(Job):
    rule = "gpumem.leak"
    kept: list = []

    def after_step(self, loss):
        super().after_step(loss)
        if not self.fix:
            self.kept.append(self.output.astype("float32") * self.strength(1, 2, 3))
        elif self.steps % 50 == 0:
            self.kept.append(float(self.output.mean()))


if __name__ == "__main__":
    main(Leak)
