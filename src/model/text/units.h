// SPDX-License-Identifier: Apache-2.0
// The names of the metrics' units, in both languages (model/catalog.h). Programs never read these:
// JSON, CSV and the exporters carry the unit in a metric's name.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kUnitRatio{"ratio", "比率"};
inline constexpr Text kUnitBytes{"bytes", "字节"};
inline constexpr Text kUnitBytesPerSecond{"bytes per second", "字节/秒"};
inline constexpr Text kUnitSeconds{"seconds", "秒"};
inline constexpr Text kUnitWatts{"watts", "瓦特"};
inline constexpr Text kUnitJoules{"joules", "焦耳"};
inline constexpr Text kUnitCelsius{"celsius", "摄氏度"};
inline constexpr Text kUnitHertz{"hertz", "赫兹"};
inline constexpr Text kUnitCount{"count", "个数"};
inline constexpr Text kUnitCores{"cores", "核数"};
inline constexpr Text kUnitMask{"bit mask", "位掩码"};
inline constexpr Text kUnitNumber{"number", "编号"};
inline constexpr Text kUnitUnknown{"?", "?"};

}  // namespace gpusight::text
