// SPDX-License-Identifier: Apache-2.0
#include "export/status_text.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <ctime>

#include "base/text.h"
#include "export/account_text.h"
#include "export/device_remarks.h"
#include "export/table.h"
#include "testing/test_frame.h"

namespace gpusight::exporting {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kGiB = 1024.0 * 1024 * 1024;

class StatusText : public ::testing::Test {
 protected:
  StatusText() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  std::string Page() const {
    const size_t both[] = {0, 1};
    return StatusPage(style, frame, both, "gpusight 0.1.0");
  }
  Style style;
  Frame frame = TestFrame();
};

TEST_F(StatusText, ShowsAnAccountThatAddsUpOnTheScreen) {
  EXPECT_THAT(Page(), HasSubstr("used  12.40 = processes 12.00 + residual 0.40 (GiB)\n"));
  EXPECT_THAT(Page(), HasSubstr("total 16.00 = used 12.40 + free 3.00 + driver 0.60\n"));
}

TEST_F(StatusText, PartsThatExceedTheirSumAreNotEqualToItEvenIfOneIsUnknown) {
  frame.devices[0].fields[DeviceField::kMemoryDriverReserved] = Absence::kNotSupported;
  EXPECT_THAT(Page(), HasSubstr("total 16.00 = used 12.40 + free 3.00 + driver n/a\n"));
  frame.devices[0].fields[DeviceField::kMemoryFree] = 9 * kGiB;
  EXPECT_THAT(Page(), HasSubstr("total 16.00 ≠ used 12.40 + free 9.00 + driver n/a\n"));
}

TEST_F(StatusText, AnUnknownListOfProcessesIsNotAnEmptyOne) {
  frame.processes.clear();
  for (DeviceSample& device : frame.devices) device.process_count = 0.0;
  EXPECT_THAT(Page(), HasSubstr("\n  no processes\n"));
  frame.devices[0].process_count = Absence::kNoAnswer;
  EXPECT_THAT(Page(), HasSubstr("\n  processes of GPU 0 unknown: driver not answering\n"));
  EXPECT_THAT(Page(), Not(HasSubstr("no processes")));
}

TEST_F(StatusText, NamesWithCommasArePartedBySemicolons) {
  Footnotes notes;
  (void)notes.Missed(style, "memory, driver-reserved", {Absence::kNotSupported});
  (void)notes.Missed(style, "SM", {Absence::kNotSupported});
  EXPECT_THAT(notes.Render(style), HasSubstr("not supported: memory, driver-reserved; SM\n"));
}

TEST_F(StatusText, ShowsWhoIsThere) {
  EXPECT_THAT(Page(), HasSubstr("0   1201  ada   trainer-0  C     09:00  11.0GiB  66%  150%"));
  EXPECT_THAT(Page(), HasSubstr("99817"));
}

TEST_F(StatusText, FlagsALinkBelowItsMaximumAndClocksHeldDown) {
  EXPECT_THAT(Page(), HasSubstr("!  PCIe x8, below its maximum x16"));
  EXPECT_THAT(Page(), HasSubstr("!  clocks held down by: power cap"));
}

TEST_F(StatusText, HintsAtOwnersThatAreHiddenFromThisNamespace) {
  EXPECT_THAT(Page(), Not(HasSubstr("PID namespace"))) << "not known whether any are hidden";
  frame.host.sees_all_processes = false;
  EXPECT_THAT(Page(),
              HasSubstr("  !  409.6MiB may belong to processes that are hidden from this "));
  style.language = Language::kChinese;
  EXPECT_THAT(Page(), HasSubstr("对本 PID 命名空间不可见"));
}

TEST_F(StatusText, PointsAtMemoryThatEndedProcessesHold) {
  EXPECT_THAT(Page(), HasSubstr("  !  processes that ended still hold an unknown amount; "));
}

TEST_F(StatusText, SaysWhyAFigureIsMissing) {
  EXPECT_THAT(Page(), HasSubstr("n/a  driver too old: SM activity; tensor activity;"));
  EXPECT_THAT(Page(), HasSubstr("n/a  incomplete: a part is unknown: memory of processes"));
}

TEST_F(StatusText, HasNoColoursUnlessAskedAndNoOtherDifferenceThen) {
  const std::string plain = Page();
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  style.color = true;
  std::string colored = Page();
  EXPECT_THAT(colored, HasSubstr("\x1b["));
  for (size_t at; (at = colored.find("\x1b[")) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  EXPECT_EQ(colored, plain);
}

TEST_F(StatusText, LeavesNoBlanksAtTheEndOfALine) {
  frame.devices[1].info = {};
  for (const int columns : {10, 40, 80}) {
    style.columns = columns;
    const std::string page = Page();
    for (const std::string_view line : Split(page, '\n')) {
      EXPECT_FALSE(line.ends_with(' ')) << columns << ": '" << line << "'";
    }
  }
}

TEST_F(StatusText, IsAsciiWhereTheTerminalIs) {
  style.unicode = false;
  for (const char c : Page()) EXPECT_GT(c, 0) << Page();
}

TEST_F(StatusText, FitsItsWidthInBothLanguages) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    for (const int columns : {40, 60, 80, 100, 132, 200}) {
      style.language = language;
      style.columns = columns;
      const std::string page = Page();
      for (const std::string_view line : Split(page, '\n')) {
        EXPECT_LE(DisplayWidth(line), columns) << line;
      }
    }
  }
}

