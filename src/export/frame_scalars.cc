// SPDX-License-Identifier: Apache-2.0
#include "export/frame_scalars.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/device_label.h"

namespace gpusight::exporting {
namespace {

// "rank 3", else "process 1234".
std::string NameOf(const FrameworkSample& framework) {
  if (framework.rank >= 0) return fmt::format("rank {}", framework.rank);
  return fmt::format("process {}", framework.pid);
}

template <typename Field, typename Use>
void ForEachLevel(const FieldSet<Field>& fields, const Use& use) {
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto field = static_cast<Field>(i);
    const CatalogRow& row = Row(field);
    if (row.kind == Kind::kGauge && fields[field]) use(row.name, *fields[field]);
  }
}

}  // namespace

void FrameScalars::Add(std::string tag, double value) {
  tags_.push_back(std::move(tag));
  scalars_.push_back({tags_.back(), value});
}

const std::vector<Scalar>& FrameScalars::Of(const Frame& frame) {
  scalars_.clear();
  tags_.clear();
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    const std::string name = "GPU " + DeviceLabel(frame, i);
    ForEachLevel(frame.devices[i].fields, [&](std::string_view field, double value) {
      Add(fmt::format("{}/{}", name, field), value);
    });
  }
  for (const FrameworkSample& framework : frame.frameworks) {
    const std::string name = NameOf(framework);
    ForEachLevel(framework.fields, [&](std::string_view field, double value) {
      Add(fmt::format("{}/{}", name, field), value);
    });
    for (const AllocatorSample& allocator : framework.allocators) {
      ForEachLevel(allocator.fields, [&](std::string_view field, double value) {
        Add(fmt::format("{} device {}/{}", name, allocator.ordinal, field), value);
      });
    }
    for (const Mark& mark : framework.marks) {
      if (mark.type != MarkType::kMetric) continue;
      Add(fmt::format("{}/{}", name, Printable(mark.text)), mark.value);
    }
  }
  return scalars_;
}

int64_t FrameScalars::StepOf(const Frame& frame) {
  if (begin_ns_ == 0) begin_ns_ = frame.time.ns;
  double steps = 0;
  for (const FrameworkSample& framework : frame.frameworks) {
    steps = std::max(steps, framework.fields[FrameworkField::kSteps].value_or(0));
  }
  if (!frame.frameworks.empty()) return static_cast<int64_t>(steps);
  return std::max<int64_t>(0, (frame.time.ns - begin_ns_) / 1'000'000'000);
}

}  // namespace gpusight::exporting
