#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the recorded hosts in this folder: /proc, /sys and /etc in the kernel's own formats, one
folder a machine. What each shows is in README.md. Run it again after a change; the result is kept
in git."""

import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent
HZ, PAGE, KIB, MIB, GIB = 100, 4096, 1 << 10, 1 << 20, 1 << 30
FIRST = 4026531836  # the kernel's first PID namespace

PYTHON_SPAWN = ("/usr/bin/python3", "-c", "from multiprocessing.spawn import spawn_main; "
                "spawn_main(tracker_fd=14, pipe_handle=20)", "--multiprocessing-fork")
PYTHON_TRACKER = ("/usr/bin/python3", "-c",
                  "from multiprocessing.resource_tracker import main;main(13)")


class Host:
    def __init__(self, name, booted, kernel, cpus, memory_kib, full_cpu_pressure=True):
        self.root = HERE / name
        shutil.rmtree(self.root, ignore_errors=True)
        self.booted, self.kernel, self.children, self.last = booted, kernel, {}, 0
        self.put("/proc/sys/kernel/hostname", name + "\n")
        self.put("/proc/sys/kernel/osrelease", kernel + "\n")
        self.put("/proc/sys/kernel/random/boot_id", "6f1f2c1e-5a0b-4a53-9d55-0d6c8d1d4c11\n")
        per_cpu = "".join(f"cpu{i} {120000 + i} 12 34000 9000000 2200 0 310 0 0 0\n" for i in range(cpus))
        self.put("/proc/stat", f"cpu  {120000 * cpus} {12 * cpus} {34000 * cpus} {9000000 * cpus} "
                 f"{2200 * cpus} 0 {310 * cpus} 0 0 0\n{per_cpu}intr 912345678 17 9 0 0 0 0 0\n"
                 f"ctxt 1823456789\nbtime {booted}\nprocesses 981234\nprocs_running 3\nprocs_blocked 1\n"
                 "softirq 412345678 0 1 2 3 4 5 6 7 8 9\n")
        self.put("/proc/meminfo", f"MemTotal:       {memory_kib} kB\nMemFree:        {memory_kib // 8} kB\n"
                 f"MemAvailable:   {memory_kib // 2} kB\nBuffers:          921344 kB\nCached:         41230112 kB\n"
                 "SwapCached:            0 kB\nShmem:           2203412 kB\nSwapTotal:       8388604 kB\n"
                 "SwapFree:        8126460 kB\nHugePages_Total:       0\nHugepagesize:       2048 kB\n")
        self.put("/proc/uptime", "912345.67 7123456.78\n")
        self.pressure = ("some avg10=4.20 avg60=3.10 avg300=2.05 total=812345678\n",
                         "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")
        self.put("/proc/pressure/cpu", self.pressure[0] + (self.pressure[1] if full_cpu_pressure else ""))
        for kind in ("memory", "io"):
            self.put(f"/proc/pressure/{kind}", "".join(self.pressure))
        self.put("/proc/net/dev",
                 "Inter-|   Receive                                                |  Transmit\n"
                 " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo "
                 "colls carrier compressed\n"
                 "    lo: 99999999  812345    0    0    0     0          0         0 99999999  812345    0    0    0"
                 "     0       0          0\n"
                 "  eth0:812345678901 71234567    0   12    0     0          0    123456 41234567890 31234567    0"
                 "    0    0     0       0          0\n"
                 "docker0: 5123456   41234    0    0    0     0          0         0  7123456   51234    0    0    0"
                 "     0       0          0\n")
        self.link("/sys/class/net/eth0/device", "../../../0000:3b:00.0")
        self.put("/proc/diskstats",
                 "   7       0 loop0 812 0 18234 120 0 0 0 0 0 96 120 0 0 0 0 0 0\n"
                 " 259       0 nvme0n1 8123456 1234 1612345678 812345 4123456 91234 912345678 612345 0 1023456 1424690"
                 " 0 0 0 0 81234 12345\n"
                 " 259       1 nvme0n1p1 412 120 18234 31 2 0 2 0 0 40 31 0 0 0 0 0 0\n"
                 " 259       2 nvme0n1p2 8123012 1114 1612327116 812314 4123454 91234 912345676 612345 0 1023412"
                 " 1424659 0 0 0 0 0 0\n"
                 " 253       0 dm-0 8124126 0 1612327116 912314 4214688 0 912345676 712345 0 1123412 1624659 0 0 0 0 0"
                 " 0\n"
                 "   8       0 sda 1234 0 81234 512 0 0 0 0 0 480 512\n")
        self.put("/proc/2/comm", "kthreadd\n")

    def put(self, path, text):
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def link(self, path, target):
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(target)

    def process(self, pid, parent, comm, command, cgroup, uid=1001, start=80_000_000, state="S", cpu=(6000, 400),
                anon=300 * MIB, shared=0, file=90 * MIB, threads=1, environment=(), files=("/dev/null",), inner=(),
                namespace=FIRST, io=(0, 0), mounts=None, blocked_ticks=0, inside=None):
        where = f"/proc/{pid}"
        rss = anon + shared + file
        self.last = max(self.last, pid)
        self.put(f"{where}/stat",
                 f"{pid} ({comm}) {state} {parent} {parent} {parent} 0 -1 4194304 91234 0 37 0 {cpu[0]} {cpu[1]} 0 0 20 0 "
                 f"{threads} 0 {start} {rss * 6} {rss // PAGE} 18446744073709551615 4194304 7023617 140729385943184 0 0 0 "
                 f"0 16781312 17642 0 0 0 17 5 0 0 {blocked_ticks} 0 0 9125296 9416808 36270080 140729385948711 "
                 "140729385948740 140729385948740 140729385951199 0\n")
        words = {"R": "R (running)", "S": "S (sleeping)", "D": "D (disk sleep)", "Z": "Z (zombie)"}
        pids = "\t".join(str(n) for n in (pid, *inner))
        name = comm.replace("\\", "\\\\").replace("\n", "\\n")
        memory = "" if state == "Z" else (
            f"VmPeak:\t{rss * 6 // KIB:8} kB\nVmSize:\t{rss * 6 // KIB:8} kB\nVmRSS:\t{rss // KIB:8} kB\n"
            f"RssAnon:\t{anon // KIB:8} kB\nRssFile:\t{file // KIB:8} kB\nRssShmem:\t{shared // KIB:8} kB\n"
            "VmSwap:\t       0 kB\n")
        self.put(f"{where}/status",
                 f"Name:\t{name}\nUmask:\t0022\nState:\t{words[state]}\nTgid:\t{pid}\nNgid:\t0\nPid:\t{pid}\n"
                 f"PPid:\t{parent}\nTracerPid:\t0\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{uid}\t{uid}\t{uid}\t{uid}\n"
                 f"FDSize:\t256\nGroups:\t \nNStgid:\t{pids}\nNSpid:\t{pids}\nNSpgid:\t{pids}\nNSsid:\t{pids}\n{memory}"
                 f"Threads:\t{threads}\nSigQ:\t0/515012\nCpus_allowed_list:\t0-7\n"
                 "voluntary_ctxt_switches:\t15021\nnonvoluntary_ctxt_switches:\t311\n")
        self.put(f"{where}/io", f"rchar: {io[0] + 4096}\nwchar: 8192\nsyscr: 512\nsyscw: 16\nread_bytes: {io[0]}\n"
                 f"write_bytes: {io[1]}\ncancelled_write_bytes: 0\n")
        self.put(f"{where}/cmdline", "" if state == "Z" else "".join(word + "\0" for word in command))
        self.put(f"{where}/environ", "".join(word + "\0" for word in ("PATH=/usr/bin", "SECRET=hunter2",
                                                                     *environment)))
        self.put(f"{where}/cgroup", cgroup)
        self.link(f"{where}/ns/pid", f"pid:[{namespace}]")
        for number, target in enumerate(files):
            self.link(f"{where}/fd/{number}", target)
        if mounts is not None:
            self.put(f"{where}/mountinfo", mounts)
        for path, text in (inside or {}).items():
            self.put(f"{where}/root{path}", text)

    def finish(self, own, own_cgroup, mounts, namespace=FIRST):
        self.process(own, 1, "gpusight", ("gpusight", "status"), own_cgroup, mounts=mounts, namespace=namespace)
        self.link("/proc/self", str(own))
        self.put("/proc/loadavg", f"4.21 3.90 3.55 5/812 {self.last}\n")

    def group_v2(self, path, cpu="max 100000", memory="max", current=0, throttled=(0, 0, 0), kills=0, pids=("max", 4),
                 cpuset=None, peak=None):
        base = f"/sys/fs/cgroup{path}"
        self.put(f"{base}/cgroup.controllers", "cpuset cpu io memory pids\n")
        self.put(f"{base}/cpu.max", cpu + "\n")
        self.put(f"{base}/cpu.stat", "usage_usec 41234567890\nuser_usec 40000000000\nsystem_usec 1234567890\n"
                 f"nr_periods {throttled[0]}\nnr_throttled {throttled[1]}\nthrottled_usec {throttled[2]}\n")
        self.put(f"{base}/memory.max", memory + "\n")
        self.put(f"{base}/memory.current", f"{current}\n")
        self.put(f"{base}/memory.swap.current", "0\n")
        self.put(f"{base}/memory.events",
                 f"low 0\nhigh 0\nmax 91\noom {kills}\noom_kill {kills}\noom_group_kill 0\n")
        self.put(f"{base}/pids.max", pids[0] + "\n")
        self.put(f"{base}/pids.current", f"{pids[1]}\n")
        for kind in ("cpu", "memory", "io"):
            self.put(f"{base}/{kind}.pressure", "".join(self.pressure))
        if peak is not None:
            self.put(f"{base}/memory.peak", f"{peak}\n")
        if cpuset is not None:
            self.put(f"{base}/cpuset.cpus.effective", cpuset + "\n")

    def group_v1(self, path, quota=-1, period=100000, memory=9223372036854771712, current=0, throttled=(0, 0, 0),
                 kills=0, cpuset="0-7"):
        base = "/sys/fs/cgroup"
        self.put(f"{base}/cpu,cpuacct{path}/cpu.cfs_quota_us", f"{quota}\n")
        self.put(f"{base}/cpu,cpuacct{path}/cpu.cfs_period_us", f"{period}\n")
        self.put(f"{base}/cpu,cpuacct{path}/cpu.stat",
                 f"nr_periods {throttled[0]}\nnr_throttled {throttled[1]}\nthrottled_time {throttled[2]}\n")
        self.put(f"{base}/cpu,cpuacct{path}/cpuacct.usage", "81234567890123\n")
        self.put(f"{base}/memory{path}/memory.limit_in_bytes", f"{memory}\n")
        self.put(f"{base}/memory{path}/memory.usage_in_bytes", f"{current}\n")
        self.put(f"{base}/memory{path}/memory.max_usage_in_bytes", f"{current + GIB}\n")
        self.put(f"{base}/memory{path}/memory.memsw.usage_in_bytes", f"{current + 12 * MIB}\n")
        self.put(f"{base}/memory{path}/memory.oom_control", f"oom_kill_disable 0\nunder_oom 0\noom_kill {kills}\n")
        self.put(f"{base}/cpuset{path}/cpuset.effective_cpus", cpuset + "\n")
        self.put(f"{base}/pids{path}/pids.max", "max\n")
        self.put(f"{base}/pids{path}/pids.current", "31\n")


def v2_mounts(root="/"):
    return ("24 31 0:22 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw\n"
            "31 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro\n"
            "34 31 0:28 / /dev/shm rw,nosuid,nodev shared:5 - tmpfs tmpfs rw,size=65912848k,inode64\n"
            f"35 25 0:29 {root} /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 "
            "rw,nsdelegate,memory_recursiveprot\n")


def v1_mounts(root="/"):
    lines = "31 1 8:2 / / rw,relatime shared:1 - xfs /dev/sda2 rw,attr2,inode64,noquota\n"
    for number, name in enumerate(("name=systemd", "cpu,cpuacct", "cpuset", "memory", "pids", "devices", "freezer")):
        folder = "systemd" if name == "name=systemd" else name
        options = "rw,xattr,name=systemd" if name == "name=systemd" else f"rw,{name}"
        lines += (f"{40 + number} 39 0:{30 + number} {root} /sys/fs/cgroup/{folder} rw,nosuid,nodev,noexec,relatime "
                  f"shared:{10 + number} - cgroup cgroup {options}\n")
    return lines


def v1_membership(path):
    return (f"12:pids:{path}\n11:hugetlb:{path}\n10:memory:{path}\n9:freezer:{path}\n8:devices:{path}\n"
            f"7:cpu,cpuacct:{path}\n6:perf_event:{path}\n5:cpuset:{path}\n4:blkio:{path}\n1:name=systemd:{path}\n"
            "0::/system.slice/containerd.service\n")


def bare():
    host = Host("bare", 1_774_000_000, "6.8.0-60-generic", 8, 131825696)
    host.put("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nmei:x:1001:1001:Mei,,,:/home/mei:/bin/zsh\n")
    host.put("/dev/nvidiactl", "")
    session = "0::/user.slice/user-1001.slice/session-3.scope\n"
    slice_ = "/user.slice/user-1001.slice"
    host.group_v2("", cpuset="0-7")
    for path in ("/user.slice", slice_, slice_ + "/session-3.scope"):
        host.group_v2(path, current=9 * GIB, pids=("12288", 41))
    train = ("/usr/bin/python3", "-u", "train.py", "--note", "two\nlines")
    ranks = lambda rank: ("RANK=%d" % rank, "LOCAL_RANK=%d" % rank, "WORLD_SIZE=2", "CUDA_DEVICE_ORDER=PCI_BUS_ID",
                          "CUDA_VISIBLE_DEVICES=1,0", "TORCHELASTIC_RUN_ID=none")
    data = ("/dev/null", "/dev/nvidiactl", "/dev/nvidia0", "/data/shard-000.tar", "socket:[812345]",
            "anon_inode:[eventfd]", "/home/mei/train.py")
    mounts = v2_mounts() + "90 31 0:55 / /data rw,relatime shared:70 - nfs4 10.0.0.9:/set rw,vers=4.2\n"
    host.process(1, 0, "systemd", ("/sbin/init",), "0::/init.scope\n", uid=0, start=10)
    host.process(900, 1, "sshd", ("sshd: mei [priv]",), session, uid=0)
    host.process(950, 900, "zsh", ("-zsh",), session)
    host.process(1000, 950, "torchrun", ("/usr/bin/python3", "/usr/local/bin/torchrun", "--nproc-per-node=2", "train.py"),
                 session)
    for rank in (0, 1):
        pid = 1010 + 100 * rank
        host.process(pid, 1000, "python3", train, session, state="R", cpu=(812345, 91234), anon=4 * GIB, shared=GIB,
                     threads=3, environment=ranks(rank), files=data, mounts=mounts, io=(7 * GIB, GIB))
        for number, (name, state, ticks) in enumerate((("python3", "R", 700000), ("cuda-EvtHandlr", "S", 5),
                                                       ("a) R (b", "D", 900))):
            tid = pid + 50 * (number > 0) + number
            line = (host.root / f"proc/{pid}/stat").read_text().split(") ", 1)[1].split(" ")
            line[0], line[11], line[12] = state, str(ticks), "0"
            host.put(f"/proc/{pid}/task/{tid}/stat", f"{tid} ({name}) " + " ".join(line))
            host.put(f"/proc/{pid}/task/{tid}/status",
                     f"Name:\t{name}\nUid:\t1001\t1001\t1001\t1001\nvoluntary_ctxt_switches:\t{1000 + number}\n"
                     f"nonvoluntary_ctxt_switches:\t{10 + number}\n")
        host.process(pid + 1, pid, "python3", PYTHON_TRACKER, session)
        for worker in (2, 3):
            host.process(pid + worker, pid, "pt_data_worker", train, session, shared=512 * MIB, files=data[3:],
                         mounts=mounts, environment=ranks(rank), state="D" if worker == 3 else "R", blocked_ticks=4200)
        host.process(pid + 4, pid, "python3", PYTHON_SPAWN, session)
        host.process(pid + 5, pid, "sh", ("sh", "-c", "nvidia-smi"), session)
        host.process(pid + 6, pid, "python3", ("/usr/bin/python3", "/usr/lib/python3/dist-packages/torch/_inductor/"
                     "compile_worker/__main__.py", "--pickler=torch", "--workers=8"), session)
    host.process(1300, 950, "python3", ("python3", "-m", "http.server"), session)
    host.process(1400, 950, "python3", train, session, state="Z", anon=0, file=0)
    host.link("/sys/bus/pci/devices/0000:1b:00.0/driver", "../../../bus/pci/drivers/nvidia")
    host.put("/sys/bus/pci/devices/0000:1b:00.0/numa_node", "1\n")
    host.put("/sys/bus/pci/devices/0000:1b:00.0/local_cpulist", "4-7\n")
    host.finish(1500, session, v2_mounts())


def docker_v1():
    host = Host("docker-v1", 1_773_000_000, "5.4.0-216-generic", 8, 65912848, full_cpu_pressure=False)
    host.put("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
    ident = "3f4e8c9d01b2a7566f1e0d9c8b7a695847362514031f2e1d0c9b8a7968574635"
    path = f"/docker/{ident}"
    host.group_v1("")
    host.group_v1("/docker", quota=600000)
    host.group_v1(path, quota=400000, memory=32 * GIB, current=20 * GIB, throttled=(9123, 4561, 812345678901), kills=2,
                  cpuset="0-3,6")
    host.put(f"/var/lib/docker/containers/{ident}/config.v2.json",
             '{"StreamConfig":{},"State":{"Running":true,"Pid":2210},"ID":"%s","Created":"2026-03-09T01:02:03Z",'
             '"Path":"python","Args":["train.py"],"Config":{"Hostname":"3f4e8c9d01b2","Env":["A=B"],'
             '"Labels":{"com.docker.compose.service":"trainer"}},"Image":"sha256:ab","Name":"/lab_trainer_1",'
             '"Driver":"overlay2"}\n' % ident)
    inner = dict(namespace=4026532712)
    host.process(1, 0, "systemd", ("/sbin/init",), v1_membership("/init.scope"), uid=0, start=10)
    host.process(2100, 1, "containerd-shim", ("/usr/bin/containerd-shim-runc-v2", "-id", ident),
                 v1_membership("/system.slice/containerd.service"), uid=0)
    host.process(2210, 2100, "sh", ("sh", "-c", "python train.py"), v1_membership(path), uid=0, inner=(1,), **inner)
    train = ("python", "train.py")
    files = ("/dev/null", "/dev/nvidiactl", "/dev/nvidia1", "/dev/nvidia-uvm")
    host.process(2240, 2210, "python", train, v1_membership(path), uid=0, inner=(17,), files=files, threads=1,
                 environment=("NVIDIA_VISIBLE_DEVICES=1", "CUDA_VISIBLE_DEVICES=0"), **inner)
    for number in range(3):  # paddle's workers: forked, nameless
        host.process(2250 + number, 2240, "python", train, v1_membership(path), uid=0, inner=(30 + number,), **inner)
    host.process(2260, 2240, "python", ("python", "-c", "from multiprocessing.forkserver import main; main(5, 6)"),
                 v1_membership(path), uid=0, inner=(40,), **inner)
    host.process(2261, 2260, "python", ("python", "-c", "from multiprocessing.forkserver import main; main(5, 6)"),
                 v1_membership(path), uid=0, inner=(41,), **inner)
    host.finish(2900, v1_membership("/user.slice"), v1_mounts())


def k8s_v2():
    host = Host("k8s-v2", 1_774_500_000, "6.1.0-21-amd64", 8, 263651392)
    host.put("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
    uid = "7b1f0c2e-93d4-4e61-a0b5-6c7d8e9fa0b1"
    ident = "c0ffee00112233445566778899aabbccddeeff00112233445566778899aabbcc"
    slice_ = "/kubepods.slice/kubepods-burstable.slice"
    pod = f"{slice_}/kubepods-burstable-pod{uid.replace('-', '_')}.slice"
    path = f"{pod}/cri-containerd-{ident}.scope"
    host.group_v2("", cpuset="0-7")
    host.group_v2("/kubepods.slice", memory=str(250 * GIB))
    host.group_v2(slice_)
    host.group_v2(pod, cpu="350000 100000", memory=str(64 * GIB), throttled=(81234, 9123, 4123456789))
    host.group_v2(path, cpu="max 100000", memory=str(64 * GIB), current=61 * GIB, peak=64 * GIB, kills=3,
                  pids=("4096", 77), throttled=(0, 0, 0))
    host.group_v2(path + "/workers", current=GIB)
    host.put(f"/var/log/pods/ml_bert-large-0_{uid}/trainer/0.log", "")
    host.put(f"/var/log/containers/bert-large-0_ml_trainer-{ident}.log", "")
    membership = f"0::{path}\n"
    inner = dict(namespace=4026533001)
    files = ("/dev/null", "/dev/nvidiactl", "/dev/nvidia3")
    train = ("python3", "-m", "paddle.distributed.launch", "train.py")
    host.process(1, 0, "systemd", ("/sbin/init",), "0::/init.scope\n", uid=0, start=10)
    host.process(5000, 1, "containerd-shim", ("/usr/bin/containerd-shim-runc-v2", "-namespace", "k8s.io"),
                 "0::/system.slice/containerd.service\n", uid=0)
    host.process(5010, 5000, "python3", train, membership, uid=65534, inner=(1,), **inner)
    host.process(5020, 5010, "python3", ("/usr/bin/python3", "-u", "train.py"), membership, uid=65534, inner=(12,),
                 files=files, environment=("PADDLE_TRAINER_ID=0", "PADDLE_TRAINERS_NUM=1", "HOSTNAME=bert-large-0"),
                 **inner)
    for number in range(2):
        host.process(5030 + number, 5020, "python3", ("/usr/bin/python3", "-u", "train.py"),
                     f"0::{path}/workers\n", uid=65534, inner=(20 + number,), **inner)
    host.finish(5900, "0::/user.slice/user-0.slice/session-9.scope\n", v2_mounts())


def slurm():
    host = Host("slurm", 1_772_900_000, "5.14.0-427.el9.x86_64", 8, 527302784)
    host.put("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nchen:x:40012:4000::/home/chen:/bin/bash\n")
    job = "/system.slice/slurmstepd.scope/job_881234"
    for path, extra in (("", {"cpuset": "0-7"}), ("/system.slice", {}), ("/system.slice/slurmstepd.scope", {}),
                        (job, {"memory": str(120 * GIB), "cpuset": "2-5", "current": 80 * GIB, "kills": 1}),
                        (job + "/step_0", {}), (job + "/step_0/user", {}), (job + "/step_0/user/task_0", {}),
                        (job + "/step_0/user/task_1", {})):
        host.group_v2(path, **extra)
    environment = ("SLURM_JOB_ID=881234", "SLURM_NTASKS=2", "CUDA_VISIBLE_DEVICES=0,1")
    host.process(1, 0, "systemd", ("/usr/lib/systemd/systemd",), "0::/init.scope\n", uid=0, start=10)
    host.process(7000, 1, "slurmstepd", ("slurmstepd: [881234.0]",), f"0::{job}/step_0/slurm\n", uid=0)
    for task in (0, 1):
        host.process(7010 + task, 7000, "python", ("python", "train.py"), f"0::{job}/step_0/user/task_{task}\n", uid=40012,
                     environment=(*environment, f"SLURM_PROCID={task}", f"SLURM_LOCALID={task}"),
                     files=("/dev/null", "/dev/nvidiactl", f"/dev/nvidia{task}"))
    host.finish(7900, "0::/user.slice/user-40012.slice/session-1.scope\n", v2_mounts())


def inside():
    """What a container sees of itself: its own numbers, its control group as "/"."""
    host = Host("inside", 1_774_500_000, "5.15.0-130-generic", 8, 131825696)
    host.put("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\n")
    shutil.rmtree(host.root / "proc/2")
    host.put("/dev/nvidiactl", "")
    ident = "aa11bb22cc33dd44ee55ff66aa11bb22cc33dd44ee55ff66aa11bb22cc33dd44"
    host.group_v2("", cpu="800000 100000", memory=str(32 * GIB), current=10 * GIB, cpuset="0-7", peak=12 * GIB)
    mounts = (v2_mounts() + f"700 31 259:2 /var/lib/docker/containers/{ident}/hostname /etc/hostname rw,relatime - ext4 "
              "/dev/nvme0n1p2 rw\n")
    space = 4026532999
    common = dict(namespace=space, mounts=mounts)
    host.process(1, 0, "bash", ("/bin/bash",), "0::/\n", uid=0, start=70_000_000, **common)
    host.process(17, 1, "python3", ("python3", "train.py"), "0::/\n", uid=1000, files=("/dev/null", "/dev/nvidia0"),
                 environment=("CUDA_VISIBLE_DEVICES=",), **common)
    host.process(18, 1, "python3", ("python3", "serve.py"), "0::/\n", uid=1000, files=(), **common)
    shutil.rmtree(host.root / "proc/18/fd", ignore_errors=True)  # may not be read
    host.process(2310, 1, "vim", ("vim", "train.py"), "0::/\n", uid=1000, **common)
    host.process(2311, 1, "python3", ("python3",), "0::/\n", uid=1000, state="Z", anon=0, file=0, **common)
    host.finish(2400, "0::/\n", mounts, namespace=space)


for make in (bare, docker_v1, k8s_v2, slurm, inside):
    make()
