// SPDX-License-Identifier: Apache-2.0
#include "cli/held_error.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <string>

namespace gpusight::cli {
namespace {

// What has arrived at the other side of the terminal.
std::string Arrived(int master) {
  std::string text(65536, '\0');
  pollfd ready{master, POLLIN, 0};
  if (poll(&ready, 1, 0) != 1) return {};
  const ssize_t n = read(master, text.data(), text.size());
  text.resize(n < 0 ? 0 : static_cast<size_t>(n));
  return text;
}

class HeldErrorTest : public testing::Test {
 protected:
  void SetUp() override {
    int master = -1, slave = -1;
    ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    master_ = UniqueFd(master);
    slave_ = UniqueFd(slave);
  }
  void Say(std::string_view text) { (void)!write(slave_.get(), text.data(), text.size()); }
  UniqueFd master_, slave_;
};

TEST_F(HeldErrorTest, KeepsWhatIsWrittenUntilTheScreenIsClosed) {
  {
    const HeldError held(slave_.get());
    Say("one\n");
    Say("two\n");
    EXPECT_EQ(Arrived(master_.get()), "");
  }
  EXPECT_EQ(Arrived(master_.get()), "one\r\ntwo\r\n");
  Say("three\n");
  EXPECT_EQ(Arrived(master_.get()), "three\r\n");
}

TEST_F(HeldErrorTest, NeverMakesAWriterWait) {
  fcntl(slave_.get(), F_SETFL, O_NONBLOCK);  // nobody reads at the other side
  const HeldError held(slave_.get());
  const std::string line(1000, 'x');
  for (int i = 0; i < 200; ++i) Say(line);  // a pipe holds 65
}

TEST(HeldError, LeavesAFileAlone) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const UniqueFd out(ends[0]), in(ends[1]);
  const HeldError held(in.get());
  ASSERT_EQ(write(in.get(), "x", 1), 1);
  char c = 0;
  EXPECT_EQ(read(out.get(), &c, 1), 1);
}

}  // namespace
}  // namespace gpusight::cli
