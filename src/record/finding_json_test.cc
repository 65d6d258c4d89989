// SPDX-License-Identifier: Apache-2.0
#include "record/finding_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace gpusight::record {
namespace {

TEST(FindingJson, GivesBackWhatWasWritten) {
  const std::vector<Evidence> evidence = {
      {"gpu_idle", {{Unit::kRatio, 0.62}}},
      {"idle_place", {{std::string("data.py:88 \"load\"\n")}, {Unit::kRatio, 0.71}}},
      {"no_workers", {}},
      {"h2d_rate", {{Unit::kBytesPerSecond, 1.25e9}, {Unit::kBytesPerSecond, 5e10}}}};
  const std::string json = EvidenceJson(evidence);
  EXPECT_EQ(ReadEvidence(json), evidence) << json;
  EXPECT_EQ(json.substr(0, 68),
            R"([{"key":"gpu_idle","figures":[{"number":0.62,"unit":"ratio"}]},{"key)");
  for (int unit = 0; unit <= static_cast<int>(Unit::kNumber); ++unit) {
    const std::vector<Evidence> one = {{"a", {{static_cast<Unit>(unit), 2}}}};
    EXPECT_EQ(ReadEvidence(EvidenceJson(one)), one);
  }
  const std::vector<std::string> words = {"sm_activity_ratio", "a\"b"};
  EXPECT_EQ(ReadWords(WordsJson(words)), words);
  EXPECT_EQ(WordsJson({}), "[]");
}

TEST(FindingJson, IsJsonAlsoOfNumbersThatAreNone) {
  const std::vector<Evidence> odd = {
      {"a", {{Unit::kRatio, std::numeric_limits<double>::quiet_NaN()}}}};
  EXPECT_EQ(ReadEvidence(EvidenceJson(odd))[0].figures[0].number, 0);
}

TEST(FindingJson, PassesOverWhatIsNotUnderstood) {
  EXPECT_TRUE(ReadEvidence("").empty());
  EXPECT_TRUE(ReadEvidence("{}").empty());
  EXPECT_TRUE(ReadEvidence("[1,\"a\"").empty()) << "cut";
  EXPECT_TRUE(ReadEvidence("[{\"key\":\"a\"},").empty()) << "cut";
  const auto other = ReadEvidence(
      R"([{"key":"a","more":[{"number":3}],"figures":[{"number":1,"unit":"parsecs","x":{"number":9}}]}])");
  ASSERT_EQ(other.size(), 1u);
  ASSERT_EQ(other[0].figures.size(), 1u);
  EXPECT_EQ(other[0].figures[0].number, 1);
  EXPECT_EQ(ReadEvidence(std::string(100000, '[')).size(), 0u);
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += std::string(i > 0 ? "," : "") + "{\"key\":\"a\"}";
  EXPECT_LE(ReadEvidence(many + "]").size(), 64u);
  EXPECT_TRUE(ReadWords("[1,2]").empty());
}

TEST(FindingJson, LevelsHaveNames) {
  for (const FindingLevel level :
       {FindingLevel::kInfo, FindingLevel::kWarning, FindingLevel::kCritical}) {
    EXPECT_EQ(LevelOf(LevelName(level)), level);
  }
  EXPECT_EQ(LevelOf("?"), FindingLevel::kWarning);
}

}  // namespace
}  // namespace gpusight::record
