# SPDX-License-Identifier: Apache-2.0
"""JAX: what its devices say about their memory, once the program itself has started a backend. Steps
are the program's to tell (gpusight.step()), since JAX has no optimizer. Next: _recorder.py."""

import atexit
import os
import sys

from . import _agent as agent, _identity, _recorder


def Install(jax):
    adapter = Adapter(jax)
    _recorder.Add(adapter)
    # JAX forgets its backends at the end, by a function that it registered before: ours comes first.
    atexit.register(_recorder.LastPoll, adapter)


class Adapter:
    NAME = "JAX"

    def __init__(self, jax):
        self.failures = 0
        self._jax = jax

    def Trains(self, optimizer):
        return False

    def Ask(self):
        pass

    def Poll(self):
        bridge = sys.modules.get("jax._src.xla_bridge")
        for backend in list((getattr(bridge, "_backends", None) or {}).values()):
            if getattr(backend, "platform", "") not in ("gpu", "cuda", "rocm"):
                continue
            for device in backend.local_devices():
                stats = device.memory_stats()
                if stats:
                    ordinal = getattr(device, "local_hardware_id", None)
                    ordinal = device.id if ordinal is None else ordinal
                    agent.memory(ordinal, _identity.Uuid(os.environ, ordinal), *Numbers(stats))

    def Identity(self):
        return {"version": str(getattr(self._jax, "__version__", ""))}


def Numbers(stats):
    """JAX's pool is what the allocator reserved; only a preallocating one tells it."""
    return (stats.get("bytes_in_use"), stats.get("peak_bytes_in_use"),
            stats.get("pool_bytes", stats.get("bytes_reserved") or None), stats.get("peak_pool_bytes"),
            None, None, None, stats.get("bytes_limit"), None, None)
