// SPDX-License-Identifier: Apache-2.0
#include "report/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/builder.h"
#include "report/markdown.h"

namespace gpusight::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Report OneDevice() {
  Report report;
  report.devices.emplace_back();
  report.processes.emplace_back();
  return report;
}

IdleEntry Entry() {
  IdleEntry entry;
  entry.report.seconds = 100;
  entry.report.idle_seconds = 41;
  entry.report.explained_seconds = 40;
  entry.report.stacks = {{"train.py:12 main;data.py:88 load", 28.4, 0, 1},
                         {"train.py:12 main;train.py:140 step", 7.2, 0, 1},
                         {"train.py:9 main;torch/serialization.py:3 save", 2.4, 0, 1},
                         {"train.py:12 main;train.py:1 other", 2, 0, 1}};
  return entry;
}

TEST(Sentences, SayWhereTheThreadWasWhileTheGpuWasIdle) {
  EXPECT_EQ(IdleSentence(OneDevice(), Entry(), Language::kEnglish),
            "GPU 0 idle 41% of the time; while idle the main thread was at data.py:88 load (71%), "
            "train.py:140 step (18%), train.py:9 main > save (6%).");
  EXPECT_EQ(IdleSentence(OneDevice(), Entry(), Language::kChinese),
            "GPU 0 有 41% 的时间空闲；空闲时主线程位于 data.py:88 load（71%）、train.py:140 "
            "step（18%）、train.py:9 main > save（6%）。");
}

TEST(Sentences, SayWhenItCannotBeKnown) {
  IdleEntry entry;
  entry.report.why = IdleReport::Why::kNoSamples;
  EXPECT_EQ(IdleSentence(OneDevice(), entry, Language::kEnglish),
            "Why cannot be known: the driver gave no utilisation samples.");
  entry.report.why = IdleReport::Why::kNoStacks;
  entry.report.seconds = 10;
  entry.report.idle_seconds = 1;
  EXPECT_EQ(IdleSentence(OneDevice(), entry, Language::kEnglish),
            "GPU 0 idle 10% of the time. Why cannot be known: the program told of no stacks.");
}

TEST(Sentences, SayHowItEnded) {
  record::RunEnd end;
  EXPECT_EQ(EndText(end, Language::kEnglish), "no end recorded");
  end.kind = "exit";
  end.code = 3;
  EXPECT_EQ(EndText(end, Language::kEnglish), "exit code 3");
  end.kind = "signal";
  end.code.reset();
  end.signal = 9;
  EXPECT_EQ(EndText(end, Language::kChinese), "被信号 9 终止");
}

TEST(Sentences, AShortTimeKeepsItsDigits) {
  EXPECT_EQ(ShowSeconds(0.2494), "249 ms");
  EXPECT_EQ(ShowSeconds(0.0021), "2.1 ms");
  EXPECT_EQ(ShowSeconds(3.456), "3.46 s");
  EXPECT_EQ(ShowSeconds(245), "4m05s");
  EXPECT_EQ(ShowEnergy(360), "360 J");
  EXPECT_EQ(ShowEnergy(9e6), "2.50 kWh");
}

TEST(Markdown, AReportOfNothingIsWhole) {
  Builder builder(record::Summary{}, 0);
  const Report report = builder.Take();
  const std::string english = Markdown(report, Language::kEnglish);
  EXPECT_THAT(english, HasSubstr("## Findings"));
  EXPECT_THAT(english, HasSubstr("no process told of its steps"));
  EXPECT_THAT(english, Not(HasSubstr("nan")));
  EXPECT_THAT(Markdown(report, Language::kChinese), HasSubstr("## 诊断"));
}

}  // namespace
}  // namespace gpusight::report
