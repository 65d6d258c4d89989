// SPDX-License-Identifier: Apache-2.0
// Messages about host memory, /dev/shm and kills, with their literal words; process ids are made
// up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/test_scan.h"

namespace gpusight::memory {
namespace {

struct Host {
  std::string_view line;
  OomForm form;
  std::string_view backend = "";
  double requested = -1;
  uint64_t victim = 0;
  Framework framework = Framework::kOther;
};

class HostForms : public testing::TestWithParam<Host> {};

TEST_P(HostForms, AreFound) {
  const OomText text = ScanOne(std::string(GetParam().line) + "\n");
  EXPECT_EQ(text.form, GetParam().form) << GetParam().line;
  EXPECT_EQ(text.backend, GetParam().backend) << GetParam().line;
  EXPECT_EQ(text.victim, GetParam().victim) << GetParam().line;
  EXPECT_EQ(text.framework, GetParam().framework) << GetParam().line;
  EXPECT_NE(text.place(), OomPlace::kDevice);
  if (GetParam().requested >= 0) {
    EXPECT_THAT(text.requested, Is(GetParam().requested)) << GetParam().line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Allocations, HostForms,
    testing::Values(
        Host{
            "RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't "
            "allocate memory: you tried to allocate 400000000000000 bytes. Error code 12 (Cannot "
            "allocate memory)",
            OomForm::kHostAllocator, "CPU", 4e14, 0, Framework::kPyTorch},
        Host{"RuntimeError: [enforce fail at alloc_cpu.cpp:72] data. DefaultCPUAllocator: not "
             "enough "
             "memory: you tried to allocate 1605632 bytes.",
             OomForm::kHostAllocator, "CPU", 1605632, 0, Framework::kPyTorch},
        Host{"MemoryError: (ResourceExhausted) Fail to alloc memory of 40000000000000 size, error "
             "code is 12.",
             OomForm::kHostAllocator, "CPU", 4e13, 0, Framework::kPaddle},
        Host{"numpy.core._exceptions._ArrayMemoryError: Unable to allocate 72.8 TiB for an array "
             "with shape (10000000000000,) and data type float64",
             OomForm::kHostAllocator, "NumPy", 72.8 * 1099511627776.0},
        Host{"terminate called after throwing an instance of 'std::bad_alloc'",
             OomForm::kHostAllocator, "C++"},
        Host{"MemoryError", OomForm::kHostAllocator, "Python"},
        Host{"MemoryError: could not allocate 64 bytes", OomForm::kHostAllocator, "Python"},
        Host{"OSError: [Errno 12] Cannot allocate memory", OomForm::kHostAllocator, ""},
        Host{"bash: fork: Cannot allocate memory", OomForm::kHostAllocator, ""},
        Host{"RuntimeError: unable to mmap 1024 bytes from file </torch_812_1>: Cannot allocate "
             "memory (12)",
             OomForm::kHostAllocator, "", 1024}));

INSTANTIATE_TEST_SUITE_P(
    Kills, HostForms,
    testing::Values(
        Host{"[ 1683.797227] Memory cgroup out of memory: Killed process 3985 (python3) "
             "total-vm:1211812kB, anon-rss:205140kB, file-rss:872kB, shmem-rss:0kB, UID:1000 "
             "pgtables:524kB oom_score_adj:0",
             OomForm::kOomKiller, "kernel", -1, 3985},
        Host{"[89942.480388] Out of memory: Kill process 46211 (python) score 561 or sacrifice "
             "child",
             OomForm::kOomKiller, "kernel", -1, 46211},
        Host{"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=8580,mems_allowed=0,"
             "oom_memcg=/docker/8580,task_memcg=/docker/8580,task=python3,pid=11433,uid=0",
             OomForm::kOomKiller, "kernel", -1, 11433},
        Host{"python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
             OomForm::kOomKiller, "kernel"},
        Host{"slurmstepd: error: Detected 1 oom-kill event(s) in StepId=36358.batch. Some of your "
             "processes may have been killed by the cgroup out-of-memory handler.",
             OomForm::kOomKiller, "Slurm"},
        Host{"slurmstepd: error: Detected 1 oom_kill event in StepId=57347173.batch. Some of the "
             "step tasks have been OOM Killed.",
             OomForm::kOomKiller, "Slurm"},
        Host{"srun: error: node01: task 0: Out Of Memory", OomForm::kOomKiller, "Slurm"},
        Host{"    Reason:       OOMKilled", OomForm::kOomKiller, "container"},
        Host{"ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on "
             "memory.",
             OomForm::kOomKiller, "Ray"},
        Host{"RuntimeError: DataLoader worker (pid 31425) is killed by signal: Killed. ",
             OomForm::kWorkerKilled, "", -1, 31425, Framework::kPyTorch},
        Host{"Killed", OomForm::kKilled}, Host{"已杀死", OomForm::kKilled},
        Host{"kill.sh: line 2: 31712 Killed                  python3 train.py", OomForm::kKilled,
             "", -1, 31712},
        Host{"zsh: killed     python train.py", OomForm::kKilled},
        Host{"[1]+  Killed                  python train.py", OomForm::kKilled},
        Host{"  traceback : Signal 9 (SIGKILL) received by PID 812", OomForm::kKilled, "", -1, 812},
        Host{"torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: -9) "
             "local_rank: 0 (pid: 812) of binary: /usr/bin/python",
             OomForm::kKilled, "", -1, 812},
        Host{"  exitcode  : -9 (pid: 812)", OomForm::kKilled, "", -1, 812},
        Host{"subprocess.CalledProcessError: Command '['python']' died with <Signals.SIGKILL: 9>.",
             OomForm::kKilled},
        Host{"command terminated with exit code 137", OomForm::kKilled}));

INSTANTIATE_TEST_SUITE_P(
    SharedMemory, HostForms,
    testing::Values(
        Host{"ERROR: Unexpected bus error encountered in worker. This might be caused by "
             "insufficient shared memory (shm).",
             OomForm::kBusError, "", -1, 0, Framework::kPyTorch},
        Host{
            "RuntimeError: DataLoader worker (pid 31440) is killed by signal: Bus error. It is "
            "possible that dataloader's workers are out of shared memory. Please try to raise your "
            "shared memory limit.",
            OomForm::kBusError, "", -1, 31440, Framework::kPyTorch},
        Host{
            "ERROR: Unexpected BUS error encountered in DataLoader worker. This might be caused by "
            "insufficient shared memory (shm), please check whether use_shared_memory is set and "
            "storage space in /dev/shm is enough",
            OomForm::kBusError, "", -1, 0, Framework::kPaddle},
        Host{"run.sh: line 2: 812 Bus error (core dumped) python train.py", OomForm::kBusError},
        Host{"RuntimeError: unable to write to file </torch_812_345>: No space left on device (28)",
             OomForm::kSharedMemory, "", -1, 0, Framework::kPyTorch},
        Host{"RuntimeError: unable to allocate shared memory(shm) for file </torch_29219_2>: "
             "Success "
             "(0)",
             OomForm::kSharedMemory, "", -1, 0, Framework::kPyTorch},
        Host{"node1:9621:9688 [3] misc/shmutils.cc:88 NCCL WARN Error: failed to extend "
             "/dev/shm/nccl-WU88OE to 9637892 bytes, error: No space left on device (28)",
             OomForm::kSharedMemory, "NCCL", 9637892},
        Host{"node1:1:1 [3] include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space "
             "left on device",
             OomForm::kSharedMemory, "NCCL"},
        Host{"OSError: [Errno 28] No space left on device: '/dev/shm/psm_21467_46075'",
             OomForm::kSharedMemory, ""}));

TEST(HostForms, ReadPaddlesMixedUpMessage) {
  const OomText text = ScanOne(
      "SystemError: (Fatal) DataLoader process (pid   1. If run DataLoader by "
      "DataLoader.from_generator(...), queue capacity is set by from_generator(..., capacity=xx, "
      "...).\n"
      "  2. If run DataLoader by DataLoader(dataset, ...), queue capacity is set as 2 times of the "
      "max value of num_workers and len(places).\n"
      "  3. If run by DataLoader(dataset, ..., use_shared_memory=True), set "
      "use_shared_memory=False "
      "for not using shared memory.) exited is killed by signal: 14376.\n"
      "  It may be caused by insufficient shared storage space. This problem usually occurs when "
      "using docker as a development environment.\n"
      "  Please use command `df -h` to check the storage space of `/dev/shm`. Shared storage space "
      "needs to be greater than (DataLoader Num * DataLoader queue capacity * 1 batch data size).\n"
      "  You can solve this problem by increasing the shared storage space or reducing the queue "
      "capacity appropriately.\n"
      "Bus error (at /paddle/paddle/fluid/imperative/data_loader.cc:166)\n");
  EXPECT_EQ(text.form, OomForm::kBusError);
  EXPECT_EQ(text.victim, 14376u);
}

TEST(HostForms, JoinTheKernelsReport) {
  const OomText text = ScanOne(
      "[ 100.1] python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
      "[ 100.1] CPU: 3 PID: 812 Comm: python3 Not tainted 6.1.0\n"
      "[ 100.1] memory: usage 4194304kB, limit 4194304kB, failcnt 8812\n"
      "[ 100.1] Tasks state (memory values in pages):\n"
      "[ 100.1] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,"
      "oom_memcg=/docker/8580,task_memcg=/docker/8580,task=python3,pid=812,uid=0\n"
      "[ 100.1] Memory cgroup out of memory: Killed process 812 (python3) total-vm:9000000kB, "
      "anon-rss:4000000kB, file-rss:9936kB, shmem-rss:100000kB, UID:0 pgtables:716kB "
      "oom_score_adj:0\n");
  EXPECT_EQ(text.victim, 812u);
  EXPECT_EQ(text.victim_name, "python3");
  EXPECT_THAT(text.host_limit, Is(4194304.0 * 1024));
  EXPECT_THAT(text.process, Is(4100000.0 * 1024));
  EXPECT_THAT(text.hints, testing::ElementsAre("cgroup"));
}

}  // namespace
}  // namespace gpusight::memory
