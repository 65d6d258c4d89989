// SPDX-License-Identifier: Apache-2.0
#include "diagnose/signal.h"

namespace gpusight::diagnose {
namespace {

// clang-format off
constexpr SignalRow kRows[] = {
    {"idle", Unit::kRatio, {"share of the time without a kernel", "没有内核运行的时间占比"}},
    {"gap_share", Unit::kRatio, {"share of the time in gaps of 100ms or more", "100ms 以上间隙的时间占比"}},
    {"sm_active", Unit::kRatio, {"share of the SMs at work", "活跃 SM 占比"}},
    {"occupancy", Unit::kRatio, {"warps of those that fit", "占用率"}},
    {"tensor", Unit::kRatio, {"tensor cores at work", "Tensor Core 活跃占比"}},
    {"fp32", Unit::kRatio, {"FP32 pipe at work", "FP32 流水线活跃占比"}},
    {"fp64", Unit::kRatio, {"FP64 pipe at work", "FP64 流水线活跃占比"}},
    {"dram", Unit::kRatio, {"memory bandwidth in use", "显存带宽使用占比"}},
    {"pcie_receive", Unit::kBytesPerSecond, {"host to GPU", "主机到 GPU 速率"}},
    {"pcie_transmit", Unit::kBytesPerSecond, {"GPU to host", "GPU 到主机速率"}},
    {"nvlink", Unit::kBytesPerSecond, {"both ways", "NVLink 双向速率"}},
    {"power", Unit::kWatts, {"drawn", "功率"}},
    {"power_limit", Unit::kWatts, {"in force", "生效的功率上限"}},
    {"power_limit_default", Unit::kWatts, {"as delivered", "默认功率上限"}},
    {"sm_clock", Unit::kHertz, {"of the SMs", "SM 时钟"}},
    {"sm_clock_max", Unit::kHertz, {"highest", "SM 最高时钟"}},
    {"temperature", Unit::kCelsius, {"of the GPU", "GPU 温度"}},
    {"temperature_slowdown", Unit::kCelsius, {"at which it slows down", "降频温度"}},
    {"power_cap", Unit::kRatio, {"share of the time under the power cap", "功率上限生效的时间占比"}},
    {"slowdown", Unit::kRatio, {"share of the time slowed down for heat or by hardware", "因过热或硬件降频的时间占比"}},
    {"clock_locked", Unit::kRatio, {"share of the time with application clocks", "应用时钟生效的时间占比"}},
    {"link_generation", Unit::kNumber, {"PCIe, now", "当前 PCIe 代数"}},
    {"link_generation_max", Unit::kNumber, {"PCIe, highest", "最高 PCIe 代数"}},
    {"link_width", Unit::kNumber, {"PCIe lanes, now", "当前 PCIe 通道数"}},
    {"link_width_max", Unit::kNumber, {"PCIe lanes, most", "最多 PCIe 通道数"}},
    {"memory_total", Unit::kBytes, {"of the device", "显存总量"}},
    {"memory_used", Unit::kBytes, {"of the device, by all", "已用显存"}},
    {"memory_own", Unit::kBytes, {"held by the process", "本进程占用显存"}},
    {"memory_others", Unit::kBytes, {"held by other processes that are listed", "其他可见进程占用显存"}},
    {"memory_hidden", Unit::kBytes, {"used by nobody who is listed", "无归属的已用显存"}},
    {"sm_own", Unit::kRatio, {"SM time of the process", "本进程的 SM 时间"}},
    {"sm_others", Unit::kRatio, {"SM time of the other processes", "其他进程的 SM 时间"}},
    {"ecc_uncorrected", Unit::kCount, {"uncorrected errors since the start", "启动以来不可纠正错误数"}},
    {"remap_pending", Unit::kNumber, {"1: waits for a reset", "1 表示等待复位"}},
    {"remap_failed", Unit::kNumber, {"1: failed", "1 表示失败"}},
    {"remapped_rows", Unit::kCount, {"rows", "重映射行数"}},
    {"xid", Unit::kNumber, {"last XID in the tick", "该时段内最后的 XID"}},
    {"main_cpu", Unit::kCores, {"the process itself, all its threads", "进程自身（全部线程）占用的核数"}},
    {"main_running", Unit::kCount, {"its threads that run or want to", "其运行或就绪线程数"}},
    {"main_blocked", Unit::kCount, {"its threads in disk wait", "其等待磁盘的线程数"}},
    {"main_involuntary", Unit::kNumber, {"involuntary switches each second", "每秒非自愿切换次数"}},
    {"threads", Unit::kCount, {"of the process", "进程线程数"}},
    {"workers", Unit::kCount, {"loader processes", "数据加载进程数"}},
    {"worker_cpu", Unit::kCores, {"median of the loader processes", "数据加载进程 CPU 中位数"}},
    {"worker_cpu_most", Unit::kCores, {"the busiest loader process", "最忙的数据加载进程 CPU"}},
    {"worker_blocked", Unit::kRatio, {"loader processes in disk wait", "等待磁盘的加载进程占比"}},
    {"tree_cpu", Unit::kCores, {"the process and its descendants", "进程树占用核数"}},
    {"tree_running", Unit::kCount, {"threads of the tree that run or want to", "进程树运行或就绪线程数"}},
    {"cores", Unit::kCores, {"that the job may use", "作业可用核数"}},
    {"cores_visible", Unit::kCores, {"of the machine", "机器核数"}},
    {"quota", Unit::kCores, {"of the container", "容器 CPU 配额"}},
    {"throttled", Unit::kRatio, {"periods that were throttled", "被限流周期占比"}},
    {"throttled_time", Unit::kRatio, {"time that was throttled", "被限流时间占比"}},
    {"cpu_pressure", Unit::kRatio, {"some task waits for a CPU", "CPU 压力"}},
    {"io_pressure", Unit::kRatio, {"some task waits for I/O", "I/O 压力"}},
    {"memory_pressure", Unit::kRatio, {"some task waits for memory", "内存压力"}},
    {"read_rate", Unit::kBytesPerSecond, {"the tree, from storage", "进程树从存储读取速率"}},
    {"read_call_rate", Unit::kBytesPerSecond, {"the tree, through read(2)", "进程树通过 read(2) 读取速率"}},
    {"read_calls", Unit::kNumber, {"read calls of the tree each second", "进程树每秒读调用次数"}},
    {"write_rate", Unit::kBytesPerSecond, {"the tree, written", "进程树写入速率"}},
    {"major_faults", Unit::kNumber, {"page faults from disk each second", "每秒磁盘缺页次数"}},
    {"network_receive", Unit::kBytesPerSecond, {"of the machine", "机器网络接收速率"}},
    {"shm_total", Unit::kBytes, {"of /dev/shm", "/dev/shm 总量"}},
    {"shm_used", Unit::kBytes, {"of /dev/shm", "/dev/shm 已用"}},
    {"host_memory", Unit::kBytes, {"resident memory of the process and private memory of its loader processes", "进程常驻内存与加载进程私有内存"}},
    {"host_limit", Unit::kBytes, {"of the container, else of the machine", "容器上限，否则为机器内存"}},
    {"oom_kills", Unit::kCount, {"by the kernel in the container", "容器内被内核杀死的进程数"}},
    {"main_private", Unit::kBytes, {"resident memory of the process", "进程常驻内存"}},
    {"worker_private", Unit::kBytes, {"private memory of the loader processes", "加载进程私有内存"}},
    {"compilers", Unit::kCount, {"compilers among the descendants", "后代中的编译进程数"}},
    {"remote_mount", Unit::kNumber, {"1: open files on a network file system", "1 表示打开了网络文件系统上的文件"}},
    {"workers_replaced", Unit::kCount, {"loader processes that were replaced", "被替换的加载进程数"}},
    {"steps", Unit::kCount, {"steps that ended", "完成的训练步数"}},
    {"step_time", Unit::kSeconds, {"mean of the steps that ended", "完成步的平均耗时"}},
    {"data_wait", Unit::kRatio, {"share of the step that waits for data", "步内等待数据占比"}},
    {"allocated", Unit::kBytes, {"by the framework", "框架已分配"}},
    {"allocated_peak", Unit::kBytes, {"by the framework", "框架已分配峰值"}},
    {"reserved", Unit::kBytes, {"by the framework", "框架已预留"}},
    {"inactive_split", Unit::kBytes, {"free, in blocks that cannot go back", "空闲但无法归还的块"}},
    {"retries", Unit::kCount, {"of allocations, since the start", "启动以来分配重试次数"}},
    {"allocator_limit", Unit::kBytes, {"that the program set", "程序设置的上限"}},
    {"stack_data", Unit::kRatio, {"looks that found the main thread loading data", "主线程处于加载数据的抽样占比"}},
    {"stack_worker_wait", Unit::kRatio, {"looks that found it waiting for loader processes", "主线程等待加载进程的抽样占比"}},
    {"stack_compile", Unit::kRatio, {"looks that found it compiling", "主线程处于编译的抽样占比"}},
    {"stack_checkpoint", Unit::kRatio, {"looks that found it saving", "主线程处于保存的抽样占比"}},
    {"stack_evaluation", Unit::kRatio, {"looks that found it evaluating", "主线程处于评估的抽样占比"}},
    {"stack_collective", Unit::kRatio, {"looks that found it in a collective", "主线程处于集合通信的抽样占比"}},
    {"stack_dispatch", Unit::kRatio, {"looks that found it inside the framework", "主线程处于框架内部的抽样占比"}},
    {"stack_top", Unit::kRatio, {"looks at the one line of the program itself that was met most", "最常见的程序自身代码行的抽样占比"}},
};
// clang-format on
static_assert(std::size(kRows) == kSignals);

}  // namespace

const SignalRow& Row(Signal signal) { return kRows[static_cast<size_t>(signal)]; }

std::optional<Signal> FindSignal(std::string_view name) {
  for (size_t i = 0; i < kSignals; ++i) {
    if (kRows[i].name == name) return static_cast<Signal>(i);
  }
  return std::nullopt;
}

}  // namespace gpusight::diagnose
