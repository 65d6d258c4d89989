// SPDX-License-Identifier: Apache-2.0
#include "diagnose/thresholds.h"

namespace gpusight::diagnose {
namespace {

// clang-format off
constexpr LimitRow kRows[] = {
    {"starved.idle_warn", 0.1, Unit::kRatio, true, {"idle share from which a cause is looked for", "空闲占比达到该值开始找原因"}},
    {"starved.idle_critical", 0.2, Unit::kRatio, true, {"idle share from which it is critical", "空闲占比达到该值为严重"}},
    {"starved.warmup_steps", 20, Unit::kCount, true, {"steps that are left out", "忽略的起始步数"}},
    {"starved.warmup_seconds", 30, Unit::kSeconds, true, {"after the first step, times the time scale", "第一步之后忽略的秒数（乘时间尺度）"}},
    {"input.data_wait", 0.1, Unit::kRatio, true, {"share of the step that waits for data", "步内等待数据占比"}},
    {"input.main_busy", 0.6, Unit::kCores, true, {"process CPU of a loader in the training thread", "训练线程内加载时的进程 CPU"}},
    {"input.stack_data", 0.2, Unit::kRatio, true, {"looks in the loader", "处于加载中的抽样占比"}},
    {"input.cores_free", 2, Unit::kCores, true, {"cores that more workers could use", "可供更多加载进程使用的核"}},
    {"input.worker_busy", 0.85, Unit::kCores, true, {"CPU of the median worker", "加载进程 CPU 中位数"}},
    {"input.main_asleep", 0.6, Unit::kCores, false, {"process CPU while it waits for workers", "等待加载进程时的进程 CPU"}},
    {"input.slow_worker", 2, Unit::kNumber, true, {"busiest worker against the median", "最忙与中位之比"}},
    {"input.cores_full", 0.9, Unit::kRatio, true, {"cores in use of those allowed", "可用核的使用率"}},
    {"cpu.throttled", 0.1, Unit::kRatio, true, {"periods", "周期"}},
    {"cpu.throttled_time", 0.05, Unit::kRatio, true, {"of the time", "时间占比"}},
    {"cpu.oversubscribed", 1.5, Unit::kNumber, true, {"runnable threads for each core", "每核可运行线程数"}},
    {"cpu.pressure", 0.25, Unit::kRatio, true, {"some task waits", "有任务等待"}},
    {"io.disk_blocked", 0.3, Unit::kRatio, true, {"workers in disk wait", "等待磁盘的加载进程占比"}},
    {"io.pressure", 0.2, Unit::kRatio, true, {"some task waits", "有任务等待"}},
    {"io.from_storage", 0.7, Unit::kRatio, true, {"of what is read comes from storage", "读取中来自存储的占比"}},
    {"io.worker_asleep", 0.5, Unit::kCores, false, {"CPU of the median worker", "加载进程 CPU 中位数"}},
    {"io.remote_worker_asleep", 0.35, Unit::kCores, false, {"CPU of the median worker", "加载进程 CPU 中位数"}},
    {"io.storage_quiet", 5000000.0, Unit::kBytesPerSecond, false, {"read from local storage", "从本地存储读取"}},
    {"io.network_busy", 2000000.0, Unit::kBytesPerSecond, true, {"received", "网络接收"}},
    {"epoch_restart.share", 0.03, Unit::kRatio, true, {"of the run time", "占运行时间"}},
    {"shm.full", 0.85, Unit::kRatio, true, {"used", "已用"}},
    {"shm.small", 67108864.0, Unit::kBytes, false, {"size with workers", "有加载进程时的大小"}},
    {"h2d.copy_rate", 500000000.0, Unit::kBytesPerSecond, true, {"mean rate into the GPU", "进入 GPU 的平均速率"}},
    {"h2d.copy_share", 0.6, Unit::kRatio, false, {"of the link while it copies", "拷贝时占链路能力"}},
    {"h2d.loss", 0.05, Unit::kRatio, true, {"idle time", "空闲时间"}},
    {"h2d.link_full", 0.6, Unit::kRatio, true, {"of the link, mean", "链路平均使用率"}},
    {"h2d.link_sm_active", 0.6, Unit::kRatio, false, {"SMs at work", "活跃 SM"}},
    {"pcie.traffic", 1000000000.0, Unit::kBytesPerSecond, true, {"both ways", "双向流量"}},
    {"launch.main_cpu", 0.85, Unit::kCores, true, {"of the training process", "训练进程 CPU"}},
    {"launch.sm_active", 0.45, Unit::kRatio, false, {"SMs at work", "活跃 SM"}},
    {"launch.dram", 0.25, Unit::kRatio, false, {"bandwidth", "显存带宽"}},
    {"launch.power", 0.55, Unit::kRatio, false, {"of the limit", "占功率上限"}},
    {"launch.gap_share", 0.3, Unit::kRatio, false, {"in gaps of 100ms or more", "100ms 以上间隙占比"}},
    {"launch.link", 500000000.0, Unit::kBytesPerSecond, false, {"both ways", "双向流量"}},
    {"sync.idle", 0.05, Unit::kRatio, true, {"in short gaps", "短间隙"}},
    {"sync.stack_top", 0.1, Unit::kRatio, true, {"looks at one line of the program", "同一代码行的抽样占比"}},
    {"batch.sm_active", 0.5, Unit::kRatio, false, {"SMs at work", "活跃 SM"}},
    {"batch.occupancy", 0.25, Unit::kRatio, false, {"warps", "占用率"}},
    {"batch.memory", 0.5, Unit::kRatio, false, {"of the card at the peak", "峰值占显存"}},
    {"batch.memory_full", 0.8, Unit::kRatio, true, {"of the card at the peak", "峰值占显存"}},
    {"compile.share", 0.05, Unit::kRatio, true, {"of the time observed", "占观察时间"}},
    {"compile.stack", 0.3, Unit::kRatio, true, {"looks in a compiler", "处于编译的抽样占比"}},
    {"gil.running", 1.3, Unit::kCount, true, {"threads that want to run", "想运行的线程"}},
    {"gil.cpu", 1.25, Unit::kCores, false, {"of the process, all threads", "进程全部线程"}},
    {"tensor.sm_active", 0.6, Unit::kRatio, true, {"SMs at work", "活跃 SM"}},
    {"tensor.tensor", 0.05, Unit::kRatio, false, {"tensor cores", "Tensor Core"}},
    {"tensor.fp32", 0.25, Unit::kRatio, true, {"FP32 pipe", "FP32 流水线"}},
    {"tensor.dram", 0.6, Unit::kRatio, false, {"bandwidth", "显存带宽"}},
    {"bound.dram", 0.7, Unit::kRatio, true, {"bandwidth", "显存带宽"}},
    {"bound.tensor", 0.5, Unit::kRatio, true, {"tensor cores", "Tensor Core"}},
    {"bound.sm_active", 0.8, Unit::kRatio, true, {"SMs at work", "活跃 SM"}},
    {"bound.healthy_sm", 0.6, Unit::kRatio, true, {"SMs at work where nothing else is found", "无其他发现时的活跃 SM"}},
    {"bound.healthy_idle", 0.18, Unit::kRatio, false, {"idle where nothing else is found", "无其他发现时的空闲占比"}},
    {"bound.healthy_power", 0.8, Unit::kRatio, true, {"of the limit, where nothing else is found", "无其他发现时占功率上限"}},
    {"phase.share", 0.03, Unit::kRatio, true, {"checkpoints of the run time", "检查点占运行时间"}},
    {"phase.critical", 0.1, Unit::kRatio, true, {"checkpoints of the run time", "检查点占运行时间"}},
    {"phase.evaluation_share", 0.05, Unit::kRatio, true, {"evaluation of the run time", "评估占运行时间"}},
    {"start.warn", 120, Unit::kSeconds, true, {"until the first step", "到第一步"}},
    {"start.critical", 600, Unit::kSeconds, true, {"until the first step", "到第一步"}},
    {"progress.seconds", 60, Unit::kSeconds, true, {"without a step", "没有训练步"}},
    {"progress.medians", 10, Unit::kNumber, true, {"times the median step", "倍中位步长"}},
    {"progress.idle_seconds", 600, Unit::kSeconds, true, {"without use of the GPU", "未使用 GPU"}},
    {"rank.score", 0.75, Unit::kRatio, false, {"step time of the others against its own", "其他与自身步长之比"}},
    {"rank.communication", 0.3, Unit::kRatio, true, {"looks in a collective", "处于集合通信的抽样占比"}},
    {"leak.steps", 100, Unit::kCount, true, {"steps that a leak must last", "泄漏至少持续的步数"}},
    {"leak.growth", 268435456, Unit::kBytes, true, {"growth, at least this and 2% of the card", "增长，至少为该值与显存的 2%"}},
    {"leak.outside", 1073741824.0, Unit::kBytes, true, {"growth outside the allocator", "分配器之外的增长"}},
    {"fragmentation.reserved", 0.7, Unit::kRatio, true, {"of the card or of the limit", "占显卡或上限"}},
    {"fragmentation.free", 0.25, Unit::kRatio, true, {"of what is reserved", "占已预留"}},
    {"fragmentation.split", 0.1, Unit::kRatio, true, {"stuck, of the card", "卡住部分占显卡"}},
    {"fragmentation.full", 0.88, Unit::kRatio, true, {"of the card or of the limit, where the cache grows no further", "占显卡或上限，缓存无法再增长"}},
    {"oom.warn", 0.92, Unit::kRatio, true, {"reserved at the peak, of the card", "预留峰值占显卡"}},
    {"oom.critical", 0.97, Unit::kRatio, true, {"reserved at the peak, of the card", "预留峰值占显卡"}},
    {"hostmem.leak_rate", 1700000.0, Unit::kBytesPerSecond, true, {"1 GiB in ten minutes", "每十分钟 1 GiB"}},
    {"hostmem.leak_least", 536870912.0, Unit::kBytes, true, {"growth seen", "已见增长"}},
    {"hostmem.full", 0.9, Unit::kRatio, true, {"of the limit", "占上限"}},
    {"hostmem.pressure", 0.2, Unit::kRatio, true, {"some task waits for memory", "有任务等待内存"}},
    {"hostmem.major_faults", 100, Unit::kNumber, true, {"each second", "每秒"}},
    {"neighbour.memory", 0.05, Unit::kRatio, true, {"of the card", "占显存"}},
    {"neighbour.sm", 0.1, Unit::kRatio, true, {"SM time", "SM 时间"}},
    {"neighbour.hidden", 1610612736.0, Unit::kBytes, true, {"that nobody listed holds", "无可见归属"}},
    {"preallocated.memory", 0.6, Unit::kRatio, true, {"of the card held by one other", "被其他单个进程占用"}},
    {"clock.cap_share", 0.5, Unit::kRatio, true, {"of the time", "时间占比"}},
    {"clock.cap_clock", 0.9, Unit::kRatio, false, {"of the highest clock", "占最高时钟"}},
    {"clock.cap_power", 0.95, Unit::kRatio, true, {"of the limit", "占功率上限"}},
    {"clock.cap_low_power", 0.7, Unit::kRatio, false, {"of the limit", "占功率上限"}},
    {"clock.slowdown_share", 0.05, Unit::kRatio, true, {"of the time", "时间占比"}},
    {"clock.pinned", 0.85, Unit::kRatio, false, {"of the highest clock", "占最高时钟"}},
    {"hw.remapped_rows", 10, Unit::kCount, true, {"rows", "行"}},
};
// clang-format on
static_assert(std::size(kRows) == kLimits);

}  // namespace

std::span<const LimitRow> LimitRows() { return kRows; }

std::optional<Limit> FindLimit(std::string_view name) {
  for (size_t i = 0; i < kLimits; ++i) {
    if (kRows[i].name == name) return static_cast<Limit>(i);
  }
  return std::nullopt;
}

Thresholds::Thresholds() {
  for (size_t i = 0; i < kLimits; ++i) values_[i] = kRows[i].value;
}

}  // namespace gpusight::diagnose
