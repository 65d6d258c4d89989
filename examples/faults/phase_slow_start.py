# SPDX-License-Identifier: Apache-2.0
"""phase.slow_start: before the first step the program walks through all files of the machine, packs
and unpacks them. Fix: an index that was made once."""

import os
import time
import zlib

from common import Job, main


class SlowStart(Job):
    rule = "phase.slow_start"

    def setup(self):
        end = time.perf_counter() + (0 if self.fix else self.strength(0.6, 1.5, 3) * self.options.seconds)
        while time.perf_counter() < end:
            for folder, _, names in os.walk("/usr"):
                for name in names:
                    try:
                        with open(os.path.join(folder, name), "rb") as file:
                            zlib.crc32(file.read(4096))
                    except OSError:
                        continue
                if time.perf_counter() > end:
                    break


main(SlowStart)
