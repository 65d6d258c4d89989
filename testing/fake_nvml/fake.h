// SPDX-License-Identifier: Apache-2.0
// For tests: the fake driver from the outside. Link gpusight_fake; the library itself is loaded by
// the code under test, through the real loader, from LibraryPath().
//
//   fake::TempScenario scenario(R"({"devices": [{"recording": ")" + fake::Recording("h200") +
//   "\"}]}"); fake::Control fake(scenario.path());     // or fake::Machine("h200-two-jobs")
//   fake.SetTime(5);                         // from here on the test moves the time
//   ... the code under test, with --nvml LibraryPath() ...
//   EXPECT_EQ(fake.Calls("nvmlDeviceGetPowerUsage"), 1u);
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gpusight::fake {

// build/<preset>/fake/libnvidia-ml.so.1, with every function.
[[nodiscard]] std::string LibraryPath();

// A copy of it in which dlsym() does not find these functions, as with an older driver. It lives
// in a temporary folder until the process ends.
[[nodiscard]] std::string LibraryWithout(std::initializer_list<std::string_view> functions);

// testdata/machines/<name>/scenario.json, testdata/machines/recordings/<name>.json.
[[nodiscard]] std::string Machine(std::string_view name);
[[nodiscard]] std::string Recording(std::string_view name);

// A scenario file that is removed with the object.
class TempScenario {
 public:
  explicit TempScenario(std::string_view json);
  ~TempScenario();
  TempScenario(const TempScenario&) = delete;
  TempScenario& operator=(const TempScenario&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Steers the fake in this process. The library is loaded once and for all; a new Control gives it
// a new scenario at time 0 and the clock its real pace.
class Control {
 public:
  // `library`: LibraryPath() or one made by LibraryWithout(). Aborts when the scenario is broken.
  explicit Control(const std::string& scenario, const std::string& library = LibraryPath());
  void SetTime(double seconds);
  uint64_t Calls(const char* function) const;  // since the library was loaded

 private:
  void* library_;
};

}  // namespace gpusight::fake
