#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the flags that a PaddlePaddle wheel reads from the environment, without running it.

    python3 paddle_names.py paddlepaddle_gpu-2.6.2-*.whl > paddle-names-2.6.2-gpu.txt

Every exported flag has a registering object whose mangled name carries its length, which makes the
list exact; so versions that no longer run here, and those built for CUDA, can be read too.
"""
import re
import sys
import zipfile

LIBRARIES = re.compile(r"(libpaddle|libcommon|libphi\w*)\.so$")
PREFIX = b"__PaddleRegisterFlag_"


def names(wheel):
    found = set()
    archive = zipfile.ZipFile(wheel)
    for member in archive.namelist():
        if not LIBRARIES.search(member):
            continue
        data = archive.read(member)
        for match in re.finditer(rb"(\d{2})" + PREFIX, data):
            name = data[match.start() + 2 : match.start() + 2 + int(match.group(1))]
            found.add(name[len(PREFIX) :].decode())
        for match in re.finditer(rb"TouchPaddleFlagRegister_([a-z0-9_]+?)v\0", data):
            found.add(match.group(1).decode())
    return sorted(found)


if __name__ == "__main__":
    print("\n".join(names(sys.argv[1])))