TEST_F(StatusText, AlignsItsColumnsInChinese) {
  style.language = Language::kChinese;
  style.columns = 120;
  const std::string page = Page();
  const auto column = [&](std::string_view line, std::string_view word) {
    const size_t at = line.find(word);
    EXPECT_NE(at, std::string_view::npos) << line;
    return DisplayWidth(line.substr(0, at));
  };
  std::string_view head, row;
  for (const std::string_view line : Split(page, '\n')) {
    if (line.find("命令") != std::string_view::npos) head = line;
    if (line.find("train.py") != std::string_view::npos) row = line;
  }
  EXPECT_EQ(column(head, "命令"), column(row, "python"));
  EXPECT_EQ(column(head, "容器"), column(row, "trainer-0"));
}

TEST_F(StatusText, NeverPrintsWhatATerminalWouldObey) {
  frame.devices[0].info.name = "H200\x1b[2J";
  frame.processes[1].command_line = std::string("python \x1b]0;x\x07 train.py");
  frame.processes[1].user = std::string("a\nb");
  frame.host.hostname = "h\r\n";
  EXPECT_THAT(Page(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(Page(), Not(HasSubstr("\x07")));
  EXPECT_THAT(Page(), Not(HasSubstr("\r")));
}

TEST_F(StatusText, ShowsALostDeviceAsSuch) {
  frame.devices[0].state = DeviceState::kLost;
  EXPECT_THAT(Page(), HasSubstr("!! the GPU fell off the bus"));
}

TEST(AccountLines, AddUpForEveryAmountAlthoughRounded) {
  const Style style;
  // A generator of amounts that round awkwardly; the numbers on the lines are read back and added.
  uint64_t seed = 1;
  const auto next = [&seed](uint64_t below) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>((seed >> 20) % below);
  };
  for (int i = 0; i < 2000; ++i) {
    Account account;
    account.processes = next(90'000'000'000);
    account.residual = next(1'000'000'000);
    account.used = *account.processes + *account.residual;
    account.free = next(50'000'000'000);
    account.driver_reserved = i % 3 == 0 ? 0 : next(700'000'000);
    account.total = *account.used + *account.free + *account.driver_reserved;
    account.balanced = true;
    Footnotes notes;
    const auto lines = AccountLines(style, account, 100, notes);
    double u, p, r, t, u2, f, d;
    ASSERT_EQ(std::sscanf(lines[0].c_str(), "used %lf = processes %lf + residual %lf", &u, &p, &r),
              3)
        << lines[0];
    ASSERT_EQ(std::sscanf(lines[1].c_str(), "total %lf = used %lf + free %lf + driver %lf", &t, &u2,
                          &f, &d),
              4)
        << lines[1];
    EXPECT_NEAR(u, p + r, 0.001) << lines[0];
    EXPECT_NEAR(t, u2 + f + d, 0.001) << lines[1];
    EXPECT_EQ(u, u2);
    EXPECT_NEAR(u, *account.used / (*account.total >= kGiB ? kGiB : kGiB / 1024), 0.006);
    EXPECT_NEAR(d * kGiB, *account.driver_reserved, *account.total >= kGiB ? 0.011 * kGiB : kGiB);
  }
}

TEST(AccountLines, ShowTheFiguresAsTheyAreWhenTheDriversDoNotAddUp) {
  Account account;
  account.total = 16 * kGiB;
  account.used = 5 * kGiB;
  account.free = 10 * kGiB;
  account.driver_reserved = 0.0;
  account.processes = 5 * kGiB;
  account.residual = 0.0;
  Footnotes notes;
  EXPECT_EQ(AccountLines({}, account, 100, notes)[1],
            "total 16.00 ≠ used 5.00 + free 10.00 + driver 0.00");
}

TEST(RoundToSum, GivesWhatIsMissingToThoseThatLostMost) {
  const double parts[] = {1.6, 0.0, 2.6, 0.8};
  EXPECT_THAT(RoundToSum(parts, 5), ElementsAre(2, 0, 2, 1));
}

TEST(RemarksOn, StaysSilentAboutALinkThatSlowsDownToSavePower) {
  DeviceSample device;
  device.fields[DeviceField::kPcieGeneration] = 1.0;
  device.fields[DeviceField::kPcieGenerationMax] = 5.0;
  device.fields[DeviceField::kPerformanceState] = 8.0;
  EXPECT_TRUE(RemarksOn(device, Language::kEnglish).empty());
  device.fields[DeviceField::kPerformanceState] = 0.0;
  ASSERT_EQ(RemarksOn(device, Language::kEnglish).size(), 1u);
  device.info.coherent_link = true;
  EXPECT_TRUE(RemarksOn(device, Language::kEnglish).empty());
}

TEST(TableTest, LeavesOutTheColumnsThatMatterLeastWhenTheLastOneHasNoRoom) {
  Table table({{"PID", true}, {"SINCE", false, 0, 2}, {"USER", false, 0, 1}, {"COMMAND"}});
  table.Add({{"41822"}, {"04-05 06:53"}, {"lin"}, {"python3 train.py --model x"}});
  Style style;
  const auto at = [&](int columns) {
    style.columns = columns;
    return table.Render(style, 0);
  };
  EXPECT_EQ(at(40),
            "  PID  SINCE        USER  COMMAND\n41822  04-05 06:53  lin   python3 train…\n");
  EXPECT_EQ(at(30), "  PID  USER  COMMAND\n41822  lin   python3 train.py…\n");
  EXPECT_EQ(at(20), "  PID  COMMAND\n41822  python3 trai…\n");
}

TEST(TableTest, IsWholeInAPipeOfUnknownWidth) {
  Table table({{"PID", true}, {"USER", false, 4, 1}, {"COMMAND"}});
  table.Add({{"41822"}, {"somebody"}, {"python3 train.py --model x"}});
  Style style{.columns = 20, .cut_tables = false};
  EXPECT_EQ(table.Render(style, 0),
            "  PID  USER      COMMAND\n41822  somebody  python3 train.py --model x\n");
}

TEST_F(StatusText, SaysWhatWouldSampleWhatIsMissingAndWhoseFigureItIs) {
  for (ProcessSample& process : frame.processes) {
    process.fields[ProcessField::kCpu] = Absence::kNotSampledYet;
  }
  EXPECT_THAT(Page(), HasSubstr("n/a  left out of a quick look (--sample asks): CPU of processes"));
}

TEST_F(StatusText, NamesNothingUnderTwoReasonsThatMeanTheSame) {
  frame.devices[0].fields[DeviceField::kSmActivity] = Absence::kNotAsked;
  frame.devices[1].fields[DeviceField::kSmActivity] = Absence::kNotSampledYet;
  const std::string page = Page();
  EXPECT_EQ(page.find("SM activity"), page.rfind("SM activity")) << page;
}

TEST_F(StatusText, ExplainsWhyUnifiedMemoryDoesNotAddUp) {
  frame.devices[0].info.unified_memory = true;
  EXPECT_THAT(Page(), HasSubstr("shares the host's memory"));
}

TEST_F(StatusText, SaysNothingOfTheHeatOfAMigInstance) {
  frame.devices[1].fields[DeviceField::kTemperature] = 40.0;
  frame.devices[0].fields[DeviceField::kTemperature] = Absence::kUnderMig;
  EXPECT_THAT(Page(), HasSubstr("temperature"));
  frame.devices[0].info.parent_uuid = "GPU-parent";
  EXPECT_THAT(Page(), Not(HasSubstr("temperature")));
}

TEST(TableTest, CutsTheLastColumnToTheLineAndPadsWideCharactersByTheirCells) {
  Table table({{"A"}, {"N", true}, {"C"}});
  table.Add({{"显存"}, {"5"}, {"a long command line"}});
  table.Add({{"x"}, {"10"}, {"short"}});
  Style style;
  style.columns = 20;
  EXPECT_EQ(table.Render(style, 0),
            "A      N  C\n"
            "显存   5  a long co…\n"
            "x     10  short\n");
}

}  // namespace
}  // namespace gpusight::exporting
