# SPDX-License-Identifier: Apache-2.0
"""Imported by Python at its start, when `gpusight run` put this folder in front of PYTHONPATH. Starts
the recorder if GPUSIGHT=1 says so, then lets the program have the sitecustomize that it would have
had. It prints nothing, fails in silence, and leaves sys.path as it would be without it; the
environment keeps the folder, so that child interpreters are followed. Next: ../_start.py."""

import sys


def _Load():
    """The package gpusight beside this folder, without a look at sys.path."""
    import os
    if os.environ.get("GPUSIGHT") != "1" or "gpusight" in sys.modules:
        return
    import _frozen_importlib as bootstrap
    import _frozen_importlib_external as external
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = external.spec_from_file_location("gpusight", os.path.join(folder, "__init__.py"),
                                            submodule_search_locations=[folder])
    module = bootstrap.module_from_spec(spec)
    sys.modules["gpusight"] = module
    try:
        spec.loader.exec_module(module)
        from gpusight import _start
        _start.Start()
    except BaseException:
        sys.modules.pop("gpusight", None)
        raise


def _Leave():
    """Takes this folder off sys.path, however it is spelled."""
    import os
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [p for p in sys.path
                   if not (isinstance(p, str) and p and os.path.abspath(p) == own)]


loaded = False
try:
    _Load()
    loaded = "gpusight" in sys.modules
except Exception:
    pass
try:
    _Leave()
except Exception:
    pass

# The program's own sitecustomize. What it raises goes where it would have gone.
_own = sys.modules.pop(__name__, None)
try:
    import sitecustomize  # noqa: F401
except ImportError as _error:
    if getattr(_error, "name", None) != "sitecustomize":
        raise
    sys.modules[__name__] = _own
