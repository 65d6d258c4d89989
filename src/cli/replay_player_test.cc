// SPDX-License-Identifier: Apache-2.0
// A recording on the screen: every frame comes, in order, also from another place.
#include "cli/replay_player.h"

#include <gtest/gtest.h>
#include <poll.h>

#include "record/test_recording.h"
#include "record/test_stream.h"
#include "tui/update.h"

namespace gpusight::cli {
namespace {

class ReplayPlayerTest : public testing::Test {
 protected:
  ReplayPlayerTest() {
    record::TestStream stream({.devices = 2, .processes = 2});
    record::Record(
        folder_.Path(), 400,
        [&](Frame& frame) {
          stream.Next(frame);
          written_.push_back(frame.time);
        },
        {}, 100);
    tui::Begin(state_, 1, clock_.Mono());
    state_.playback = tui::Playback{written_.front(), written_.back()};
  }

  ReplayPlayer Play(double from, double speed) {
    auto recording = record::Recording::Open(folder_.Path(), Language::kEnglish);
    return ReplayPlayer(std::move(*recording), clock_, from, speed);
  }

  // Takes what comes until the screen shows that.
  template <typename Condition>
  void Until(ReplayPlayer& player, Condition condition) {
    for (int i = 0; i < 2000 && !condition(); ++i) {
      pollfd event = {player.fd(), POLLIN, 0};
      ASSERT_EQ(poll(&event, 1, 10'000), 1) << "nothing comes";
      player.Feed(state_);
    }
    EXPECT_TRUE(condition());
  }
  size_t Place() const {
    for (size_t i = 0; i < written_.size(); ++i) {
      if (written_[i] == state_.frame.time) return i;
    }
    return SIZE_MAX;
  }
  size_t Points() const {
    const auto* series = state_.history.Find(state_.frame.devices[0].info, tui::ChartId::kMemory);
    return series == nullptr ? 0 : series->size();
  }

  const record::TestFolder folder_;
  std::vector<WallTime> written_;
  const SystemClock clock_;
  tui::State state_;
};

TEST_F(ReplayPlayerTest, BeginsWithTheFirstFrame) {
  ReplayPlayer player = Play(0, 1);

  Until(player, [&] { return state_.has_frame; });

  EXPECT_EQ(Place(), 0u);
  EXPECT_EQ(state_.frame.processes.size(), 4u);
}

TEST_F(ReplayPlayerTest, PlaysToTheEndAndSaysSo) {
  ReplayPlayer player = Play(390, 600);

  Until(player, [&] { return state_.playback->finished; });

  EXPECT_EQ(Place(), 399u);
}

TEST_F(ReplayPlayerTest, AJumpShowsTheFrameOfThatTimeWithItsPastInTheCharts) {
  ReplayPlayer player = Play(200, 1);

  Until(player, [&] { return state_.has_frame; });

  EXPECT_NEAR(static_cast<double>(Place()), 200, 1);
  EXPECT_GE(Points(), 190u);
}

TEST_F(ReplayPlayerTest, SeeksBackAndOnAlsoWhileItStandsStill) {
  ReplayPlayer player = Play(200, 1);
  Until(player, [&] { return state_.has_frame; });
  player.SetSpeed(0);

  player.Seek(-60);
  Until(player, [&] { return Place() < 150; });
  EXPECT_NEAR(static_cast<double>(Place()), 140, 2);
  player.Seek(100'000);
  Until(player, [&] { return state_.playback->finished; });
  EXPECT_EQ(Place(), 399u);
  player.Seek(-100'000);
  Until(player, [&] { return Place() == 0; });
}

TEST_F(ReplayPlayerTest, GoesOnWhenItWasStopped) {
  ReplayPlayer player = Play(300, 1);
  Until(player, [&] { return state_.has_frame; });
  player.SetSpeed(0);

  player.SetSpeed(600);

  Until(player, [&] { return state_.playback->finished; });
}

}  // namespace
}  // namespace gpusight::cli
