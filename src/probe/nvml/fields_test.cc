// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/fields.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

TEST(Fields, NumbersKeepTheDigitsThatTheDriverGave) {
  EXPECT_EQ(Scaled(686300, 1e-3), 686.3);
  EXPECT_EQ(Scaled(57, 0.01), 0.57);
  EXPECT_EQ(Scaled(1e9, 1e-9), 1);
  EXPECT_EQ(Scaled(1980, 1e6), 1.98e9);
  EXPECT_EQ(Scaled(3, 1), 3);
}

TEST(Fields, EveryFieldOfTheCatalogueHasASourceARangeAndAMeaningOfAbsence) {
  ASSERT_EQ(FieldRows().size(), DeviceRows().size());
  for (const FieldRow& row : FieldRows()) {
    const CatalogRow& catalog = gpusight::Row(row.field);
    EXPECT_NE(row.picks[0].source, Source::kNone) << catalog.name;
    EXPECT_LT(row.least, row.most) << catalog.name;
    EXPECT_FALSE(row.absence.empty()) << catalog.name;
    if (catalog.unit == Unit::kRatio && row.field != DeviceField::kFan) {
      EXPECT_EQ(row.most, 1) << catalog.name;
    }
  }
}

TEST(Fields, EverySourceServesSomeField) {
  std::set<Source> used;
  for (const FieldRow& row : FieldRows()) {
    for (const Pick& pick : row.picks) used.insert(pick.source);
  }
  for (size_t i = 0; i < kSources; ++i) {
    EXPECT_TRUE(used.contains(static_cast<Source>(i))) << Row(static_cast<Source>(i)).calls;
  }
}

TEST(Fields, NumbersAreReadByTheTypeThatTheDriverNames) {
  Value value{};
  value.u64 = 0xa67f'0000'0000'0000ULL;  // rubbish above the four bytes that were written
  value.u32 = 700;
  EXPECT_EQ(NumberOf(kUnsignedInt, value), 700);
  value.i32 = -8;
  EXPECT_EQ(NumberOf(kSignedInt, value), -8);
  value.u64 = 1'000'000'000'000ULL;
  EXPECT_EQ(NumberOf(kUnsignedLongLong, value), 1e12);
  value.d = 0.5;
  EXPECT_EQ(NumberOf(kDouble, value), 0.5);
  EXPECT_TRUE(std::isnan(NumberOf(static_cast<ValueType>(99), value)));
}

TEST(Fields, IntegratedPartsAreKnownByNameOnly) {
  EXPECT_TRUE(IsIntegratedPart("NVIDIA GB10"));
  EXPECT_TRUE(IsIntegratedPart("Orin (nvgpu)"));
  EXPECT_FALSE(IsIntegratedPart("NVIDIA GB100"));
  EXPECT_FALSE(IsIntegratedPart("NVIDIA H200"));
  EXPECT_FALSE(IsIntegratedPart("NVIDIA GeForce RTX 4090"));
  EXPECT_TRUE(IsCoherentPart("NVIDIA GH200 480GB"));
  EXPECT_FALSE(IsCoherentPart("NVIDIA H200"));
}

TEST(Fields, CoresOfAMultiprocessorAreKnownPerGeneration) {
  EXPECT_EQ(CoresPerMultiprocessor("9.0"), 128u);
  EXPECT_EQ(CoresPerMultiprocessor("8.0"), 64u);
  EXPECT_EQ(CoresPerMultiprocessor("8.6"), 128u);
  EXPECT_EQ(CoresPerMultiprocessor("7.5"), 64u);
  EXPECT_EQ(CoresPerMultiprocessor("99.0"), 0u);
}

}  // namespace
}  // namespace gpusight::nvml
