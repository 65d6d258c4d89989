// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(ParseNumber<int>("42"), 42);
  EXPECT_EQ(ParseNumber<int>("42x"), std::nullopt);
  EXPECT_EQ(ParseNumber<int>(""), std::nullopt);
  EXPECT_EQ(ParseNumber<uint32_t>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<uint8_t>("256"), std::nullopt);
  EXPECT_EQ(ParseNumber<uint64_t>("ff", 16), 255u);
  EXPECT_EQ(ParseNumber<double>("0.5"), 0.5);
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(Split("a,,b", ',').size(), 3u);
  EXPECT_EQ(Split("", ',').size(), 1u);
}

TEST(NextLine, TakesLinesAlsoWithoutAFinalNewline) {
  std::string_view rest = "one\n\ntwo";
  EXPECT_EQ(NextLine(rest), "one");
  EXPECT_EQ(NextLine(rest), "");
  EXPECT_EQ(NextLine(rest), "two");
  EXPECT_EQ(NextLine(rest), std::nullopt);
}

TEST(NextWord, SkipsSpacesAndTabs) {
  std::string_view rest = "  cpu \t 12 ";
  EXPECT_EQ(NextWord(rest), "cpu");
  EXPECT_EQ(NextWord(rest), "12");
  EXPECT_EQ(NextWord(rest), std::nullopt);
}

TEST(Printable, DisarmsEscapeSequencesAndInvalidUtf8) {
  EXPECT_EQ(Printable("evil\x1b[2J"), "evil?[2J");
  EXPECT_EQ(Printable("a\nb"), "a b");
  EXPECT_EQ(Printable("\xff显存"), "\xEF\xBF\xBD显存");
  EXPECT_EQ(Printable("\xe2\x80\xaegpj"), "?gpj");
}

TEST(DisplayWidth, CountsCellsNotBytes) {
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("显存"), 4);
  EXPECT_EQ(DisplayWidth("e\xcc\x81"), 1);
}

TEST(Truncate, NeverCutsAWideCharacterInHalf) {
  EXPECT_EQ(Truncate("显存泄漏", 5), "显存…");
  EXPECT_EQ(Truncate("显存泄漏", 4), "显…");
  EXPECT_EQ(Truncate("short", 5), "short");
  EXPECT_EQ(Truncate("longer", 0), "");
}

TEST(Pad, FillsUpToCells) {
  EXPECT_EQ(Pad("显存", 6), "显存  ");
  EXPECT_EQ(Pad("7", 3, true), "  7");
  EXPECT_EQ(Pad("wide", 2), "wide");
}

TEST(NextCodePoint, RejectsOverlongFormsAndSurrogates) {
  std::string_view overlong = "\xc0\xaf";
  EXPECT_EQ(NextCodePoint(overlong), 0xFFFDu);
  std::string_view surrogate = "\xed\xa0\x80";
  EXPECT_EQ(NextCodePoint(surrogate), 0xFFFDu);
}

TEST(Printable, ReplacesWhatShowsNothing) {
  EXPECT_EQ(Printable("a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf"), "a?b?c?d?e?f");
}

TEST(Printable, ReplacesWhatTurnsTextAround) {
  EXPECT_EQ(Printable("a\u202Eb\u2066c\u200Fd\u2028e\u061Cf"), "a?b?c?d?e?f");
  EXPECT_EQ(Printable("\u009B31m"), "?31m");
}

TEST(Capped, CutsBetweenCharactersAndSaysSo) {
  EXPECT_EQ(Capped("short"), "short");
  EXPECT_EQ(Capped("abcdef", 6), "abcdef");
  EXPECT_EQ(Capped("abcdefg", 6), "abcdef… [cut]");
  EXPECT_EQ(Capped("进进进", 4), "进… [cut]");
  EXPECT_EQ(Capped("进进进", 6), "进进… [cut]");
  EXPECT_EQ(Capped("\x80\x80\x80\x80\x80\x80", 5), "\x80\x80… [cut]") << "bytes of no character";
}

}  // namespace
}  // namespace gpusight
