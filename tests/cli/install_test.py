# SPDX-License-Identifier: Apache-2.0
"""`cmake --install` puts everything where a system looks for it, and what it installs works."""
import os
import subprocess
import unittest

import harness


class Install(harness.Case):
    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "prefix"
        done = subprocess.run(["cmake", "--install", harness.BUILD, "--prefix", self.prefix],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def run_installed(self, *args):
        return subprocess.run([self.prefix / "bin" / "gpusight", *args], capture_output=True,
                              text=True, timeout=60, env=self.environment())

    def test_everything_is_in_its_place(self):
        for path in ("bin/gpusight",
                     "share/man/man1/gpusight.1", "share/man/man1/gpusight-status.1",
                     "share/man/zh_CN/man1/gpusight.1", "share/man/zh_CN/man1/gpusight-top.1",
                     "share/bash-completion/completions/gpusight",
                     "share/zsh/site-functions/_gpusight",
                     "share/fish/vendor_completions.d/gpusight.fish",
                     "share/doc/gpusight/LICENSE", "share/doc/gpusight/README.md",
                     "share/doc/gpusight/README.zh-CN.md", "share/doc/gpusight/docs/status.md",
                     "share/doc/gpusight/docs/zh/status.md"):
            self.assertTrue((self.prefix / path).is_file(), path)
        self.assertTrue(os.access(self.prefix / "bin" / "gpusight", os.X_OK))
        for page in (self.prefix / "share/man/man1").iterdir():
            self.assertGreater(page.stat().st_size, 500, page)

    def test_the_installed_program_runs_and_finds_its_demonstration(self):
        version = self.run_installed("--version")
        self.assertEqual((version.returncode, version.stderr), (0, ""))
        who = self.run_installed("--demo", "who")
        self.assertEqual((who.returncode, who.stderr), (0, ""))
        self.assertIn("NVIDIA H200", who.stdout)
        self.assertIn("train.py", who.stdout)

    @unittest.skipUnless((harness.BUILD / "python" / "gpusight").is_dir(), "left out with sanitizers")
    def test_a_program_in_c_finds_header_and_library(self):
        example = self.folder / "example"
        library, = self.prefix.glob("lib*/**/libgpusight_agent.a")
        built = subprocess.run(
            ["cc", "-std=c11", "-I", self.prefix / "include" / "gpusight",
             os.path.join(harness.SOURCE, "examples", "c", "training_loop.c"), library, "-lpthread", "-o", example],
            capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        pages = self.folder / "pages"
        done = subprocess.run([example, "3"], capture_output=True, text=True, check=True,
                              env=self.environment(GPUSIGHT_PAGE_DIR=str(pages)))
        self.assertEqual(done.stdout.strip(), str(next(pages.iterdir())))
        self.assertEqual(done.stderr, "")

    @unittest.skipUnless((harness.BUILD / "python" / "gpusight").is_dir(), "left out with sanitizers")
    def test_a_python_program_finds_the_package(self):
        package = self.prefix / "lib" / "gpusight" / "python"
        done = subprocess.run(
            ["python3", "-B", "-c", "from gpusight import _start; print(_start.loaded)"], text=True,
            capture_output=True, env=self.environment(
                GPUSIGHT="1", PYTHONPATH=str(package / "gpusight" / "bootstrap")))
        self.assertEqual((done.stdout, done.stderr), ("True\n", ""))


if __name__ == "__main__":
    unittest.main()
