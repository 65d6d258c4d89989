# SPDX-License-Identifier: Apache-2.0
"""input.serial_loader: the training thread decodes its own samples, and the card waits for it.
Fix: processes that load ahead of the training."""

from common import Job, main


class SerialLoader(Job):
    rule = "input.serial_loader"

    def batches(self):
        images = self.images(cost=self.strength(1.6, 3, 6))
        return self.loader(images, workers=8 if self.fix else 0)


main(SerialLoader)
