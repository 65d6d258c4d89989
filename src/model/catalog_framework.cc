// SPDX-License-Identifier: Apache-2.0
// The catalogue's rows about frameworks: what a process tells through its telemetry page.
#include <iterator>

#include "model/catalog.h"

namespace gpusight {
namespace {

// clang-format off
// name, JSON group, JSON key, log name, unit, kind, label, meaning; in the order of the enum.
constexpr CatalogRow kAllocator[] = {
    {"allocated_bytes", "allocator", "allocated_bytes", "allocated", Unit::kBytes, Kind::kGauge,
     Text("allocated", "已分配"),
     Text("Memory of live tensors, in the allocator's blocks.",
          "存活张量占用的显存（按分配器的块计）。")},
    {"allocated_peak_bytes", "allocator", "allocated_peak_bytes", "allocated_peak", Unit::kBytes, Kind::kGauge,
     Text("allocated, peak", "已分配峰值"),
     Text("Most that was ever allocated since the program began or reset it.",
          "程序启动（或重置）以来的已分配峰值。")},
    {"reserved_bytes", "allocator", "reserved_bytes", "reserved", Unit::kBytes, Kind::kGauge,
     Text("reserved", "已预留"),
     Text("Memory that the allocator took from the driver, in use or cached.",
          "分配器向驱动申请的显存，包括使用中和缓存的部分。")},
    {"reserved_peak_bytes", "allocator", "reserved_peak_bytes", "reserved_peak", Unit::kBytes, Kind::kGauge,
     Text("reserved, peak", "已预留峰值"),
     Text("Most that was ever reserved since the program began or reset it.",
          "程序启动（或重置）以来的已预留峰值。")},
    {"active_bytes", "allocator", "active_bytes", "active", Unit::kBytes, Kind::kGauge,
     Text("active", "活跃"),
     Text("Allocated, or freed but still awaited by another stream.",
          "已分配，或已释放但仍被其他流等待的显存。")},
    {"inactive_split_bytes", "allocator", "inactive_split_bytes", "inactive_split", Unit::kBytes, Kind::kGauge,
     Text("inactive split", "不可归还的空闲块"),
     Text("Free pieces of segments that are partly in use: cached, but emptying the cache cannot give them back.",
          "部分占用的段中的空闲块：属于缓存，但清空缓存也无法归还。")},
    {"requested_bytes", "allocator", "requested_bytes", "requested", Unit::kBytes, Kind::kGauge,
     Text("requested", "请求量"),
     Text("What the program asked for before rounding.",
          "程序在取整之前请求的字节数。")},
    {"limit_bytes", "allocator", "limit_bytes", "allocator_limit", Unit::kBytes, Kind::kGauge,
     Text("allocator's limit", "分配器上限"),
     Text("Most that the allocator may reserve, where the program set a limit.",
          "程序设置的分配器预留上限。")},
    {"retries", "allocator", "retries", "retries", Unit::kCount, Kind::kCounter,
     Text("allocation retries", "分配重试"),
     Text("Times the allocator had to empty its cache and try again: each stops the device, and the next may fail.",
          "分配器清空缓存后重试的次数：每次都会让设备停顿，下一次可能就会失败。")},
    {"out_of_memory", "allocator", "out_of_memory", "ooms", Unit::kCount, Kind::kCounter,
     Text("out of memory", "显存不足次数"),
     Text("Times an allocation failed, caught by the program or not.",
          "分配失败的次数，无论程序是否捕获。")},
};
static_assert(std::size(kAllocator) == static_cast<size_t>(AllocatorField::kCount));

constexpr CatalogRow kFramework[] = {
    {"steps", "framework", "steps", "steps", Unit::kCount, Kind::kCounter,
     Text("steps", "训练步数"),
     Text("Optimizer steps since the program began.",
          "程序启动以来的优化器步数。")},
    {"step_seconds", "framework", "step_seconds", "step_time", Unit::kSeconds, Kind::kGauge,
     Text("step time", "每步耗时"),
     Text("Mean time of the steps that ended since the frame before.",
          "自上次采样以来结束的训练步的平均耗时。")},
    {"data_wait_seconds", "framework", "data_wait_seconds", "data_wait", Unit::kSeconds, Kind::kCounter,
     Text("waited for data", "等待数据"),
     Text("Time that the training loop waited for its data loader.",
          "训练循环等待数据加载器的累计时间。")},
    {"data_wait_ratio", "framework", "data_wait_ratio", "data_wait_share", Unit::kRatio, Kind::kGauge,
     Text("waiting for data", "等待数据占比"),
     Text("Share of the time since the frame before in which the training loop waited for data.",
          "自上次采样以来训练循环等待数据的时间占比。")},
};
static_assert(std::size(kFramework) == static_cast<size_t>(FrameworkField::kCount));
// clang-format on

}  // namespace

const CatalogRow& Row(AllocatorField field) { return kAllocator[static_cast<size_t>(field)]; }
std::span<const CatalogRow> AllocatorRows() { return kAllocator; }
const CatalogRow& Row(FrameworkField field) { return kFramework[static_cast<size_t>(field)]; }
std::span<const CatalogRow> FrameworkRows() { return kFramework; }

}  // namespace gpusight
