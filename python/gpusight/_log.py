# SPDX-License-Identifier: Apache-2.0
"""What went wrong inside the job, for us: a line in the file that GPUSIGHT_AGENT_LOG names, and never
anywhere else. Next: _recorder.py."""

import os
import sys

_said = set()


def Say(text):
    """Each text once a process."""
    place = os.environ.get("GPUSIGHT_AGENT_LOG")
    if not place or text in _said or len(_said) > 100:
        return
    _said.add(text)
    try:
        line = "%d %s\n" % (os.getpid(), text.replace("\n", " "))
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, line.encode("utf-8", "replace"))
        finally:
            os.close(handle)
    except OSError:
        pass


def Failed(what, error):
    where = ""
    trace = getattr(error, "__traceback__", None)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None:
        where = " at %s:%d" % (os.path.basename(trace.tb_frame.f_code.co_filename), trace.tb_lineno)
    Say("%s: %s: %s%s" % (what, type(error).__name__, error, where))


def Python():
    return "%d.%d.%d" % sys.version_info[:3]
