// SPDX-License-Identifier: Apache-2.0
#include "tui/signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "base/text.h"
#include "tui/render.h"
#include "tui/test_frames.h"
#include "tui/update.h"

namespace gpusight::tui {
namespace {

using testing::HasSubstr;

class Signals : public testing::Test {
 protected:
  State state_ = MadeState({.size = {100, 30}, .processes = 3, .steps = 2});

  Effect Press(std::string_view names) {
    Effect effect;
    while (const auto name = NextWord(names)) effect = Update(state_, *ParseKey(*name));
    return effect;
  }
  ProcessSample& Selected() {
    for (ProcessSample& process : state_.frame.processes) {
      if (KeyOf(process) == state_.selected) return process;
    }
    return state_.frame.processes.front();
  }
  std::string Screen() const { return Render(state_).ToText(); }
  // Pressing k is answered by `sentence` and opens nothing.
  void ExpectRefusal(const std::string& sentence) {
    Press("k");
    EXPECT_EQ(state_.mode, Mode::kMain);
    EXPECT_EQ(state_.message, sentence);
    EXPECT_TRUE(state_.message_bad);
  }
};

TEST_F(Signals, AreSentAfterAQuestionThatNamesPidUserAndCommand) {
  Press("k Enter");
  EXPECT_EQ(state_.mode, Mode::kConfirm);
  EXPECT_THAT(Screen(), HasSubstr("Send SIGTERM?"));
  EXPECT_THAT(Screen(), HasSubstr(std::to_string(Selected().pid)));
  EXPECT_THAT(Screen(), HasSubstr(*Selected().user));
  EXPECT_THAT(Screen(), HasSubstr(Selected().command_line->substr(0, 40)));
  const Effect effect = Press("y");
  ASSERT_TRUE(effect.request);
  EXPECT_EQ(effect.request->signal, SIGTERM);
  EXPECT_EQ(effect.request->target.key, KeyOf(Selected()));
  EXPECT_EQ(state_.mode, Mode::kMain);
}

TEST_F(Signals, NothingButYesSendsOne) {
  for (const char* answer : {"n", "Esc", "Enter", "q", "x", "Space"}) {
    Press("k End Enter");
    EXPECT_EQ(state_.signal, SIGKILL);
    EXPECT_FALSE(Press(answer).request) << answer;
    Press("Esc");
  }
}

TEST_F(Signals, GoToTheProcessOfTheQuestionEvenWhenTheListMoved) {
  Press("k Enter");
  const ProcessKey asked = state_.target.key;
  Frame frame = MadeFrame(1, 3, 3);
  std::erase_if(frame.processes, [&](const ProcessSample& p) { return KeyOf(p) == asked; });
  Update(state_, frame);
  EXPECT_NE(state_.selected, asked);
  const Effect effect = Press("y");
  ASSERT_TRUE(effect.request);
  EXPECT_EQ(effect.request->target.key, asked);  // and the kernel will say that it ended
}

TEST_F(Signals, AreRefusedWithReadOnly) {
  state_.settings.read_only = true;
  ExpectRefusal("No signals: gpusight runs with --read-only.");
  EXPECT_EQ(Screen().find("Signal"), std::string::npos);
}

TEST_F(Signals, AreRefusedOnARecordedMachine) {
  state_.settings.recorded = true;
  ExpectRefusal("No signals: this is a recorded machine, its processes do not run here.");
}

TEST_F(Signals, AreRefusedToAnUntranslatedNumber) {
  Selected().translated = false;
  state_.selected.translated = false;
  ExpectRefusal("No signal to " + std::to_string(state_.selected.pid) +
                ": its number belongs to another PID namespace, so it may be somebody else here.");
}

TEST_F(Signals, AreRefusedToTheProcessOfSomebodyElse) {
  Selected().ours = false;
  Selected().user = std::string("root");
  ExpectRefusal("No signal to " + std::to_string(state_.selected.pid) +
                ": it belongs to root, not to you.");
}

TEST_F(Signals, AreRefusedToAZombie) {
  Selected().zombie = true;
  ExpectRefusal("No signal to " + std::to_string(state_.selected.pid) + ": it has already ended.");
}

TEST_F(Signals, AreRefusedWithoutAStartTime) {
  Selected().start_ticks = 0;
  state_.selected.start_ticks = 0;
  Press("k");
  EXPECT_THAT(state_.message, HasSubstr("its start time is not known"));
}

TEST_F(Signals, AreRefusedWithoutAProcess) {
  Frame frame = MadeFrame(1, 0, 3);
  Update(state_, frame);
  ExpectRefusal("No process is selected.");
}

TEST_F(Signals, AreRefusedToProcessOneByItsName) {
  Frame frame = MadeFrame(1, 1, 3);
  frame.processes[0].pid = 1;
  Update(state_, frame);
  ExpectRefusal("No signal to 1: it keeps this machine or container alive.");
}

TEST_F(Signals, OnAProcessPageGoToThatProcessOnly) {
  Press("Enter");
  const ProcessKey opened = state_.opened;
  Frame frame = MadeFrame(1, 3, 3);
  std::erase_if(frame.processes, [&](const ProcessSample& p) { return KeyOf(p) == opened; });
  Update(state_, frame);
  Press("k");
  EXPECT_EQ(state_.mode, Mode::kProcess);
  EXPECT_EQ(state_.message, "No process is selected.");
}

TEST(SignalNames, AreThoseOfTheSystem) {
  EXPECT_EQ(SignalName(SIGTERM), "SIGTERM");
  EXPECT_EQ(SignalName(SIGKILL), "SIGKILL");
  EXPECT_EQ(SignalName(64), "64");
}

}  // namespace
}  // namespace gpusight::tui
