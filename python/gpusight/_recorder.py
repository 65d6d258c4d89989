# SPDX-License-Identifier: Apache-2.0
"""What runs in the job: one thread that looks at the training thread's stack twenty times a second
and asks the adapters for their allocators once a second, and what happens when the process forks or
ends. The thread takes no signals, is not there while the process forks, and shows in no list of
threading's. Next: _stacks.py, _torch.py."""

import _thread
import atexit
import gc
import os
import sys

from . import __version__, _agent as agent, _identity, _log, _stacks

TICK = 50000000      # nanoseconds between two looks at the stack
POLL = 20            # of them between two looks at the allocators
CATCH_UP = 20        # looks that one C call, which kept the interpreter, is charged for at most
ASK_ALWAYS = 1200    # ticks in which autocast is asked for at each, later at each poll
FAILURES = 5         # of an adapter in a row, then it is left alone


class _Bound:
    def Method(self):
        pass


def _Real(name):
    """A function of _thread's, also where gevent put another in its place: its threads are none, and
    one that waits would stop them all."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey.get_original("_thread", name) if monkey else getattr(_thread, name)


_start_new_thread, _allocate_lock, _get_ident = (
    _Real(name) for name in ("start_new_thread", "allocate_lock", "get_ident"))

agent.method_type(type(_Bound().Method))
agent.reset_alarm()
agent.prepare_quiet(gc)

_argv = []
_eager = False     # whether a framework's import opens the page, or only its first use
_prepared = False
_failed = False    # opening it failed: not again in this process
_closed = False    # by detach() or at the end
_adapters = []
_leader = None     # the adapter that is told as the framework
_main = 0
_running = None    # the thread's lock, held while it runs
_native = 0        # the kernel's number of the thread
_stop = False
_settings = None, ""  # flags, text
_asked = 0
_told = None       # the identity as it was last written
_raised = None     # the uncaught exception that was recorded


# --- Opening and closing --------------------------------------------------------------------

def Prepare(argv, eager):
    """What does not open anything."""
    global _prepared, _argv, _eager, _main
    _eager = _eager or eager
    if _prepared:
        return
    _prepared = True
    _argv = argv
    threading = sys.modules.get("threading")
    _main = threading.main_thread().ident if threading else _get_ident()
    agent.on_open(Open)
    agent.on_leader(_Leads)
    os.register_at_fork(before=_BeforeFork, after_in_parent=_AfterForkInParent,
                        after_in_child=_AfterForkInChild)
    atexit.register(_AtExit)


def Add(adapter):
    """A framework was imported."""
    _adapters.append(adapter)
    if _eager:
        Open()


def Open(again=False):
    """Whether there is a page and a thread that fills it; after Close() only when asked for."""
    global _failed, _closed
    if agent.is_open():
        return True
    if _failed or not _prepared or _closed and not again:
        return False
    _closed = False
    status = agent.open("gpusight-python " + __version__)
    if status != "ok":
        _failed = True
        _log.Say("no telemetry page: " + status)
        return False
    _FinishWithMultiprocessing()
    _Identify()
    _StartThread()
    return True


def Close():
    global _closed
    _closed = True
    agent.on_open(None)  # a step does not open it again
    _StopThread()
    if agent.is_open():
        _Exception()
        _Poll()
        agent.close()


def LastPoll(adapter):
    """For a framework whose numbers are gone when the recorder itself ends."""
    if agent.is_open():
        _Guarded(adapter, adapter.Poll)


def Mark(kind, text, value):
    agent.mark(kind, _Text(text), value)


def _AtExit():
    try:
        Close()
    except Exception as error:
        _log.Failed("end", error)


def _FinishWithMultiprocessing():
    """A forked child of multiprocessing ends without atexit."""
    util = sys.modules.get("multiprocessing.util")
    process = sys.modules.get("multiprocessing.process")
    if util is not None and process is not None and process.parent_process() is not None:
        util.Finalize(None, _AtExit, exitpriority=-1000)


# --- Forks ----------------------------------------------------------------------------------

def _BeforeFork():
    try:
        _StopThread()
    except Exception as error:
        _log.Failed("fork", error)


def _AfterForkInParent():
    try:
        if agent.is_open() and not _closed:
            late = sys.version_info >= (3, 13)
            _StartThread(agent.start_thread_after_fork if late else agent.start_thread)
    except Exception as error:
        _log.Failed("fork", error)


def _AfterForkInChild():
    """A child opens a page of its own when it trains, and not before: most only fetch data."""
    global _running, _failed, _eager, _main, _told, _raised, _leader
    try:
        agent.reset_alarm()
        agent.cancel_start()
        agent.forget()
        agent.on_open(None if _closed else Open)
        _running = None
        _failed = _eager = False
        _told = _raised = _leader = None
        _main = _get_ident()
    except Exception as error:
        _log.Failed("fork", error)


# --- The thread -----------------------------------------------------------------------------

def _StartThread(start=agent.start_thread):
    global _running, _stop
    if _running is not None:
        return
    _stop = False
    lock = _allocate_lock()
    lock.acquire()
    _running = lock
    agent.reset_alarm()
    try:
        start(_start_new_thread, agent.loop, (_Looks(lock),))
    except Exception:
        _running = None
        raise


def _StopThread():
    """Waits for its end, but not for ever: it may be inside a framework's call."""
    global _running, _stop
    lock = _running
    if lock is None:
        return
    _stop = True
    if agent.cancel_start():
        _running = None
        return
    count = agent.threads()
    agent.wake()
    if lock.acquire(True, 0.2) and _native:
        agent.gone(_native, count, 50000000)
    _running = None


