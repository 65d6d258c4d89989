// SPDX-License-Identifier: Apache-2.0
#include "model/xid.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

TEST(Xid, KindsAreThoseOfTheCatalogue) {
  EXPECT_EQ(KindOfXid(13), XidKind::kProgram);
  EXPECT_EQ(KindOfXid(43), XidKind::kConsequence);
  EXPECT_EQ(KindOfXid(48), XidKind::kMemory);
  EXPECT_EQ(KindOfXid(74), XidKind::kLink);
  EXPECT_EQ(KindOfXid(119), XidKind::kFirmware);
  EXPECT_EQ(KindOfXid(154), XidKind::kAction);
  EXPECT_EQ(KindOfXid(-1), XidKind::kOther);
}

TEST(Xid, IsOfTheCardOrOfTheProgram) {
  EXPECT_TRUE(IsOfTheCard(KindOfXid(79)));
  EXPECT_FALSE(IsOfTheCard(KindOfXid(31)));
  EXPECT_FALSE(IsOfTheCard(KindOfXid(45))) << "the driver cleans up after whatever it was";
}

}  // namespace
}  // namespace gpusight
