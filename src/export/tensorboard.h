// SPDX-License-Identifier: Apache-2.0
// TensorBoard's event files: scalars and texts. Pure: bytes to append to a file. The format is that
// of tensorflow/core/lib/io/record_writer.cc (records with masked CRC-32C) and of the messages
// Event and Summary in tensorboard/compat/proto. Next: tensorboard_runs.h for what of a frame goes
// there, tensorboard_tags.h for the names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace gpusight::exporting {

struct Scalar {
  std::string_view tag;  // "gpu/power_watts": what stands before '/' groups the charts
  double value = 0;
};

// What a file begins with; TensorBoard refuses one without it.
void AppendTensorBoardHeader(std::string& out, WallTime time);

// One event with all of them; nothing when there are none. Values are stored as 32 bits.
void AppendTensorBoardEvent(std::string& out, WallTime time, int64_t step,
                            std::span<const Scalar> scalars);

// One event with a text, for TensorBoard's page of texts; what is no markup must be escaped.
void AppendTensorBoardText(std::string& out, WallTime time, int64_t step, std::string_view tag,
                           std::string_view markdown);

// The name by which TensorBoard takes a file for one of events: "events.out.tfevents.<seconds>.…".
[[nodiscard]] std::string TensorBoardFileName(WallTime time, std::string_view hostname);

// Castagnoli's CRC (RFC 3720, appendix B.4).
[[nodiscard]] uint32_t Crc32c(std::string_view bytes);

}  // namespace gpusight::exporting
