// SPDX-License-Identifier: Apache-2.0
#include "tui/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/finding_text.h"
#include "tui/pages.h"
#include "tui/panels.h"
#include "tui/test_frames.h"
#include "tui/update.h"

namespace gpusight::tui {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Screen(const State& state) { return Render(state).ToText(); }

size_t CellsIn(const std::vector<CellRun>& runs) {
  size_t cells = 0;
  for (const CellRun& run : runs) cells += static_cast<size_t>(run.length);
  return cells;
}

TEST(Render, EveryModeAtEverySizeInBothLanguagesStaysInTheGrid) {
  for (const int devices : {0, 1, 8, 16}) {
    State state = MadeState({.devices = devices, .processes = 30, .steps = 3});
    for (const Mode mode :
         {Mode::kMain, Mode::kSearch, Mode::kFilter, Mode::kHelp, Mode::kProcess, Mode::kDevice,
          Mode::kSort, Mode::kColumns, Mode::kSignal, Mode::kConfirm}) {
      state.mode = mode;
      for (const Language language : {Language::kEnglish, Language::kChinese}) {
        state.settings.language = language;
        for (const Size size : {Size{1, 1}, Size{2, 3}, Size{5, 2}, Size{20, 5}, Size{33, 9},
                                Size{80, 24}, Size{200, 60}, Size{500, 200}}) {
          Update(state, size);
          const Canvas canvas = Render(state);
          ASSERT_EQ(canvas.size(), size);
          // No half of a wide character stands alone.
          for (int row = 0; row < size.height; ++row) {
            for (int column = 0; column < size.width; ++column) {
              const int width = canvas.at(column, row).width;
              if (width == 2) {
                ASSERT_LT(column + 1, size.width);
                ASSERT_EQ(canvas.at(column + 1, row).width, 0);
              }
              if (width == 0) {
                ASSERT_GT(column, 0);
                ASSERT_EQ(canvas.at(column - 1, row).width, 2);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Render, AsciiModeIsAscii) {
  State state = MadeState({.devices = 2, .processes = 3, .steps = 5, .ascii = true});
  for (ProcessSample& process : state.frame.processes) process.command_line = std::string("python");
  for (const Mode mode : {Mode::kMain, Mode::kHelp, Mode::kProcess, Mode::kDevice, Mode::kSort}) {
    state.mode = mode;
    const std::string text = Screen(state);
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x80;
    })) << text;
  }
}

TEST(Render, WhenNothingChangedNoCellIsSent) {
  State state = MadeState({.devices = 4, .processes = 20, .steps = 20});
  const Canvas before = Render(state);
  EXPECT_EQ(CellsIn(Changes(before, Render(state))), 0u);
}

TEST(Render, WhenOneValueChangedOnlyItsCellsAreSent) {
  State state = MadeState({.devices = 4, .processes = 20, .steps = 20});
  const Canvas before = Render(state);
  state.frame.devices[2].fields[DeviceField::kTemperature] = 71.0;
  EXPECT_LE(CellsIn(Changes(before, Render(state))), 2u);
  state.now.ns += 1'000'000'000;
  EXPECT_LE(CellsIn(Changes(before, Render(state))), 4u);  // and the clock's last digits
}

TEST(Render, ALostDeviceShowsItsStateAndLeavesTheOthersAlone) {
  State state = MadeState({.devices = 2, .steps = 5});
  state.frame.devices[1].state = DeviceState::kLost;
  state.frame.devices[1].fields.Fill({Absence::kLost, 0});
  EXPECT_THAT(Screen(state), HasSubstr("LOST"));
  EXPECT_THAT(Screen(state), HasSubstr("The GPU fell off the bus."));
  EXPECT_THAT(Screen(state), HasSubstr("util"));
  Update(state, Size{40, 8});
  EXPECT_THAT(Screen(state), HasSubstr("LOST"));
}

TEST(Render, EveryStateHasAWordAtEverySize) {
  State state = MadeState({.steps = 2});
  for (const Size size : {Size{30, 5}, Size{80, 24}}) {
    Update(state, size);
    for (const auto& [device_state, word] : {std::pair(DeviceState::kNeedsReset, "NEEDS RESET"),
                                             std::pair(DeviceState::kAbsent, "ABSENT"),
                                             std::pair(DeviceState::kSuspended, "SUSPENDED"),
                                             std::pair(DeviceState::kNoPermission, "NO PERMISSION"),
                                             std::pair(DeviceState::kNoAnswer, "NO ANSWER")}) {
      state.frame.devices[0].state = device_state;
      EXPECT_THAT(Screen(state), HasSubstr(word));
    }
  }
}

TEST(Render, TheMemoryAccountIsWrittenOut) {
  const State state = MadeState({.size = {120, 40}, .steps = 2});
  EXPECT_THAT(Screen(state), HasSubstr("processes 95.2GiB"));
  EXPECT_THAT(Screen(state), HasSubstr("residual 624.0MiB"));
  EXPECT_THAT(Screen(state), HasSubstr("reserved 614.0MiB"));
  EXPECT_THAT(Screen(state), HasSubstr("free 44.0GiB"));
}

TEST(Render, WithoutGpmTheMemoryControllerTakesThePlaceOfItsCharts) {
  State state = MadeState({.size = {120, 40}, .steps = 2});
  for (const auto field :
       {DeviceField::kSmActivity, DeviceField::kTensorActivity, DeviceField::kDramActivity}) {
    state.frame.devices[0].fields[field] = Absence::kNotSupported;
  }
  EXPECT_THAT(Screen(state), HasSubstr("mem ctrl"));
  EXPECT_THAT(Screen(state), Not(HasSubstr("tensor")));
}

TEST(Render, AValueThatIsMissingForNowKeepsItsChartAndSaysWhy) {
  State state = MadeState({.size = {120, 40}, .steps = 2});
  state.frame.devices[0].fields[DeviceField::kSmActivity] = Absence::kCountersTaken;
  EXPECT_THAT(Screen(state), HasSubstr("SM –"));
  EXPECT_THAT(Screen(state), HasSubstr("profiling counters"));
}

TEST(Render, ThrottlingXidAndRemappingAreSeen) {
  State state = MadeState({.size = {120, 40}, .steps = 2});
  auto& fields = state.frame.devices[0].fields;
  fields[DeviceField::kClockEventReasons] = 0x44;
  fields[DeviceField::kXidErrors] = 2;
  fields[DeviceField::kLastXid] = 79;
  fields[DeviceField::kRemapPending] = 1;
  EXPECT_THAT(Screen(state), HasSubstr("throttled: power cap, heat (hardware)"));
  EXPECT_THAT(Screen(state), HasSubstr("XID 79"));
  EXPECT_THAT(Screen(state), HasSubstr("row remap pending"));
}

TEST(Render, TroubleIsMarkedWhereDevicesHaveOneLineEach) {
  State state = MadeState({.size = {80, 24}, .devices = 12, .processes = 9, .steps = 2});
  state.frame.devices[3].fields[DeviceField::kXidErrors] = 1;
  state.frame.devices[3].fields[DeviceField::kLastXid] = 79;
  EXPECT_THAT(Screen(state), HasSubstr("\n3! "));
  EXPECT_THAT(Screen(state), HasSubstr("XID 79"));
}

TEST(Render, ACauseThatWasFoundIsSeenAtItsDevice) {
  State state = MadeState({.size = {120, 40}, .steps = 2});
  Finding finding;
  finding.rule = "io.local_disk_bound";
  finding.confidence = 0.8;
  finding.device_uuid = state.frame.devices[0].info.uuid;
  finding.evidence = {Fact("gpu_idle", {{Unit::kRatio, 0.58}})};
  state.findings = {finding};
  EXPECT_THAT(Screen(state), HasSubstr("the loader waits for the disk"));
  state.findings[0].confidence = 0.5;  // only possible
  EXPECT_THAT(Screen(state), Not(HasSubstr("the loader waits for the disk")));
}

TEST(Render, IdleAndSetClocksAreNoThrottling) {
  State state = MadeState({.steps = 2});
  state.frame.devices[0].fields[DeviceField::kClockEventReasons] = 0x3;
  EXPECT_THAT(Screen(state), Not(HasSubstr("throttled")));
}

TEST(Render, WhereThereIsLittleRoomTheReasonAloneIsShown) {
  State state = MadeState({.devices = 8, .processes = 40, .steps = 2});
  state.frame.devices[3].fields[DeviceField::kClockEventReasons] = 4;
  EXPECT_THAT(Screen(state), HasSubstr("power cap\n"));
  Update(state, Size{120, 24});
  EXPECT_THAT(Screen(state), HasSubstr("throttled: power cap"));
}

TEST(Render, MigInstancesAreCountedApartAndShowNothingThatTheyCannotHave) {
  State state = MadeState({.size = {120, 40}, .devices = 2, .steps = 2});
  DeviceSample& instance = state.frame.devices[1];
  instance.info.parent_uuid = state.frame.devices[0].info.uuid;
  instance.info.gpu_instance = 7;
  instance.info.compute_instance = 0;
  for (const auto field :
       {DeviceField::kSmClock, DeviceField::kSmClockMax, DeviceField::kMemoryClock,
        DeviceField::kPower, DeviceField::kTemperature, DeviceField::kPcieGeneration,
        DeviceField::kPcieWidth}) {
    instance.fields[field] = Absence::kUnderMig;
  }
  const std::string text = Screen(state);
  EXPECT_THAT(text, HasSubstr("1 GPU + 1 MIG instance"));
  for (const char* hole : {"–MHz", "gen–", "x–", "–W", "– –"}) {
    EXPECT_THAT(text, Not(HasSubstr(hole)));
  }
}

TEST(Render, AMigInstanceIsNamedByItsNumbers) {
  State state = MadeState({.size = {120, 40}, .devices = 2, .steps = 2});
  auto& info = state.frame.devices[1].info;
  info.parent_uuid = state.frame.devices[0].info.uuid;
  info.gpu_instance = 7;
  info.compute_instance = 0;
  state.frame.devices[1].fields[DeviceField::kUtilization] = Absence::kUnderMig;
  EXPECT_THAT(Screen(state), HasSubstr("0/7/0"));
}

TEST(Render, TheDevicePageSaysWhyAValueIsMissing) {
  State state = MadeState({.size = {100, 150}, .steps = 2});
  state.frame.devices[0].fields[DeviceField::kFan] = Missing{Absence::kDriverError, 999};
  state.mode = Mode::kDevice;
  EXPECT_THAT(Screen(state), HasSubstr("– driver error 999"));
}

TEST(Render, TheProcessPageShowsWhoWhatAndWhy) {
  State state = MadeState({.size = {120, 90}, .steps = 2});
  ProcessSample& process = state.frame.processes[0];
  process.namespace_pids = {4100, 17};
  process.visible_devices = std::string("GPU-0");
  process.threads = {{4101, "pt_main", 'R', 0.99}, {4102, "cuda-Evt", 'S', Absence::kGone}};
  process.fields[ProcessField::kReadBytes] = Absence::kNoPermission;
  state.opened = KeyOf(process);
  state.mode = Mode::kProcess;
  const std::string text = Screen(state);
  EXPECT_THAT(text, HasSubstr("python train.py --model resnet50 --batch-size 256"));
  EXPECT_THAT(text, HasSubstr("4100 > 17"));
  EXPECT_THAT(text, HasSubstr("CUDA_VISIBLE_DEVICES=GPU-0"));
  EXPECT_THAT(text, HasSubstr("none, on the host itself"));
  EXPECT_THAT(text, HasSubstr("99% pt_main"));
  EXPECT_THAT(text, HasSubstr("– no permission"));
}

TEST(Render, AnEmptyTableSaysWhy) {
  State state = MadeState({.processes = 0, .steps = 2});
  EXPECT_THAT(Screen(state), HasSubstr("No process uses a GPU."));
  state.frame.devices[0].process_count = Absence::kNoPermission;
  EXPECT_THAT(Screen(state), HasSubstr("Processes: no permission"));
}

TEST(Render, WithoutDevicesTheDriversSentenceStands) {
  const State state = MadeState({.devices = 0, .processes = 0, .steps = 2});
  EXPECT_THAT(Screen(state), HasSubstr("No GPU"));
  EXPECT_THAT(Screen(state), HasSubstr("0 GPUs"));
  EXPECT_THAT(Screen(state), HasSubstr("The driver works but finds no GPU."));
}

TEST(Render, ADriverThatHangsFromTheStartIsNotSaidToHaveNoGpu) {
  State state = MadeState({.devices = 0, .processes = 0, .steps = 2});
  state.frame.driver.state = DriverState::kNoAnswer;
  state.frame.driver.silent_seconds = 7;
  EXPECT_THAT(Screen(state), HasSubstr("No GPU is known yet"));
  EXPECT_THAT(Screen(state), Not(HasSubstr("0 GPUs")));
  state.settings.language = Language::kChinese;
  EXPECT_THAT(Screen(state), HasSubstr("尚未发现任何 GPU"));
}

TEST(Render, TheLastLineKeepsHelpAndQuitAtEveryUsefulWidth) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    State state = MadeState({.language = language});
    for (int width = 30; width <= 200; ++width) {
      Update(state, Size{width, 24});
      const std::vector<Hint> hints = FooterHints(state, width);
      const auto has = [&](Action action) {
        return std::any_of(hints.begin(), hints.end(),
                           [action](const Hint& hint) { return hint.action == action; });
      };
      EXPECT_TRUE(has(Action::kHelp) && has(Action::kQuit)) << width;
      EXPECT_EQ(has(Action::kTree), has(Action::kAll)) << width;
      EXPECT_LE(hints.back().x + hints.back().width, width);
    }
  }
}

TEST(Render, ASnapshotOffersNoKeys) {
  State state = MadeState({});
  EXPECT_THAT(Screen(state), HasSubstr("q Quit"));
  state.settings.snapshot = true;
  EXPECT_THAT(Screen(state), Not(HasSubstr("q Quit")));
}

TEST(Render, TheNumberOfDevicesStandsOnTheSmallestScreen) {
  const State state = MadeState({.size = {20, 5}, .devices = 8, .steps = 2});
  EXPECT_THAT(Screen(state), testing::StartsWith("8 GPUs"));
}

TEST(Wrap, BreaksAtBlanksAndCutsWhatIsTooLong) {
  EXPECT_EQ(Wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(Wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(Wrap("显存不足", 5), (std::vector<std::string>{"显存", "不足"}));
  EXPECT_TRUE(Wrap("", 5).empty());
  EXPECT_EQ(Wrap("a", 0), (std::vector<std::string>{"a"}));
}

}  // namespace
}  // namespace gpusight::tui
