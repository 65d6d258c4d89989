// SPDX-License-Identifier: Apache-2.0
#include "tui/keys.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "tui/columns.h"

namespace gpusight::tui {
namespace {

TEST(Keys, EveryNameInTheTableIsAKeyAndNoKeyHasTwoMeanings) {
  std::set<std::string_view> seen;
  for (const Binding& binding : Bindings()) {
    std::string_view rest = binding.keys;
    while (const auto name = NextWord(rest)) {
      const auto key = ParseKey(*name);
      ASSERT_TRUE(key) << *name;
      EXPECT_EQ(ActionOf(*key), binding.action) << *name;
      EXPECT_TRUE(seen.insert(*name).second) << *name;
    }
  }
}

TEST(Keys, EveryActionHasAKey) {
  std::set<Action> bound;
  for (const Binding& binding : Bindings()) bound.insert(binding.action);
  for (const Binding& binding : PlaybackBindings()) bound.insert(binding.action);
  for (int i = 0; i <= static_cast<int>(Action::kBack); ++i) {
    EXPECT_TRUE(bound.contains(static_cast<Action>(i))) << i;
  }
}

TEST(Keys, NamesAreRead) {
  EXPECT_EQ(ParseKey("Ctrl-L"), (Key{KeyCode::kControl, U'l', 0}));
  EXPECT_EQ(ParseKey("F10"), (Key{KeyCode::kFunction, 0, 10}));
  EXPECT_EQ(ParseKey("F"), (Key{KeyCode::kCharacter, U'F', 0}));
  EXPECT_EQ(ParseKey("Space"), (Key{KeyCode::kCharacter, U' ', 0}));
  EXPECT_EQ(ParseKey("nonsense"), std::nullopt);
  EXPECT_EQ(ParseKey(""), std::nullopt);
}

std::string Document(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(GPUSIGHT_TESTDATA) + "/../docs/" + name).rdbuf();
  return text.str();
}

// "| `q` `F10` | quit |"
std::string KeyLine(const Binding& binding, Language language) {
  std::string line = "|";
  std::string_view rest = binding.keys;
  while (const auto name = NextWord(rest)) line += " `" + std::string(*name) + "`";
  return line + " | " + Say(language, binding.help) + " |";
}

TEST(Keys, TheManualListsEveryKeyAndColumnInBothLanguages) {
  for (const auto& [name, language] :
       {std::pair("top.md", Language::kEnglish), std::pair("zh/top.md", Language::kChinese)}) {
    const std::string text = Document(name);
    for (const Binding& binding : Bindings()) {
      const std::string line = KeyLine(binding, language);
      EXPECT_NE(text.find(line), std::string::npos) << name << " lacks: " << line;
    }
    for (const ColumnRow& row : ColumnRows()) {
      const std::string line = "| `" + std::string(row.name) + "` | " + Say(language, row.title) +
                               " | " + Say(language, row.meaning) + " |";
      EXPECT_NE(text.find(line), std::string::npos) << name << " lacks: " << line;
    }
  }
}

TEST(Keys, ThoseOfARecordingMeanOneThingEachAndAreInTheManualOfReplay) {
  for (const auto& [name, language] : {std::pair("replay.md", Language::kEnglish),
                                       std::pair("zh/replay.md", Language::kChinese)}) {
    const std::string text = Document(name);
    for (const Binding& binding : PlaybackBindings()) {
      std::string_view rest = binding.keys;
      while (const auto key = NextWord(rest)) {
        EXPECT_EQ(ActionOf(*ParseKey(*key)), binding.action) << *key;
      }
      const std::string line = KeyLine(binding, language);
      EXPECT_NE(text.find(line), std::string::npos) << name << " lacks: " << line;
    }
  }
}

}  // namespace
}  // namespace gpusight::tui
