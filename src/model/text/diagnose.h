// SPDX-License-Identifier: Apache-2.0
// The sentences of evidence, by key, in both languages. Keys are kept in recordings: never give an
// old one another meaning. Placeholders are filled with figures in the order in which the rule
// gives them; number them where Chinese needs another order. Next: diagnose_rules.h.
#pragma once

#include <iterator>
#include <string_view>

#include "base/language.h"

namespace gpusight::text {

struct FactText {
  std::string_view key;
  Text text;
};

// clang-format off
inline constexpr FactText kFacts[] = {
    // The card
    {"gpu_idle", {"GPU idle {}", "GPU 空闲 {}"}},
    {"gpu_busy", {"GPU busy {}", "GPU 忙 {}"}},
    {"gaps", {"{} gaps, {} each in the middle", "{} 次间隙，中位 {}"}},
    {"sm_active", {"SM active {}", "SM 活跃 {}"}},
    {"sm_active_power", {"only {} of the SMs active, {} of {}", "仅 {} 的 SM 活跃，功率 {}（上限 {}）"}},
    {"occupancy", {"occupancy {}", "占用率 {}"}},
    {"tensor_active", {"tensor cores active {}", "Tensor Core 活跃 {}"}},
    {"fp32_active", {"FP32 pipe active {}", "FP32 流水线活跃 {}"}},
    {"fp64_active", {"FP64 pipe active {}: float64 tensors", "FP64 流水线活跃 {}：使用了 float64 张量"}},
    {"dram_active", {"memory bandwidth used {}", "显存带宽使用 {}"}},
    {"power_of_limit", {"{} of {}", "功率 {}，上限 {}"}},
    {"clock_of_max", {"SM clock {} of {}", "SM 时钟 {}，最高 {}"}},
    {"power_cap_share", {"power cap active {} of the time", "功率上限生效时间占 {}"}},
    {"power_cap_normal", {"at its default power limit: normal for such a load", "已达默认功率上限：该负载下属正常"}},
    {"power_limit_lowered", {"limit set to {}, default {}", "功率上限被设为 {}，默认 {}"}},
    {"power_cap_low_power", {"capped although it takes only {} of {}", "功率仅 {}（上限 {}）却被限制"}},
    {"slowdown_share", {"slowed down {} of the time", "降频时间占 {}"}},
    {"slowdown_reason", {"reason: {}", "原因：{}"}},
    {"temperature_of_slowdown", {"{}, slows down at {}", "温度 {}，降频温度 {}"}},
    {"no_clock_reason", {"the driver names no reason of power or heat: somebody locked the clocks", "驱动未报告功率或温度原因：时钟被人为锁定"}},
    {"h2d_rate", {"host to GPU {}, the link can do {}", "主机到 GPU {}，链路可达 {}"}},
    {"h2d_mean", {"host to GPU {} = {} of what the link can do", "主机到 GPU {}，为链路能力的 {}"}},
    {"d2h_mean", {"GPU to host {} = {} of what the link can do", "GPU 到主机 {}，为链路能力的 {}"}},
    {"copy_without_compute", {"copies without computing {} of the time", "只拷贝不计算的时间占 {}"}},
    {"copy_stack", {"{} of looks at the main thread found it in a copy", "主线程抽样中 {} 处于拷贝"}},
    {"link_state", {"PCIe Gen{} x{} under load, Gen{} x{} is possible", "负载下 PCIe Gen{} x{}，可达 Gen{} x{}"}},
    {"xid", {"XID {} {} times", "XID {} 共 {} 次"}},
    {"xid_software", {"a fault of the program's own kernel, not of the hardware", "是程序自身内核的错误，不是硬件故障"}},
    {"xid_hardware", {"a fault of the hardware or the driver", "是硬件或驱动的故障"}},
    {"xid_consequence", {"follows from another error", "由其他错误引发"}},
    {"ecc_uncorrected", {"{} uncorrected memory errors (ECC)", "{} 个不可纠正的显存错误（ECC）"}},
    {"remap_pending", {"a row remap waits for a reset", "有行重映射等待复位"}},
    {"remap_failed", {"a row remap failed: stop using the card", "行重映射失败：请停用此卡"}},
    {"remapped_rows", {"{} rows remapped", "已重映射 {} 行"}},
    // The host and the loader
    {"data_wait", {"steps wait for data {} of the time", "训练步等待数据的时间占 {}"}},
    {"main_cpu", {"the training process uses {} cores", "训练进程占用 {} 核"}},
    {"main_cpu_busy", {"the training process keeps {} cores busy: it cannot launch fast enough", "训练进程占用 {} 核：下发速度跟不上"}},
    {"no_workers", {"no loader processes", "没有数据加载进程"}},
    {"workers_busy", {"{} loader processes, each busy {}", "{} 个数据加载进程，各忙 {}"}},
    {"workers_idle", {"{} loader processes, each only busy {}", "{} 个数据加载进程，各仅忙 {}"}},
    {"cores_free", {"{} of {} cores free", "{} 核空闲（共 {} 核）"}},
    {"cores_busy", {"{} of {} cores busy: more loader processes cannot help", "已占 {} 核（共 {} 核）：增加加载进程也无用"}},
    {"workers_needed", {"about {} loader processes are needed", "约需 {} 个数据加载进程"}},
    {"slowest_worker", {"the busiest loader process works {} times as much as the others", "最忙的加载进程工作量是其他的 {} 倍"}},
    {"quota", {"quota {} cores, {} visible", "配额 {} 核，可见 {} 核"}},
    {"throttled", {"throttled in {} of the periods, {} of the time", "{} 的周期被限流，占时间 {}"}},
    {"runnable", {"{} threads want to run on {} cores", "{} 个线程争用 {} 核"}},
    {"involuntary", {"{} involuntary switches each second", "每秒 {} 次非自愿切换"}},
    {"cpu_pressure", {"CPU pressure {}", "CPU 压力 {}"}},
    {"disk_wait", {"loader processes wait for the disk {} of the time", "加载进程等待磁盘的时间占 {}"}},
    {"io_pressure", {"I/O pressure {}", "I/O 压力 {}"}},
    {"read_rate", {"reads {} from storage, {} of what it asks for", "从存储读取 {}，占请求的 {}"}},
    {"read_calls", {"{} per read", "每次读取 {}"}},
    {"read_rate_calls", {"reads {} in {} calls each second", "读取 {}，每秒 {} 次调用"}},
    {"remote_mount", {"files on {}", "文件位于 {}"}},
    {"network_rate", {"receives {} by network", "网络接收 {}"}},
    {"cache_cliff", {"reads began to reach the storage: the data do not fit into the page cache", "读取开始落到存储：数据超出页缓存"}},
    {"epoch_restarts", {"loader processes were replaced {} times, {} each", "加载进程被替换 {} 次，每次 {}"}},
    {"share_of_run", {"{} of the run time", "占运行时间 {}"}},
    {"shm", {"/dev/shm {} of {} used", "/dev/shm 已用 {}（共 {}）"}},
    {"shm_small", {"/dev/shm has only {}", "/dev/shm 只有 {}"}},
    {"numa_node", {"GPU on node {}, the job on node {}", "GPU 在节点 {}，作业在节点 {}"}},
    {"stack_share", {"{} of looks at the main thread found it in {}", "主线程抽样中 {} 处于 {}"}},
    {"idle_place", {"while the GPU was idle the program stood mostly at {} ({})", "GPU 空闲时程序主要停在 {}（{}）"}},
    {"no_gaps", {"no gaps of 100ms or more", "没有 100ms 以上的间隙"}},
    {"workers_asleep", {"loader processes are ahead", "数据加载领先于训练"}},
    {"compilers", {"compilers ran: {}", "有编译进程：{}"}},
    {"compile_stalls", {"{} stalls by compilation, {} in all", "编译停顿 {} 次，共 {}"}},
    {"recompiles", {"{} of them after step 50: shapes keep changing", "其中 {} 次在第 50 步之后：形状不断变化"}},
    {"python_threads", {"{} threads in one process use {} cores together", "同一进程内 {} 个线程合计占 {} 核"}},
    // Phases and progress
    {"checkpoints", {"{} checkpoints, {} each", "{} 次检查点，每次 {}"}},
    {"written", {"{} written at {}", "写入 {}，速率 {}"}},
    {"evaluations", {"{} evaluations, {} each", "{} 次评估，每次 {}"}},
    {"evaluation_sm", {"SM active {} in evaluation, {} in training", "评估时 SM 活跃 {}，训练时 {}"}},
    {"first_step", {"first step after {}", "第一个训练步在 {} 之后"}},
    {"start_consumer", {"most of it: {}", "主要耗时：{}"}},
    {"no_step", {"no step for {}, median {}", "已 {} 没有训练步，中位步长 {}"}},
    {"no_step_power", {"GPU {} busy at {}, nothing on the link: it waits in a collective", "GPU 忙 {}，功率 {}，链路无流量：在集合通信中等待"}},
    {"all_asleep", {"the program and its loader processes all sleep", "程序与其数据加载进程都在休眠"}},
    {"held_idle", {"holds {} and has not used the GPU for {}", "占有 {} 显存，已 {} 未使用 GPU"}},
    {"straggler", {"rank {} needs {} per step, the others {}", "rank {} 每步 {}，其他 {}"}},
    {"straggler_cause", {"on rank {}: {}", "rank {}：{}"}},
    {"waits_least", {"rank {} waits least", "rank {} 等待最少"}},
    {"comm_share", {"in communication {} of the time", "通信占时间 {}"}},
    // Memory
    {"growth_per_step", {"in use {} -> {}, {} per step over {} steps", "已用显存 {} → {}，每步增加 {}，共 {} 步"}},
    {"growth_per_second", {"in use {} -> {}, {} per minute", "已用显存 {} → {}，每分钟增加 {}"}},
    {"growth_outside", {"outside the allocator {} -> {}, {} per minute", "分配器之外 {} → {}，每分钟增加 {}"}},
    {"out_of_memory_in", {"out of memory in about {}", "约 {} 后显存不足"}},
    {"leak_staircase", {"it grows from epoch to epoch, not within one", "按轮次阶梯式增长，轮次内不变"}},
    {"leak_eval", {"peak in evaluation {}, in training {}", "评估时峰值 {}，训练时 {}"}},
    {"reserved_of_total", {"reserved {} of {}", "已预留 {}，共 {}"}},
    {"reserved_in_use", {"reserved {}, in use {}", "已预留 {}，已用 {}"}},
    {"stuck", {"{} stuck in split blocks that cannot go back", "{} 卡在已切分、无法归还的块中"}},
    {"empty_cache_gives", {"empty_cache() would give {} back to the card now", "现在调用 empty_cache() 可归还 {} 给显卡"}},
    {"retries", {"{} allocation retries", "{} 次分配重试"}},
    {"process_of_total", {"the process holds {} of {}", "进程占有 {}，共 {}"}},
    {"outside_allocator", {"{} outside the allocator", "分配器之外 {}"}},
    {"used_of_total", {"{} of {} used", "已用 {}，共 {}"}},
    {"peak_of_total", {"peak {} of {}", "峰值 {}，共 {}"}},
    {"memory_caps_batch", {"memory caps the batch: {} of {} used", "显存限制了批量：已用 {}，共 {}"}},
    {"wanted", {"wanted {}; {} free, {} reserved but free in pieces, {} in other processes", "请求 {}；空闲 {}，已预留但零散 {}，其他进程 {}"}},
    {"oom_class", {"class: {}", "类别：{}"}},
    {"neighbour_process", {"PID {} holds {} and uses {} of SM time", "PID {} 占有 {}，使用 {} 的 SM 时间"}},
    {"neighbour_memory", {"PID {} holds {}", "PID {} 占有 {}"}},
    {"neighbour_hidden", {"{} used by processes that cannot be seen from here", "有 {} 被此处看不到的进程占用"}},
    {"neighbour_slower", {"steps are {} times as long while it works", "其工作期间训练步变为 {} 倍"}},
    {"preallocated", {"PID {} took {} at its start and uses little of the GPU", "PID {} 启动时占用 {}，却很少使用 GPU"}},
    {"host_growth", {"{} -> {}, {} per minute", "{} → {}，每分钟增加 {}"}},
    {"host_growth_workers", {"loader processes grow, the main process does not", "增长在数据加载进程，主进程不变"}},
    {"host_limit_in", {"limit {} reached in about {}", "约 {1} 后达到上限 {0}"}},
    {"host_limit", {"{} of {} used", "已用 {}，上限 {}"}},
    {"oom_kills", {"the kernel killed {} processes for want of memory", "内核因内存不足杀死了 {} 个进程"}},
    {"memory_pressure", {"memory pressure {}", "内存压力 {}"}},
    {"swapping", {"{} page faults from disk each second", "每秒 {} 次磁盘缺页"}},
    // What would hold after the fix
    {"step_time", {"median step {}", "中位步长 {}"}},
    {"lost_share", {"{} of wall time lost, {}x at most to be won", "损失墙钟时间 {}，最多可提速 {} 倍"}},
};
// clang-format on

// Where the key stands in kFacts; their number when it has no sentence. No pointer: g++ 12 under
// UBSan takes no comparison with a null pointer for a constant expression.
constexpr size_t FindFact(std::string_view key) {
  size_t at = 0;
  while (at < std::size(kFacts) && kFacts[at].key != key) ++at;
  return at;
}

}  // namespace gpusight::text
