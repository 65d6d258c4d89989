# SPDX-License-Identifier: Apache-2.0
"""Which interpreters are left alone. Next: ../gpusight/_guards.py."""

import unittest

import package_path  # noqa: F401
from gpusight import _guards

GOOD = dict(environ={"GPUSIGHT": "1"}, argv=["python", "train.py"], implementation="cpython",
            version=(3, 11, 2), abiflags="", prefix="/usr")


def Reason(**changes):
    return _guards.Reason(**dict(GOOD, **changes))


class WhatRuns(unittest.TestCase):
    def test_is_found_behind_the_interpreters_options(self):
        for argv, expected in [
                (["python", "train.py", "-m", "x"], ("script", "train.py")),
                (["python", "-u", "-W", "ignore", "a/train.py"], ("script", "a/train.py")),
                (["python", "-Wignore", "-X", "dev", "t.py"], ("script", "t.py")),
                (["python", "-m", "pkg.train", "--lr", "1"], ("module", "pkg.train")),
                (["python", "-um", "pkg.train"], ("module", "pkg.train")),
                (["python", "-mpkg"], ("module", "pkg")),
                (["python", "-c", "import torch"], ("code", "import torch")),
                (["python", "--check-hash-based-pycs", "always", "t.py"], ("script", "t.py")),
                (["python", "-"], ("script", "-")),
                (["python"], ("", "")),
                (["python", "-m"], ("module", "")),
                ([], ("", ""))]:
            self.assertEqual(_guards.What(argv), expected, argv)


class Guards(unittest.TestCase):
    def test_a_training_script_is_recorded(self):
        for argv in (["python", "train.py"], ["python", "-m", "pkg.train"], ["python"],
                     ["python", "-c", "import torch"], ["python", "build.py"],
                     ["python", "-m", "ipykernel_launcher"], ["python", "my/notebook.py"]):
            self.assertEqual(Reason(argv=argv), "", argv)

    def test_what_does_not_train_is_left_alone(self):
        for argv in (["python", "-m", "pip", "install", "x"], ["python", "/venv/bin/pip3.11"],
                     ["python", "/usr/bin/tensorboard"], ["python", "-m", "tensorboard.main"],
                     ["python", "/venv/bin/jupyter-lab"], ["python", "-m", "jupyterlab"],
                     ["python", "/venv/bin/torchrun", "train.py"],
                     ["python", "-m", "torch.distributed.run", "train.py"],
                     ["python", "-m", "paddle.distributed.launch", "train.py"],
                     ["python", "/v/lib/torch/_inductor/compile_worker/__main__.py"],
                     ["python", "/v/lib/site-packages/pip/__main__.py"],
                     ["python", "setup.py", "build_ext"],
                     ["python", "-c", "from multiprocessing.resource_tracker import main;main(7)"]):
            self.assertNotEqual(Reason(argv=argv), "", argv)

    def test_the_switch_and_other_interpreters_are_reasons(self):
        self.assertEqual(Reason(environ={"GPUSIGHT": "0"}), "GPUSIGHT=0")
        self.assertIn("pypy", Reason(implementation="pypy"))
        self.assertIn("3.8", Reason(version=(3, 8, 18)))
        self.assertIn("free-threaded", Reason(abiflags="t"))

    def test_a_python_other_than_the_one_meant_is_left_alone(self):
        environ = {"GPUSIGHT": "1", "GPUSIGHT_PYTHON_PREFIX": "/opt/conda"}
        self.assertIn("/opt/conda", Reason(environ=environ))
        self.assertEqual(Reason(environ=environ, prefix="/opt/conda"), "")

    def test_children_of_multiprocessing_are_told_from_programs(self):
        spawned = ["python", "-c", "from multiprocessing.spawn import spawn_main; spawn_main()",
                   "--multiprocessing-fork"]
        self.assertTrue(_guards.IsHelper(spawned))
        self.assertEqual(Reason(argv=spawned), "", "it may be a trainer")
        self.assertFalse(_guards.IsHelper(["python", "train.py"]))


if __name__ == "__main__":
    unittest.main()
