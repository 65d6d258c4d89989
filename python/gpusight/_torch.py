# SPDX-License-Identifier: Apache-2.0
"""PyTorch 1.13 and later. Nothing here imports a part of torch that the program did not, starts CUDA,
or makes a call to the driver: allocator numbers come from the allocator's own counters, and only once
the program itself has started CUDA. Next: _recorder.py, docs/python.md."""

import os
import sys

from . import _agent as agent, _identity, _imports, _log, _recorder, _stacks

FAMILIES = (("allocated_bytes", "current"), ("allocated_bytes", "peak"), ("reserved_bytes", "current"),
            ("reserved_bytes", "peak"), ("active_bytes", "current"), ("inactive_split_bytes", "current"),
            ("requested_bytes", "current"))


def Install(torch):
    adapter = Adapter(torch)
    _recorder.Add(adapter)
    _imports.Watch("torch.optim.optimizer", adapter.HookOptimizers)
    _imports.Watch("torch.utils.data.dataloader", adapter.HookLoader)
    adapter.HookCuda()


def _Stat(stats, family, metric):
    """One number of torch._C._cuda_memoryStats(), or None in a version that lacks it."""
    try:
        return stats[family]["all"][metric]
    except (KeyError, TypeError):
        return None


def Numbers(stats):
    """The ten numbers of gpusight._agent.memory() but for the limit."""
    return [_Stat(stats, *one) for one in FAMILIES] + [
        None, stats.get("num_alloc_retries"), stats.get("num_ooms")]


