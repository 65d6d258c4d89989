// SPDX-License-Identifier: Apache-2.0
// The rules' names and what each says in a sentence, in both languages, in the order of
// docs/diagnosis.md. The evidence's sentences: diagnose.h. What to do: diagnose_fixes.h.
#pragma once

#include <string_view>

#include "base/language.h"

namespace gpusight::text {

struct RuleText {
  std::string_view name, id;  // "input.serial_loader", "A1"
  Text title;                 // the finding's headline
};

// clang-format off
inline constexpr RuleText kRules[] = {
    {"input.serial_loader", "A1", {"the training thread loads the data itself, and the GPU waits for it", "训练线程自己加载数据，GPU 在等待"}},
    {"input.too_few_workers", "A2", {"too few loader processes: the GPU waits for them while cores are free", "数据加载进程太少：CPU 尚有空闲核，GPU 却在等数据"}},
    {"input.cpu_bound_preprocessing", "A3", {"preprocessing needs all cores, and the GPU still waits for it", "预处理占满所有 CPU 核，GPU 仍在等数据"}},
    {"cpu.quota_throttled", "A4", {"the container's CPU quota stops the job again and again", "容器的 CPU 配额使作业反复被限流"}},
    {"cpu.oversubscribed", "A5", {"more threads want to run than there are cores", "要运行的线程多于 CPU 核"}},
    {"io.local_disk_bound", "A6", {"the loader waits for the disk", "数据加载在等磁盘"}},
    {"io.remote_or_small_files", "A7", {"the loader waits for remote storage or for many small files", "数据加载在等远程存储或大量小文件"}},
    {"input.epoch_restart", "A8", {"loader processes are started anew for each epoch", "每个轮次都重新启动数据加载进程"}},
    {"shm.exhaustion", "A9", {"/dev/shm is nearly full, or too small for loader processes", "/dev/shm 将满，或对数据加载进程来说太小"}},
    {"h2d.pageable_or_blocking", "B1", {"copies to the GPU are slow and nothing is computed meanwhile", "拷贝到 GPU 的速度慢，且拷贝期间没有计算"}},
    {"h2d.link_saturated", "B2", {"the link to the GPU is full", "到 GPU 的链路已饱和"}},
    {"pcie.link_degraded", "B3", {"the PCIe link runs below what it can do", "PCIe 链路低于应有的速率"}},
    {"numa.remote_gpu", "B4", {"the job runs on the CPUs of another NUMA node than its GPU", "作业运行在与 GPU 不同的 NUMA 节点上"}},
    {"host.launch_bound", "C1", {"the program cannot launch kernels fast enough", "程序下发内核的速度跟不上 GPU"}},
    {"host.sync_points", "C2", {"the program waits for the GPU again and again within a step", "程序在每步中反复等待 GPU（同步点）"}},
    {"gpu.batch_too_small", "C3", {"the batch is too small to fill the GPU", "批量太小，填不满 GPU"}},
    {"host.compile_stall", "C4", {"the job stands still while code is compiled", "编译期间作业停顿"}},
    {"host.gil_contention", "C5", {"Python threads compete for one lock (GIL)", "多个 Python 线程争用 GIL"}},
    {"gpu.tensor_cores_unused", "D1", {"matrix maths runs without tensor cores", "矩阵运算没有使用 Tensor Core"}},
    {"gpu.bound_by", "D2", {"the GPU's memory bandwidth is the limit", "受限于显存带宽"}},
    {"phase.checkpoint_stall", "E1", {"training stands still while checkpoints are written", "写检查点期间训练停顿"}},
    {"phase.eval_or_metric_stall", "E2", {"evaluation or its metrics leave the GPU nearly idle", "评估或指标计算期间 GPU 几乎空闲"}},
    {"phase.slow_start", "E3", {"it takes long until the first step", "第一个训练步之前耗时过长"}},
    {"progress.none", "E4", {"no step is made any more", "训练不再前进"}},
    {"multi.straggler_or_comm_bound", "E5", {"all ranks wait for one, or for their communication", "各 rank 在等待某一个 rank，或在等待通信"}},
    {"gpumem.leak", "F1", {"the memory in use grows with every step", "已用显存逐步增长（显存泄漏）"}},
    {"gpumem.fragmentation", "F2", {"much reserved memory is in pieces that cannot be used", "已预留的显存中有大量无法使用的碎片"}},
    {"gpumem.oom_soon", "F3", {"the GPU's memory is nearly used up", "显存即将用尽"}},
    {"gpumem.oom_postmortem", "F3", {"the GPU's memory ran out", "显存不足（OOM）"}},
    {"gpumem.outside_allocator", "F1", {"the process holds more memory outside its framework's allocator, and that grows", "进程在框架分配器之外占用的显存不断增长"}},
    {"gpumem.preallocated", "F6", {"a process holds most of the GPU's memory in advance", "有进程预先占用了大部分显存"}},
    {"hostmem.leak", "F4", {"the job's host memory grows", "作业占用的主机内存不断增长"}},
    {"hostmem.limit_or_thrash", "F5", {"host memory is used up", "主机内存已用尽"}},
    {"gpu.neighbour", "F6", {"another process uses the same GPU", "同一 GPU 上有其他进程"}},
    {"clock.power_cap", "G1", {"the power limit holds the clock down", "功率上限压低了时钟"}},
    {"clock.thermal_or_hw_slowdown", "G2", {"the GPU slows down for heat or a hardware fault", "GPU 因过热或硬件原因降频"}},
    {"clock.pinned_low", "G3", {"the clock is held low without a reason of heat or power", "时钟被固定在低位，与温度和功率无关"}},
    {"hw.xid_ecc", "G4", {"the GPU reported an error", "GPU 报告了错误"}},
    {"none.compute_bound", "", {"nothing is wrong: the GPU's own speed is the limit", "没有问题：受限于 GPU 自身的算力"}},
    {"none.unknown", "", {"cause not established", "未能确定原因"}},
};
// clang-format on

constexpr const RuleText* FindRule(std::string_view name) {
  for (const RuleText& rule : kRules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

}  // namespace gpusight::text
