# SPDX-License-Identifier: Apache-2.0
"""Forks while the recorder's thread runs: Python warns of no thread that the program has not, however
long the program's own handlers take, and the thread is back afterwards. Runs under every Python at
hand. Next: ../native/thread.c, ../gpusight/_recorder.py."""

import unittest

from interpreter_test import Interpreter

HEAD = """
import gpusight, os, sys, threading, time, warnings
warnings.simplefilter("error")
from gpusight import _recorder
gpusight.attach()
def IsBack():
    end = time.monotonic() + 5
    count = _recorder.agent.threads
    while count() != 2 and time.monotonic() < end:  # one that has ended is counted a little longer
        pass
    return count() == 2
def Fork(fork=os.fork):
    child = fork()
    if child == 0:
        os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert IsBack()
"""


class Forks(Interpreter):
    def Prints(self, text, expected):
        self.assertEqual(self.Run(HEAD + text), (0, expected, ""))

    def test_handlers_that_take_long_see_no_thread(self):
        self.Prints("""
def Slow():
    end = time.monotonic() + 0.03
    while time.monotonic() < end:
        sum(range(100))
    assert sys.version_info < (3, 13) or _recorder.agent.threads() == 1  # it warns before the handlers
os.register_at_fork(after_in_parent=Slow)
print(Fork(), IsBack(), Fork(), IsBack())
""", "7 True 7 True\n")

    def test_the_thread_is_back_whoever_forked_and_whatever_comes_next(self):
        self.Prints("""
class Manager:
    def __enter__(self):
        return Fork()
    def __exit__(self, *_):
        pass
def Generate():
    yield Fork()
    yield IsBack()
with Manager() as code:
    print(code, IsBack())
print(*Generate())
exec("print(Fork(), IsBack())")
print(eval("os.fork() or os._exit(7)") > 0, IsBack(), os.waitstatus_to_exitcode(os.wait()[1]))
for child in map(lambda _: os.fork() or os._exit(7), range(3)):
    os.waitpid(child, 0)
print(IsBack())
""", "7 True\n7 True\n7 True\nTrue True 7\nTrue\n")

    def test_a_fork_in_a_loop_that_never_returns_has_its_thread(self):
        self.Prints("""
def Serve():
    for _ in range(3):
        print(Fork(), end=" ")
        assert IsBack()
    while True:
        if IsBack():
            return
Serve()
""", "7 7 7 ")

    def test_a_thread_of_the_programs_that_forks_has_it_back(self):
        self.Prints("""
warnings.simplefilter("ignore")
thread = threading.Thread(target=lambda: print(Fork()))
thread.start()
thread.join()
print(IsBack())
""", "7\nTrue\n")


if __name__ == "__main__":
    unittest.main()
