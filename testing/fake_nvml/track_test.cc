// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/track.h"

#include <gmock/gmock.h>

namespace gpusight::fake {
namespace {

Track Read(const char* json, std::vector<std::string>* errors = nullptr) {
  std::vector<std::string> ignored;
  const auto document = ParseJson(json, "track");
  EXPECT_TRUE(document) << json;
  return ReadTrack(Node(&*document, "t", errors != nullptr ? errors : &ignored));
}

TEST(Track, HoldsOrJoinsItsPoints) {
  const Track line = Read("[[0, 10], [10, 30]]");
  EXPECT_DOUBLE_EQ(line.At(5), 20);
  EXPECT_DOUBLE_EQ(line.At(-3), 10);
  EXPECT_DOUBLE_EQ(line.At(99), 30);
  const Track step = Read(R"({"points": [[0, 10], [10, 30]], "step": true})");
  EXPECT_DOUBLE_EQ(step.At(9.9), 10);
  EXPECT_DOUBLE_EQ(step.At(10), 30);
}

TEST(Track, RepeatsWithItsPeriodAlsoBeforeZero) {
  const Track track = Read(R"({"points": [[0, 1], [4, 2]], "step": true, "period": 10})");
  EXPECT_DOUBLE_EQ(track.At(13), 1);
  EXPECT_DOUBLE_EQ(track.At(15), 2);
  EXPECT_DOUBLE_EQ(track.At(-5), 2);
  EXPECT_DOUBLE_EQ(track.At(-7), 1);
}

TEST(Track, IntegratesWhatItShows) {
  const Track line = Read("[[0, 10], [10, 30]]");
  EXPECT_DOUBLE_EQ(line.Integral(10), 200);
  EXPECT_DOUBLE_EQ(line.Integral(5), 75);
  EXPECT_DOUBLE_EQ(line.Integral(12), 260);
  EXPECT_DOUBLE_EQ(line.Integral(-2), -20);
  const Track wave = Read(R"({"points": [[0, 1], [4, 2]], "step": true, "period": 10})");
  EXPECT_DOUBLE_EQ(wave.Integral(10), 16);
  EXPECT_DOUBLE_EQ(wave.Integral(25), 2 * 16 + 4 + 2);
  EXPECT_DOUBLE_EQ(wave.Integral(-10), -16);
  EXPECT_DOUBLE_EQ(wave.Mean(2, 6), (2 * 1 + 2 * 2) / 4.0);
}

TEST(Track, AveragesPiecesToTheWhole) {
  const Track wave = Read(R"({"points": [[1, 5], [2, 9], [7, 3]], "period": 8})");
  const double whole = wave.Mean(0.3, 21.7);
  const double pieces = (wave.Mean(0.3, 9) * 8.7 + wave.Mean(9, 21.7) * 12.7) / 21.4;
  EXPECT_NEAR(whole, pieces, 1e-12);
}

TEST(Track, JittersTheSameWayEachTimeAndWithinItsBounds) {
  const Track track = Read(R"({"points": [[0, 99]], "jitter": 5, "max": 100})");
  bool moved = false;
  for (double t = 0; t < 20; t += 0.1) {
    const double value = track.At(t);
    EXPECT_EQ(value, track.At(t));
    EXPECT_LE(value, 100);
    EXPECT_GE(value, 94);
    moved |= value != 99;
  }
  EXPECT_TRUE(moved);
  EXPECT_NEAR(track.Mean(0, 100), 99, 0.5);
}

TEST(Track, SaysWhatIsWrongWithIt) {
  struct Case {
    const char* json;
    const char* error;
  };
  for (const Case& c : {
           Case{R"("fast")", "t: expected an object"},
           Case{"[]", "t: a track needs at least one point"},
           Case{"[[0]]", "t[0]: expected [seconds, value]"},
           Case{"[[3, 1], [3, 2]]", "t[1]: times must increase"},
           Case{"[[-1, 1]]", "t[0]: a time must be 0 to 1e9"},
           Case{R"({"points": [[0, 1]], "period": -1})", "t.period: must be at least 0.01"},
           Case{R"({"points": [[9, 1]], "period": 5})",
                "t.points[0]: a time must lie below the period"},
           Case{R"({"points": [[0, 1]], "wobble": 1})",
                "t.wobble: unknown; known here: points, step, period, jitter, jitter_seconds, min, "
                "max"},
       }) {
    std::vector<std::string> errors;
    (void)Read(c.json, &errors);
    ASSERT_FALSE(errors.empty()) << c.json;
    EXPECT_EQ(errors.front(), c.error) << c.json;
  }
}

}  // namespace
}  // namespace gpusight::fake
