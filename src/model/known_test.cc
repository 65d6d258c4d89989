// SPDX-License-Identifier: Apache-2.0
#include "model/known.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace gpusight {
namespace {

TEST(Known, IsNotSampledYetFromTheStart) {
  const Known<double> nothing;
  EXPECT_FALSE(nothing.known());
  EXPECT_EQ(nothing.missing().why, Absence::kNotSampledYet);
}

TEST(Known, ZeroIsAValue) {
  EXPECT_TRUE(Known<double>(0.0).known());
  EXPECT_NE(Known<double>(0.0), Known<double>(Absence::kNotSupported));
}

TEST(Describe, NamesTheReasonInBothLanguages) {
  EXPECT_EQ(Describe({Absence::kNotSupported, 0}), "not supported");
  EXPECT_EQ(Describe({Absence::kDriverError, 999}), "driver error 999");
  EXPECT_EQ(Describe({Absence::kSystemError, 5}), "system error 5");
  EXPECT_EQ(Describe({Absence::kSystemError, EMFILE}), "too many open files (raise 'ulimit -n')");
  EXPECT_EQ(Describe({Absence::kLost, 0}, Language::kChinese), "GPU 已掉线");
}

}  // namespace
}  // namespace gpusight
