// SPDX-License-Identifier: Apache-2.0
#include "export/number.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace gpusight::exporting {
namespace {

std::string Text(double value) {
  std::string out;
  AppendNumber(out, value);
  return out;
}

TEST(Number, WritesWholeNumbersWithoutPointOrExponent) {
  EXPECT_EQ(Text(0), "0");
  EXPECT_EQ(Text(150754820096), "150754820096");
  EXPECT_EQ(Text(-5), "-5");
  EXPECT_EQ(Text(9007199254740992), "9007199254740992");
}

TEST(Number, ReadsBackAsTheSameDouble) {
  for (const double value : {0.1, 1.0 / 3, 585.25, 1e-300, 1.7976931348623157e308, 1e20}) {
    EXPECT_EQ(ParseNumber<double>(Text(value)), value);
  }
}

TEST(Number, WritesNothingForWhatIsNotFinite) {
  EXPECT_EQ(Text(std::nan("")), "");
  EXPECT_EQ(Text(std::numeric_limits<double>::infinity()), "");
}

TEST(Number, IsTheSameInALocaleWithADecimalComma) {
  const char* got = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(Text(0.5), "0.5");
  if (got != nullptr) std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace gpusight::exporting
