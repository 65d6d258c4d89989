// SPDX-License-Identifier: Apache-2.0
// The names of the charts in TensorBoard: one table, from which docs/tensorboard.md is made, too.
// Levels only, and of those the ones that tell something over time: limits and sizes are not among
// them. To show another number add it to a list in tensorboard_tags.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/catalog.h"

namespace gpusight::exporting {

// A field as the chart "<group>/<name of the field>".
template <typename Field>
struct FieldTag {
  std::string_view group;
  Field field;
  std::string text = std::string(group) + '/' + std::string(Row(field).name);
};

// Of which run a chart is, and what its step counts.
enum class TagRun : uint8_t { kDevice, kProcess, kHost };
enum class TagAxis : uint8_t { kSeconds, kSteps };

template <typename Field>
struct TagList {
  TagRun run;
  TagAxis axis;
  std::span<const FieldTag<Field>> tags;
};

[[nodiscard]] TagList<DeviceField> DeviceTags();
[[nodiscard]] TagList<FrameworkField> FrameworkTags();
[[nodiscard]] TagList<AllocatorField> AllocatorTags();
[[nodiscard]] TagList<ProcessField> ProcessTags();
[[nodiscard]] TagList<UseField> UseTags();
[[nodiscard]] TagList<HostField> HostTags();
// Once more over the optimizer's steps: what belongs beside a program's loss.
[[nodiscard]] TagList<FrameworkField> FrameworkStepTags();
[[nodiscard]] TagList<AllocatorField> AllocatorStepTags();
[[nodiscard]] TagList<DeviceField> DeviceStepTags();

// What programs measure themselves: "metric/loss", over the optimizer's steps.
inline constexpr std::string_view kMetricGroup = "metric";

// Texts, in the run "job".
inline constexpr std::string_view kRunTag = "job/run";
inline constexpr std::string_view kEventsTag = "job/events";
inline constexpr std::string_view kFindingsTag = "job/findings";

}  // namespace gpusight::exporting
