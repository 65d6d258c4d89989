// SPDX-License-Identifier: Apache-2.0
// How many bytes a second of recording takes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "record/test_recording.h"
#include "record/test_stream.h"

namespace gpusight::record {
namespace {

// Bytes per second and device, without what an empty recording takes.
double BytesPerSecond(const StreamOptions& options) {
  const auto size = [&](int seconds) {
    const TestFolder folder;
    TestStream stream(options);
    Record(folder.Path(), seconds, [&](Frame& frame) { stream.Next(frame); }, {}, 60);
    struct stat status{};
    stat(folder.Path().c_str(), &status);
    return static_cast<double>(status.st_size);
  };
  return (size(1800) - size(120)) / (1800 - 120) / options.devices;
}

TEST(FileSize, StaysBelowAKilobyteAndAHalfPerSecondAndDevice) {
  const double plain = BytesPerSecond({.framework = false});
  const double whole = BytesPerSecond({});
  const double eight = BytesPerSecond({.devices = 8});
  RecordProperty("bytes_without_framework", static_cast<int>(plain));
  RecordProperty("bytes_with_framework", static_cast<int>(whole));
  RecordProperty("bytes_eight_devices", static_cast<int>(eight));
  printf("bytes per second and device: %.0f without framework, %.0f with, %.0f of eight\n", plain,
         whole, eight);

  EXPECT_LE(plain, 1536);
  EXPECT_LE(whole, 1536);
  EXPECT_LE(eight, 1536);
}

}  // namespace
}  // namespace gpusight::record
