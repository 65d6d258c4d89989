# SPDX-License-Identifier: Apache-2.0
"""Folds Python stacks into short texts, "train.py:140 main;data.py:88 load", and remembers which
number the page gave to each. A stack that was seen before costs one walk over its frames and one
look into a dict, both in C (../native/quiet.c). Next: _recorder.py."""

import os
import sys

OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
DEPTH = 128   # innermost frames of an out-of-memory
LENGTH = 487  # bytes of a text in the page, without its end
TABLE = 512   # stacks in the page
PACKAGES = ("/site-packages/", "/dist-packages/")
SKIPPED = ("<frozen ", "<gpusight>")
LEFT_OUT = "..."


class Files:
    """Short names of source files, and whether they are the program's own."""

    def __init__(self, roots):
        found = {os.path.abspath(r).rstrip(os.sep) + os.sep for r in roots if r}
        self._roots = sorted(found, key=len, reverse=True)  # the nearest first
        self._known = {}

    def Look(self, path):
        known = self._known.get(path)
        if known is None:
            if len(self._known) > 10000:
                self._known.clear()
            known = self._known[path] = self._Find(path)
        return known

    def _Find(self, path):
        """(short name or None when such a frame is left out, whether it is the program's)."""
        if path.startswith(OWN) or path.startswith(SKIPPED) or path == STANDARD + "runpy.py":
            return None, False
        for folder in PACKAGES:
            at = path.rfind(folder)
            if at >= 0:
                parts = path[at + len(folder):].split("/")
                return (parts[0] + "/" + parts[-1] if len(parts) > 1 else parts[0]), False
        if path.startswith(STANDARD):
            return "python/" + path.rsplit("/", 1)[-1], False
        whole = os.path.abspath(path) if not path.startswith("<") else path
        for root in self._roots:
            if whole.startswith(root):
                return whole[len(root):], True
        return "/".join(path.rsplit("/", 2)[-2:]), True


def _Clean(text):
    return text.replace(";", ",").encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def Fit(frames, length=LENGTH):
    """Texts of frames, outermost first, each with whether it is the program's: one text of at most
    `length` bytes. When not all fit, those next to the end, the program's own and those that they
    call stay; "..." stands for what is missing."""
    count = len(frames)
    sizes = [len(text.encode("utf-8")) + 1 for text, _ in frames]
    room = length - sum(sizes)
    keep = [True] * count
    if room < 0:
        order = sorted(range(count), key=lambda i: (
            i != count - 1, not frames[i][1], not (i > 0 and frames[i - 1][1]), count - i))
        keep = [False] * count
        left = length
        for i in order:
            cost = sizes[i] + len(LEFT_OUT) + 1
            if cost <= left:
                keep[i] = True
                left -= cost
    parts = []
    for i in range(count):
        if keep[i]:
            parts.append(frames[i][0])
        elif not parts or parts[-1] != LEFT_OUT:
            parts.append(LEFT_OUT)
    return ";".join(parts).encode("utf-8")[:length].decode("utf-8", "ignore")


def Line(code, number, files):
    """(text of a frame or None when it is left out, whether it is the program's)."""
    name, own = files.Look(code.co_filename)
    if name is None:
        return None, False
    return "%s:%d %s" % (_Clean(name), number or 0, _Clean(code.co_name)), own


class Folder:
    """put(text) -> number, as the page gives it (0: not now). `known` is for agent.look()."""

    def __init__(self, put, files):
        self._put = put
        self._files = files
        self._Forget()

    def _Forget(self):
        self.known = {}   # what agent.look() takes for a stack -> number
        self._texts = {}  # text -> number, since different code may read the same
        self._lines = {}  # (id of code, line) -> (code, Line()); keeps the code alive, so that no
        self._put_in = 0  # id is used again

    def Number(self, looked):
        """The number of what agent.look() gave."""
        if looked is None:
            return 0
        return self._New(looked[0], looked[1:]) if isinstance(looked, tuple) else looked

    def _New(self, key, stack):
        if self._put_in >= TABLE or len(self.known) > 16 * TABLE:
            self._Forget()  # the page has lost the oldest, so begin anew
        frames = []
        for code, number in zip(stack[0::2], stack[1::2]):
            line = self._lines.get((id(code), number))
            if line is None:
                line = self._lines[id(code), number] = (code, Line(code, number, self._files))
            if line[1][0] is not None:
                frames.append(line[1])
        if not frames:
            return 0
        frames.reverse()
        text = Fit(frames)
        number = self._texts.get(text)
        if number is None:
            number = self._put(text)
            if not number:
                return 0
            self._texts[text] = number
            self._put_in += 1
        self.known[key] = number
        return number


def Stack(frame, files, length=1960):
    """One stack, innermost frame first, for the record of an out-of-memory."""
    texts = []
    while frame is not None and len(texts) < DEPTH:
        text, _ = Line(frame.f_code, frame.f_lineno, files)
        if text is not None:
            texts.append(text)
        frame = frame.f_back
    return ";".join(texts).encode("utf-8")[:length].decode("utf-8", "ignore")


def Roots():
    """Folders of the program: its script's and the current one."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    return [os.path.dirname(os.path.abspath(script)) if script else "", os.getcwd()]
