# SPDX-License-Identifier: Apache-2.0
"""Puts the built package (GPUSIGHT_PACKAGE, else that of the debug build) in front of sys.path.
Next: layout.py."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = os.environ.setdefault("GPUSIGHT_SOURCE", str(ROOT))
PACKAGE = os.environ.setdefault("GPUSIGHT_PACKAGE", str(ROOT / "build" / "debug" / "python"))
BOOTSTRAP = os.path.join(PACKAGE, "gpusight", "bootstrap")
sys.path.insert(0, PACKAGE)