class Adapter:
    NAME = "PyTorch"

    def __init__(self, torch):
        self.failures = 0
        self._torch = torch
        self._observed = False
        self._dtype = ""
        self._autocast = ""  # the type that it casts to
        self._questions = None
        self._devices = {}  # ordinal -> (uuid, bytes of the device)
        self._files = None
        self._rank = {}  # also after the process group is gone
        self._budget = _Budget(os.environ)  # bytes of each device, 0: no limit
        self._limited = set()  # ordinals that have it
        self._chosen = False  # the program has set a limit of its own

    # --- Hooks ---

    def HookOptimizers(self, optimizer):
        """The hook of every optimizer where there is one (2.0); else their steps themselves."""
        step = agent.optimizer_step
        register = getattr(optimizer, "register_optimizer_step_post_hook", None)
        if register is None:
            return self._HookOldOptimizers(optimizer.Optimizer)
        compiling = getattr(getattr(self._torch, "compiler", None), "is_compiling", None)
        if compiling is None:
            def compiling():
                return False

        # In Python, and with this question, so that a compiled step is traced as if it were not there.
        def OptimizerStepped(stepped, arguments, keywords):
            if not compiling():
                step(stepped)

        register(OptimizerStepped)

    def _HookOldOptimizers(self, base):
        original = base._hook_for_profile

        def Hook(self):
            original(self)
            _WrapStep(type(self))

        base._hook_for_profile = Hook

    def HookLoader(self, dataloader):
        iterator = dataloader._BaseDataLoaderIter
        iterator.__next__ = agent.Wrapper("wait", iterator.__next__)
        if getattr(iterator, "next", None) is not None:
            iterator.next = iterator.__next__

    def HookCuda(self):
        """torch calls this at the end of its own start of CUDA, in the thread that starts it."""
        def Started():
            try:
                _recorder.Open()
                self._Observe()
            except Exception as error:
                _log.Failed("start of CUDA", error)

        if self._budget and not hasattr(self._torch._C, "_cuda_getMemoryFraction"):
            self._HookLimit()
        later = getattr(self._torch.cuda, "_lazy_call", None)
        if later is not None:
            later(Started)

    def _Observe(self):
        attach = getattr(self._torch._C, "_cuda_attach_out_of_memory_observer", None)
        if self._observed or attach is None or not self._IsNative():
            return  # cudaMallocAsync refuses to be observed
        self._observed = True
        attach(self._OutOfMemory)

    def _OutOfMemory(self, device, requested, total, free):
        """Called by the allocator before it raises, without its lock; what it raises is kept."""
        try:
            if not agent.is_open():
                return
            numbers = [0] * 10
            if self._IsNative():
                numbers = Numbers(self._torch._C._cuda_memoryStats(device))
            frame = sys._getframe(1) if sys._getframe().f_back else None
            if frame is None:  # the backward pass has a thread without Python
                frames = sys._current_frames()
                frame = frames.get(agent.training_thread()) or frames.get(_recorder._main)
            self._files = self._files or _stacks.Files(_stacks.Roots())
            agent.out_of_memory(device, requested, total, free, numbers[0] or 0, numbers[2] or 0,
                                numbers[4] or 0, numbers[5] or 0, _stacks.Stack(frame, self._files))
            self._Write(device, numbers)
        except Exception as error:
            _log.Failed("out of memory", error)

    # --- What the recorder asks ---

    def Trains(self, optimizer):
        """Whether the optimizer is torch's; notes the type of its parameters."""
        if not type(optimizer).__module__.startswith("torch") and not any(
                base.__module__.startswith("torch.optim") for base in type(optimizer).__mro__):
            return False
        for group in optimizer.param_groups[:1]:
            for parameter in group["params"][:1]:
                self._dtype = str(parameter.dtype).replace("torch.", "")
        return True

    def Poll(self):
        cuda = self._torch.cuda
        if not cuda.is_initialized():
            return
        self._Observe()
        if not self._IsNative():
            return  # cudaMallocAsync would ask the driver
        stats = self._torch._C._cuda_memoryStats
        for ordinal in range(len(cuda.default_generators)):
            numbers = Numbers(stats(ordinal))
            if numbers[3]:  # never reserved: not used by this process
                if self._budget and ordinal not in self._limited:
                    self._Limit(ordinal)
                self._Write(ordinal, numbers)

    def _HookLimit(self):
        """Before 2.6 nobody can ask whether the program has set a limit."""
        original = getattr(self._torch.cuda, "set_per_process_memory_fraction", None)
        if original is None:
            return

        def Set(*arguments, **keywords):
            self._chosen = True
            return original(*arguments, **keywords)

        Set.__name__, Set.__doc__, Set.__wrapped__ = original.__name__, original.__doc__, original
        self._torch.cuda.set_per_process_memory_fraction = Set

    def _Limit(self, ordinal):
        """--memory-budget. Not before the program itself uses the device: setting the limit asks the
        driver how large it is, which would make a context there."""
        self._limited.add(ordinal)
        _, total = self._Device(ordinal)
        asked = getattr(self._torch._C, "_cuda_getMemoryFraction", None)
        if not total or self._chosen or (asked is not None and asked(ordinal) < 1):
            return
        try:
            self._torch._C._cuda_setMemoryFraction(min(1.0, self._budget / total), ordinal)
        except Exception as error:
            _log.Failed("memory budget", error)

    def _IsNative(self):
        backend = getattr(self._torch._C, "_cuda_getAllocatorBackend", None)
        return backend is None or backend() == "native"

    def _Write(self, ordinal, numbers):
        uuid, total = self._Device(ordinal)
        fraction = getattr(self._torch._C, "_cuda_getMemoryFraction", None)
        if fraction is not None and total:
            share = fraction(ordinal)
            if 0 < share < 1:
                numbers[7] = int(total * share)
        agent.memory(ordinal, uuid, *numbers)

    def _Device(self, ordinal):
        """Of a device that is in use, so torch has its properties already."""
        known = self._devices.get(ordinal)
        if known is None:
            known = _identity.Uuid(os.environ, ordinal), 0
            try:
                properties = self._torch.cuda.get_device_properties(ordinal)
                uuid = str(getattr(properties, "uuid", ""))  # since 2.4
                if uuid and not uuid.startswith(("GPU-", "MIG-")):
                    uuid = ("MIG-" if " MIG " in properties.name else "GPU-") + uuid
                known = uuid or known[0], int(properties.total_memory)
            except Exception as error:
                _log.Failed("device", error)
            self._devices[ordinal] = known
        return known

    def Ask(self):
        """Autocast, and the type that it casts to, are states of each thread: the main thread is asked,
        one question after the other, until it was seen inside."""
        answer = agent.answer()
        if answer is not None and answer[0] is True:
            self._autocast = str(answer[1]).replace("torch.", "")
        if self._autocast:
            return
        if self._questions is None:
            self._questions = _Questions(self._torch)
        if self._questions:
            question = self._questions.pop(0)
            self._questions.append(question)
            agent.ask(question)

    def Identity(self):
        distributed = sys.modules.get("torch.distributed")
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            self._rank = {"rank": distributed.get_rank(), "world_size": distributed.get_world_size()}
        return dict(self._rank, version=str(getattr(self._torch, "__version__", "")), dtype=self._autocast or self._dtype,
                    mixed=bool(self._autocast), compiled=_HasCompiled())


def _Budget(environ):
    """Bytes that `gpusight run --memory-budget` allows of each device; 0: as many as there are."""
    try:
        return max(0, int(environ.get("GPUSIGHT_MEMORY_BUDGET", "")))
    except ValueError:
        return 0


def _Questions(torch):
    """For cards and for the CPU: functions in C with their arguments, whether autocast is on and the
    type that it casts to."""
    try:
        torch.is_autocast_enabled("cpu")
        return [((torch.is_autocast_enabled, (kind,)), (torch.get_autocast_dtype, (kind,)))
                for kind in ("cuda", "cpu")]
    except TypeError:  # before 2.4
        return [((torch.is_autocast_enabled, ()), (torch.get_autocast_gpu_dtype, ())),
                ((torch.is_autocast_cpu_enabled, ()), (torch.get_autocast_cpu_dtype, ()))]


def _HasCompiled():
    """Whether torch.compile has made any graph."""
    utils = sys.modules.get("torch._dynamo.utils")
    counters = getattr(utils, "counters", None)
    return bool(counters and counters.get("frames", {}).get("ok"))


def _WrapStep(kind):
    if not isinstance(getattr(kind, "step", None), agent.Wrapper):
        kind.step = agent.Wrapper("step", kind.step)
