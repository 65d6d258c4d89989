// SPDX-License-Identifier: Apache-2.0
// Texts of the tables of memory settings (docs/memory-settings.md), in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kColumnVariable{"variable", "环境变量"};
inline constexpr Text kColumnFramework{"read by", "读取者"};
inline constexpr Text kColumnKey{"key", "键"};
inline constexpr Text kColumnValues{"values", "取值"};
inline constexpr Text kColumnDefault{"default", "默认值"};
inline constexpr Text kColumnVersions{"versions", "版本"};
inline constexpr Text kColumnMeaning{"meaning", "含义"};

inline constexpr Text kRuleText{"any", "任意"};
inline constexpr Text kRuleBool{"`true`, `false`, `1`, `0`", "`true`、`false`、`1`、`0`"};
inline constexpr Text kRuleUnsigned{"a whole number from 0", "非负整数"};
inline constexpr Text kRuleInteger{"a whole number", "整数"};
inline constexpr Text kRuleNumber{"a number", "数值"};
inline constexpr Text kRuleShare{"0 to 1", "0 到 1"};
inline constexpr Text kRuleAllocConf{"`key:value,key:value`, see below", "`键:值,键:值`，见下文"};
inline constexpr Text kRuleDevices{"numbers or UUIDs", "编号或 UUID"};
inline constexpr Text kRuleAtLeast{"a whole number from {}", "不小于 {} 的整数"};
inline constexpr Text kRuleSegment{"a whole number from that of `large_segment_size_mb` (20)",
                                   "不小于 `large_segment_size_mb`（20）的整数"};
inline constexpr Text kRuleThreads{"a power of two up to 128", "2 的幂，最大 128"};
inline constexpr Text kRuleDivisions{"a power of two, or `[256:1,512:2,>:8]`",
                                     "2 的幂，或 `[256:1,512:2,>:8]`"};

inline constexpr Text kFlagSince{"since {}", "自 {} 起"};
inline constexpr Text kFlagBefore{"before {}", "{} 之前"};
inline constexpr Text kFlagGpuOnly{"CUDA builds", "仅 CUDA 版"};
inline constexpr Text kFlagStrategy{"only with `FLAGS_allocator_strategy={}`",
                                    "仅在 `FLAGS_allocator_strategy={}` 时有效"};
inline constexpr Text kFlagInstead{"use `{}`", "请改用 `{}`"};

}  // namespace gpusight::text
