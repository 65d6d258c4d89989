# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package with real frameworks share: programs that run with and without
the recorder, and the pages that they leave. Next: telemetry_torch_test.py, telemetry_paddle_test.py."""

import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = os.environ.get("GPUSIGHT_PACKAGE") or str(SOURCE / "build" / "debug" / "python")
sys.path.insert(0, str(SOURCE / "python" / "tests"))
os.environ.setdefault("GPUSIGHT_SOURCE", str(SOURCE))

from layout import EXCEPTION, FRAMEWORKS, NOTE, Page  # noqa: E402,F401

STAMP = re.compile(r"\b([WI])\d{4} [\d:.]+ +\d+ ")  # times in the frameworks' own warnings
# PyTorch 1.13's loader ends now and then while Python still notes that a semaphore has gone, without us as with us.
SEMAPHORE = re.compile(r"^.*resource_tracker\.py:\d+: UserWarning: resource_tracker: .*\n(?:  warnings\.warn\(.*\n)?", re.M)


class Recorded(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.pages = os.path.join(self.folder, "pages")
        self.log = os.path.join(self.folder, "log")
        os.mkdir(self.pages, 0o700)

    def tearDown(self):
        log = ""
        if os.path.exists(self.log):
            with open(self.log) as file:
                log = file.read()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.assertEqual(log, "", "the recorder met an error")

    def Start(self, text, recorded=True, **environ):
        path = os.path.join(self.folder, "job.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("GPUSIGHT", "PYTHON"))}
        clean["OMP_NUM_THREADS"] = "1"
        if recorded:
            clean.update(PYTHONPATH=os.path.join(PACKAGE, "gpusight", "bootstrap"), GPUSIGHT="1",
                         GPUSIGHT_PAGE_DIR=self.pages, GPUSIGHT_AGENT_LOG=self.log)
        clean.update(environ)
        return subprocess.Popen([sys.executable, "-B", path], cwd=self.folder, env=clean, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def Run(self, text, recorded=True, **environ):
        job = self.Start(text, recorded, **environ)
        out, err = job.communicate(timeout=150)
        return job.returncode, out, err

    def Same(self, text, **environ):
        """Runs without and with, expects the same exit code and output but for times, and gives
        them."""
        ends = []
        for recorded in (False, True):
            code, out, err = self.Run(text, recorded=recorded, **environ)
            ends.append((code, out, SEMAPHORE.sub("", STAMP.sub(r"\1 ", err))))
        self.assertEqual(ends[1], ends[0])
        return ends[1]

    def Pages(self):
        return [Page(path) for path in sorted(glob.glob(os.path.join(self.pages, "*.page")))]

    def OnlyPage(self):
        pages = self.Pages()
        self.assertEqual(len(pages), 1, "pages")
        return pages[0]
