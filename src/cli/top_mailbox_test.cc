// SPDX-License-Identifier: Apache-2.0
#include "cli/top_mailbox.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace gpusight::cli {
namespace {

Frame WithSamples(uint64_t sequence, std::initializer_list<int64_t> times) {
  Frame frame;
  frame.sequence = sequence;
  frame.interval_seconds = 1;
  frame.devices.resize(1);
  frame.devices[0].info.uuid = "GPU-a";
  for (const int64_t time : times) frame.devices[0].power_ring.push_back({WallTime{time}, 1});
  frame.devices[0].xids.push_back(static_cast<uint32_t>(sequence));
  frame.events.push_back({EventType::kXid, {}, "GPU-a", static_cast<int64_t>(sequence)});
  return frame;
}

bool Readable(int fd) {
  pollfd poll_fd = {fd, POLLIN, 0};
  return poll(&poll_fd, 1, 0) == 1;
}

TEST(FrameMailbox, GivesEachFrameOnce) {
  FrameMailbox mailbox;
  Frame frame = WithSamples(1, {1});
  EXPECT_FALSE(Readable(mailbox.fd()));
  mailbox.Publish(frame);
  EXPECT_TRUE(Readable(mailbox.fd()));
  Frame taken;
  ASSERT_TRUE(mailbox.Take(taken));
  EXPECT_EQ(taken.sequence, 1u);
  EXPECT_FALSE(Readable(mailbox.fd()));
  EXPECT_FALSE(mailbox.Take(taken));
}

TEST(FrameMailbox, AFrameThatWasNotTakenHandsItsSamplesToTheNext) {
  FrameMailbox mailbox;
  Frame first = WithSamples(1, {1, 2}), second = WithSamples(2, {3});
  mailbox.Publish(first);
  mailbox.Publish(second);
  Frame taken;
  ASSERT_TRUE(mailbox.Take(taken));
  EXPECT_EQ(taken.sequence, 2u);
  EXPECT_EQ(taken.interval_seconds, 2);
  ASSERT_EQ(taken.devices[0].power_ring.size(), 3u);
  EXPECT_EQ(taken.devices[0].power_ring[0].time.ns, 1);
  EXPECT_EQ(taken.devices[0].power_ring[2].time.ns, 3);
  EXPECT_EQ(taken.devices[0].xids, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(taken.events.size(), 2u);
}

TEST(FrameMailbox, SamplesGoToTheirOwnDevice) {
  Frame older = WithSamples(1, {1}), newer = WithSamples(2, {2});
  newer.devices[0].info.uuid = "GPU-b";
  InheritSamples(older, newer);
  EXPECT_EQ(newer.devices[0].power_ring.size(), 1u);
}

TEST(FrameMailbox, AScreenThatIsStoppedForHoursDoesNotCollectForHours) {
  FrameMailbox mailbox;
  for (int i = 0; i < 100; ++i) {
    Frame frame = WithSamples(1, {});
    frame.devices[0].power_ring.resize(1000);
    mailbox.Publish(frame);
  }
  Frame taken;
  ASSERT_TRUE(mailbox.Take(taken));
  EXPECT_LE(taken.devices[0].power_ring.size(), 20'000u);
}

}  // namespace
}  // namespace gpusight::cli
