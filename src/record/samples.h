// SPDX-License-Identifier: Apache-2.0
// The driver's samples between two frames, and the times of stack samples, in few bytes. All
// numbers are varints (seven bits a byte, lowest first, the eighth bit: more follows); signed ones
// are zigzag (0, -1, 1, -2, … as 0, 1, 2, 3, …). docs/recording.md has it for other languages.
//   samples: count, frame's ms - first sample's ms (signed), then for each sample
//            2 * zigzag(value - value before, in units) + (its distance differs from the last one),
//            and, if it differs, by how many ms (signed). Value and distance begin at 0.
//   times:   count, frame's ms - first time's ms (signed), then the ms between each and the next.
// "frame's ms" is frame.time / 1e6. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/frame.h"

namespace gpusight::record {

// What one step of the coded value is worth.
inline constexpr double kRatioUnit = 0.001;
inline constexpr double kPowerUnit = 0.1;  // watts

void EncodeSamples(std::span<const SubSample> samples, WallTime frame, double unit,
                   std::string& out);
// Replaces `out`. False when the bytes are malformed: what was good until there is kept.
bool DecodeSamples(std::string_view bytes, WallTime frame, double unit,
                   std::vector<SubSample>& out);

void EncodeTimes(std::span<const WallTime> times, WallTime frame, std::string& out);
bool DecodeTimes(std::string_view bytes, WallTime frame, std::vector<WallTime>& out);

}  // namespace gpusight::record
