// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight doctor` on the host's limits, profiling and other monitors, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// CPU
inline constexpr Text kCpusOk{"no CPU quota, CPUs: {}", "{} 个 CPU，无配额"};
inline constexpr Text kCpusSet{"{} of the machine's {:.0f} CPUs by cpuset or affinity",
                               "由 cpuset 或亲和性限定为 {} 个 CPU（机器共 {:.0f} 个）"};
inline constexpr Text kCpusQuotaFits{"CPU quota {:.2g}, and OMP_NUM_THREADS={}",
                                     "CPU 配额 {:.2g} 核，OMP_NUM_THREADS={}"};
inline constexpr Text kCpusQuota{
    "CPU quota {:.2g}, but programs see {} CPUs and start as many threads",
    "CPU 配额仅 {:.2g} 核，但程序看到 {} 个 CPU，会启动同样多的线程"};
inline constexpr Text kCpusThrottled{
    "CPU quota {:.2g} is used up in {:.0f} % of the periods (programs see {} CPUs)",
    "CPU 配额 {:.2g} 核在 {:.0f} % 的周期内被用尽（程序看到 {} 个 CPU）"};
inline constexpr Text kCpusQuotaRemedy{
    "'export OMP_NUM_THREADS={0}' and at most {0} data-loading workers; or docker run --cpus={1}, "
    "in Kubernetes a higher resources.limits.cpu.",
    "执行 export OMP_NUM_THREADS={0}，数据加载进程不超过 {0} 个；或 docker run "
    "--cpus={1}，Kubernetes 中提高 resources.limits.cpu。"};
inline constexpr Text kThreadsTooMany{"OMP_NUM_THREADS={} is more than the cores for it: {}",
                                      "OMP_NUM_THREADS={}，但只有 {} 个核可用"};
inline constexpr Text kThreadsTooManyRemedy{"export OMP_NUM_THREADS={}",
                                            "export OMP_NUM_THREADS={}"};

// Memory
inline constexpr Text kMemoryNoLimit{"host memory {}, no limit", "主机内存 {}，无限制"};
inline constexpr Text kMemoryLimited{"memory limit {}, {} in use (with page cache)",
                                     "内存上限 {}，已用 {}（含页缓存）"};
inline constexpr Text kMemoryNear{"memory limit {} nearly reached: {} in use (with page cache)",
                                  "内存即将达到上限 {}：已用 {}（含页缓存）"};
inline constexpr Text kMemoryKilled{
    "the kernel killed {:.0f} programs here for want of memory (limit {})",
    "因内存不足，内核已在此终止 {:.0f} 个程序（上限 {}）"};
inline constexpr Text kMemoryRemedy{
    "Use fewer data-loading workers or a smaller prefetch, or raise the limit: docker run "
    "--memory=SIZE, in Kubernetes resources.limits.memory.",
    "减少数据加载进程数或预取量，或提高上限：docker run --memory=大小，Kubernetes 中为 "
    "resources.limits.memory。"};

// Shared memory
inline constexpr Text kShmOk{"/dev/shm has {}, {} in use", "/dev/shm 共 {}，已用 {}"};
inline constexpr Text kShmTiny{
    "/dev/shm has only {}: data-loading workers die with 'bus error' or 'shared memory not enough'",
    "/dev/shm 仅 {}：数据加载进程会因“bus error”或“shared memory not enough”而退出"};
inline constexpr Text kShmSmall{"/dev/shm has {}: little for data-loading workers",
                                "/dev/shm 为 {}：对数据加载进程偏小"};
inline constexpr Text kShmFull{"/dev/shm is nearly full: {} of {} in use",
                               "/dev/shm 即将写满：已用 {}，共 {}"};
inline constexpr Text kShmMissing{"/dev/shm is missing: data-loading workers cannot share memory",
                                  "缺少 /dev/shm：数据加载进程无法共享内存"};
inline constexpr Text kShmContainerRemedy{
    "docker run --shm-size=16g or --ipc=host; in Kubernetes an emptyDir with medium: Memory at "
    "/dev/shm; until then num_workers=0 (PyTorch), use_shared_memory=False (Paddle).",
    "docker run 时加 --shm-size=16g 或 --ipc=host；Kubernetes 中在 /dev/shm 挂载 medium: Memory 的 "
    "emptyDir；在此之前可用 num_workers=0（PyTorch）、use_shared_memory=False（Paddle）。"};
inline constexpr Text kShmHostRemedy{"sudo mount -o remount,size=16G /dev/shm",
                                     "sudo mount -o remount,size=16G /dev/shm"};
inline constexpr Text kShmFullRemedy{
    "'ls -la /dev/shm', and remove what ended jobs left there: torch_*, paddle_*, nccl-*.",
    "用 ls -la /dev/shm 查看，删除已结束任务的残留：torch_*、paddle_*、nccl-*。"};

// Other limits
inline constexpr Text kPidsLow{"at most {:.0f} processes and threads here, {:.0f} in use",
                               "此处最多 {:.0f} 个进程与线程，已有 {:.0f} 个"};
inline constexpr Text kPidsLowRemedy{
    "docker run --pids-limit=-1, in Kubernetes the kubelet's podPidsLimit.",
    "docker run 时加 --pids-limit=-1，Kubernetes 中为 kubelet 的 podPidsLimit。"};
inline constexpr Text kFilesLow{
    "at most {:.0f} open files: data loading with many workers needs more",
    "最多打开 {:.0f} 个文件：多进程数据加载需要更多"};
