# SPDX-License-Identifier: Apache-2.0
"""What a running program costs: CPU by the kernel's nanosecond clock of the process, peak memory,
threads, and, in a terminal, the bytes it writes. Nothing is traced or preloaded."""

import dataclasses
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time


# What a terminal says when it is asked where its cursor is and what it can do: some programs wait
# for that before they draw.
TERMINAL_ANSWERS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;22c", b"\x1b[0c": b"\x1b[?62;22c"}


@dataclasses.dataclass
class Tool:
    """One program to watch. `terminal`: (columns, rows) of a pseudo-terminal, or None."""

    name: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    terminal: tuple | None = None


def process_cpu_seconds(pid: int) -> float:
    """CPU that all threads of `pid`, ended ones too, have used: the kernel's CPUCLOCK_SCHED."""
    return time.clock_gettime(((~pid) << 3) | 2)


def descendants(pid: int) -> list:
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                for child in map(int, file.read().split()):
                    found += [child, *descendants(child)]
    except OSError:
        pass
    return found


def tree_cpu_seconds(pid: int) -> float:
    """CPU of `pid`, of its living descendants and of those it has waited for."""
    total = process_cpu_seconds(pid)
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    total += (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    for child in descendants(pid):
        try:
            total += process_cpu_seconds(child)
        except OSError:
            pass
    return total


def status_fields(pid: int) -> dict:
    with open(f"/proc/{pid}/status") as file:
        text = file.read()
    return {key: int(value) for key, value in re.findall(r"^(\w+):\s+(\d+)", text, re.M)}


class Running:
    """A started tool; a thread reads away what it writes, so that it never waits for us."""

    def __init__(self, tool: Tool):
        environment = {**os.environ, **tool.environment}
        self.bytes_written = 0
        self._terminal = -1
        if tool.terminal is None:
            self.process = subprocess.Popen(
                tool.command, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            return
        columns, rows = tool.terminal
        self._terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment.setdefault("TERM", "xterm-256color")
        self.process = subprocess.Popen(
            tool.command, env=environment, stdin=inner, stdout=inner, stderr=subprocess.PIPE,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(inner)
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self) -> None:
        try:
            while data := os.read(self._terminal, 1 << 16):
                self.bytes_written += len(data)
                for question, answer in TERMINAL_ANSWERS.items():
                    if question in data:
                        os.write(self._terminal, answer)
        except OSError:
            pass  # the other end is closed

    def stop(self) -> str:
        """Ends the tool; returns what it said on standard error."""
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                self.process.send_signal(sign)
            try:
                self.process.wait(3)
                break
            except subprocess.TimeoutExpired:
                continue
        said = self.process.stderr.read().decode(errors="replace")
        if self._terminal >= 0:
            os.close(self._terminal)
        return said.strip()


def watch(tool: Tool, seconds: float, warm: float) -> dict:
    """Runs `tool` for `warm` seconds and then measures it for `seconds`."""
    try:
        running = Running(tool)
    except OSError as error:
        return {"error": str(error)}
    pid = running.process.pid
    result = {}
    try:
        time.sleep(warm)
        if running.process.poll() is None:
            begin, cpu, written = time.monotonic(), tree_cpu_seconds(pid), running.bytes_written
            result["start_cpu_ms"] = cpu * 1e3
            result["start_written_bytes"] = written
            time.sleep(seconds)
            if running.process.poll() is None:
                spent = time.monotonic() - begin
                result["cpu_percent"] = (tree_cpu_seconds(pid) - cpu) / spent * 100
                result["written_bytes_per_second"] = (running.bytes_written - written) / spent
                fields = status_fields(pid)
                children = [status_fields(child) for child in descendants(pid)]
                result["peak_rss_kib"] = sum(f.get("VmHWM", 0) for f in [fields, *children])
                result["threads"] = sum(f.get("Threads", 0) for f in [fields, *children])
    finally:
        ended = running.process.poll()
        said = running.stop()
    if "threads" not in result:
        result["error"] = f"ended with {ended}: {said[-400:]}"
    return result
