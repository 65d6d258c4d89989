# SPDX-License-Identifier: Apache-2.0
"""Ordinary programs, each as a test of what `gpusight run` must not change. A program is a shell
line or a list of words; `feed` is its standard input, `before` what the shell does around it ("{}"
is the program). Whatever it prints must be the same in every run: no pids, no times. Next:
transparent_test.py, which runs each with and without gpusight."""
from typing import NamedTuple, Optional, Sequence, Union

PYTHON = "{python}"  # the interpreter of the tests


class Program(NamedTuple):
    name: str
    words: Union[str, Sequence[str]]   # a string: for sh -c
    feed: Optional[bytes] = None       # None: /dev/null
    before: str = "{}"                 # a shell line around the whole
    compare: str = "out err status"    # what must be equal
    seconds: float = 0                 # how much longer it may take, 0: not measured
    recorded: bool = True              # there must be a recording of it


def python(name, code, **more):
    return Program(name, [PYTHON, "-c", code], **more)


STATUS = """
import re
text = open("/proc/self/status").read()
for key in {keys!r}.split():
    print(re.search("^" + key + r":[ \\t]*(.*)$", text, re.M).group())
"""

PROGRAMS = [
    # Exit codes
    Program("exit_0", "exit 0"),
    Program("exit_1", ["false"]),
    Program("exit_42", "exit 42"),
    Program("exit_255", "exit 255"),
    Program("not_found", ["./no-such-program"], compare="out status"),
    Program("not_found_in_path", ["no-such-program"], compare="out status"),
    Program("not_executable", ["/etc/passwd"], compare="out status"),
    Program("a_folder", ["/etc"], compare="out status"),
    Program("behind_a_file", ["/etc/passwd/x"], before="bash -c 'exec {}'", compare="out status"),
    Program("no_interpreter", ["./lost-interpreter"], compare="out status"),
    Program("no_first_line", ["./no-first-line", "a b", "c"]),
    Program("relative_path", ["./hello"]),
    Program("symlink_as_name", ["./hello-too"]),
    # Ends by a signal
    Program("sigterm", "kill -TERM $$"),
    Program("sigkill", "kill -KILL $$"),
    Program("sigsegv", "kill -SEGV $$"),
    Program("sigabrt", "kill -ABRT $$"),
    Program("sigint", "kill -INT $$"),
    Program("sighup", "kill -HUP $$"),
    Program("sigpipe", "kill -PIPE $$"),
    Program("sigusr1", "kill -USR1 $$"),
    Program("realtime_signal", "kill -40 $$"),
    python("sigbus", "import os, signal; os.kill(os.getpid(), signal.SIGBUS)"),
    python("real_segfault", "import ctypes; ctypes.string_at(0)"),
    # Words, variables, folder
    Program("words", ["printf", "<%s>\\n", "", "a b", "c\nd", "'\"\\", "--", "-x", "é", "\udcff"]),
    python("environment", """
import os
for name in sorted(os.environb):
    if not name.startswith((b"GPUSIGHT", b"TEST_")) and name != b"PYTHONPATH":
        print(name, os.environb[name])
"""),
    Program("environment_order", "env | grep ^ORDER_"),
    Program("odd_environment", ["env"], before="env -i 'A=b\nc' 'D=' {} | grep -v GPUSIGHT | "
            "grep -v PYTHONPATH"),
    python("python_path_is_clean", "import sys; print([p for p in sys.path])"),
    Program("folder", "pwd; pwd -P"),
    # What a process inherits
    Program("umask", "umask", before="umask 027; {}"),
    Program("limits", ["bash", "-c", "ulimit -a"], before="ulimit -n 99 -c 0 -f 12345; {}"),
    Program("few_descriptors", "echo hello", before="ulimit -n 7; {}", compare="out status", recorded=False),
    Program("hardly_any_descriptors", "echo hello", before="ulimit -n 4; {}", compare="out status", recorded=False),
    Program("nice", "nice", before="nice -n 5 {}"),
    Program("oom_score", "cat /proc/self/oom_score_adj", before="echo 321 >/proc/self/oom_score_adj; {}"),
    python("signals_as_they_were", STATUS.format(keys="SigBlk SigIgn SigCgt SigPnd")),
    python("ignored_signals", STATUS.format(keys="SigIgn"), before="trap '' HUP INT USR2 CHLD PIPE; {}"),
    python("blocked_signals", STATUS.format(keys="SigBlk"), before=PYTHON + " block.py {}"),
    python("rights", STATUS.format(keys="Uid Gid Groups CapInh CapPrm CapEff NoNewPrivs Seccomp")),
    Program("affinity", ["nproc"], before="taskset -c 0 {}"),
    python("open_files", "import os; print(sorted(os.listdir('/proc/self/fd')))"),
    python("more_open_files", "import os; print(sorted(os.listdir('/proc/self/fd')))",
           before="{} 3</dev/null 7>/dev/null"),
    python("no_stdin", "import os; print(sorted(os.listdir('/proc/self/fd')))", before="{} <&-"),
    Program("no_stdout", "ls /proc/self/fd >&2", before="{} >&-"),
    Program("no_stderr", "ls /proc/self/fd", before="{} 2>&-"),
    Program("nothing_open", "ls /proc/self/fd >out-of-it", before="{} <&- >&- 2>&-; cat out-of-it"),
    Program("append_only", "echo more", before="echo some >log; {} >>log; cat log"),
    Program("one_file_for_both", "echo one; echo two >&2; echo three", before="{} >log 2>&1; cat log"),
    Program("lock_is_given_back", "exec 9>&-; sleep 0.2; flock -n lock echo free || echo taken",
            before="exec 9>lock; flock 9; {} & exec 9>&-; wait"),
    python("place_in_the_system", """
import os
with open('/proc/self/stat') as f:
    stat = f.read().rsplit(')', 1)[1].split()
print(os.getpgrp() == int(os.environ['TEST_GROUP']), os.getsid(0) == int(os.environ['TEST_SESSION']),
      stat[4], stat[5], os.getpriority(os.PRIO_PROCESS, 0))
"""),
    python("control_group", "print(open('/proc/self/cgroup').read())"),
    # Standard input and output
    Program("reads_input", ["cat"], feed=b"a line\nno end\x00\xff"),
    Program("reads_much_input", ["sha256sum"], feed=bytes(range(256)) * 40000),
    Program("leaves_input_for_the_next", ["head", "-c", "3"], before="{} <letters; cat <letters"),
    Program("shares_the_offset_of_input", ["sh", "-c", "read a; echo $a"],
            before="(cat >/dev/null; :) </dev/null; {{ {}; cat; }} <letters"),
    Program("reader_leaves", ["yes"], before="{} | head -n 3"),
    Program("status_of_sigpipe", ["yes"], before="bash -c '{} | head -n 1; echo ${{PIPESTATUS[0]}}'"),
    Program("writer_feels_a_reader_leave", ["head", "-n", "1"],
            before="bash -c 'yes | {}; echo ${{PIPESTATUS[*]}}'"),
    Program("in_the_middle_of_a_pipe", ["tr", "a-z", "A-Z"], before="echo abc | {} | rev"),
    Program("one_gigabyte", ["head", "-c", "1073741824", "/dev/zero"], before="{} | cksum"),
    Program("both_at_once", "i=0; while [ $i -lt 500 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done"),
    Program("binary", ["head", "-c", "100000", "/dev/zero"]),
    Program("nonblocking_output", [PYTHON, "-c", "import os; os.set_blocking(1, False); print('x')"]),
    Program("no_terminal", "test -t 0; echo $?; test -t 1; echo $?; test -t 2; echo $?; : </dev/tty || true",
            compare="out status"),
    # Families
    Program("children", "for i in 1 2 3; do (exit $i) & done; wait; echo all"),
    Program("waits_for_its_own", "sh -c 'exit 5' & wait $!; echo $?"),
    Program("exec_chain", "exec sh -c 'exec sh -c \"exit 9\"'"),
    Program("background_child_keeps_the_pipe", "(sleep 0.7; echo late) & echo early", seconds=0.6),
    Program("daemon", "setsid sh -c 'exec >/dev/null 2>&1 </dev/null; sleep 3' & echo started", seconds=0.6),
    Program("closes_its_output_early", "echo first; exec >&- 2>&-; sleep 1", before="{} 2>/dev/null | cat; echo eof",
            seconds=0.6),
    Program("nohup", ["nohup", "sh", "-c", "kill -HUP $$; echo alive"]),
    Program("setsid", ["setsid", "sh", "-c", "echo own session"], before="{} | cat"),
    Program("setsid_wait", ["setsid", "--wait", "sh", "-c", "exit 4"]),
    Program("timeout", ["timeout", "0.3", "sleep", "5"]),
    Program("under_timeout", ["sh", "-c", "trap 'echo term; exit 3' TERM; sleep 5 & wait"],
            before="timeout 0.5 {}"),
    Program("timeout_kills", ["sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 0.1; done"],
            before="timeout -k 0.3 0.3 {}"),
    Program("traps_itself", "trap 'echo usr1' USR1; kill -USR1 $$; kill -USR1 $$; echo end"),
    Program("signals_its_group_once", ["setsid", "--wait", "sh", "-c",
            "trap 'echo got' USR1; kill -USR1 0; sleep 0.2; echo end"]),
    Program("kills_its_own_group", [PYTHON, "group.py"], before="setsid --wait {}; echo $?"),
    python("many_children", """
import os
pids = [os.fork() for _ in range(100) if os.getpid() == {0}] if False else []
for i in range(100):
    pid = os.fork()
    if pid == 0:
        os._exit(i)
    pids.append(pid)
print(sum(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids))
""".replace("pids = [os.fork() for _ in range(100) if os.getpid() == {0}] if False else []", "pids = []")),
    python("no_children_of_ours", """
import os
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("none")
"""),
    python("multiprocessing", """
import multiprocessing as m
if __name__ == "__main__":
    with m.Pool(3) as pool:
        print(pool.map(abs, range(-5, 5)))
"""),
    python("parent_death_signal_is_not_set", """
import ctypes
value = ctypes.c_int()
ctypes.CDLL(None).prctl(2, ctypes.byref(value))
print(value.value, ctypes.CDLL(None).prctl(37, ctypes.byref(value)), value.value)
"""),
    Program("inherited_alarm", ["sleep", "5"], before=PYTHON + " alarm.py {}"),
]
