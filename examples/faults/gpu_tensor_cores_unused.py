# SPDX-License-Identifier: Apache-2.0
"""gpu.tensor_cores_unused: matrix products in plain float32, and the tensor cores rest.
Fix: bfloat16 by autocast."""

from common import Job, main


class NoTensorCores(Job):
    rule = "gpu.tensor_cores_unused"
    batch_factor = 0.4

    def __init__(self, given):
        super().__init__(given)
        self.dtype = "bf16" if self.fix and self.cuda else "fp32"  # run() forbids TF32 with fp32


main(NoTensorCores)
