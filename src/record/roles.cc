// SPDX-License-Identifier: Apache-2.0
#include "record/roles.h"

#include <algorithm>
#include <array>

namespace gpusight::record {
namespace {

// In the order of the enum.
constexpr std::array<std::string_view, 5> kRoles = {"other", "loader_worker", "launcher", "rank",
                                                    "compiler"};

}  // namespace

std::string_view RoleName(ProcessRole role) { return kRoles[static_cast<size_t>(role)]; }
ProcessRole ParseRole(std::string_view name) {
  const auto* at = std::find(kRoles.begin(), kRoles.end(), name);
  return at == kRoles.end() ? ProcessRole::kOther : static_cast<ProcessRole>(at - kRoles.begin());
}

MarkType ParseMark(std::string_view name) {
  for (const MarkType type :
       {MarkType::kPhase, MarkType::kCheckpoint, MarkType::kException, MarkType::kMetric}) {
    if (name == MarkName(type)) return type;
  }
  return MarkType::kNote;
}

Framework ParseFramework(std::string_view name) {
  for (const Framework f :
       {Framework::kPyTorch, Framework::kPaddle, Framework::kJax, Framework::kTensorFlow}) {
    if (name == FrameworkName(f)) return f;
  }
  return Framework::kOther;
}

bool ParseEvent(std::string_view name, EventType& type) {
  for (int i = 0; i <= static_cast<int>(EventType::kClockJump); ++i) {
    type = static_cast<EventType>(i);
    if (name == EventName(type)) return true;
  }
  return false;
}

}  // namespace gpusight::record
