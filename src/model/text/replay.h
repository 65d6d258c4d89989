// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight replay`, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kReplaySummary{"Play a recording in the live view",
                                     "在实时视图中播放运行记录"};
inline constexpr Text kReplayDescription{
    "Shows a recording of 'gpusight run' or 'gpusight watch' as 'gpusight top' showed the machine "
    "then: it can be stopped, played faster and slower, and left and entered at any place. A "
    "recording that is still being written is followed. The file is only read.",
    "以“gpusight top”的界面播放“gpusight run”或“gpusight "
    "watch”的运行记录：可以暂停、加速、减速，也可以跳到任意位置。仍在写入的记录会持续跟随。"
    "文件只被读取，不会修改。"};
inline constexpr Text kReplayFile{"The recording", "运行记录文件"};
inline constexpr Text kReplaySpeed{"Play that many times as fast as it happened (default: 1)",
                                   "播放速度的倍数（默认 1）"};
inline constexpr Text kReplayFrom{"Begin that long after the beginning",
                                  "从开头之后的该时间处开始播放"};
inline constexpr Text kReplayNoFile{"'{}' needs a recording", "“{}”需要指定运行记录"};
inline constexpr Text kReplayNoFileRemedy{"Name the file: gpusight {} FILE.",
                                          "请指定文件：gpusight {} FILE。"};
inline constexpr Text kReplayNothing{"{} has no frame yet", "{} 中还没有数据"};

}  // namespace gpusight::text
