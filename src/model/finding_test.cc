// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <set>

#include "model/finding_text.h"
#include "model/text/diagnose_fixes.h"
#include "model/text/diagnose_rules.h"

namespace gpusight {
namespace {

TEST(Finding, EvidenceIsToldInBothLanguages) {
  const Evidence idle = Fact("gpu_idle", {{Unit::kRatio, 0.62}});
  EXPECT_EQ(Tell(idle, Language::kEnglish), "GPU idle 62%");
  EXPECT_EQ(Tell(idle, Language::kChinese), "GPU 空闲 62%");
}

TEST(Finding, NumberedPlaceholdersTakeTheFigureOfThatNumber) {
  const Evidence limit =
      Fact("host_limit_in", {{Unit::kBytes, 64.0 * (1 << 30)}, {Unit::kSeconds, 120}});
  EXPECT_EQ(Tell(limit, Language::kEnglish), "limit 64.0GiB reached in about 2m00s");
  EXPECT_EQ(Tell(limit, Language::kChinese), "约 2m00s 后达到上限 64.0GiB");
}

TEST(Finding, EvidenceOfAnotherVersionIsToldAsFarAsItGoes) {
  EXPECT_EQ(Tell(Evidence{"of_the_future", {{Unit::kCount, 3}}}, Language::kEnglish),
            "of_the_future 3");
  EXPECT_EQ(Tell(Evidence{"gpu_idle", {}}, Language::kEnglish), "GPU idle ?");
  EXPECT_EQ(RuleTitle("of.the_future", Language::kChinese), "of.the_future");
}

TEST(Finding, NumbersThatAreNoneAreToldAsUnknown) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Tell(Fact("gpu_idle", {{Unit::kRatio, none}}), Language::kEnglish), "GPU idle ?");
}

TEST(Finding, ItsHeadlineTakesTheFirstLinesOfEvidence) {
  Finding finding;
  finding.rule = "input.serial_loader";
  finding.evidence = {Fact("gpu_idle", {{Unit::kRatio, 0.62}}), Fact("no_workers"),
                      Fact("main_cpu", {{Unit::kCores, 0.98}})};
  EXPECT_EQ(Tell(finding, Language::kEnglish),
            "the training thread loads the data itself, and the GPU waits for it: GPU idle 62%, no "
            "loader processes");
}

TEST(Finding, KeysAndNamesStandOnce) {
  std::set<std::string_view> keys, names;
  for (const text::FactText& fact : text::kFacts)
    EXPECT_TRUE(keys.insert(fact.key).second) << fact.key;
  for (const text::RuleText& rule : text::kRules)
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
}

Finding Of(std::string rule, std::string form = {}) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.form = std::move(form);
  return finding;
}

TEST(Fixes, AreInTheWordsOfTheFrameworkInUse) {
  Finding finding = Of("input.too_few_workers");
  finding.proposal = 5.0;
  const Framework paddle[] = {Framework::kPaddle};
  const auto fixes = FixesFor(finding, paddle, false, Language::kEnglish);
  ASSERT_EQ(fixes.size(), 1u);
  EXPECT_EQ(fixes[0].code, "paddle.io.DataLoader(dataset, num_workers=5, persistent_workers=True)");
  EXPECT_EQ(FixesFor(finding, paddle, true, Language::kEnglish).size(), 2u);
  EXPECT_EQ(FixesFor(finding, {}, false, Language::kEnglish).size(), 2u);
}

TEST(Fixes, OfAFormReplaceThoseOfTheRule) {
  const Framework torch[] = {Framework::kPyTorch};
  const auto fixes = FixesFor(Of("gpumem.leak", "eval"), torch, false, Language::kChinese);
  ASSERT_EQ(fixes.size(), 1u);
  EXPECT_EQ(fixes[0].what, "评估时关闭梯度。");
  EXPECT_GT(FixesFor(Of("gpumem.leak", "per_step"), torch, false, Language::kEnglish).size(), 1u);
}

TEST(Fixes, EveryRuleThatIsAFaultHasOneInEitherFramework) {
  for (const text::RuleText& rule : text::kRules) {
    // Where the card's own limit is what holds, there is nothing to mend.
    if (rule.name.starts_with("none.") || rule.name == "clock.power_cap") continue;
    for (const Framework framework : {Framework::kPyTorch, Framework::kPaddle}) {
      EXPECT_FALSE(
          FixesFor(Of(std::string(rule.name)), {&framework, 1}, false, Language::kEnglish).empty())
          << rule.name;
    }
  }
  for (const text::FixText& fix : text::kFixes) {
    EXPECT_NE(text::FindRule(fix.rule), nullptr) << fix.rule;
  }
}

}  // namespace
}  // namespace gpusight
