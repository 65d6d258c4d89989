# SPDX-License-Identifier: Apache-2.0
"""Builds gpusight._agent in the stable ABI of Python 3.9 from native/ and ../src/agent, and puts
gpusight.pth beside the package. CMakeLists.txt builds the same for the source tree. Next:
native/agent_module.c."""

import os
import shutil

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before 70.1; `setup.py build` needs none
    bdist_wheel = object

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = ["native/agent_module.c", "native/thread.c", "native/quiet.c", "native/wrapper.c"]
WRITER = ["agent.c", "agent.h", "page_file.c", "page_file.h", "page_layout.h", "page_words.h"]


class BuildExtension(build_ext):
    def run(self):
        # A copy, since objects of sources above this folder would be written above it, too.
        folder = os.path.join(self.build_temp, "agent")
        os.makedirs(folder, exist_ok=True)
        for name in WRITER:
            shutil.copy(os.path.join(HERE, os.pardir, "src", "agent", name), folder)
        for extension in self.extensions:
            extension.sources += [os.path.join(folder, n) for n in WRITER if n.endswith(".c")]
            extension.include_dirs.append(self.build_temp)
        super().run()


class BuildPython(build_py):
    def run(self):
        super().run()
        os.makedirs(self.build_lib, exist_ok=True)
        shutil.copy(os.path.join(HERE, "gpusight.pth"), self.build_lib)


class Wheel(bdist_wheel):
    def get_tag(self):
        return "cp39", "abi3", super().get_tag()[2]


setup(
    ext_modules=[Extension("gpusight._agent", SOURCES, py_limited_api=True,
                           define_macros=[("Py_LIMITED_API", "0x03090000")],
                           extra_compile_args=["-std=c11", "-O2", "-fvisibility=hidden"],
                           extra_link_args=["-pthread"])],
    cmdclass={"build_ext": BuildExtension, "build_py": BuildPython, "bdist_wheel": Wheel},
)
