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

TEST_F(Screens, PagesAndDialogs) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    const std::string suffix = language == Language::kChinese ? "-80x24-zh" : "-80x24";
    State state = MadeState({.processes = 9, .language = language});
    ProcessSample& process = state.frame.processes[0];
    process.threads = {{4100, "python", 'R', 0.98}, {4131, "pt_autograd_0", 'S', 0.21}};
    state.selected = state.opened = KeyOf(process);
    state.target = {KeyOf(process), *process.user, *process.command_line};
    state.signal = 15;
    for (const auto& [mode, name] :
         {std::pair(Mode::kHelp, "help"), std::pair(Mode::kProcess, "process"),
          std::pair(Mode::kDevice, "device"), std::pair(Mode::kSort, "sort"),
          std::pair(Mode::kColumns, "columns"), std::pair(Mode::kSignal, "signal"),
          std::pair(Mode::kConfirm, "confirm")}) {
      state.mode = mode;
      Compare(name + suffix, state);
    }
  }
}

// A lost card, a MIG instance, an old card without GPM, one that is throttled and has an XID; the
// driver silent; processes from elsewhere, ended ones, and missing values.
TEST_F(Screens, Trouble) {
  State state = MadeState({.devices = 5, .processes = 6, .language = Language::kEnglish});
  auto& devices = state.frame.devices;
  devices[0].fields[DeviceField::kClockEventReasons] = 0x40;
  devices[0].fields[DeviceField::kXidErrors] = 1;
  devices[0].fields[DeviceField::kLastXid] = 79;
  devices[1].info.parent_uuid = devices[0].info.uuid;
  devices[1].info.name = "NVIDIA H200 MIG 1g.18gb";
  devices[1].info.gpu_instance = 7;
  devices[1].info.compute_instance = 0;
  devices[1].fields[DeviceField::kUtilization] = Absence::kUnderMig;
  devices[2].state = DeviceState::kLost;
  devices[2].fields.Fill({Absence::kLost, 0});
  devices[3].info.name = "NVIDIA GeForce RTX 2080 Ti";
  for (const auto field : {DeviceField::kSmActivity, DeviceField::kTensorActivity,
                           DeviceField::kDramActivity, DeviceField::kMemoryDriverReserved}) {
    devices[3].fields[field] = Absence::kNotSupported;
  }
  devices[4].state = DeviceState::kSuspended;
  auto& processes = state.frame.processes;
  processes[0].translated = false;
  processes[0].user = processes[0].command_line = Absence::kOutsideNamespace;
  processes[1].zombie = true;
  processes[2].uses[0].fields[UseField::kMemory] = Absence::kNotSupported;
  state.frame.driver.state = DriverState::kNoAnswer;
  state.frame.driver.silent_seconds = 12;
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    state.settings.language = language;
    for (const Size size : {Size{20, 5}, Size{80, 24}, Size{120, 40}, Size{200, 60}}) {
      Update(state, size);
      Compare("trouble-" + SizeName(size) + (language == Language::kChinese ? "-zh" : ""), state);
    }
  }
}

}  // namespace
}  // namespace gpusight::tui