inline constexpr Text kFilesLowRemedy{
    "'ulimit -n 65536'; for a container docker run --ulimit nofile=65536.",
    "执行 ulimit -n 65536；容器则用 docker run --ulimit nofile=65536。"};
inline constexpr Text kFilesOk{"open files: up to {:.0f}", "可打开文件数上限：{:.0f}"};
inline constexpr Text kFilesUnlimited{"open files: unlimited", "可打开文件数：无限制"};
inline constexpr Text kLockedLow{
    "at most {} of locked memory on a machine with InfiniBand: NCCL over it fails with 'cannot "
    "allocate memory'",
    "锁定内存上限 {}，而机器有 InfiniBand：NCCL 会报“cannot allocate memory”"};
inline constexpr Text kLockedLowRemedy{
    "'ulimit -l unlimited'; for a container docker run --ulimit memlock=-1.",
    "执行 ulimit -l unlimited；容器则用 docker run --ulimit memlock=-1。"};
inline constexpr Text kAddressLimited{
    "address space limited to {}: CUDA reserves far more and fails to start",
    "地址空间限制为 {}：CUDA 需预留更多，无法启动"};
inline constexpr Text kAddressLimitedRemedy{"ulimit -v unlimited", "ulimit -v unlimited"};
inline constexpr Text kOvercommitStrict{
    "vm.overcommit_memory=2: CUDA reserves much address space and may be refused it",
    "vm.overcommit_memory=2：CUDA 需预留大量地址空间，可能被拒绝"};
inline constexpr Text kOvercommitStrictRemedy{"sudo sysctl vm.overcommit_memory=0",
                                              "sudo sysctl vm.overcommit_memory=0"};
inline constexpr Text kGovernorSlow{
    "CPU governor powersave ({}): the CPU feeds the GPU at low clocks",
    "CPU 调频策略为 powersave（{}）：CPU 低频运行，会拖慢对 GPU 的数据供给"};
inline constexpr Text kGovernorSlowRemedy{"sudo cpupower frequency-set -g performance",
                                          "sudo cpupower frequency-set -g performance"};

// Profiling and other monitors
inline constexpr Text kProfilingAllowed{"profiling counters may be used", "可使用性能计数器"};
inline constexpr Text kProfilingForbidden{
    "profiling counters are for administrators only: ncu, DCGM's profiling and CUPTI's metrics "
    "fail "
    "with ERR_NVGPUCTRPERM",
    "性能计数器仅限管理员：ncu、DCGM 性能指标与 CUPTI 指标会报 ERR_NVGPUCTRPERM"};
inline constexpr Text kProfilingForbiddenRemedy{
    "Run \"echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
    "/etc/modprobe.d/nvidia-profiling.conf\" and reboot; for a container docker run "
    "--cap-add=SYS_ADMIN.",
    "执行 echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
    "/etc/modprobe.d/nvidia-profiling.conf 后重启机器；容器则用 docker run --cap-add=SYS_ADMIN。"};
inline constexpr Text kNoPtrace{
    "processes of other users show only their number, memory and name (no CAP_SYS_PTRACE)",
    "其他用户的进程只能看到进程号、显存与名称（缺少 CAP_SYS_PTRACE）"};
inline constexpr Text kNoPtraceRemedy{
    "Run gpusight with sudo; in a container docker run --cap-add=SYS_PTRACE.",
    "以 sudo 运行 gpusight；容器则用 docker run --cap-add=SYS_PTRACE。"};
inline constexpr Text kCountersTakenNow{
    "{}: another program holds the profiling counters, so SM and tensor activity are missing",
    "{}：性能计数器被其他程序占用，缺少 SM 与 Tensor 活跃度"};
inline constexpr Text kCountersTakenRemedy{
    "'dcgmi profile --pause', and '--resume' later; or stop {}.",
    "执行 dcgmi profile --pause（之后 --resume）；或停止 {}。"};
inline constexpr Text kMonitorsNone{"no other profiler runs", "没有其他性能分析工具在运行"};
inline constexpr Text kMonitorRuns{
    "{} runs (process {}): one profiler at a time, so torch.profiler, nsys and ncu may find the "
    "counters taken",
    "{} 正在运行（进程 {}）：同一时间只允许一个性能分析工具，torch.profiler、nsys、ncu "
    "可能无法使用计数器"};
inline constexpr Text kMonitorRunsRemedy{
    "Only while you profile: dcgmi profile --pause, or end it.",
    "仅在分析期间：dcgmi profile --pause，或将其停止。"};
inline constexpr Text kMpsRuns{
    "MPS runs (process {}): programs share the device through its server",
    "MPS 正在运行（进程 {}）：各程序通过其服务进程共享设备"};
inline constexpr Text kInjection{
    "CUDA_INJECTION64_PATH={}: this library holds CUPTI in every job, so torch.profiler stays "
    "empty",
    "CUDA_INJECTION64_PATH={}：该库在每个任务中占用 CUPTI，torch.profiler 将得不到数据"};
inline constexpr Text kInjectionRemedy{"unset CUDA_INJECTION64_PATH",
                                       "unset CUDA_INJECTION64_PATH"};
inline constexpr Text kVgpuPreload{
    "LD_PRELOAD={}: this library shows the job's share as the device's memory",
    "LD_PRELOAD={}：该库会把任务的配额当作设备显存显示"};

}  // namespace gpusight::text
