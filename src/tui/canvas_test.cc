// SPDX-License-Identifier: Apache-2.0
#include "tui/canvas.h"

#include <gtest/gtest.h>

#include "tui/pane.h"

namespace gpusight::tui {
namespace {

TEST(Canvas, WritesTextAndCutsItAtTheEdge) {
  Canvas canvas({6, 2});
  EXPECT_EQ(canvas.Put(3, 1, "abcdef", {}, canvas.bounds()), 9);
  EXPECT_EQ(canvas.ToText(), "\n   abc\n");
}

TEST(Canvas, WideCharactersTakeTwoCells) {
  Canvas canvas({6, 1});
  canvas.Put(0, 0, "显存x", {}, canvas.bounds());
  EXPECT_EQ(canvas.at(0, 0).width, 2);
  EXPECT_EQ(canvas.at(1, 0).width, 0);
  EXPECT_EQ(canvas.ToText(), "显存x\n");
}

TEST(Canvas, AWideCharacterThatDoesNotFitBecomesABlank) {
  Canvas canvas({3, 1});
  canvas.Put(0, 0, "显存", {}, canvas.bounds());
  EXPECT_EQ(canvas.ToText(), "显\n");
  EXPECT_EQ(canvas.at(2, 0).width, 1);
}

TEST(Canvas, OverwritingHalfOfAWideCharacterBlanksTheOtherHalf) {
  Canvas canvas({4, 1});
  canvas.Put(0, 0, "显存", {}, canvas.bounds());
  canvas.Put(1, 0, "ab", {}, canvas.bounds());
  EXPECT_EQ(canvas.ToText(), " ab\n");
  for (int column = 0; column < 4; ++column) EXPECT_EQ(canvas.at(column, 0).width, 1) << column;
}

TEST(Canvas, CombiningMarksShareTheirCell) {
  Canvas canvas({4, 1});
  canvas.Put(0, 0, "e\u0301x", {}, canvas.bounds());
  EXPECT_EQ(canvas.TextAt(0, 0), "e\u0301");
  EXPECT_EQ(canvas.TextAt(1, 0), "x");
}

TEST(Canvas, AClippedTextKeepsItsColumns) {
  Canvas canvas({8, 1});
  canvas.Put(0, 0, "abcdefgh", {}, {2, 0, 3, 1});
  EXPECT_EQ(canvas.ToText(), "  cde\n");
  Canvas wide({8, 1});
  wide.Put(0, 0, "显存显", {}, {1, 0, 4, 1});
  EXPECT_EQ(wide.ToText(), "  存\n");  // both cut halves are blank
}

TEST(Canvas, APaneCannotWriteOutsideItself) {
  Canvas canvas({6, 3});
  const Pane pane(canvas, {2, 1, 2, 1});
  pane.Put(-1, 0, "abcd");
  pane.Put(0, 1, "below");
  pane.Fill({0, 0, 9, 9}, U'#', {});
  EXPECT_EQ(canvas.ToText(), "\n  ##\n\n");
}

TEST(Canvas, NothingChangedMeansNoRuns) {
  Canvas before({8, 2});
  before.Put(0, 0, "same 显存", {}, before.bounds());
  EXPECT_TRUE(Changes(before, before).empty());
}

TEST(Canvas, ChangesAreTheCellsThatDiffer) {
  Canvas before({10, 2});
  before.Put(0, 1, "util 91%", {}, before.bounds());
  Canvas after = before;
  after.Put(5, 1, "87", {}, after.bounds());
  EXPECT_EQ(Changes(before, after), (std::vector<CellRun>{{5, 1, 2}}));
  after.Restyle({0, 0, 1, 1}, Role::kBad);
  EXPECT_EQ(Changes(before, after), (std::vector<CellRun>{{0, 0, 1}, {5, 1, 2}}));
}

TEST(Canvas, ARunCoversWholeWideCharacters) {
  Canvas before({6, 1});
  Canvas after = before;
  before.Put(0, 0, "a显b", {}, before.bounds());
  after.Put(0, 0, "a存b", {}, after.bounds());
  EXPECT_EQ(Changes(before, after), (std::vector<CellRun>{{1, 0, 2}}));
}

TEST(Canvas, AnotherSizeChangesEverything) {
  EXPECT_EQ(Changes(Canvas({3, 1}), Canvas({4, 2})), (std::vector<CellRun>{{0, 0, 4}, {0, 1, 4}}));
}

}  // namespace
}  // namespace gpusight::tui
