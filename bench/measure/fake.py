# SPDX-License-Identifier: Apache-2.0
"""The measurements that need no card: the frame of a large machine on the fake driver, what `top`
writes, what a line of `log` costs."""


def run(results: dict, save, programs: dict, ours: dict, folder: str, quick: bool) -> None:
    pass
