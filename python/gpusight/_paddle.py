# SPDX-License-Identifier: Apache-2.0
"""PaddlePaddle 2.5 and later. The allocator's numbers come from Paddle's own registry of statistics,
which knows devices without touching them; steps and waits from callables before the optimizers' step()
and the loader's __next__(), since Paddle has no hooks for them. Next: _recorder.py, docs/python.md."""

import os
import sys

from . import _agent as agent, _identity, _imports, _log, _recorder

DEVICES = 16  # that Paddle keeps statistics of
FLAGS = ("FLAGS_allocator_strategy", "FLAGS_fraction_of_gpu_memory_to_use", "FLAGS_gpu_memory_limit_mb",
         "FLAGS_initial_gpu_memory_in_mb", "FLAGS_reallocate_gpu_memory_in_mb",
         "FLAGS_auto_growth_chunk_size_in_mb", "FLAGS_use_cuda_malloc_async_allocator")


def Install(paddle):
    adapter = Adapter(paddle)
    _recorder.Add(adapter)
    _imports.Watch("paddle.optimizer", adapter.HookOptimizers)
    for name in ("paddle.io.dataloader.dataloader_iter", "paddle.fluid.dataloader.dataloader_iter"):
        _imports.Watch(name, adapter.HookLoader)


class Adapter:
    NAME = "PaddlePaddle"

    def __init__(self, paddle):
        self.failures = 0
        self._paddle = paddle
        self._mixed = False
        self._asks = True
        self._dtype = ""
        self._flags = ()

    def HookOptimizers(self, module):
        """step() and minimize() of every class that has its own."""
        for kind in [one for one in vars(module).values() if isinstance(one, type)]:
            for base in kind.__mro__:
                if not base.__module__.startswith("paddle."):
                    continue
                for name in ("step", "minimize"):
                    function = vars(base).get(name)
                    if function is not None and not isinstance(function, agent.Wrapper):
                        setattr(base, name, agent.Wrapper("step", function))

    def HookLoader(self, module):
        for kind in ("_DataLoaderIterSingleProcess", "_DataLoaderIterMultiProcess"):
            iterator = getattr(module, kind, None)
            if iterator is not None and "__next__" in vars(iterator):
                iterator.__next__ = agent.Wrapper("wait", iterator.__next__)

    def Trains(self, optimizer):
        if not any(base.__module__.startswith("paddle.") for base in type(optimizer).__mro__):
            return False
        for parameter in (getattr(optimizer, "_parameter_list", None) or [])[:1]:
            if isinstance(parameter, dict):
                parameter = parameter["params"][0]
            self._dtype = str(parameter.dtype).rsplit(".", 1)[-1].lower()
        return True

    def _Core(self):
        for name in ("paddle.base.core", "paddle.fluid.core"):
            core = sys.modules.get(name)
            if core is not None:
                return core
        return None

    def Poll(self):
        core = self._Core()
        if core is None or not core.is_compiled_with_cuda():
            return
        now, peak = core.device_memory_stat_current_value, core.device_memory_stat_peak_value
        for ordinal in range(DEVICES):
            reserved_peak = peak("Reserved", ordinal)
            if reserved_peak <= 0:  # not used by this process
                continue
            agent.memory(ordinal, _identity.Uuid(os.environ, ordinal), now("Allocated", ordinal),
                         peak("Allocated", ordinal), now("Reserved", ordinal), reserved_peak, None, None, None, self._Limit(),
                         None, None)

    def _Limit(self):
        megabytes = dict(self._flags).get("FLAGS_gpu_memory_limit_mb")
        return int(megabytes) << 20 if megabytes and int(megabytes) > 0 else None

    def Ask(self):
        """The level of auto_cast is a state of each thread: the main thread is asked until it was seen
        inside."""
        answer, = agent.answer() or (None,)
        if isinstance(answer, str) and self._mixed:
            self._dtype = answer
            self._asks = False
        elif type(answer).__name__ == "AmpLevel" and not str(answer).endswith("O0"):
            self._mixed = True
        if not self._asks:
            return
        for name in ("paddle.base.framework", "paddle.fluid.framework"):
            if name in sys.modules:
                tracer = sys.modules[name]._dygraph_tracer()
                if tracer is not None:
                    agent.ask(((getattr, (tracer, "_amp_dtype" if self._mixed else "_amp_level")),))

    def Identity(self):
        if not self._flags:
            self._flags = tuple(_Flags(self._paddle))
        return {"version": str(getattr(self._paddle, "__version__", "")), "dtype": self._dtype,
                "mixed": self._mixed, "flags": self._flags}


def _Flags(paddle):
    for name in FLAGS:
        try:
            yield name, str(paddle.get_flags(name)[name])
        except Exception as error:
            _log.Failed("flag " + name, error)
