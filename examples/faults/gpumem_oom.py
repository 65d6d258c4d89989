# SPDX-License-Identifier: Apache-2.0
"""gpumem.oom_soon: a batch that grows until it does not fit. The program ends with PyTorch's message.
Fix: a batch of the same size."""

import torch

from common import Job, main


class Oom(Job):
    rule = "gpumem.oom_postmortem"

    def after_step(self, loss):
        super().after_step(loss)
        if self.fix or not self.cuda:
            return
        total = torch.cuda.get_device_properties(0).total_memory
        share = self.elapsed() / self.options.seconds
        wanted = int(total * share * 1.3)
        torch.empty(wanted, dtype=torch.uint8, device=self.device).zero_()  # the activations of a larger batch
        torch.cuda.empty_cache()


main(Oom)
