# SPDX-License-Identifier: Apache-2.0
"""What the programs of examples/faults share: the training loop (job.py), small models
(models.py), data that costs what it is told to (data.py). A fault file holds only its fault and
its fix; `from common import Job, main` is all it needs. Next: job.py."""

from .job import Job, NotHere, main

__all__ = ["Job", "NotHere", "main"]
