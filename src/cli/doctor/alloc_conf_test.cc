// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/alloc_conf.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/fd.h"
#include "base/text.h"

namespace gpusight::doctor {
namespace {

std::string Recorded(const std::string& name) {
  return ReadFile(std::string(GPUSIGHT_TESTDATA "/frameworks/") + name).value();
}

bool RefusedBy(const AllocConf& conf) {
  return std::any_of(conf.faults.begin(), conf.faults.end(),
                     [](const ConfFault& fault) { return Refused(fault.kind); });
}

std::vector<ConfFaultKind> Kinds(const AllocConf& conf) {
  std::vector<ConfFaultKind> kinds;
  for (const ConfFault& fault : conf.faults) kinds.push_back(fault.kind);
  return kinds;
}

// PyTorch 2.15 does not look at the separators, versions up to 2.8 do: we are as strict as those.
const std::set<std::string_view> kOnlyOldVersionsRefuse = {
    "expandable_segments:True:", "max_split_size_mb,128",
    "max_split_size_mb:128:expandable_segments:True"};

TEST(AllocConf, AgreesWithTheRealPyTorchOnEveryRecordedText) {
  const std::string recorded = Recorded("torch-alloc-conf-2.15.0.tsv");
  std::string_view rest = recorded;
  int seen = 0;
  while (const auto line = NextLine(rest)) {
    const auto columns = Split(*line, '\t');
    ASSERT_GE(columns.size(), 2U) << *line;
    const AllocConf conf = ParseAllocConf(columns[1]);
    const bool refused = columns[0] == "reject" || kOnlyOldVersionsRefuse.contains(columns[1]);
    EXPECT_EQ(RefusedBy(conf), refused) << *line;
    if (columns[0] == "warn") {
      EXPECT_FALSE(conf.faults.empty()) << *line;
    }
    ++seen;
  }
  EXPECT_GT(seen, 100);
}

TEST(AllocConf, KnowsTheKeysOfEveryRecordedVersionAndWhichVersionBroughtThem) {
  std::map<std::string, std::string, std::less<>> first;
  const std::string recorded = Recorded("torch-conf-keys.tsv");
  std::string_view rest = recorded;
  std::set<std::string_view> newest;
  while (const auto line = NextLine(rest)) {
    const auto columns = Split(*line, '\t');
    first.try_emplace(std::string(columns[1]), columns[0]);
    if (columns[0] == "2.15.0") newest.insert(columns[1]);
  }
  std::set<std::string_view> ours;
  for (const ConfKey& key : ConfKeys()) {
    ours.insert(key.name);
    const std::string_view since = key.since.empty() ? "1.13" : key.since;
    EXPECT_TRUE(first[std::string(key.name)].starts_with(since)) << key.name;
  }
  EXPECT_EQ(ours, newest);
}

TEST(AllocConf, ReadsKeysAndValuesWithoutTheirWhiteSpace) {
  const auto conf = ParseAllocConf(" max_split_size_mb: 128 ,\texpandable_segments : False\n");
  EXPECT_TRUE(conf.faults.empty());
  ASSERT_EQ(conf.items.size(), 2U);
  EXPECT_EQ(conf.Find("max_split_size_mb")->value, "128");
  EXPECT_EQ(conf.Find("expandable_segments")->value, "False");
}

TEST(AllocConf, KeepsAListAsOneValue) {
  const auto conf = ParseAllocConf("roundup_power2_divisions:[64:8, >:1],expandable_segments:True");
  EXPECT_EQ(conf.Find("roundup_power2_divisions")->value, "[64:8,>:1]");
  EXPECT_NE(conf.Find("expandable_segments"), nullptr);
}

TEST(AllocConf, SuggestsTheKeyThatWasMeant) {
  for (const auto& [text, meant] : std::map<std::string, std::string>{
           {"max_split_size:128", "max_split_size_mb"},
           {"max_split_size=128", "max_split_size_mb"},
           {"garbage_collect_threshold:0.8", "garbage_collection_threshold"},
           {"expandable_segment:True", "expandable_segments"},
           {"zzz:1", ""}}) {
    const auto conf = ParseAllocConf(text);
    ASSERT_EQ(Kinds(conf), std::vector{ConfFaultKind::kUnknownKey}) << text;
    EXPECT_EQ(conf.faults[0].detail, meant) << text;
  }
}

TEST(AllocConf, AnEqualsSignIsToldFromAnUnknownKey) {
  const auto conf = ParseAllocConf("backend:native,max_split_size_mb=128");
  ASSERT_EQ(Kinds(conf), std::vector{ConfFaultKind::kEqualsSign});
  EXPECT_EQ(conf.faults[0].detail, "max_split_size_mb");
}

TEST(AllocConf, WarnsOfWhatPyTorchAcceptsButDoesNotDo) {
  using K = ConfFaultKind;
  for (const auto& [text, kind] : std::map<std::string, ConfFaultKind>{
           {"max_split_size_mb:128MB", K::kTrailing},
           {"max_split_size_mb:-1", K::kNegative},
           {"max_split_size_mb:128,max_split_size_mb:256", K::kRepeated},
           {"backend:cudaMallocAsync,max_split_size_mb:128", K::kIgnoredByBackend},
           {"expandable_segments_reserve:40GiB", K::kIgnoredReserve},
           {"garbage_collection_threshold:0.8", K::kNeedsFraction}}) {
    EXPECT_EQ(Kinds(ParseAllocConf(text)), std::vector{kind}) << text;
  }
}

TEST(AllocConf, WarnsOfNothingInAGoodText) {
  EXPECT_TRUE(ParseAllocConf("garbage_collection_threshold:0.8,per_process_memory_fraction:0.9")
                  .faults.empty());
  EXPECT_TRUE(
      ParseAllocConf("backend:cudaMallocAsync,pinned_num_register_threads:8").faults.empty());
}

TEST(AllocConf, NamesTheLeastValueThatTheSegmentSizeAllows) {
  const auto conf = ParseAllocConf("max_split_size_mb:30,large_segment_size_mb:40");
  ASSERT_EQ(Kinds(conf), std::vector{ConfFaultKind::kTooSmall});
  EXPECT_EQ(conf.faults[0].detail, "40");
}

}  // namespace
}  // namespace gpusight::doctor
