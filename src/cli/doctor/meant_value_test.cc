// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/meant_value.h"

#include <gmock/gmock.h>

#include "cli/doctor/alloc_conf.h"

namespace gpusight::doctor {
namespace {

TEST(MeantValue, IsInTheUnitOfTheFlag) {
  struct Case {
    const char* value;
    ValueUnit unit;
    const char* meant;
  };
  using U = ValueUnit;
  for (const Case& c : std::initializer_list<Case>{{"8GB", U::kMiB, "8192"},
                                                   {" 8 gib ", U::kMiB, "8192"},
                                                   {"1.5G", U::kMiB, "1536"},
                                                   {"2T", U::kGiB, "2048"},
                                                   {"4M", U::kBytes, "4194304"},
                                                   {"4096 bytes", U::kKiB, "4"},
                                                   {"1e3", U::kMiB, "1000"},
                                                   {"1e3", U::kCount, "1000"},
                                                   {"2min", U::kMilliseconds, "120000"},
                                                   {"512K", U::kMiB, "none"},
                                                   {"8,192", U::kMiB, "none"},
                                                   {"8GBit", U::kMiB, "none"},
                                                   {"8GB", U::kCount, "none"},
                                                   {"-8GB", U::kMiB, "none"},
                                                   {"inf", U::kMiB, "none"},
                                                   {"nan", U::kMiB, "none"},
                                                   {"1e300", U::kMiB, "none"},
                                                   {"0x10", U::kMiB, "none"},
                                                   {"", U::kMiB, "none"}}) {
    EXPECT_EQ(MeantNumber(c.value, c.unit, true).value_or("none"), c.meant) << c.value;
  }
  EXPECT_EQ(MeantNumber("90%", U::kShare, false), "0.9");
  EXPECT_EQ(MeantNumber("92", U::kShare, false), "0.92");
  EXPECT_EQ(MeantNumber("2", U::kShare, false), std::nullopt);
}

TEST(MeantValue, PassesItsOwnCheck) {
  for (const auto table : {PaddleFlags(), OtherFlags()}) {
    for (const MemoryFlag& flag : table) {
      for (const char* value : {"8GB", "1e3", "4M", "2s", "90%", "True", "yes", "autogrowth"}) {
        const auto meant = MeantValue(flag, value);
        if (!meant) continue;
        EXPECT_EQ(CheckValue(flag, *meant), ValueFault::kNone) << flag.name << "=" << *meant;
      }
    }
  }
}

TEST(MeantValue, EveryFlagWithASizeInItsNameHasAUnit) {
  for (const auto table : {PaddleFlags(), OtherFlags()}) {
    for (const MemoryFlag& flag : table) {
      const bool number = flag.rule == ValueRule::kUnsigned || flag.rule == ValueRule::kInteger ||
                          flag.rule == ValueRule::kNumber;
      const std::string_view name = flag.name;
      const bool size = name.find("size") != name.npos || name.find("SIZE") != name.npos ||
                        name.find("_mb") != name.npos || name.find("_gb") != name.npos;
      if (number && size) {
        EXPECT_NE(UnitOf(flag), ValueUnit::kCount) << flag.name;
      }
    }
  }
}

TEST(MeantValue, AllocatorSettingsAreMendedAsAWhole) {
  struct Case {
    const char* text;
    const char* mended;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"max_split_size_mb:10", "max_split_size_mb:20"},
           {"max_split_size_mb:8GB", "max_split_size_mb:8192"},
           {"max_split_size_mb:10MB,expandable_segments=true",
            "max_split_size_mb:20,expandable_segments:True"},
           {"expandable_segment=True", "expandable_segments:True"},
           {"large_segment_size_mb:40,max_split_size_mb:30",
            "large_segment_size_mb:40,max_split_size_mb:40"},
           {"garbage_collection_threshold:80", "garbage_collection_threshold:0.8"},
           {"backend:cudamallocasync", "backend:cudaMallocAsync"},
           {"roundup_power2_divisions:[256:1,>:8", "roundup_power2_divisions:[256:1,>:8]"},
           {"roundup_power2_divisions:[256MB:1,>:8]", "none"},
           {"max_split_size_mb:-1,expandable_segments=True", "none"},
           {"max_split_size_mb:lots", "none"},
           {"lots", "none"},
           {"", "none"}}) {
    EXPECT_EQ(MendAllocConf(c.text).value_or("none"), c.mended) << c.text;
  }
}

TEST(MeantValue, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(ShellWord("max_split_size_mb:20"), "max_split_size_mb:20");
  EXPECT_EQ(ShellWord("a:[256:1,>:8]"), "'a:[256:1,>:8]'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace gpusight::doctor
