// SPDX-License-Identifier: Apache-2.0
// A check: a pure function from the facts to lines of the page. To add one: a function in the file
// of its group, one line in checks.cc, texts in model/text/doctor_*.h, a case in its test, and its
// identifiers in docs/doctor.md. Next: checks.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"
#include "base/text.h"
#include "cli/doctor/facts.h"

namespace gpusight::doctor {

enum class State : uint8_t { kOk, kNote, kProblem };

struct Line {
  std::string id;  // stable: "driver.version", "memory_flag.FLAGS_x"
  State state = State::kOk;
  std::string text;
  std::string remedy;  // what mends it; empty: nothing to mend
};

// Collects lines in one language. Texts from outside are made safe to print here.
class Report {
 public:
  explicit Report(Language language) : language_(language) {}

  template <typename... Args>
  Report& Ok(std::string_view id, const Text& text, const Args&... args) {
    return Add(id, State::kOk, Say(language_, text, args...));
  }
  template <typename... Args>
  Report& Note(std::string_view id, const Text& text, const Args&... args) {
    return Add(id, State::kNote, Say(language_, text, args...));
  }
  template <typename... Args>
  Report& Problem(std::string_view id, const Text& text, const Args&... args) {
    return Add(id, State::kProblem, Say(language_, text, args...));
  }
  // What mends the line that was added last.
  template <typename... Args>
  void Remedy(const Text& text, const Args&... args) {
    lines_.back().remedy = Printable(Capped(Say(language_, text, args...)));
  }

  Language language() const { return language_; }
  const std::vector<Line>& lines() const { return lines_; }

 private:
  Report& Add(std::string_view id, State state, const std::string& text) {
    lines_.push_back({Printable(Capped(id)), state, Printable(Capped(text)), {}});
    return *this;
  }

  Language language_;
  std::vector<Line> lines_;
};

using Check = void (*)(const Facts& facts, Report& report);

struct Group {
  Text title;
  std::span<const Check> checks;
};

// All groups, in the order of the page.
[[nodiscard]] std::span<const Group> Groups();

// The checks, by file.
// driver.cc
void CheckCards(const Facts& facts, Report& report);
void CheckModule(const Facts& facts, Report& report);
void CheckLibrary(const Facts& facts, Report& report);
void CheckVersions(const Facts& facts, Report& report);
void CheckDriverAnswer(const Facts& facts, Report& report);
void CheckFabric(const Facts& facts, Report& report);
// nodes.cc
void CheckNodes(const Facts& facts, Report& report);
void CheckUvm(const Facts& facts, Report& report);
// container.cc
void CheckContainer(const Facts& facts, Report& report);
void CheckNvidiaVariables(const Facts& facts, Report& report);
void CheckToolkit(const Facts& facts, Report& report);
void CheckCdi(const Facts& facts, Report& report);
void CheckReload(const Facts& facts, Report& report);
void CheckPidNamespace(const Facts& facts, Report& report);
// host.cc
void CheckCpus(const Facts& facts, Report& report);
void CheckThreads(const Facts& facts, Report& report);
void CheckMemoryLimit(const Facts& facts, Report& report);
void CheckShm(const Facts& facts, Report& report);
void CheckPids(const Facts& facts, Report& report);
void CheckLimits(const Facts& facts, Report& report);
void CheckOvercommit(const Facts& facts, Report& report);
void CheckGovernor(const Facts& facts, Report& report);
// profiling.cc
void CheckCapabilities(const Facts& facts, Report& report);
void CheckMonitors(const Facts& facts, Report& report);
void CheckInjection(const Facts& facts, Report& report);
// devices.cc
void CheckDevices(const Facts& facts, Report& report);
void CheckPersistence(const Facts& facts, Report& report);
void CheckComputeMode(const Facts& facts, Report& report);
void CheckMig(const Facts& facts, Report& report);
void CheckHolders(const Facts& facts, Report& report);
// health.cc
void CheckEcc(const Facts& facts, Report& report);
void CheckRemap(const Facts& facts, Report& report);
void CheckXids(const Facts& facts, Report& report);
void CheckPower(const Facts& facts, Report& report);
void CheckClocks(const Facts& facts, Report& report);
// links.cc
void CheckPcie(const Facts& facts, Report& report);
void CheckNvlink(const Facts& facts, Report& report);
void CheckNuma(const Facts& facts, Report& report);
// visible.cc
void CheckVisibleDevices(const Facts& facts, Report& report);
// environment.cc
void CheckMemoryFlags(const Facts& facts, Report& report);

}  // namespace gpusight::doctor
