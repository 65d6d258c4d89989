# SPDX-License-Identifier: Apache-2.0
"""How stacks become texts and numbers. Next: ../gpusight/_stacks.py."""

import os
import sys
import unittest

import package_path  # noqa: F401
from gpusight import _agent, _stacks


class Names(unittest.TestCase):
    def setUp(self):
        self.files = _stacks.Files(["/job"])

    def test_of_the_program_are_relative_to_it_and_of_others_say_whose_they_are(self):
        for path, expected in [
                ("/job/train.py", ("train.py", True)),
                ("/job/data/load.py", ("data/load.py", True)),
                ("/other/lib/x.py", ("lib/x.py", True)),
                ("/venv/lib/python3.11/site-packages/torch/nn/modules/module.py",
                 ("torch/module.py", False)),
                ("/usr/lib/python3/dist-packages/six.py", ("six.py", False)),
                (os.__file__, ("python/os.py", False)),
                ("<string>", ("<string>", True)),
                ("<frozen importlib._bootstrap>", (None, False)),
                (_stacks.__file__, (None, False))]:
            self.assertEqual(self.files.Look(path), expected, path)


class Fit(unittest.TestCase):
    def test_a_short_stack_stays_whole(self):
        self.assertEqual(_stacks.Fit([("a.py:1 f", True), ("torch/b.py:2 g", False)]),
                         "a.py:1 f;torch/b.py:2 g")

    def test_a_long_one_keeps_its_end_and_the_programs_own_frames(self):
        frames = [("lib/x.py:%d f" % i, False) for i in range(100)]
        frames[50] = ("train.py:88 step", True)
        text = _stacks.Fit(frames, 100)
        self.assertLessEqual(len(text), 100)
        parts = text.split(";")
        self.assertIn("train.py:88 step", parts)
        self.assertIn("lib/x.py:51 f", parts, "what the program called")
        self.assertEqual(parts[-1], "lib/x.py:99 f")
        self.assertEqual(parts[0], "...")

    def test_one_frame_that_is_too_long_is_cut_between_characters(self):
        text = _stacks.Fit([("显" * 200, True)], 100)
        self.assertLessEqual(len(text.encode()), 100)


class Folder(unittest.TestCase):
    def Number(self, frame):
        return self.folder.Number(_agent.look(lambda: {7: frame}, 1, 7, self.folder.known))

    def setUp(self):
        self.put = []
        self.folder = _stacks.Folder(self.Put, _stacks.Files([os.path.dirname(__file__)]))

    def Put(self, text):
        self.put.append(text)
        return len(self.put)

    def test_a_stack_is_put_in_once(self):
        def Look():
            return self.Number(sys._getframe())
        numbers = [Look() for _ in range(3)]
        self.assertEqual(numbers, [1, 1, 1])
        self.assertTrue(self.put[0].endswith(" Look"), self.put)
        self.assertIn("stacks_test.py:", self.put[0])

    def test_another_line_is_another_stack(self):
        def Look():
            return self.Number(sys._getframe())
        first = Look()
        second = Look()
        self.assertEqual((first, second), (1, 2))

    def test_what_could_not_be_put_in_is_tried_again(self):
        self.folder = _stacks.Folder(lambda text: 0, _stacks.Files([]))
        frame = sys._getframe()
        self.assertEqual(self.Number(frame), 0)
        self.folder._put = self.Put
        self.assertEqual(self.Number(frame), 1)

    def test_a_full_table_is_begun_anew(self):
        def Number(i):
            scope = {"number": self.Number, "sys": sys}
            exec(compile("\n" * i + "n = number(sys._getframe())", "gen.py", "exec"), scope)
            return scope["n"]
        numbers = [Number(i) for i in range(_stacks.TABLE)]
        self.assertEqual(len(set(numbers)), _stacks.TABLE)
        self.assertEqual(Number(_stacks.TABLE), _stacks.TABLE + 1)
        again = Number(_stacks.TABLE - 1)
        self.assertGreater(again, _stacks.TABLE, "a number is not given for what the page lost")

    def test_a_thread_that_is_not_there_has_no_stack(self):
        self.assertIsNone(_agent.look(lambda: {}, 1, 7, {}))
        self.assertEqual(self.folder.Number(None), 0)

    def test_what_is_not_a_frame_is_an_error_and_no_crash(self):
        for wrong in (lambda: {7: 1}, lambda: None, lambda: 1 / 0, lambda: []):
            with self.assertRaises(Exception):
                _agent.look(wrong, 1, 7, {})

    def test_a_deep_stack_is_put_in_without_its_beginning(self):
        def Deep(depth):
            return Deep(depth - 1) if depth else self.Number(sys._getframe())
        self.assertEqual([Deep(300), Deep(300)], [1, 1])
        self.assertEqual(self.put[0].split(";")[0], "...")

    def test_a_semicolon_in_a_name_does_not_split_it(self):
        scope = {"number": self.Number, "sys": sys}
        exec(compile("number(sys._getframe())", "a;b.py", "exec"), scope)
        self.assertIn("a,b.py:1 <module>", self.put[0])


if __name__ == "__main__":
    unittest.main()
