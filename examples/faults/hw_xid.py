# SPDX-License-Identifier: Apache-2.0
"""hw.xid_ecc: a kernel writes to an address that does not exist: the driver reports XID 31, which is the
program's mistake, not the card's. Fix: the index is checked."""

from common import Job, NotHere, main, wild


class Xid(Job):
    rule = "hw.xid_ecc"

    def after_step(self, loss):
        super().after_step(loss)
        if self.fix or not self.cuda or self.elapsed() < self.options.seconds / 2:
            return
        if not wild.triton:
            raise NotHere("Triton is missing")
        wild.store(self.device)
        self.wait()


main(Xid)
