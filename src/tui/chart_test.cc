// SPDX-License-Identifier: Apache-2.0
#include "tui/chart.h"

#include <gtest/gtest.h>

#include "tui/meter.h"

namespace gpusight::tui {
namespace {

std::string Draw(Size size, const std::vector<ChartColumn>& columns, const Glyphs& glyphs) {
  Canvas canvas(size);
  DrawChart(Pane(canvas, canvas.bounds()), columns, 1.0, Role::kUtil, glyphs);
  return canvas.ToText();
}

TEST(Chart, BrailleFillsFromTheBottom) {
  EXPECT_EQ(Draw({2, 2}, {{1, 1}, {0.5, 0.5}, {0.25, 0.25}, {1, 1}}, kUnicodeGlyphs), "⡇⢸\n⣿⣼\n");
}

TEST(Chart, AKnownZeroHasABaseLineAndAnUnknownValueHasNone) {
  EXPECT_EQ(Draw({2, 2}, {{0, 0}, {0, 0}, {}, {}}, kUnicodeGlyphs), "\n⣀\n");
  EXPECT_EQ(Draw({2, 1}, {{0, 0}, {}}, kAsciiGlyphs), ".\n");
}

TEST(Chart, APeakAboveTheMeanIsADotOfItsOwn) {
  EXPECT_EQ(Draw({1, 2}, {{0.25, 1}, {0.25, 1}}, kUnicodeGlyphs), "⠉\n⣤\n");
}

TEST(Chart, OneRowUsesEighthBlocks) {
  EXPECT_EQ(Draw({4, 1}, {{0.125, 1}, {0.5, 1}, {0.9f, 1}, {1, 1}}, kUnicodeGlyphs), "▁▄▇█\n");
}

TEST(Chart, AsciiUsesPlainCharacters) {
  EXPECT_EQ(Draw({3, 2}, {{1, 1}, {0.6f, 1}, {0.1f, 0.1f}}, kAsciiGlyphs), "#.\n##.\n");
}

TEST(Chart, ValuesBeyondTheTopFillThePane) {
  EXPECT_EQ(Draw({1, 1}, {{7, 7}}, kAsciiGlyphs), "#\n");
}

TEST(Chart, TheNumberOfColumnsFollowsTheGlyphs) {
  EXPECT_EQ(ChartColumns(10, 4, kUnicodeGlyphs), 20u);
  EXPECT_EQ(ChartColumns(10, 1, kUnicodeGlyphs), 10u);
  EXPECT_EQ(ChartColumns(10, 4, kAsciiGlyphs), 10u);
  EXPECT_EQ(ChartColumns(-1, 4, kAsciiGlyphs), 0u);
}

std::string Meter(int width, std::vector<MeterPart> parts, double total) {
  Canvas canvas({width, 1});
  DrawMeter(Pane(canvas, canvas.bounds()), parts, total);
  return canvas.ToText();
}

TEST(Meter, PartsAreProportional) {
  EXPECT_EQ(Meter(10, {{5, "#", {}}, {2, "%", {}}, {3, ".", {}}}, 10), "#####%%...\n");
}

TEST(Meter, ASmallPartIsStillSeenAndNothingOverflows) {
  EXPECT_EQ(Meter(10, {{97, "#", {}}, {0.1, "%", {}}, {2.9, ".", {}}}, 100), "##########\n");
  EXPECT_EQ(Meter(10, {{50, "#", {}}, {0.1, "%", {}}, {49.9, ".", {}}}, 100), "#####%....\n");
  EXPECT_EQ(Meter(4, {{9, "#", {}}}, 3), "####\n");
}

TEST(Meter, WithoutATotalThereIsNothingToDraw) { EXPECT_EQ(Meter(4, {{9, "#", {}}}, 0), "\n"); }

}  // namespace
}  // namespace gpusight::tui
