// SPDX-License-Identifier: Apache-2.0
// The ring of kept bytes. Relays at work are compared with none in tests/run.
#include "launch/relay.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpusight::launch {
namespace {

TEST(KeptBytes, AreTheNewest) {
  KeptBytes kept;
  EXPECT_EQ(kept.Read(), "");
  kept.Append("one ");
  kept.Append("two");
  EXPECT_EQ(kept.Read(), "one two");
  std::string all = "one two";
  for (int i = 0; i < 9000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    kept.Append(line);
    all += line;
  }
  EXPECT_EQ(kept.Read(), all.substr(all.size() - KeptBytes::kMost));
}

TEST(KeptBytes, TakeAPieceThatIsLargerThanAll) {
  KeptBytes kept;
  kept.Append("before");
  std::string large(3 * KeptBytes::kMost, 'x');
  large += "end";
  kept.Append(large);
  EXPECT_EQ(kept.Read(), large.substr(large.size() - KeptBytes::kMost));
  kept.Append("!");
  EXPECT_TRUE(kept.Read().ends_with("xend!"));
}

TEST(KeptBytes, OutliveWhoWroteThem) {
  KeptBytes kept;
  const pid_t pid = fork();
  if (pid == 0) {
    kept.Append("last words");
    _exit(0);
  }
  waitpid(pid, nullptr, 0);
  EXPECT_EQ(kept.Read(), "last words");
}

}  // namespace
}  // namespace gpusight::launch
