// SPDX-License-Identifier: Apache-2.0
#include "export/device_remarks.h"

#include <fmt/core.h>

#include <optional>

#include "base/units.h"
#include "export/holders.h"
#include "model/text/status.h"

namespace gpusight::exporting {
namespace {

// At and above this performance state the card saves power and slows its link down on purpose.
constexpr double kSavingPower = 5;

std::optional<Remark> RemarkOnState(DeviceState state, Language language) {
  const auto problem = [&](const Text& text) { return Remark{true, Say(language, text)}; };
  switch (state) {
    case DeviceState::kOk:
      return std::nullopt;
    case DeviceState::kLost:
      return problem(text::kNoteLost);
    case DeviceState::kNeedsReset:
      return problem(text::kNoteNeedsReset);
    case DeviceState::kAbsent:
      return problem(text::kNoteAbsent);
    case DeviceState::kNoPermission:
      return problem(text::kNoteNoPermission);
    case DeviceState::kSuspended:
      return Remark{false, Say(language, text::kNoteSuspended)};
    case DeviceState::kNoAnswer:
      return problem(text::kNoteNoAnswer);
  }
  return std::nullopt;
}

// The names of the bits that mean "slower than it could be"; idle and application clocks do not.
std::string HeldDownBy(uint64_t bits, Language language) {
  struct Reason {
    int bit;
    const Text& text;
  };
  static constexpr Reason kReasons[] = {
      {2, text::kReasonPowerCap},        {3, text::kReasonHardwareSlowdown},
      {4, text::kReasonSyncBoost},       {5, text::kReasonSoftwareThermal},
      {6, text::kReasonHardwareThermal}, {7, text::kReasonPowerBrake}};
  std::string out;
  for (const Reason& reason : kReasons) {
    if ((bits >> reason.bit & 1) == 0) continue;
    if (!out.empty()) out += language == Language::kChinese ? "、" : ", ";
    out += Say(language, reason.text);
  }
  return out;
}

}  // namespace

std::vector<Remark> RemarksOn(const DeviceSample& device, Language language) {
  std::vector<Remark> remarks;
  if (auto state = RemarkOnState(device.state, language)) remarks.push_back(std::move(*state));
  const auto number = [](const Known<double>& value) { return fmt::format("{:.0f}", *value); };
  const auto above_zero = [&](DeviceField field, const Text& text, bool problem) {
    const Known<double>& value = device[field];
    if (!value || *value <= 0) return;
    remarks.push_back({problem, Say(language, text, number(value))});
  };
  const auto set = [&](DeviceField field, const Text& text, bool problem) {
    if (device[field].value_or(0) > 0) remarks.push_back({problem, Say(language, text)});
  };
  for (const uint32_t xid : device.xids) {
    remarks.push_back({true, Say(language, text::kNoteXid, xid)});
  }
  above_zero(DeviceField::kEccUncorrected, text::kNoteEcc, true);
  set(DeviceField::kRemapFailed, text::kNoteRemapFailed, true);
  set(DeviceField::kRemapPending, text::kNoteRemapPending, true);
  const bool saving = device[DeviceField::kPerformanceState].value_or(0) >= kSavingPower;
  const auto below = [&](DeviceField now, DeviceField most, const Text& text) {
    if (device.info.coherent_link || !device[now] || !device[most]) return;
    if (*device[now] >= *device[most]) return;
    remarks.push_back({false, Say(language, text, number(device[now]), number(device[most]))});
  };
  below(DeviceField::kPcieWidth, DeviceField::kPcieWidthMax, text::kNoteLinkWidth);
  if (!saving) {
    below(DeviceField::kPcieGeneration, DeviceField::kPcieGenerationMax, text::kNoteLinkGeneration);
  }
  if (const auto& reasons = device[DeviceField::kClockEventReasons]) {
    const std::string held = HeldDownBy(static_cast<uint64_t>(*reasons), language);
    if (!held.empty()) remarks.push_back({false, Say(language, text::kNoteClocks, held)});
  }
  if (device.info.unified_memory && device[DeviceField::kMemoryUsed]) {
    remarks.push_back({false, Say(language, text::kNoteUnified)});
  }
  set(DeviceField::kMigMode, text::kNoteMig, false);
  return remarks;
}

std::vector<Remark> RemarksOnHolders(const Frame& frame, size_t at, Language language) {
  std::vector<Remark> remarks;
  const DeviceHolders device = HoldersOf(frame, at);
  if (device.zombies > 0) {
    remarks.push_back({false, Say(language, text::kNoteZombies, ZombieAmount(device, language))});
  }
  const bool hidden = device.residual == ResidualKind::kUnlisted;
  if (hidden || device.residual == ResidualKind::kUnowned) {
    remarks.push_back({false, Say(language, hidden ? text::kNoteHidden : text::kNoteUnowned,
                                  FormatBytes(*device.account.residual))});
  }
  return remarks;
}

}  // namespace gpusight::exporting
