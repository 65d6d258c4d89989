# SPDX-License-Identifier: Apache-2.0
"""The package as it is shipped: only syntax that 3.9 has, only symbols of the stable ABI and the C
library, the .pth file harmless, the version the program's, and setup.py builds it. Next: ../setup.py."""

import ast
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import package_path

PYTHON = pathlib.Path(package_path.SOURCE) / "python"
MODULE, = glob.glob(os.path.join(package_path.PACKAGE, "gpusight", "_agent*.so"))


class Package(unittest.TestCase):
    def test_every_file_is_python_3_9(self):
        files = list(PYTHON.glob("gpusight/**/*.py"))
        self.assertGreater(len(files), 8)
        for path in files:
            ast.parse(path.read_text(), str(path), feature_version=(3, 9))

    def test_nothing_is_imported_but_what_every_interpreter_has_loaded(self):
        allowed = {"sys", "os", "gc", "_thread", "atexit", "_frozen_importlib", "_frozen_importlib_external",
                   "sitecustomize", "gpusight"}
        for path in PYTHON.glob("gpusight/**/*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name.split(".")[0] for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module.split(".")[0]]
                self.assertLessEqual(set(names), allowed, path.name)

    @unittest.skipUnless(shutil.which("nm"), "binutils")
    def test_the_module_needs_the_stable_abi_and_the_c_library_only(self):
        symbols = subprocess.run(["nm", "-D", "--undefined-only", MODULE], check=True, text=True,
                                 capture_output=True).stdout
        python = set(re.findall(r"\b(_?Py\w+)", symbols))
        self.assertIn("PyModule_Create2", python)
        self.assertEqual([name for name in python if name.startswith("_Py")
                          and name not in ("_Py_NoneStruct", "_Py_TrueStruct", "_Py_FalseStruct",
                                           "_Py_Dealloc")
                          and not name.endswith("_SizeT")], [])
        needed = subprocess.run(["readelf", "-d", MODULE], check=True, text=True, capture_output=True).stdout
        libraries = re.findall(r"NEEDED.*\[(.*)\]", needed)
        self.assertLessEqual({name for name in libraries if not name.startswith("ld-linux")},
                             {"libc.so.6", "libpthread.so.0"})

    def test_the_version_is_the_programs(self):
        project = (PYTHON.parent / "CMakeLists.txt").read_text()
        version = re.search(r"project\(gpusight VERSION ([\d.]+)", project).group(1)
        self.assertIn('__version__ = "%s"' % version, (PYTHON / "gpusight" / "__init__.py").read_text())

    def test_the_pth_file_is_one_line_that_site_runs(self):
        text = (PYTHON / "gpusight.pth").read_text()
        self.assertEqual(text.count("\n"), 1)
        self.assertTrue(text.startswith("import "))

    def test_setup_builds_the_same_package(self):
        try:
            import setuptools  # noqa: F401
        except ImportError:
            self.skipTest("no setuptools in this Python")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "setup.py", "-q", "egg_info", "-e", folder,
                                   "build", "--build-base", folder], cwd=PYTHON,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            built, = glob.glob(os.path.join(folder, "lib*"))
            names = {os.path.relpath(p, built) for p in glob.glob(built + "/**/*", recursive=True)}
        ours = {os.path.relpath(p, package_path.PACKAGE)
                for p in glob.glob(package_path.PACKAGE + "/gpusight/**/*.py", recursive=True)}
        self.assertLessEqual(ours | {"gpusight.pth", "gpusight/_agent.abi3.so"}, names)
        self.assertEqual([p for p in os.listdir(PYTHON) if p.endswith(".egg-info")], [])


if __name__ == "__main__":
    unittest.main()
