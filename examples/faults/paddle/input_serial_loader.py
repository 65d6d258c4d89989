# SPDX-License-Identifier: Apache-2.0
"""input.serial_loader with PaddlePaddle: the training thread decodes its own samples.
Fix: processes that load ahead of the training."""

from loop import Job, main


class SerialLoader(Job):
    rule = "input.serial_loader"

    def batches(self):
        return self.loader(cost=self.strength(1.6, 3, 6), workers=8 if self.fix else 0)


if __name__ == "__main__":
    main(SerialLoader)
