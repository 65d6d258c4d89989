// SPDX-License-Identifier: Apache-2.0
#include "tui/format.h"

#include <fmt/core.h>

#include <algorithm>

#include <array>

#include "base/text.h"
#include "base/units.h"
#include "model/text/top.h"

namespace gpusight::tui {

std::string Show(const Known<double>& value, Unit unit, const Glyphs& glyphs) {
  if (!value) return std::string(glyphs.missing);
  if (unit == Unit::kCelsius) return fmt::format("{:.0f}{}", *value, glyphs.degree);
  return FormatValue(unit, *value);
}

bool Never(const Known<double>& value) {
  if (value) return false;
  const Absence why = value.missing().why;
  return why == Absence::kNotSupported || why == Absence::kNoSuchCall || why == Absence::kUnderMig;
}

std::string ShowPercent(const Known<double>& ratio, const Glyphs& glyphs) {
  return Show(ratio, Unit::kRatio, glyphs);
}

std::string ShowText(const Known<std::string>& value, Language language, const Glyphs& glyphs) {
  if (value) return Printable(*value);
  return fmt::format("{} {}", glyphs.missing, Describe(value.missing(), language));
}

std::string ShowBytesOf(const Known<double>& part, const Known<double>& whole,
                        const Glyphs& glyphs) {
  if (!whole) return Show(part, Unit::kBytes, glyphs);
  const std::string total = FormatBytes(*whole);
  if (!part) return fmt::format("{}/{}", glyphs.missing, total);
  const std::string_view unit =
      std::string_view(total).substr(total.find_first_not_of("0123456789."));
  const double scale = unit == "TiB"   ? kTiB
                       : unit == "GiB" ? kGiB
                       : unit == "MiB" ? kMiB
                       : unit == "KiB" ? kKiB
                                       : 1;
  return fmt::format("{:.1f}/{}", *part / scale, total);
}

std::string ShowSpeed(double speed) { return fmt::format("x{:g}", speed); }

std::string ShowPosition(double seconds) {
  const auto whole = static_cast<int64_t>(std::clamp(seconds, 0.0, 1e9));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string ShowSpan(double seconds) {
  std::string text = FormatDuration(seconds);
  if (text.ends_with(".0s")) text.erase(text.size() - 3, 2);
  return text;
}

Text StateName(DeviceState state) {
  switch (state) {
    case DeviceState::kOk:
      return text::kTopStateOk;
    case DeviceState::kLost:
      return text::kTopStateLost;
    case DeviceState::kNeedsReset:
      return text::kTopStateNeedsReset;
    case DeviceState::kAbsent:
      return text::kTopStateAbsent;
    case DeviceState::kNoPermission:
      return text::kTopStateNoPermission;
    case DeviceState::kSuspended:
      return text::kTopStateSuspended;
    case DeviceState::kNoAnswer:
      return text::kTopStateNoAnswer;
  }
  return text::kTopStateOk;
}

Text StateExplanation(DeviceState state) {
  switch (state) {
    case DeviceState::kOk:
      return text::kTopStateOk;
    case DeviceState::kLost:
      return text::kTopExplainLost;
    case DeviceState::kNeedsReset:
      return text::kTopExplainNeedsReset;
    case DeviceState::kAbsent:
      return text::kTopExplainAbsent;
    case DeviceState::kNoPermission:
      return text::kTopExplainNoPermission;
    case DeviceState::kSuspended:
      return text::kTopExplainSuspended;
    case DeviceState::kNoAnswer:
      return text::kTopExplainNoAnswer;
  }
  return text::kTopStateOk;
}

Text RoleName(ProcessRole role) {
  switch (role) {
    case ProcessRole::kOther:
      return text::kTopRoleOther;
    case ProcessRole::kLoaderWorker:
      return text::kTopRoleLoader;
    case ProcessRole::kLauncher:
      return text::kTopRoleLauncher;
    case ProcessRole::kRank:
      return text::kTopRoleRank;
    case ProcessRole::kCompiler:
      return text::kTopRoleCompiler;
  }
  return text::kTopRoleOther;
}

std::string ThrottleReasons(const DeviceSample& device, Language language) {
  struct Reason {
    int bit;
    Text name;
  };
  static constexpr std::array<Reason, 7> kReasons = {{
      {2, text::kTopReasonPowerCap},
      {3, text::kTopReasonHardware},
      {4, text::kTopReasonSyncBoost},
      {5, text::kTopReasonSoftwareThermal},
      {6, text::kTopReasonHardwareThermal},
      {7, text::kTopReasonPowerBrake},
      {8, text::kTopReasonDisplay},
  }};
  const Known<double>& mask = device[DeviceField::kClockEventReasons];
  std::string out;
  if (!mask) return out;
  const auto bits = static_cast<uint64_t>(*mask);
  for (const Reason& reason : kReasons) {
    if ((bits >> reason.bit & 1) == 0) continue;
    if (!out.empty()) out += language == Language::kChinese ? "、" : ", ";
    out += reason.name.In(language);
  }
  return out;
}

std::string DeviceLabel(const Frame& frame, size_t device) {
  const DeviceSample& sample = frame.devices[device];
  if (!sample.is_mig_instance()) return fmt::format("{}", sample.info.index);
  int parent = sample.info.index;
  for (const DeviceSample& other : frame.devices) {
    if (other.info.uuid == sample.info.parent_uuid) parent = other.info.index;
  }
  return fmt::format("{}/{}/{}", parent, sample.info.gpu_instance, sample.info.compute_instance);
}

}  // namespace gpusight::tui
