// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/examine.h"

#include <gmock/gmock.h>
#include <rapidjson/document.h>

#include <set>

#include "cli/doctor/test_facts.h"
#include "cli/doctor/wrap.h"

namespace gpusight::doctor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A machine with something wrong in every group.
Facts SickFacts() {
  Facts facts = HealthyFacts();
  facts.frame.devices[0].fields[DeviceField::kPersistenceMode] = 0;
  facts.frame.devices[0].fields[DeviceField::kRemapFailed] = 1;
  facts.subject.environment = {{"FLAGS_malloc_trunk_size", "1"}, {"CUDA_LAUNCH_BLOCKING", "1"}};
  facts.subject.shm_total = 64.0 * (1 << 20);
  facts.nodes[1].present = false;
  facts.subject.pid_namespace = uint64_t{4026532501};
  facts.subject.capabilities = uint64_t{0};
  return facts;
}

TEST(Examine, AHealthyMachineHasNeitherProblemNorNote) {
  const auto examination = Examine(HealthyFacts(), Language::kEnglish);
  EXPECT_EQ(examination.Count(State::kProblem), 0U);
  EXPECT_EQ(examination.Count(State::kNote), 0U);
  EXPECT_GT(examination.Count(State::kOk), 15U);
  EXPECT_EQ(examination.sections.size(), 6U);
}

TEST(Examine, ProblemsAndNotesCarryARemedyInBothLanguages) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    for (const Section& section : Examine(SickFacts(), language).sections) {
      for (const Line& line : section.lines) {
        if (line.state == State::kProblem) {
          EXPECT_NE(line.remedy, "") << line.id;
        }
        EXPECT_NE(line.text, "");
        EXPECT_THAT(line.text, Not(HasSubstr("{"))) << line.id;
        EXPECT_THAT(line.remedy, Not(HasSubstr("{"))) << line.id;
      }
    }
  }
}

TEST(Examine, BothLanguagesFindTheSame) {
  const auto ids = [](Language language) {
    std::vector<std::string> all;
    for (const Section& section : Examine(SickFacts(), language).sections) {
      for (const Line& line : section.lines) all.push_back(line.id);
    }
    return all;
  };
  EXPECT_EQ(ids(Language::kEnglish), ids(Language::kChinese));
}

TEST(ExaminePage, IsOnePage) {
  const std::string page = Page(Examine(HealthyFacts(), Language::kEnglish), {});
  EXPECT_LT(std::count(page.begin(), page.end(), '\n'), 50);
  EXPECT_THAT(page, HasSubstr("gpusight doctor on gpu-01 (problems: 0, notes: 0, ok: "));
}

TEST(ExaminePage, AlignsTextsInBothLanguages) {
  for (const auto& [language, cells] :
       {std::pair{Language::kEnglish, 11}, std::pair{Language::kChinese, 8}}) {
    const std::string page = Page(Examine(SickFacts(), language), {.language = language});
    std::string_view rest = page;
    while (const auto line = NextLine(rest)) {
      if (!line->starts_with("  ")) continue;
      // Either the word of the state, padded, or a line that goes on: the text begins at one place.
      std::string_view text = *line;
      int width = 0;
      while (width < cells && !text.empty()) width += CodePointWidth(NextCodePoint(text));
      EXPECT_EQ(width, cells) << *line;
      EXPECT_FALSE(text.empty() || text.front() == ' ') << *line;
    }
  }
}

TEST(ExaminePage, HasColoursOnlyWhenAsked) {
  const auto examination = Examine(SickFacts(), Language::kEnglish);
  EXPECT_THAT(Page(examination, {}), Not(HasSubstr("\x1b")));
  const std::string page = Page(examination, {.color = true});
  EXPECT_THAT(page, HasSubstr("\x1b[1;31mproblem\x1b[0m"));
  EXPECT_THAT(page, HasSubstr("\x1b[32mok     \x1b[0m"));
}

TEST(ExaminePage, BreaksTextsButNoCommands) {
  const std::string page = Page(Examine(SickFacts(), Language::kEnglish), {.columns = 60});
  std::string_view rest = page;
  (void)NextLine(rest);
  while (const auto line = NextLine(rest)) {
    if (line->find("→") == std::string_view::npos || line->ends_with('.')) {
      EXPECT_LE(DisplayWidth(*line), 60) << *line;
    }
  }
  EXPECT_THAT(page, HasSubstr("→ sudo systemctl enable --now nvidia-persistenced || "
                              "sudo nvidia-smi -pm 1\n"));
  EXPECT_THAT(page, HasSubstr("→ Use FLAGS_auto_growth_chunk_size_in_mb.\n"));
}

TEST(ExamineJson, HasTheContractsMembers) {
  rapidjson::Document json;
  json.Parse(Json(Examine(SickFacts(), Language::kEnglish)).c_str());
  ASSERT_FALSE(json.HasParseError());
  EXPECT_EQ(json["schema"].GetInt(), 1);
  std::set<std::string> states;
  for (const auto& check : json["checks"].GetArray()) {
    EXPECT_EQ(check.MemberCount(), 4U);
    EXPECT_TRUE(check["id"].IsString());
    EXPECT_TRUE(check["text"].IsString());
    EXPECT_TRUE(check["remedy"].IsString() || check["remedy"].IsNull());
    states.insert(check["state"].GetString());
  }
  EXPECT_THAT(states, ElementsAre("note", "ok", "problem"));
}

TEST(ExamineJson, KeepsItsStatesInEnglish) {
  const std::string json = Json(Examine(SickFacts(), Language::kChinese));
  EXPECT_THAT(json, HasSubstr("\"state\":\"problem\""));
  EXPECT_THAT(json, HasSubstr("持久模式"));
}

TEST(Wrap, BreaksAtSpacesAndBetweenChineseCharacters) {
  EXPECT_THAT(Wrap("the quick brown fox", 10), ElementsAre("the quick", "brown fox"));
  EXPECT_THAT(Wrap("显存碎片过多", 8), ElementsAre("显存碎片", "过多"));
  EXPECT_THAT(Wrap("显存碎片，过多", 8), ElementsAre("显存碎", "片，过多"));
  EXPECT_THAT(Wrap("用 GPU 训练", 6), ElementsAre("用 GPU", "训练"));
  EXPECT_THAT(Wrap("a-very-long-word x", 4), ElementsAre("a-very-long-word", "x"));
  EXPECT_THAT(Wrap("", 10), ElementsAre(""));
}

}  // namespace
}  // namespace gpusight::doctor
