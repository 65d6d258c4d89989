// SPDX-License-Identifier: Apache-2.0
// For the tests of this room: a whole log through the scanner, and a matcher for amounts.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "memory/oom_scanner.h"

namespace gpusight::memory {

inline OomScan Scan(std::string_view log) {
  OomScanner scanner;
  scanner.Feed(log);
  return scanner.Finish();
}

// The only message of the log.
inline OomText ScanOne(std::string_view log) {
  OomScan scan = Scan(log);
  EXPECT_EQ(scan.texts.size(), 1u) << log;
  return scan.texts.empty() ? OomText{} : scan.texts.front();
}

// That many bytes, with that much left open by rounding.
MATCHER_P2(Is, bytes, error, "") {
  if (!arg.has_value()) {
    *result_listener << "nothing was read";
    return false;
  }
  *result_listener << arg->bytes << " within " << arg->error;
  return std::abs(arg->bytes - (bytes)) <= 1 + std::abs(bytes) * 1e-9 &&
         std::abs(arg->error - (error)) <= 1;
}
MATCHER_P(Is, bytes, "") {
  return arg.has_value() && std::abs(arg->bytes - static_cast<double>(bytes)) <= 1;
}

}  // namespace gpusight::memory
