# SPDX-License-Identifier: Apache-2.0
"""The JAX adapter, with a stand-in that has a card and, as the real one, forgets its backends at the
interpreter's end before whoever came first is asked. Next: ../gpusight/_jax.py."""

import os
import unittest

from interpreter_test import Interpreter

JAX = """
import atexit, types
from jax._src import xla_bridge
__version__ = "0.12.0"
numbers = {"bytes_in_use": 1 << 20, "peak_bytes_in_use": 2 << 20, "bytes_limit": 64 << 20}
device = types.SimpleNamespace(id=0, local_hardware_id=0, memory_stats=lambda: numbers)
xla_bridge._backends["cuda"] = types.SimpleNamespace(platform="gpu", local_devices=lambda: [device])
@atexit.register
def CleanUp():
    xla_bridge._backends = {}
"""


class Jax(Interpreter):
    def test_the_numbers_of_the_last_moment_are_in_the_page(self):
        os.makedirs(os.path.join(self.own, "jax", "_src"))
        for name, text in (("__init__", JAX), ("_src/__init__", ""), ("_src/xla_bridge", "_backends = {}")):
            with open(os.path.join(self.own, "jax", name + ".py"), "w") as file:
                file.write(text)
        code, _, err = self.Same("""
import time, jax
time.sleep(0.3)  # the first look at the allocators is over, the next a second away
jax.numbers["peak_bytes_in_use"] = 48 << 20
""")
        self.assertEqual((code, err), (0, ""))
        page, = self.Pages()
        device, = page.Devices()
        self.assertEqual((device["limit"] >> 20, device["allocated_peak"] >> 20), (64, 48))


if __name__ == "__main__":
    unittest.main()