class _Looks:
    """What the thread does at each tick: called by agent.loop(), gives the time of the next or None."""

    def __init__(self, lock):
        self._lock = lock
        self._folder = None
        self._due = self._ticks = 0

    def __call__(self):
        try:
            if self._folder is None:
                self._Begin()
            if _running is self._lock and not _stop:
                if agent.monotonic() >= self._due:
                    self._Tick()
                return self._due
        except Exception as error:
            _log.Failed("thread", error)
        self._lock.release()
        return None

    def _Begin(self):
        global _native
        _native = _thread.get_native_id()
        self._folder = _stacks.Folder(agent.stack, _stacks.Files(_stacks.Roots()))
        self._due = agent.monotonic() + TICK

    def _Tick(self):
        late = agent.monotonic() - self._due
        _Sample(self._folder, 1 + min(late // TICK, CATCH_UP), late)
        self._due += TICK * (1 + late // TICK)
        self._ticks += 1
        if _raised is not getattr(sys, "last_value", None):
            _Exception()
        if self._ticks % POLL == 1:
            _Poll()
        if self._ticks < ASK_ALWAYS or self._ticks % POLL == 0:
            _Autocast()


def _Sample(folder, times, late):
    """The thread that trains, at the moment when it was to be looked at. Where the interpreter was
    held by one call in between, that call gets the looks that were missed."""
    number = folder.Number(agent.look(sys._current_frames, agent.training_thread(), _main, folder.known))
    if number:
        now = agent.now()
        for i in range(times):
            agent.sample(number, now - late + i * TICK)


def _Exception():
    """What the interpreter keeps of the exception that ends the program, before it prints it."""
    global _raised
    error = getattr(sys, "last_value", None)
    if error is None or error is _raised:
        return
    if hasattr(sys, "ps1") or hasattr(sys.modules["builtins"], "get_ipython"):
        return  # at a prompt it ended nothing
    _raised = error
    name = type(error).__name__
    module = type(error).__module__
    if module not in ("builtins", "__main__"):
        name = module + "." + name
    try:
        text = str(error)
    except Exception:
        text = ""
    Mark("exception", name + ": " + text if text else name, 0.0)


# --- Adapters -------------------------------------------------------------------------------

def _Leads(optimizer):
    """Steps of this optimizer are counted from now on."""
    global _leader
    for adapter in _adapters:
        if adapter.Trains(optimizer):
            _leader = adapter


def _Guarded(adapter, function, *arguments):
    if adapter.failures >= FAILURES:
        return None
    try:
        result = function(*arguments)
        adapter.failures = 0
        return result
    except Exception as error:
        adapter.failures += 1
        _log.Failed(adapter.NAME, error)
        return None


def _Poll():
    for adapter in _adapters:
        _Guarded(adapter, adapter.Poll)
    _Identify()


def _Leading():
    return _leader or (_adapters[0] if _adapters else None)


def _Autocast():
    adapter = _Leading()
    if adapter is not None:
        _Guarded(adapter, adapter.Ask)


def _Text(text):
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _Settings(flags):
    """Looks at the whole environment, so not at each poll."""
    global _settings, _asked
    _asked += 1
    if _settings[0] != flags or _asked % 30 == 1:
        _settings = flags, _identity.Settings(os.environ, flags)
    return _settings[1]


def _Identify():
    """Writes who this is, when that has changed."""
    global _told
    adapter = _Leading()
    rank, local_rank, world_size = _identity.Ranks(os.environ)
    told = {"framework": "", "version": "", "dtype": "", "mixed": False, "compiled": False,
            "flags": (), "rank": rank, "local_rank": local_rank, "world_size": world_size}
    if adapter is not None:
        told["framework"] = adapter.NAME
        told.update(_Guarded(adapter, adapter.Identity) or {})
    values = (told["framework"], _Text(told["version"]), _log.Python(), _Text(told["dtype"]),
              _Text(_identity.Script(_argv)), _Text(_Settings(told["flags"])),
              told["rank"], told["local_rank"], told["world_size"], int(told["mixed"]),
              int(told["compiled"]))
    if values != _told and agent.identify(*values) == "ok":
        _told = values
