# SPDX-License-Identifier: Apache-2.0
"""What a process can say about itself without asking anybody: its script, its place among the
ranks, the allocator settings that it was given. Pure functions. Next: _recorder.py."""

from . import _guards

# Launchers, each with the names of rank, local rank and world size; the first that is whole counts.
RANKS = (
    ("RANK", "LOCAL_RANK", "WORLD_SIZE"),                                   # torchrun, accelerate, …
    ("PADDLE_TRAINER_ID", "PADDLE_RANK_IN_NODE", "PADDLE_TRAINERS_NUM"),    # paddle.distributed
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS"),              # only srun sets the last
)
SETTINGS = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF",
            "PYTORCH_NO_CUDA_MEMORY_CACHING", "XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_CLIENT_MEM_FRACTION",
            "XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_ALLOCATOR", "CUDA_MODULE_LOADING")


def _Number(text):
    try:
        return int(text)
    except (TypeError, ValueError):
        return -1


def Ranks(environ):
    """(rank, local rank, world size), -1 where not known."""
    for rank, local, size in RANKS:
        if _Number(environ.get(rank)) >= 0 and _Number(environ.get(size)) > 0:
            return tuple(_Number(environ.get(name)) for name in (rank, local, size))
    return -1, -1, -1


def Uuid(environ, ordinal):
    """Of a device, where CUDA_VISIBLE_DEVICES names it whole; else ""."""
    names = [one.strip() for one in environ.get("CUDA_VISIBLE_DEVICES", "").split(",")]
    name = names[ordinal] if 0 <= ordinal < len(names) else ""
    return name if name.startswith(("GPU-", "MIG-")) and len(name) == 40 else ""


def Settings(environ, flags=()):
    """"NAME=value NAME=value", of the environment and of flags that the framework told."""
    found = ["%s=%s" % (name, environ[name]) for name in SETTINGS if environ.get(name)]
    found += sorted("%s=%s" % (name, environ[name]) for name in environ
                    if name.startswith("FLAGS_") and ("memory" in name or "alloc" in name
                                                      or "chunk" in name or "pool" in name))
    told = {one.split("=", 1)[0] for one in found}
    found += ["%s=%s" % pair for pair in flags if pair[0] not in told]
    return " ".join(found)


def Script(argv):
    """What runs, without its arguments, which may hold secrets: "train.py", "-m pkg.train"."""
    kind, value = _guards.What(argv)
    if kind == "script":
        return value.replace("\\", "/").rsplit("/", 1)[-1]
    if kind == "module":
        return "-m " + value
    return "-c" if kind == "code" else ""
