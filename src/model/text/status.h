// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight status`, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kStatusSummary{"Show every GPU and every process on it, now",
                                     "显示每个 GPU 及其上每个进程的当前状态"};
inline constexpr Text kStatusDescription{
    "Shows each device, the account of its memory, and the processes on it.",
    "显示每个设备、其显存账目以及其上的进程。"};

}  // namespace gpusight::text
