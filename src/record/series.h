// SPDX-License-Identifier: Apache-2.0
// Numbers of a recording over time, reduced to as many points as a chart is wide: mean, least and
// most of each piece of time, so that no peak is lost. Made by the database, without frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/catalog.h"
#include "record/reader.h"

namespace gpusight::record {

struct Point {
  WallTime time;  // where its piece of time begins
  double mean = 0, least = 0, most = 0;
};
// Pieces without a value are left out. Of a counter, `most` is its last value in the piece and
// `least` its first.
using Series = std::vector<Point>;

// One series per field, in their order. `device`, `process`, …: ids of the recording.
std::vector<Series> DeviceSeries(const Recording& recording, int64_t device,
                                 std::span<const DeviceField> fields, Span span, size_t points);
std::vector<Series> ProcessSeries(const Recording& recording, int64_t process,
                                  std::span<const ProcessField> fields, Span span, size_t points);
std::vector<Series> UseSeries(const Recording& recording, int64_t process, int64_t device,
                              std::span<const UseField> fields, Span span, size_t points);
std::vector<Series> ContainerSeries(const Recording& recording, int64_t container,
                                    std::span<const ContainerField> fields, Span span,
                                    size_t points);
std::vector<Series> HostSeries(const Recording& recording, std::span<const HostField> fields,
                               Span span, size_t points);
std::vector<Series> FrameworkSeries(const Recording& recording, int64_t process,
                                    std::span<const FrameworkField> fields, Span span,
                                    size_t points);
// `ordinal`: the framework's number of the device.
std::vector<Series> AllocatorSeries(const Recording& recording, int64_t process, int ordinal,
                                    std::span<const AllocatorField> fields, Span span,
                                    size_t points);

// The driver's own samples between frames, where they are still kept.
enum class RingField : uint8_t { kUtilization, kMemoryActivity, kPower };
std::vector<SubSample> SubSamples(const Recording& recording, int64_t device, RingField ring,
                                  Span span);

}  // namespace gpusight::record
