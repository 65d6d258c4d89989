#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints every flag that the installed PaddlePaddle reads from the environment, one a line:

    name <tab> type <tab> default

`python3 paddle_flags.py > paddle-flags-$(version).tsv` makes the recorded lists beside this file.
With the argument `values` it prints instead what Paddle makes of values that people write:
type <tab> value as JSON <tab> what the flag then holds as JSON.
"""
import json
import os
import subprocess
import sys

SAMPLES = {
    "bool": ("FLAGS_use_pinned_memory", "FLAGS_free_idle_chunk"),
    "uint64": ("FLAGS_gpu_memory_limit_mb",),
    "int64": ("FLAGS_gpu_allocator_retry_time",),
    "double": ("FLAGS_fraction_of_gpu_memory_to_use",),
}
VALUES = {
    "bool": "true True TRUE t T yes Yes y Y 1 on On 2 false False FALSE f F no n N 0 off Off maybe".split()
    + ["", " true"],
    "number": "0 5 512 -1 +5 0.5 .5 5e-1 1e3 1.0x abc 92% 0,9 4096MB 0x10 1_000 inf nan".split() + ["", " 5"],
}


def flags():
    from paddle.base import core

    return {name: core.globals()[name] for name in sorted(core.globals().keys())}


def kind(name, value):
    return {bool: "bool", int: "int", float: "double", str: "string"}[type(value)]


def main():
    if sys.argv[1:] == ["read"]:
        print(json.dumps({n: flags()[n] for names in SAMPLES.values() for n in names}))
    elif sys.argv[1:] == ["values"]:
        for group, values in VALUES.items():
            names = [n for t, ns in SAMPLES.items() if (t == "bool") == (group == "bool") for n in ns]
            types = {n: t for t, ns in SAMPLES.items() for n in ns}
            for value in values:
                env = dict(os.environ, **{n: value for n in names})
                got = subprocess.run([sys.executable, __file__, "read"], env=env, check=True, capture_output=True)
                held = json.loads(got.stdout.splitlines()[-1])
                for name in names:
                    print(types[name], name, json.dumps(value), json.dumps(held[name]), sep="\t")
    else:
        for name, value in flags().items():
            print(name, kind(name, value), value, sep="\t")


if __name__ == "__main__":
    main()
