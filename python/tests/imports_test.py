# SPDX-License-Identifier: Apache-2.0
"""Callbacks after imports, and what they leave behind: nothing. Next: ../gpusight/_imports.py."""

import os
import sys
import tempfile
import traceback
import unittest

import package_path  # noqa: F401
from gpusight import _imports


class Imports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        sys.path.insert(0, self.folder.name)
        self.seen = []

    def tearDown(self):
        sys.path.remove(self.folder.name)
        self.folder.cleanup()
        _imports._waiting.clear()
        if _imports._Finder in sys.meta_path:
            sys.meta_path.remove(_imports._Finder)
        for name in [n for n in sys.modules if n.startswith("watched_")]:
            del sys.modules[name]

    def Module(self, name, text):
        path = os.path.join(self.folder.name, *name.split(".")) + ".py"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def test_the_callback_comes_when_the_module_is_whole(self):
        self.Module("watched_a", "x = 1\n")
        _imports.Watch("watched_a", lambda module: self.seen.append(module.x))
        self.assertEqual(self.seen, [])
        import watched_a
        self.assertEqual(self.seen, [1])
        self.assertNotIn("exec_module", vars(watched_a.__loader__))
        self.assertNotIn(_imports._Finder, sys.meta_path, "nothing is waited for any more")

    def test_what_is_imported_already_is_called_at_once(self):
        _imports.Watch("os", self.seen.append)
        self.assertEqual(self.seen, [os])

    def test_a_module_that_fails_fails_as_ever(self):
        self.Module("watched_b", "1 / 0\n")
        _imports.Watch("watched_b", self.seen.append)
        try:
            import watched_b  # noqa: F401
        except ZeroDivisionError as error:
            files = [os.path.basename(f.filename) for f in traceback.extract_tb(error.__traceback__)]
        self.assertEqual([f for f in files if f.startswith("_imports")], [])
        self.assertEqual(files[0], "imports_test.py")
        self.assertEqual(self.seen, [])

    def test_a_module_that_is_missing_is_missing_as_ever(self):
        _imports.Watch("watched_none", self.seen.append)
        with self.assertRaises(ModuleNotFoundError):
            import watched_none  # noqa: F401
        self.assertEqual(self.seen, [])

    def test_a_callback_that_fails_is_not_the_programs_failure(self):
        self.Module("watched_c", "x = 1\n")
        _imports.Watch("watched_c", lambda module: 1 / 0)
        _imports.Watch("watched_c", self.seen.append)
        import watched_c
        self.assertEqual(self.seen, [watched_c])

    def test_a_submodule_can_be_waited_for(self):
        self.Module("watched_d.__init__", "")
        self.Module("watched_d.inner", "y = 2\n")
        _imports.Watch("watched_d.inner", lambda module: self.seen.append(module.y))
        import watched_d.inner  # noqa: F401
        self.assertEqual(self.seen, [2])

    def test_a_module_in_the_middle_of_its_import_is_waited_for(self):
        self.Module("watched_e", "import sys\nfrom gpusight import _imports\n"
                                 "_imports.Watch('watched_e', sys.seen.append)\nz = 3\n")
        sys.seen = self.seen
        import watched_e  # noqa: F401
        self.assertEqual(self.seen, [], "too late for this one, but nothing breaks")
        del sys.seen


if __name__ == "__main__":
    unittest.main()
