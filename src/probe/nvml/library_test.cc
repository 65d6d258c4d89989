// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/library.h"

#include <gmock/gmock.h>

#include "testing/fake_nvml/fake.h"

namespace gpusight::nvml {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StrEq;

TEST(Library, IsLookedForByTheLoaderFirstThenWhereWslAndImagesPutIt) {
  const auto places = LibraryPlaces();
  EXPECT_STREQ(places.front(), "libnvidia-ml.so.1");
  EXPECT_THAT(places, Contains(StrEq("/usr/lib/wsl/lib/libnvidia-ml.so.1")));
  EXPECT_THAT(places, Contains(StrEq("/usr/local/nvidia/lib64/libnvidia-ml.so.1")));
  EXPECT_THAT(places, Each(EndsWith("libnvidia-ml.so.1")));  // never the toolkit's stub
}

TEST(Library, ResolvesEachFunctionThatIsThereAndLeavesTheOthersNull) {
  const auto library = Library::Open(fake::LibraryWithout({"nvmlDeviceGetName"}));
  ASSERT_TRUE(library);
  EXPECT_NE(library->calls().nvmlInit_v2, nullptr);
  EXPECT_EQ(library->calls().nvmlDeviceGetName, nullptr);
}

TEST(Library, TellsTheFileThatWasLoaded) {
  const auto library = Library::Open(fake::LibraryPath());
  ASSERT_TRUE(library);
  EXPECT_EQ(library->path(), fake::LibraryPath());
}

TEST(Library, SaysWhyAFileCannotBeLoaded) {
  const auto missing = Library::Open("/nonexistent/libnvidia-ml.so.1");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNoGpu);
  EXPECT_THAT(missing.error().what, HasSubstr("/nonexistent/libnvidia-ml.so.1"));
  const auto other = Library::Open("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().what, HasSubstr("has no nvmlInit"));
}

}  // namespace
}  // namespace gpusight::nvml
