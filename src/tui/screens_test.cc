// SPDX-License-Identifier: Apache-2.0
// Golden screens: fixed frames drawn at several sizes, compared with testdata/screens/. To accept
// new ones, run with GPUSIGHT_UPDATE_SCREENS=1 and look at the difference in git.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tui/render.h"
#include "tui/test_frames.h"
#include "tui/update.h"

namespace gpusight::tui {
namespace {

void Compare(const std::string& name, const State& state) {
  const std::string path = std::string(GPUSIGHT_TESTDATA) + "/screens/" + name + ".txt";
  const std::string drawn = Render(state).ToText();
  if (std::getenv("GPUSIGHT_UPDATE_SCREENS") != nullptr) {
    std::ofstream(path) << drawn;
    return;
  }
  std::ostringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(drawn, expected.str()) << path;
}

class Screens : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
  }
};

std::string SizeName(Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

TEST_F(Screens, OneDeviceAtEverySize) {
  for (const bool chinese : {false, true}) {
    State state = MadeState({.language = chinese ? Language::kChinese : Language::kEnglish});
    for (const Size size :
         {Size{20, 5}, Size{40, 12}, Size{80, 24}, Size{120, 40}, Size{200, 60}}) {
      Update(state, size);
      Compare("one-" + SizeName(size) + (chinese ? "-zh" : ""), state);
      state.settings.ascii = true;
      if (!chinese) Compare("one-" + SizeName(size) + "-ascii", state);
      state.settings.ascii = false;
    }
  }
}

TEST_F(Screens, ManyDevices) {
  struct Machine {
    const char* name;
    int devices, processes;
  };
  for (const Machine& machine :
       {Machine{"two", 2, 9}, Machine{"eight", 8, 40}, Machine{"sixteen", 16, 1000}}) {
    State state = MadeState({.devices = machine.devices, .processes = machine.processes});
    for (const Size size : {Size{20, 5}, Size{80, 24}, Size{120, 40}, Size{200, 60}}) {
      Update(state, size);
      Compare(std::string(machine.name) + "-" + SizeName(size), state);
    }
  }
}

}  // namespace
}  // namespace gpusight::tui
