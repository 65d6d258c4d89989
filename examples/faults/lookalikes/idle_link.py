# SPDX-License-Identifier: Apache-2.0
"""Looks like pcie.link_degraded: nothing is copied to the card, so its link may rest at a lower speed."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import Job, main  # noqa: E402


class IdleLink(Job):
    def after_step(self, loss):
        """Not even the loss is read."""


main(IdleLink)
