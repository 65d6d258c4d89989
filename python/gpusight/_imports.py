# SPDX-License-Identifier: Apache-2.0
"""Calls back once a module that the program imports has been imported. A finder in front of
sys.meta_path lets the others find the module and puts one callable, written in C and gone after its
one call, before the loader's exec_module: no line in a traceback, no other loader. Next: _torch.py."""

import sys

from . import _agent, _log

_waiting = {}  # name of a module -> callbacks
_finding = set()


class _Finder:
    """Finds nothing itself."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _waiting or name in _finding:
            return None
        _finding.add(name)
        try:
            return _Watched(name, path, target)
        except Exception as error:
            _log.Failed("import of " + name, error)
            return None
        finally:
            _finding.discard(name)


def _Watched(name, path, target):
    for finder in list(sys.meta_path):
        find = getattr(finder, "find_spec", None)
        if finder is _Finder or find is None:
            continue
        spec = find(name, path, target)
        if spec is not None:
            break
    else:
        return None
    loader = spec.loader
    if loader is None or not hasattr(loader, "exec_module"):
        return spec

    def Done(succeeded):
        loader.__dict__.pop("exec_module", None)
        if succeeded:
            _Call(name)

    try:
        loader.exec_module = _agent.Wrapper("after", loader.exec_module, Done)
    except Exception as error:
        _log.Failed("loader of " + name, error)
    return spec


def _Call(name):
    module = sys.modules.get(name)
    for callback in _waiting.pop(name, ()):
        try:
            callback(module)
        except Exception as error:
            _log.Failed("after the import of " + name, error)
    if not _waiting and _Finder in sys.meta_path:
        sys.meta_path.remove(_Finder)


def _IsWhole(module):
    """Not in the middle of its import."""
    return not getattr(getattr(module, "__spec__", None), "_initializing", False)


def Watch(name, callback):
    """callback(module) when `name` is imported: now, if it is already."""
    module = sys.modules.get(name)
    if module is not None and _IsWhole(module):
        try:
            callback(module)
        except Exception as error:
            _log.Failed("with " + name, error)
        return
    _waiting.setdefault(name, []).append(callback)
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
