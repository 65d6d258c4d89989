# SPDX-License-Identifier: Apache-2.0
"""What a process says about itself. Next: ../gpusight/_identity.py."""

import unittest

import package_path  # noqa: F401
from gpusight import _identity


class Ranks(unittest.TestCase):
    def test_are_those_of_the_launcher(self):
        for environ, expected in [
                ({}, (-1, -1, -1)),
                ({"RANK": "3", "LOCAL_RANK": "1", "WORLD_SIZE": "8"}, (3, 1, 8)),
                ({"RANK": "3"}, (-1, -1, -1)),
                ({"RANK": "x", "WORLD_SIZE": "8"}, (-1, -1, -1)),
                ({"PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "2"}, (1, -1, 2)),
                ({"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, (-1, -1, -1)),
                ({"SLURM_PROCID": "5", "SLURM_LOCALID": "1", "SLURM_STEP_NUM_TASKS": "8"}, (5, 1, 8)),
                ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
                  "OMPI_COMM_WORLD_SIZE": "2"}, (1, 1, 2))]:
            self.assertEqual(_identity.Ranks(environ), expected, environ)


class Devices(unittest.TestCase):
    def test_are_named_where_the_environment_names_them_whole(self):
        whole = "GPU-00000000-0000-0000-0000-00000000000%d"
        environ = {"CUDA_VISIBLE_DEVICES": "%s, %s" % (whole % 3, whole % 1)}
        self.assertEqual([_identity.Uuid(environ, i) for i in range(3)], [whole % 3, whole % 1, ""])
        self.assertEqual(_identity.Uuid({"CUDA_VISIBLE_DEVICES": "GPU-3f,1"}, 0), "")
        self.assertEqual(_identity.Uuid({}, 0), "")


class Settings(unittest.TestCase):
    def test_are_those_of_the_allocators_and_no_others(self):
        environ = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", "SECRET": "x",
                   "FLAGS_fraction_of_gpu_memory_to_use": "0.5", "FLAGS_call_stack_level": "2"}
        self.assertEqual(_identity.Settings(environ),
                         "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True "
                         "FLAGS_fraction_of_gpu_memory_to_use=0.5")

    def test_a_flag_that_the_environment_set_is_told_once(self):
        told = _identity.Settings({"FLAGS_gpu_memory_limit_mb": "10"},
                                  [("FLAGS_gpu_memory_limit_mb", "10"), ("FLAGS_a", "1")])
        self.assertEqual(told, "FLAGS_gpu_memory_limit_mb=10 FLAGS_a=1")


class Script(unittest.TestCase):
    def test_comes_without_its_arguments(self):
        self.assertEqual(_identity.Script(["python", "/a/train.py", "--token", "x"]), "train.py")
        self.assertEqual(_identity.Script(["python", "-m", "pkg.train", "x"]), "-m pkg.train")
        self.assertEqual(_identity.Script(["python", "-c", "secret"]), "-c")


if __name__ == "__main__":
    unittest.main()
