# SPDX-License-Identifier: Apache-2.0
"""One kernel with a wrong index, for hw_xid.py. Triton wants its kernels in a file. Next: ../hw_xid.py."""

import torch

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

if triton:
    @triton.jit
    def scatter(out, index):
        tl.store(out + tl.load(index), 1.0)


def store(device):
    out = torch.zeros(16, device=device)
    index = torch.tensor([1 << 44], device=device)  # far outside
    scatter[(1,)](out, index)
