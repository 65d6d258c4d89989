# SPDX-License-Identifier: Apache-2.0
"""gpusight inside a Python program: tells the flight recorder about allocator, steps and waits.

    import gpusight
    gpusight.attach()              # not needed under `gpusight run`

    with gpusight.phase("eval"):
        ...
    gpusight.mark("new learning rate")
    gpusight.metric("loss", 0.25)

Nothing here raises, prints or changes what the program does; GPUSIGHT=0 switches all of it off.
The documentation is docs/python.md. Next: _recorder.py."""

__version__ = "0.1.0"
__all__ = ["attach", "detach", "mark", "metric", "phase", "step", "path"]


def _Quietly(function, *arguments):
    """The result, or None when there is none."""
    try:
        return function(*arguments)
    except Exception as error:
        try:
            from . import _log
            _log.Failed(getattr(function, "__name__", "call"), error)
        except Exception:
            pass
        return None


def attach():
    """Starts recording this process, for frameworks that are imported already and those that will
    be. Returns whether there is a telemetry page."""
    def Attach():
        from . import _start
        return _start.Attach()
    return bool(_Quietly(Attach))


def detach():
    """Ends recording in good order. The page's file stays for gpusight to read."""
    def Detach():
        from . import _recorder
        _recorder.Close()
    _Quietly(Detach)


def _Mark(kind, text, value=0.0):
    def Mark():
        from . import _recorder
        _recorder.Mark(kind, str(text), float(value))
    _Quietly(Mark)


def mark(text):
    """A note at this moment."""
    _Mark("note", text)


def metric(name, value):
    """The value of something at this moment: a loss, a learning rate."""
    _Mark("metric", name, value)


def step():
    """A step ended. For loops that use no optimizer of PyTorch or Paddle (JAX, own optimizers); from
    the first call on, optimizers are no longer counted."""
    def Step():
        from . import _recorder
        _recorder.agent.step()
    _Quietly(Step)


def path():
    """The telemetry page's path, "" without one."""
    def Path():
        from . import _recorder
        return _recorder.agent.path()
    return _Quietly(Path) or ""


class phase:
    """A part of the program: `with gpusight.phase("eval"): ...`. Phases may be inside each other."""

    _open = []

    def __init__(self, name):
        self._name = name

    def __enter__(self):
        phase._open.append(self._name)
        _Mark("phase", self._name)
        return self

    def __exit__(self, *_):
        if phase._open:
            phase._open.pop()
        _Mark("phase", phase._open[-1] if phase._open else "")
        return False
