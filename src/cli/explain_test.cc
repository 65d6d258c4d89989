// SPDX-License-Identifier: Apache-2.0
// What `explain` proposes exists: every variable and value is one that the doctor knows. And the
// page and the JSON, of hostile logs too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>

#include "base/text.h"
#include "cli/doctor/alloc_conf.h"
#include "cli/doctor/memory_flags.h"
#include "cli/explain_page.h"
#include "memory/oom_advice.h"

namespace gpusight::cli {
namespace {

// Named by the frameworks' own messages and documents, but not about device memory of NVIDIA's.
bool IsElsewhere(std::string_view name) {
  return name == "PYTORCH_MPS_HIGH_WATERMARK_RATIO" || name == "NCCL_SHM_DISABLE";
}

TEST(ExplainAdvice, SetsOnlyVariablesThatTheDoctorKnows) {
  size_t seen = 0;
  for (const std::string_view code : memory::AllAdviceCode()) {
    if (!code.starts_with("export ")) continue;
    std::string_view rest = code.substr(7);
    while (auto word = NextWord(rest)) {
      const size_t equals = word->find('=');
      ASSERT_NE(equals, std::string_view::npos) << code;
      const std::string_view name = word->substr(0, equals), value = word->substr(equals + 1);
      ++seen;
      if (IsElsewhere(name)) continue;
      const doctor::MemoryFlag* flag = doctor::FindFlag(name);
      ASSERT_NE(flag, nullptr) << name;
      EXPECT_TRUE(flag->replacement.empty() || name == "XLA_PYTHON_CLIENT_MEM_FRACTION") << name;
      EXPECT_EQ(doctor::CheckValue(*flag, value), doctor::ValueFault::kNone) << *word;
      if (flag->rule == doctor::ValueRule::kAllocConf) {
        EXPECT_TRUE(doctor::ParseAllocConf(value).faults.empty()) << value;
      }
    }
  }
  EXPECT_GT(seen, 15u);
}

memory::OomScan Scan(std::string_view log) {
  memory::OomScanner scanner;
  scanner.Feed(log);
  return scanner.Finish();
}

constexpr std::string_view kLog =
    "[rank1]: Traceback (most recent call last):\n"
    "[rank1]:   File \"/job/ev\x1b[31mil\xe2\x80\xae.py\", line 3, in f\xff\n"
    "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 1 has a "
    "total capacity of 79.15 GiB of which 1.66 GiB is free. Of the allocated memory 62.09 GiB is "
    "allocated by PyTorch, and 14.84 GiB is reserved by PyTorch but unallocated.\n"
    "Out of memory: Killed process 8 (py\xe2\x80\xa8\x9bx) total-vm:1kB, anon-rss:1kB\n";

TEST(ExplainPage, LetsNoControlThrough) {
  const auto scan = Scan(kLog);
  for (const bool all : {false, true}) {
    std::string json;
    AppendExplainJson(json, "a\x1b[2J", scan, all, Language::kEnglish);
    for (const std::string& text :
         {ExplainPage({.columns = 80}, "a\x1b[2J\xe2\x80\xae", scan, all), json}) {
      for (const std::string_view bad : {"\x1b", "\xe2\x80\xae", "\xe2\x80\xa8", "\x9b", "\x7f"}) {
        EXPECT_EQ(text.find(bad), std::string::npos) << all;
      }
    }
  }
}

TEST(ExplainPage, KeepsToTheWidthButForWhatIsPasted) {
  const auto scan = Scan(kLog);
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    for (const int columns : {40, 60, 80, 120}) {
      const std::string page =
          ExplainPage({.columns = columns, .language = language}, "a.log", scan, false);
      std::string_view rest = page;
      while (auto line = NextLine(rest)) {
        const auto codes = memory::AllAdviceCode();
        const bool pasted = std::find(codes.begin(), codes.end(), Trim(*line)) != codes.end();
        EXPECT_TRUE(pasted || DisplayWidth(*line) <= columns) << *line;
        EXPECT_FALSE(line->ends_with(' ')) << *line;
      }
    }
  }
}

TEST(ExplainJson, GivesEachMissingNumberItsReason) {
  std::string out;
  AppendExplainJson(out, "a.log", Scan(kLog), false, Language::kEnglish);
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(out.c_str()).HasParseError()) << out;
  EXPECT_EQ(json["schema"].GetInt(), kExplainSchema);
  ASSERT_EQ(json["failures"].Size(), 2u);
  const auto& first = json["failures"][0];
  EXPECT_EQ(first["rank"].GetInt(), 1);
  EXPECT_TRUE(first["process_bytes"].IsNull());
  EXPECT_STREQ(first["unknown"]["process_bytes"].GetString(), "not in the text");
  EXPECT_FALSE(first["unknown"].HasMember("free_bytes"));
  ASSERT_EQ(json["causes"].Size(), 2u);
  EXPECT_STREQ(json["causes"][0]["class"].GetString(), "fragmentation");
  double sum = 0;
  for (const auto& part : json["causes"][0]["account"]["parts"].GetArray()) {
    sum += part["bytes"].GetDouble();
  }
  EXPECT_NEAR(sum, json["causes"][0]["account"]["total_bytes"].GetDouble(), 4);  // whole bytes
}

}  // namespace
}  // namespace gpusight::cli
