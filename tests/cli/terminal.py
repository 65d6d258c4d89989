# SPDX-License-Identifier: Apache-2.0
"""What the program prints on a terminal that shows no colours. Next: pages_test.py."""
import fcntl
import os
import pty
import struct
import subprocess
import termios


def on_terminal(command, env, columns=80):
    """The output of that command on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                               env={**env, "NO_COLOR": "1", "TERM": "xterm"})
    os.close(theirs)
    out = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the program has closed its end
            break
        if not more:
            break
        out += more
    os.close(ours)
    process.wait(timeout=60)
    return out.decode().replace("\r\n", "\n")
