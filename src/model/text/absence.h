// SPDX-License-Identifier: Apache-2.0
// Why a value is missing, in both languages (model/known.h).
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kNotSampledYet{"not sampled yet", "尚未采样"};
inline constexpr Text kNotSupported{"not supported", "不支持"};
inline constexpr Text kNoSuchCall{"driver too old", "驱动版本过旧"};
inline constexpr Text kNoPermission{"no permission", "没有权限"};
inline constexpr Text kUnderMig{"not available under MIG", "MIG 模式下不可用"};
inline constexpr Text kLost{"GPU lost", "GPU 已掉线"};
inline constexpr Text kNoAnswer{"driver not answering", "驱动无响应"};
inline constexpr Text kImplausible{"implausible value rejected", "数值不合理，已丢弃"};
inline constexpr Text kOutsideNamespace{"outside this container", "位于容器之外"};
inline constexpr Text kGone{"process ended", "进程已结束"};
inline constexpr Text kNoLimit{"no limit", "无限制"};
inline constexpr Text kCountersTaken{"profiling counters taken by another tool",
                                     "性能计数器被其他工具占用"};
inline constexpr Text kIncomplete{"incomplete: a part is unknown", "不完整：部分数据未知"};
inline constexpr Text kNotApplicable{"does not apply", "不适用"};
inline constexpr Text kDriverError{"driver error {}", "驱动错误 {}"};
inline constexpr Text kSystemError{"system error {}", "系统错误 {}"};
inline constexpr Text kTooManyFiles{"too many open files (raise 'ulimit -n')",
                                    "打开的文件过多（请调大“ulimit -n”）"};
inline constexpr Text kNotAsked{"left out of a quick look (--sample asks)",
                                "快速查看时略过（加 --sample 可获取）"};

}  // namespace gpusight::text
