// SPDX-License-Identifier: Apache-2.0
// The small tools below the scanner: sizes, keywords, labels of lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "memory/amount.h"
#include "memory/keywords.h"
#include "memory/line.h"

namespace gpusight::memory {
namespace {

std::optional<Amount> SizeOf(std::string_view text) { return TakeAmount(text); }

TEST(Amount, ReadsEverySpelling) {
  EXPECT_EQ(SizeOf("20.00 MiB"), (Amount{20971520, 5242.88}));
  EXPECT_EQ(SizeOf("512 bytes"), (Amount{512, 0}));
  EXPECT_EQ(SizeOf("0 bytes"), (Amount{0, 0}));
  EXPECT_EQ(SizeOf("4096kB"), (Amount{4194304, 512}));
  EXPECT_EQ(SizeOf("1,024 bytes"), (Amount{1024, 0}));
  EXPECT_EQ(SizeOf("2GiB"), (Amount{2147483648.0, 536870912}));
  EXPECT_EQ(SizeOf("23.5G (1"), (Amount{23.5 * 1073741824, 0.05 * 1073741824}));
}

TEST(Amount, RefusesWhatIsNoSize) {
  for (const std::string_view text :
       {"", "MiB", "12", "12 memory", "12 Gigs", "nan GiB", "-3 GiB", "1e5 GiB", ".5 GiB",
        "99999999999999999999999999999999999999"
        "99999999 GiB"}) {
    EXPECT_EQ(SizeOf(text), std::nullopt) << text;
  }
  std::string_view rest = "12 apples";
  EXPECT_EQ(TakeAmount(rest, true), (Amount{12, 0}));
  EXPECT_EQ(rest, " apples");
}

TEST(Amount, IsTheSameWithinItsRounding) {
  EXPECT_TRUE(MayEqual({100, 5}, {108, 3}));
  EXPECT_FALSE(MayEqual({100, 5}, {109, 3}));
}

// The slow oracle beside the automaton, on words and lines of few letters.
TEST(Keywords, FindWhatAPlainSearchFinds) {
  std::mt19937 random(7);
  const auto letters = [&random](size_t most, std::string_view from) {
    std::string out(random() % (most + 1), ' ');
    for (char& c : out) c = from[random() % from.size()];
    return out;
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> words(1 + random() % 6);
    for (std::string& word : words) word = "a" + letters(3, "abc");
    const std::string line = letters(40, "abcA"), lower = [&line] {
      std::string copy = line;
      std::replace(copy.begin(), copy.end(), 'A', 'a');
      return copy;
    }();
    size_t expected = 0;
    for (const std::string& word : words) {
      for (size_t at = lower.find(word); at < lower.size(); at = lower.find(word, at + 1)) {
        ++expected;
      }
    }
    std::vector<Keywords::Word> table;
    for (size_t i = 0; i < words.size(); ++i) {
      table.push_back({words[i], static_cast<uint8_t>(1 << i)});
    }
    const Keywords keywords(table);
    std::vector<Keywords::Hit> hits;
    keywords.Find(line, hits, 100'000);
    ASSERT_EQ(hits.size(), expected) << line;
    for (size_t i = 0; i < words.size(); ++i) {
      ASSERT_EQ((keywords.Kinds(line) >> i & 1) != 0, lower.find(words[i]) < lower.size()) << line;
    }
    for (const auto& hit : hits) {
      ASSERT_EQ(lower.substr(hit.begin, hit.end - hit.begin), words[hit.word]) << line;
    }
  }
}

TEST(Keywords, LookThroughZeroBytes) {
  const Keywords::Word words[] = {{"abc", 2}};
  EXPECT_EQ(Keywords(words).Kinds(std::string_view("xA\0b\0\0Cx", 8)), 2);
}

TEST(Line, LosesEscapeSequences) {
  std::string out;
  CleanLine("\x1b[1;31mred\x1b[0m \x1b]0;title\x07plain\x1b(B\x1b", out);
  EXPECT_EQ(out, "red plainB");
  CleanLine("a\\nb", out);
  EXPECT_EQ(out, "a\\nb") << "only in JSON";
  CleanLine("{\"log\":\"a\\nb\\u001b[31mc\"}", out);
  EXPECT_EQ(out, "{\"log\":\"a bc\"}");
}

TEST(Line, KnowsLabels) {
  EXPECT_EQ(LabelOf("[rank3]: x").rank, 3);
  EXPECT_EQ(LabelOf("[rank3]: x").length, 9u);
  EXPECT_EQ(LabelOf("[1,12]<stdout>:x").rank, 12);
  EXPECT_EQ(LabelOf("7: x").rank, 7);
  EXPECT_EQ(LabelOf("2026: a year").rank, 2026) << "as srun writes it";
  EXPECT_EQ(LabelOf("[3] x").source, 0u);
  EXPECT_EQ(LabelOf("[rank]: x").source, 0u);
  EXPECT_EQ(LabelOf("[rank99999999999]: x").source, 0u);
  EXPECT_NE(LabelOf("(A pid=1) x").source, LabelOf("(A pid=2) x").source);
  EXPECT_EQ(LabelOf("").length, 0u);
}

}  // namespace
}  // namespace gpusight::memory
