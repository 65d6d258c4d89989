// SPDX-License-Identifier: Apache-2.0
#include "record/roles.h"

#include <array>

namespace gpusight::record {
namespace {

// In the order of the enums.
constexpr std::array<std::string_view, 5> kRoles = {"other", "loader_worker", "launcher", "rank",
                                                    "compiler"};
constexpr std::array<std::string_view, 6> kMarks = {"out_of_memory", "phase", "checkpoint",
                                                    "exception",     "note",  "metric"};

template <typename Names, typename Type>
Type Find(const Names& names, std::string_view name, Type otherwise) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Type>(i);
  }
  return otherwise;
}

}  // namespace

std::string_view RoleName(ProcessRole role) { return kRoles[static_cast<size_t>(role)]; }
ProcessRole ParseRole(std::string_view name) { return Find(kRoles, name, ProcessRole::kOther); }
std::string_view MarkName(MarkType type) { return kMarks[static_cast<size_t>(type)]; }
MarkType ParseMark(std::string_view name) { return Find(kMarks, name, MarkType::kNote); }

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
