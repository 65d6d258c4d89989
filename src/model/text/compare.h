// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight compare`, in both languages.
#pragma once

#include <string_view>

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kCompareSummary{"Compare two recordings", "比较两份运行记录"};
inline constexpr Text kCompareDescription{
    "Shows step time, utilisation, memory peaks and energy of two runs, the difference from the "
    "first to the second, and a 95% interval for it where the run's own ups and downs allow one "
    "(block bootstrap, docs/compare.md). Peaks and totals are one observation each and have none. "
    "What differs between runs, such as another machine or a warmer room, no interval can know: "
    "compare several.",
    "显示两次运行的每步耗时、利用率、显存峰值与能耗，给出从前者到后者的差异，并在运行自身波动允许时"
    "给"
    "出 95% 区间（分块自助法，见 "
    "docs/"
    "compare.md）。峰值与总量各只有一个观测值，没有区间。机器或环境等运行之间的差异不在区间内，请"
    "比较多次运行。"};
inline constexpr Text kCompareA{"The first recording", "第一份运行记录"};
inline constexpr Text kCompareB{"The second recording", "第二份运行记录"};
inline constexpr Text kCompareJson{"One JSON object (docs/compare.md)",
                                   "输出一个 JSON 对象（见 docs/compare.md）"};
inline constexpr Text kCompareMarkdown{"Markdown, for a pull request",
                                       "输出 Markdown，便于放入合并请求"};
inline constexpr Text kCompareSkip{
    "Leave out the beginning of both runs (warm-up, compilation) where an interval is given",
    "给出区间的项目中略去两次运行的开头（预热、编译）"};
inline constexpr Text kCompareTwo{"two recordings are needed", "需要两份运行记录"};

inline constexpr Text kCompareDifference{"difference", "差异"};
inline constexpr Text kCompareInterval{"95% interval", "95% 区间"};
inline constexpr Text kCompareVerdict{"verdict", "结论"};
inline constexpr Text kCompareBetter{"better", "更好"};
inline constexpr Text kCompareWorse{"worse", "更差"};
inline constexpr Text kCompareMore{"more", "更高"};
inline constexpr Text kCompareLess{"less", "更低"};
inline constexpr Text kCompareUnsure{"not distinguishable", "无法区分"};
inline constexpr Text kCompareSingle{"one observation each", "各一个观测值"};
inline constexpr Text kCompareShort{"too short for an interval", "时间太短，无法给出区间"};
inline constexpr Text kCompareMethod{
    "Intervals: block bootstrap over the pieces of time of each run, 2000 replicates "
    "(docs/compare.md). They hold what varies within the runs, not what differs between runs.",
    "区间：对每次运行的时间片做分块自助法，2000 次重复（见 "
    "docs/compare.md）。区间反映运行内部的波动，不包含运行之间的差异。"};
inline constexpr Text kCompareSkipped{"The first {} of each run are left out of the intervals.",
                                      "区间未包含每次运行最初的 {}。"};
inline constexpr Text kCompareUnlike{"What else differs", "其他差异"};
inline constexpr Text kCompareAlike{"Nothing else that was recorded differs.",
                                    "没有记录到其他差异。"};

struct CompareWord {
  std::string_view name;
  Text text;
};
inline constexpr CompareWord kCompareWords[] = {
    {"step_seconds", {"step time, mean", "每步耗时（平均）"}},
    {"step_p50_seconds", {"step time, p50", "每步耗时 p50"}},
    {"step_p99_seconds", {"step time, p99", "每步耗时 p99"}},
    {"data_wait_ratio", {"waiting for data", "等待数据占比"}},
    {"utilization_ratio", {"utilisation", "利用率"}},
    {"sm_activity_ratio", {"SM activity", "SM 活跃度"}},
    {"tensor_activity_ratio", {"tensor activity", "张量核心活跃度"}},
    {"dram_activity_ratio", {"DRAM activity", "显存活跃度"}},
    {"power_watts", {"power", "功耗"}},
    {"energy_per_step_joules", {"energy per step", "每步能耗"}},
    {"energy_joules", {"energy", "能耗"}},
    {"duration_seconds", {"duration", "时长"}},
    {"memory_peak_bytes", {"memory peak, device", "显存峰值（设备）"}},
    {"process_memory_peak_bytes", {"memory peak, process", "显存峰值（进程）"}},
    {"allocated_peak_bytes", {"allocated, peak", "已分配峰值"}},
    {"reserved_peak_bytes", {"reserved, peak", "已预留峰值"}},
};

}  // namespace gpusight::text
