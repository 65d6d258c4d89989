# SPDX-License-Identifier: Apache-2.0
"""gpumem.leak: another library takes memory of the card at each step, past PyTorch's allocator, and
gives none back. Fix: it gives back."""

import ctypes

from common import Job, NotHere, main


class LeakOutside(Job):
    rule = "gpumem.leak"

    def setup(self):
        try:
            self.driver = ctypes.CDLL("libcuda.so.1") if self.cuda else None
        except OSError as error:
            raise NotHere(f"no driver: {error}") from error

    def after_step(self, loss):
        super().after_step(loss)
        if not self.cuda or self.steps % 5:
            return
        address = ctypes.c_uint64()
        self.driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(self.strength(32, 64, 256) << 20))
        if self.fix:
            self.driver.cuMemFree_v2(address)


main(LeakOutside)
