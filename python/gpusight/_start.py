# SPDX-License-Identifier: Apache-2.0
"""The three ways in: Start() for the bootstrap folder and the .pth file, Attach() for programs that
ask. Both only wait for a framework to be imported; what then happens is the adapter's and the
recorder's. Next: _guards.py, _imports.py, _recorder.py."""

import os
import sys

from . import _guards

loaded = False  # for tests: whether the hooks are in place
reason = ""     # why not


def _CommandLine():
    line = getattr(sys, "orig_argv", None)  # since 3.10
    if line:
        return list(line)
    try:
        handle = os.open("/proc/self/cmdline", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.read(handle, 65536).decode("utf-8", "replace").split("\0")[:-1]
        finally:
            os.close(handle)
    except OSError:
        return [sys.executable] + list(getattr(sys, "argv", []))


def _Reason(argv):
    return _guards.Reason(os.environ, argv, sys.implementation.name, sys.version_info,
                          getattr(sys, "abiflags", ""), sys.prefix)


def _Hook():
    """Waits for the frameworks."""
    global loaded
    if loaded:
        return
    loaded = True
    from . import _imports

    def Torch(module):
        from . import _torch
        _torch.Install(module)

    def Paddle(module):
        from . import _paddle
        _paddle.Install(module)

    def Jax(module):
        from . import _jax
        _jax.Install(module)

    _imports.Watch("torch", Torch)
    _imports.Watch("paddle", Paddle)
    _imports.Watch("jax", Jax)


def Start():
    """At the interpreter's start. Never raises, imports nothing of the program's."""
    global reason
    try:
        if os.environ.get("GPUSIGHT") != "1":
            reason = "GPUSIGHT is not 1"
            return
        argv = _CommandLine()
        reason = _Reason(argv)
        if reason:
            return
        from . import _recorder
        _recorder.Prepare(argv, eager=not _guards.IsHelper(argv))
        _Hook()
    except Exception as error:
        reason = "%s: %s" % (type(error).__name__, error)
        from . import _log
        _log.Failed("start", error)


def Attach():
    """On the program's own word, which no list overrules."""
    global reason
    reason = _guards.Reason(os.environ, [sys.executable], sys.implementation.name, sys.version_info,
                            getattr(sys, "abiflags", ""), sys.prefix)
    if reason:
        return False
    from . import _recorder
    _recorder.Prepare(_CommandLine(), eager=True)
    _Hook()
    return _recorder.Open(again=True)
