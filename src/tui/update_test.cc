// SPDX-License-Identifier: Apache-2.0
#include "tui/update.h"

#include <gtest/gtest.h>

#include <csignal>
#include <random>

#include "base/text.h"
#include "tui/layout.h"
#include "tui/render.h"
#include "tui/test_frames.h"

namespace gpusight::tui {
namespace {

Effect Press(State& state, std::string_view names) {
  Effect effect;
  while (const auto name = NextWord(names)) effect = Update(state, *ParseKey(*name));
  return effect;
}

std::string Screen(const State& state) { return Render(state).ToText(); }

bool Shows(const State& state, std::string_view text) {
  return Screen(state).find(text) != std::string::npos;
}

class UpdateTest : public testing::Test {
 protected:
  State state_ = MadeState({.size = {100, 30}, .devices = 2, .processes = 30, .steps = 3});

  ProcessSample& Selected() {
    for (ProcessSample& process : state_.frame.processes) {
      if (KeyOf(process) == state_.selected) return process;
    }
    return state_.frame.processes.front();
  }
};

TEST_F(UpdateTest, QuitKeysQuitFromEverywhere) {
  EXPECT_TRUE(Press(state_, "q").quit);
  for (const char* opener : {"h", "Enter", "i", "s", "c", "/", "\\"}) {
    Press(state_, opener);
    EXPECT_TRUE(Press(state_, "Ctrl-C").quit) << opener;
    Press(state_, "Esc");
    EXPECT_EQ(state_.mode, Mode::kMain) << opener;
  }
}

TEST_F(UpdateTest, TheSelectionMovesAndTheTableScrollsWithIt) {
  Press(state_, "End");
  EXPECT_EQ(state_.selected_row, 29);
  const int height = LayoutOf(state_).table.height;
  EXPECT_EQ(state_.first_row, 30 - height);
  Press(state_, "Home Down Down");
  EXPECT_EQ(state_.selected_row, 2);
  EXPECT_EQ(state_.first_row, 0);
  Press(state_, "PgDn");
  EXPECT_EQ(state_.selected_row, 2 + height);
  Press(state_, "Up PgUp PgUp PgUp");
  EXPECT_EQ(state_.selected_row, 0);
}

TEST_F(UpdateTest, SortingByTheSameColumnReverses) {
  Press(state_, "s Home Enter");
  EXPECT_EQ(state_.sort, Column::kPid);
  EXPECT_FALSE(state_.falling);
  Press(state_, "r");
  EXPECT_TRUE(state_.falling);
}

TEST_F(UpdateTest, AFilterAppliesWhileItIsTypedAndEscBringsTheOldOneBack) {
  Press(state_, "\\ w a n g");
  EXPECT_EQ(state_.rows.size(), 6u);
  Press(state_, "Enter");
  EXPECT_EQ(state_.mode, Mode::kMain);
  Press(state_, "\\ Backspace Backspace x");
  EXPECT_TRUE(state_.rows.empty());
  EXPECT_TRUE(Shows(state_, "No process matches the filter 'wax'."));
  Press(state_, "Esc");
  EXPECT_EQ(state_.filter, "wang");
  EXPECT_EQ(state_.rows.size(), 6u);
  Press(state_, "Esc");
  EXPECT_EQ(state_.rows.size(), 30u);
}

TEST_F(UpdateTest, ASearchSelectsTheNextMatchAndGoesRound) {
  Press(state_, "/ g r a c e Enter");
  EXPECT_EQ(*Selected().user, "grace");
  const ProcessKey first = state_.selected;
  for (int i = 0; i < 5; ++i) {
    Press(state_, "n");
    EXPECT_EQ(*Selected().user, "grace");
    EXPECT_NE(state_.selected, first);
  }
  Press(state_, "n");
  EXPECT_EQ(state_.selected, first);
  Press(state_, "N n");
  EXPECT_EQ(state_.selected, first);
}

TEST_F(UpdateTest, ASearchWithoutAMatchSaysSo) {
  Press(state_, "/ z z z Enter");
  EXPECT_TRUE(Shows(state_, "Nothing matches 'zzz'."));
}

TEST_F(UpdateTest, DeviceFocusGoesThroughTheDevicesAndBackToAll) {
  Press(state_, "d");
  EXPECT_EQ(ShownDevices(state_), std::vector<size_t>{0});
  EXPECT_EQ(state_.rows.size(), 15u);
  Press(state_, "d");
  EXPECT_EQ(ShownDevices(state_), std::vector<size_t>{1});
  Press(state_, "d");
  EXPECT_EQ(ShownDevices(state_).size(), 2u);
  Press(state_, "1");
  EXPECT_EQ(ShownDevices(state_), std::vector<size_t>{1});
  Press(state_, "Esc");
  EXPECT_EQ(ShownDevices(state_).size(), 2u);
}

TEST_F(UpdateTest, IntervalKeysAskForAnotherIntervalWithinBounds) {
  EXPECT_EQ(Press(state_, "+").interval, 0.5);
  EXPECT_EQ(Press(state_, "- -").interval, 2);
  for (int i = 0; i < 40; ++i) Press(state_, "+");
  EXPECT_EQ(state_.interval, 0.1);
  for (int i = 0; i < 40; ++i) Press(state_, "-");
  EXPECT_EQ(state_.interval, 3600);
}

TEST_F(UpdateTest, PauseKeepsTheScreenButNotTheHistory) {
  Press(state_, "p");
  Frame frame = MadeFrame(2, 5, 4);
  Update(state_, frame);
  EXPECT_EQ(state_.rows.size(), 30u);
  EXPECT_TRUE(Shows(state_, "PAUSED"));
  Press(state_, "p");
  frame = MadeFrame(2, 5, 5);
  Update(state_, frame);
  EXPECT_EQ(state_.rows.size(), 5u);
  const auto columns = state_.history.Find(state_.frame.devices[0].info, ChartId::kSm)
                           ->Columns(state_.frame.time.ns, 1'000'000'000, 3, 0);
  EXPECT_TRUE(columns[1].known());  // of the frame during the pause
}

TEST_F(UpdateTest, ColumnsCanBeHiddenButNotThePid) {
  Press(state_, "c Home Enter Down Space Esc");
  EXPECT_TRUE(state_.columns[static_cast<size_t>(Column::kPid)]);
  EXPECT_FALSE(state_.columns[static_cast<size_t>(Column::kUser)]);
  EXPECT_FALSE(Shows(state_, "USER"));
}

TEST_F(UpdateTest, AClickSelectsARowAndTwoOpenIt) {
  const Rect table = LayoutOf(state_).table;
  Update(state_, Mouse{MouseAction::kClick, 3, table.y + 4});
  EXPECT_EQ(state_.selected_row, state_.first_row + 4);
  Update(state_, Mouse{MouseAction::kDoubleClick, 3, table.y + 4});
  EXPECT_EQ(state_.mode, Mode::kProcess);
  EXPECT_EQ(state_.opened, state_.selected);
}

TEST_F(UpdateTest, AClickOnAColumnTitleSorts) {
  const Rect heading = LayoutOf(state_).table_heading;
  Update(state_, Mouse{MouseAction::kClick, 5, heading.y});
  EXPECT_EQ(state_.sort, Column::kPid);
  Update(state_, Mouse{MouseAction::kClick, 5, heading.y});
  EXPECT_TRUE(state_.falling);
}

TEST_F(UpdateTest, AClickOnADeviceFocusesItAndAnotherShowsAll) {
  const Rect device = LayoutOf(state_).devices[1].area;
  Update(state_, Mouse{MouseAction::kClick, device.x + 2, device.y});
  EXPECT_EQ(ShownDevices(state_), std::vector<size_t>{1});
  const Rect only = LayoutOf(state_).devices[0].area;
  Update(state_, Mouse{MouseAction::kClick, only.x + 2, only.y});
  EXPECT_EQ(ShownDevices(state_).size(), 2u);
}

TEST_F(UpdateTest, TheWheelScrollsWhatIsBelowIt) {
  const Rect table = LayoutOf(state_).table;
  Update(state_, Mouse{MouseAction::kWheelDown, 3, table.y});
  EXPECT_EQ(state_.selected_row, 3);
  Press(state_, "h");
  Update(state_, Mouse{MouseAction::kWheelDown, 3, 5});
  EXPECT_EQ(state_.scroll, 3);
}

TEST_F(UpdateTest, AClickOnAHintDoesWhatItsKeyDoes) {
  const Rect footer = LayoutOf(state_).footer;
  Update(state_, Mouse{MouseAction::kClick, 1, footer.y});
  EXPECT_EQ(state_.mode, Mode::kHelp);
}

TEST_F(UpdateTest, TheProcessPageStaysWithItsProcessAfterItEnded) {
  Press(state_, "Enter");
  const int pid = state_.opened.pid;
  Frame frame = MadeFrame(2, 30, 4);
  std::erase_if(frame.processes, [&](const ProcessSample& p) { return p.pid == pid; });
  Update(state_, frame);
  EXPECT_TRUE(Shows(state_, "Process " + std::to_string(pid)));
  EXPECT_TRUE(Shows(state_, "The process has ended."));
}

TEST_F(UpdateTest, AMessageGoesAwayAfterAWhile) {
  Tell(state_, "Something happened.");
  EXPECT_TRUE(Shows(state_, "Something happened."));
  Update(state_, state_.now, MonoTime{state_.mono.ns + 6'000'000'000});
  EXPECT_FALSE(Shows(state_, "Something happened."));
}

TEST_F(UpdateTest, WhileTheDriverIsSilentTheSecondsAreCounted) {
  Frame frame = MadeFrame(2, 5, 4);
  frame.driver.state = DriverState::kNoAnswer;
  frame.driver.silent_seconds = 4;
  Update(state_, frame);
  EXPECT_TRUE(Shows(state_, "The driver has not answered for 4s."));
  Update(state_, WallTime{state_.now.ns + 3'000'000'000}, MonoTime{state_.mono.ns + 3'000'000'000});
  EXPECT_TRUE(Shows(state_, "The driver has not answered for 7s."));
}

TEST_F(UpdateTest, WhenFramesStopComingTheScreenSaysThatItIsOld) {
  EXPECT_FALSE(Shows(state_, "No new data"));
  Update(state_, state_.now, MonoTime{state_.mono.ns + 9'000'000'000});
  EXPECT_TRUE(Shows(state_, "No new data for 9s. What is shown is old."));
}

// Any sequence of keys, clicks, frames and sizes leaves a state that can be drawn.
TEST(UpdateProperty, NothingThatAUserDoesBreaksTheScreen) {
  std::vector<Key> keys;
  for (const Binding& binding : Bindings()) {
    std::string_view rest = binding.keys;
    while (const auto name = NextWord(rest)) keys.push_back(*ParseKey(*name));
  }
  for (const char32_t c : U"0159yYnx显 ") keys.push_back({KeyCode::kCharacter, c, 0});
  for (const KeyCode code : {KeyCode::kBackspace, KeyCode::kDelete}) keys.push_back({code, 0, 0});
  for (unsigned seed = 1; seed <= 10; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    State state = MadeState({.devices = below(17), .processes = below(60), .steps = 2});
    for (int step = 0; step < 150; ++step) {
      switch (below(12)) {
        case 0:
          Update(state, Size{1 + below(140), 1 + below(50)});
          break;
        case 1: {
          Frame frame = MadeFrame(below(17), below(60), 3 + step);
          Update(state, frame.time, frame.mono);
          Update(state, frame);
          break;
        }
        case 2:
        case 3:
          Update(state, Mouse{static_cast<MouseAction>(below(4)), below(150), below(60)});
          break;
        default:
          Update(state, keys[static_cast<size_t>(below(static_cast<int>(keys.size())))]);
      }
      const int rows = static_cast<int>(state.rows.size());
      ASSERT_GE(state.selected_row, 0);
      ASSERT_LT(state.selected_row, std::max(1, rows));
      ASSERT_GE(state.first_row, 0);
      ASSERT_LE(state.first_row, state.selected_row);
      if (rows > 0) {
        ASSERT_NE(SelectedProcess(state), nullptr);
      }
      const Canvas canvas = Render(state);
      ASSERT_EQ(canvas.size(), state.size);
    }
  }
}

class PlaybackTest : public UpdateTest {
 protected:
  PlaybackTest() {
    state_.settings.recorded = true;
    state_.playback = Playback{{state_.frame.time.ns - 5'000'000'000},
                               {state_.frame.time.ns + 3'600'000'000'000}};
  }
};

TEST_F(PlaybackTest, KeysSeekAndChangeTheSpeed) {
  EXPECT_EQ(Press(state_, ",").seek, -10);
  EXPECT_EQ(Press(state_, "}").seek, 600);
  EXPECT_EQ(Press(state_, "+").speed, 2);
  EXPECT_EQ(Press(state_, "- -").speed, 0.5);
  EXPECT_EQ(Press(state_, "+").interval, std::nullopt);
}

TEST_F(PlaybackTest, PauseStandsStillAndGoesOnAtTheSameSpeed) {
  Press(state_, "+");

  EXPECT_EQ(Press(state_, "Space").speed, 0);
  EXPECT_TRUE(Shows(state_, "PAUSED"));
  EXPECT_EQ(Press(state_, "+").speed, std::nullopt);
  EXPECT_EQ(Press(state_, "Space").speed, 5);
}

TEST_F(PlaybackTest, ShowsWhereItIsEvenWhilePaused) {
  EXPECT_TRUE(Shows(state_, "PLAY x1"));
  EXPECT_TRUE(Shows(state_, "0:00:05/1:00:05"));
  Press(state_, "Space");
  Frame later = state_.frame;
  later.time.ns += 60'000'000'000;

  Restart(state_, History());
  Update(state_, later);

  EXPECT_TRUE(Shows(state_, "0:01:05/1:00:05"));
}

TEST_F(PlaybackTest, NeverComplainsThatNoFramesCome) {
  Update(state_, state_.now, MonoTime{state_.mono.ns + 3'600'000'000'000});

  EXPECT_EQ(SilenceOf(state_).seconds, 0);
}

TEST_F(PlaybackTest, HelpNamesItsKeys) {
  Update(state_, Size{100, 100});
  Press(state_, "h");
  EXPECT_TRUE(Shows(state_, "a minute back"));
  EXPECT_FALSE(Shows(state_, "frames more often"));
}

TEST_F(UpdateTest, SeekKeysDoNothingOnALiveMachine) { EXPECT_EQ(Press(state_, ",").seek, 0); }

}  // namespace
}  // namespace gpusight::tui
