#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes root/: the /proc, /sys and /etc of the machine in scenario.json, in the kernel's own formats
(Linux 6.8, control groups v2, 16 cores). A training job with four data-loader workers runs in a
container, a notebook directly on the host. Run it again after a change; the result is kept in git."""

import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "root"
CLOCK = 100  # ticks a second
BOOTED = 1_772_323_200  # 2026-03-01 00:00:00 UTC
UPTIME = 3_060_000  # seconds: 2026-04-05 10:00:00 UTC
CONTAINER = "7d3f6c0a91be4e52b8d2f4a0c6e8b1d3975a20ce64f18b7d0e2c4a6f80b1d3e5"
HOST, INNER = 4026531836, 4026532918  # PID namespaces
GIB, MIB = 1 << 30, 1 << 20


def put(path, text):
    file = ROOT / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


def link(path, target):
    file = ROOT / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(target)


def stat_line(pid, comm, state, parent, utime, stime, threads, start, size, rss, faults, delay):
    return (f"{pid} ({comm}) {state} {parent} {parent} {parent} 0 -1 4194304 {faults[0]} 0 {faults[1]} 0 "
            f"{utime} {stime} 0 0 20 0 {threads} 0 {start} {size} {rss // 4096} 18446744073709551615 "
            f"94021364748288 94021367515733 140728164219840 0 0 0 0 16781312 134235138 0 0 0 17 5 0 0 "
            f"{delay} 0 0 94021370157480 94021370654872 94021396717568 140728164226417 140728164226467 "
            "140728164226467 140728164229088 0\n")


def status_text(pid, name, state, parent, uid, inner, threads, size, rss, anon, shared, switches):
    words = {"R": "R (running)", "S": "S (sleeping)", "D": "D (disk sleep)"}
    pids = f"{pid}\t{inner}" if inner else f"{pid}"
    return (f"Name:\t{name}\nUmask:\t0022\nState:\t{words[state]}\nTgid:\t{pid}\nNgid:\t0\nPid:\t{pid}\n"
            f"PPid:\t{parent}\nTracerPid:\t0\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{uid}\t{uid}\t{uid}\t{uid}\n"
            f"FDSize:\t256\nGroups:\t{uid} \nNStgid:\t{pids}\nNSpid:\t{pids}\nNSpgid:\t{pids}\nNSsid:\t{pids}\n"
            f"Kthread:\t0\nVmPeak:\t{size // 1024 + 4096:8} kB\nVmSize:\t{size // 1024:8} kB\nVmLck:\t       0 kB\n"
            f"VmPin:\t       0 kB\nVmHWM:\t{rss // 1024 + 512:8} kB\nVmRSS:\t{rss // 1024:8} kB\n"
            f"RssAnon:\t{anon // 1024:8} kB\nRssFile:\t{(rss - anon - shared) // 1024:8} kB\n"
            f"RssShmem:\t{shared // 1024:8} kB\nVmData:\t{anon // 1024 + 9000:8} kB\nVmStk:\t     132 kB\n"
            f"VmExe:\t    2704 kB\nVmLib:\t 2613244 kB\nVmPTE:\t   18412 kB\nVmSwap:\t       0 kB\n"
            f"HugetlbPages:\t       0 kB\nCoreDumping:\t0\nTHP_enabled:\t1\nThreads:\t{threads}\n"
            "SigQ:\t1/515012\nSigPnd:\t0000000000000000\nCapEff:\t0000000000000000\nSeccomp:\t0\n"
            "Cpus_allowed:\tffff\nCpus_allowed_list:\t0-15\nMems_allowed_list:\t0\n"
            f"voluntary_ctxt_switches:\t{switches[0]}\nnonvoluntary_ctxt_switches:\t{switches[1]}\n")


def process(pid, comm, command, parent, uid, started, cgroup, namespace=HOST, inner=None, state="S", cpu=(0, 0),
            rss=8 * MIB, anon=None, shared=0, size=None, threads=(), environment=(), files=(), read=0, written=0,
            switches=(4000, 60), faults=(20000, 12), delay=0, workdir="/"):
    """cpu: seconds in user and system mode; threads: (tid offset, name, state, share of the CPU time)."""
    folder = f"proc/{pid}"
    start = (started - BOOTED) * CLOCK
    anon = anon if anon is not None else rss // 2
    size = size or rss * 3
    utime, stime = (int(s * CLOCK) for s in cpu)
    all_threads = [(0, comm, state, 1 - sum(t[3] for t in threads)), *threads]
    put(f"{folder}/stat", stat_line(pid, comm, state, parent, utime, stime, len(all_threads), start, size, rss,
                                    faults, int(delay * CLOCK)))
    put(f"{folder}/status", status_text(pid, comm, state, parent, uid, inner, len(all_threads), size, rss, anon,
                                        shared, switches))
    put(f"{folder}/comm", comm + "\n")
    put(f"{folder}/cmdline", "\0".join(command) + "\0")
    put(f"{folder}/environ", "".join(f"{e}\0" for e in environment))
    put(f"{folder}/cgroup", f"0::{cgroup}\n")
    put(f"{folder}/io", f"rchar: {read + 40 * MIB}\nwchar: {written}\nsyscr: {read // 131072 + 5100}\n"
        f"syscw: {written // 65536 + 400}\nread_bytes: {read}\nwrite_bytes: {written}\ncancelled_write_bytes: 0\n")
    put(f"{folder}/oom_score", "670\n")
    put(f"{folder}/oom_score_adj", "0\n")
    link(f"{folder}/ns/pid", f"pid:[{namespace}]")
    link(f"{folder}/cwd", workdir)
    for number, target in enumerate(("/dev/null", "pipe:[881734]", "pipe:[881735]", *files)):
        link(f"{folder}/fd/{number}", target)
    for offset, name, thread_state, share in all_threads:
        tid = pid + offset
        u, s = int(utime * share), int(stime * share)
        put(f"{folder}/task/{tid}/stat", stat_line(tid, name, thread_state, parent, u, s, len(all_threads), start,
                                                   size, rss, faults, int(delay * CLOCK * share)))
        put(f"{folder}/task/{tid}/status", status_text(tid, name, thread_state, parent, uid, None, len(all_threads),
                                                       size, rss, anon, shared, switches))
        put(f"{folder}/task/{tid}/comm", name + "\n")
    inside = namespace == INNER
    data = "nas-01:/export/imagenet"
    mounts = (["412 310 0:61 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/5XQ",
               "420 412 0:64 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=16777216k",
               "421 412 259:2 /srv/runs /runs rw,relatime - ext4 /dev/nvme0n1p2 rw",
               f"422 412 0:51 / /data ro,relatime - nfs4 {data} ro,vers=4.2,rsize=1048576,proto=tcp",
               f"423 412 259:2 /var/lib/docker/containers/{CONTAINER}/hostname /etc/hostname rw,relatime - ext4 "
               "/dev/nvme0n1p2 rw"] if inside else
              ["22 27 0:21 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw",
               "23 27 0:22 / /sys rw,nosuid,nodev,noexec,relatime - sysfs sysfs rw",
               "27 1 259:2 / / rw,relatime - ext4 /dev/nvme0n1p2 rw",
               "30 24 0:27 / /dev/shm rw,nosuid,nodev - tmpfs tmpfs rw,inode64",
               "31 23 0:28 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime - cgroup2 cgroup2 rw,nsdelegate",
               f"51 27 0:51 / /srv/imagenet ro,relatime - nfs4 {data} ro,vers=4.2,rsize=1048576,proto=tcp"])
    put(f"{folder}/mountinfo", "\n".join(mounts) + "\n")


def processes():
    began = BOOTED + UPTIME - 3 * 3600 - 412
    docker = f"/system.slice/docker-{CONTAINER}.scope"
    process(1, "systemd", ["/sbin/init"], 0, 0, BOOTED, "/init.scope", cpu=(214, 96), rss=13 * MIB)
    process(41711, "containerd-shim", ["/usr/bin/containerd-shim-runc-v2", "-namespace", "moby", "-id", CONTAINER,
                                       "-address", "/run/containerd/containerd.sock"], 1, 0, began - 4,
            "/system.slice/containerd.service", cpu=(3, 2), rss=12 * MIB)
    environment = ("PATH=/opt/train/.venv/bin:/usr/bin", "NVIDIA_VISIBLE_DEVICES=all", "CUDA_VISIBLE_DEVICES=0",
                   "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", "OMP_NUM_THREADS=8", "HOME=/home/lin")
    process(41733, "bash", ["bash", "/runs/start.sh"], 41711, 1001, began - 3, docker, INNER, 1, cpu=(0.02, 0.03),
            rss=3 * MIB, environment=environment, workdir="/runs")
    train = ["/opt/train/.venv/bin/python3", "train.py", "--model", "gpt-1.3b", "--batch-size", "48", "--precision",
             "bf16", "--data", "/data/c4", "--workers", "4", "--out", "/runs/c4-1.3b"]
    process(41822, "python3", train, 41733, 1001, began, docker, INNER, 7, state="R", cpu=(10410, 512),
            rss=int(5.8 * GIB), anon=int(3.9 * GIB), shared=int(0.6 * GIB), size=142 * GIB,
            threads=((3, "cuda-EvtHandlr", "S", 0.001), (4, "python3", "S", 0.02), (5, "pt_autograd_0", "R", 0.31),
                     (9, "python3", "S", 0.004), (11, "QueueFeederThre", "S", 0.0)),
            environment=environment, files=("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0", "/dev/nvidia0",
                                            "/runs/c4-1.3b/log.jsonl", "/dev/shm/torch_41822_2071"),
            read=3 * GIB, written=41 * GIB, switches=(9120334, 84012), faults=(18012442, 1840), delay=31, workdir="/runs")
    for n in range(4):
        process(41907 + n, "pt_data_worker", train, 41822, 1001, began + 21, docker, INNER, 15 + n,
                state="D" if n == 2 else "R" if n == 0 else "S", cpu=(6900 + 61 * n, 801 - 9 * n),
                rss=int(1.31 * GIB) + n * 5 * MIB, anon=int(0.7 * GIB), shared=int(0.36 * GIB), size=40 * GIB,
                environment=environment, files=(f"/data/c4/train-{211 + n * 17:05}.tar", f"/dev/shm/torch_{41907 + n}_88"),
                read=(212 + n) * GIB, switches=(2210034 + n * 731, 40120), faults=(5120334, 610), delay=940 + 77 * n,
                workdir="/runs")
    session = "/user.slice/user-1002.slice/session-18.scope"
    notebook = BOOTED + UPTIME - 2 * 86400 - 3611
    process(38990, "jupyter-lab", ["/opt/jupyter/bin/python3", "/opt/jupyter/bin/jupyter-lab", "--no-browser"], 1, 1002,
            notebook - 40, session, cpu=(41, 9), rss=148 * MIB, workdir="/home/wang")
    process(39017, "python3", ["/opt/jupyter/bin/python3", "-m", "ipykernel_launcher", "-f",
                               "/home/wang/.local/share/jupyter/runtime/kernel-0d3c.json"], 38990, 1002, notebook, session,
            cpu=(377, 88), rss=int(1.9 * GIB), anon=int(1.4 * GIB), size=38 * GIB,
            threads=((2, "python3", "S", 0.1), (6, "cuda-EvtHandlr", "S", 0.002)),
            environment=("HOME=/home/wang", "PATH=/opt/jupyter/bin:/usr/bin"),
            files=("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"), read=2 * GIB, workdir="/home/wang")
    process(43511, "gpusight", ["gpusight", "top"], 1, 1001, BOOTED + UPTIME - 5, "/user.slice/user-1001.slice/session-2.scope",
            state="R", cpu=(0.01, 0.01), rss=14 * MIB)
    link("proc/self", "43511")


def machine():
    put("proc/sys/kernel/hostname", "gpu-07\n")
    put("proc/sys/kernel/osrelease", "6.8.0-60-generic\n")
    put("proc/sys/kernel/random/boot_id", "0b5c7a52-8f3e-4c1d-9a64-2f7e1d0c8b3a\n")
    put("etc/hostname", "gpu-07\n")
    put("etc/passwd", "root:x:0:0:root:/root:/bin/bash\nlin:x:1001:1001::/home/lin:/bin/bash\n"
        "wang:x:1002:1002::/home/wang:/bin/bash\n")
    cpu = [(1_180_000 + 9000 * n, 1200, 144_000 + 700 * n, 303_900_000 - 11000 * n, 61_000, 0, 2100, 0, 0, 0)
           for n in range(16)]
    total = [sum(c[i] for c in cpu) for i in range(10)]
    line = lambda name, values: name + " " + " ".join(str(v) for v in values)
    put("proc/stat", "\n".join([line("cpu ", total)] + [line(f"cpu{n}", c) for n, c in enumerate(cpu)] +
                               ["intr 9120334411 0 9", "ctxt 18233410877", f"btime {BOOTED}", "processes 1204417",
                                "procs_running 7", "procs_blocked 1", "softirq 801233411 4 22 1 0 0 0 0 0 0 0"]) + "\n")
    kib = lambda gib: int(gib * 1048576)
    rows = [("MemTotal", kib(125.7)), ("MemFree", kib(31.2)), ("MemAvailable", kib(96.4)), ("Buffers", kib(0.7)),
            ("Cached", kib(66.1)), ("SwapCached", 0), ("Active", kib(21)), ("Inactive", kib(63)), ("Unevictable", 18432),
            ("Mlocked", 18432), ("SwapTotal", kib(8)), ("SwapFree", kib(8)), ("Dirty", 41220), ("Writeback", 128),
            ("AnonPages", kib(15.2)), ("Mapped", kib(4.4)), ("Shmem", kib(2.1)), ("KReclaimable", kib(2.8)),
            ("Slab", kib(3.6)), ("SReclaimable", kib(2.8)), ("SUnreclaim", kib(0.8)), ("PageTables", 190_412),
            ("CommitLimit", kib(70.8)), ("Committed_AS", kib(61.4))]
    put("proc/meminfo", "".join(f"{k + ':':<16}{v:>8} kB\n" for k, v in rows) + "HugePages_Total:       0\n"
        "HugePages_Free:        0\nHugepagesize:       2048 kB\n")
    put("proc/loadavg", "6.31 6.12 5.98 7/1412 43511\n")
    put("proc/uptime", f"{UPTIME}.42 {UPTIME * 15}.11\n")
    put("proc/vmstat", "nr_free_pages 8178892\npgfault 99120334\npgmajfault 20411\noom_kill 0\n")
    put("proc/diskstats", " 259       0 nvme0n1 2203341 1204 288120334 611203 9120334 400121 801233412 4012334 1 "
        "2880121 4623537 0 0 0 0 311 1204\n 259       2 nvme0n1p2 2203001 1204 288100222 611103 9120300 400121 801233412 "
        "4012300 1 2880101 4623403 0 0 0 0 0 0\n")
    put("proc/net/dev", "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls "
        "carrier compressed\n    lo: 91203341  411203    0    0    0     0          0         0 91203341  411203    0    0"
        "    0     0       0          0\n  eth0: 1883412203341 1312033411    0   12    0     0          0     41203 "
        "20412033411 412033411    0    0    0     0       0          0\n")
    link("sys/class/net/eth0/device", "../../../devices/pci0000:00/0000:00:05.0")
    put("proc/pressure/cpu", "some avg10=1.12 avg60=0.98 avg300=1.04 total=31203341123\n"
        "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")
    put("proc/pressure/io", "some avg10=4.81 avg60=4.20 avg300=3.77 total=91203341123\n"
        "full avg10=3.02 avg60=2.61 avg300=2.20 total=61203341123\n")
    put("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=120334\n"
        "full avg10=0.00 avg60=0.00 avg300=0.00 total=90334\n")
    put("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release "
        "Build  (root@builder)  \nGCC version:  gcc version 13.3.0 (Ubuntu 13.3.0-6ubuntu2~24.04) \n")
    put("proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\nModifyDeviceFiles: 1\n")
    put("proc/driver/nvidia/gpus/0000:00:06.0/information", "Model: \t\t NVIDIA H200\nIRQ:   \t\t 41\nGPU UUID: \t "
        "GPU-00000000-1111-2222-3333-444444444444\nVideo BIOS: \t 96.00.a5.00.1a\nBus Type: \t PCIe\nBus Location: \t "
        "0000:00:06.0\nDevice Minor: \t 0\nGPU Firmware: \t 580.159.04\n")
    card = "sys/bus/pci/devices/0000:00:06.0"
    for name, text in {"vendor": "0x10de", "device": "0x2335", "class": "0x030200", "numa_node": "-1",
                       "local_cpulist": "0-15", "current_link_speed": "32.0 GT/s PCIe", "current_link_width": "16",
                       "max_link_speed": "32.0 GT/s PCIe", "max_link_width": "16",
                       "power/runtime_status": "active"}.items():
        put(f"{card}/{name}", text + "\n")
    put("sys/devices/system/node/online", "0\n")
    put("sys/devices/system/node/node0/cpulist", "0-15\n")
    put("sys/devices/system/cpu/online", "0-15\n")
    for name in ("nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "shm/.keep"):
        put(f"dev/{name}", "")


def groups():
    put("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory hugetlb pids rdma misc\n")
    group = f"sys/fs/cgroup/system.slice/docker-{CONTAINER}.scope"
    memory = int(12.4 * GIB)
    for name, text in {
            "cgroup.controllers": "cpuset cpu io memory pids", "cpu.max": "1200000 100000", "cpu.weight": "100",
            "cpu.stat": "usage_usec 41203341123\nuser_usec 38120334112\nsystem_usec 3083007011\n"
                        "core_sched.force_idle_usec 0\nnr_periods 110412\nnr_throttled 318\nthrottled_usec 9120334\n"
                        "nr_bursts 0\nburst_usec 0",
            "cpuset.cpus": "", "cpuset.cpus.effective": "0-15", "cpuset.mems.effective": "0",
            "memory.current": str(memory), "memory.peak": str(memory + 2 * GIB), "memory.max": str(96 * GIB),
            "memory.high": "max", "memory.low": "0", "memory.swap.current": "0", "memory.swap.max": "0",
            "memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0",
            "memory.stat": f"anon {int(7.1 * GIB)}\nfile {int(4.6 * GIB)}\nkernel {300 * MIB}\nshmem {int(2.0 * GIB)}\n"
                           "pgfault 41203341\npgmajfault 9203",
            "pids.current": "71", "pids.max": "max", "io.stat": f"259:0 rbytes={9 * GIB} wbytes={44 * GIB} rios=91203 "
                                                               "wios=412033 dbytes=0 dios=0",
            "cpu.pressure": "some avg10=1.02 avg60=0.91 avg300=0.97 total=9120334112\n"
                            "full avg10=0.00 avg60=0.00 avg300=0.00 total=0",
            "memory.pressure": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
                               "full avg10=0.00 avg60=0.00 avg300=0.00 total=0",
            "io.pressure": "some avg10=5.40 avg60=4.91 avg300=4.33 total=31203341123\n"
                           "full avg10=3.80 avg60=3.11 avg300=2.90 total=21203341123"}.items():
        put(f"{group}/{name}", text + "\n")
    put("sys/fs/cgroup/user.slice/user-1002.slice/session-18.scope/cpu.stat",
        "usage_usec 412033411\nuser_usec 381203341\nsystem_usec 30830070\n")


if __name__ == "__main__":
    shutil.rmtree(ROOT, ignore_errors=True)
    processes()
    machine()
    groups()
