// SPDX-License-Identifier: Apache-2.0
#include "model/exit_facts.h"

#include <gtest/gtest.h>

#include <csignal>

namespace gpusight {
namespace {

TEST(SignalName, IsTheOneThatKillTakes) {
  EXPECT_EQ(SignalName(SIGTERM), "SIGTERM");
  EXPECT_EQ(SignalName(SIGBUS), "SIGBUS");
  EXPECT_EQ(SignalName(SIGSYS), "SIGSYS");
  EXPECT_EQ(SignalName(SIGRTMIN), "SIGRTMIN");
  EXPECT_EQ(SignalName(SIGRTMIN + 3), "SIGRTMIN+3");
}

TEST(SignalName, OfANumberThatIsNoneIsTheNumber) {
  EXPECT_EQ(SignalName(0), "signal 0");
  EXPECT_EQ(SignalName(32), "signal 32");
  EXPECT_EQ(SignalName(77), "signal 77");
}

}  // namespace
}  // namespace gpusight
