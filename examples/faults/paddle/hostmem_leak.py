# SPDX-License-Identifier: Apache-2.0
"""hostmem.leak with PaddlePaddle: every step appends its outputs to a list in the host's memory.
Fix: a running mean."""

from loop import Job, main


class HostLeak(Job):
    rule = "hostmem.leak"
    outputs: list = []
    mean = 0.0

    def after_step(self, loss):
        super().after_step(loss)
        if self.fix:
            self.mean += 0.01 * (float(loss) - self.mean) if self.steps % 50 == 0 else 0
        else:
            self.outputs.append(self.output.astype("float32").numpy())


if __name__ == "__main__":
    main(HostLeak)
