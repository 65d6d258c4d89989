# SPDX-License-Identifier: Apache-2.0
"""The recorder's thread is no place for the program's finalizers: the interpreter's end would stop one
half-way, and objects of CUDA or Tk must die in their own thread. So no collection begins there, and no
object of the program's ends there; and the program's own settings of gc stay. Runs under every Python
at hand. Next: ../native/quiet.c."""

import unittest

from interpreter_test import Interpreter

HURRY = """
import gpusight, _thread, gc, sys, time
from gpusight import _recorder
_recorder.TICK = 200000
_recorder.POLL = 2
def For(seconds, function):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        function()
seen = set()
class Noted:
    def __del__(self):
        seen.add(_thread.get_ident())
"""


class Collections(Interpreter):
    def Print(self, text):
        code, out, err = self.Run(HURRY + text)
        self.assertEqual((code, err), (0, ""))
        return out

    def test_cycles_are_collected_in_the_programs_threads_alone(self):
        self.assertEqual(self.Print("""
gpusight.attach()
gc.set_threshold(40, 2, 2)
def Cycles():
    for _ in range(7):
        noted = Noted()
        noted.me = noted
    time.sleep(0.00005)
For(2, Cycles)
print(seen == {_thread.get_ident()})
"""), "True\n")

    def test_what_a_function_leaves_ends_in_its_own_thread(self):
        self.assertEqual(self.Print("""
sys.setswitchinterval(0.000001)
gpusight.attach()
def Deep(depth):
    noted = Noted()
    if depth:
        Deep(depth - 1)
For(2, lambda: Deep(30))
print(seen == {_thread.get_ident()})
"""), "True\n")

    def test_the_programs_settings_stay(self):
        self.assertEqual(self.Print("""
sys.setswitchinterval(0.000001)
gpusight.attach()
wrong = []
def Settings():
    for thresholds in ((700, 10, 10), (0, 10, 10), (50, 3, 2)):
        _recorder._StartThread()
        for _ in range(20):
            gc.set_threshold(*thresholds)
            for change, is_on in ((gc.disable, False), (gc.enable, True)):
                change()
                for _ in range(10):
                    if gc.isenabled() != is_on:
                        wrong.append(is_on)
        _recorder._StopThread()
        if gc.get_threshold()[:2] != thresholds[:2]:
            wrong.append(gc.get_threshold())
For(2, Settings)
print(wrong)
"""), "[]\n")


if __name__ == "__main__":
    unittest.main()
