// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "base/text.h"
#include "export/holders.h"
#include "export/json_who.h"
#include "export/process_table.h"
#include "export/who_text.h"
#include "testing/test_frame.h"

namespace gpusight::exporting {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Who : public ::testing::Test {
 protected:
  Who() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  std::string Page(size_t device) const {
    const size_t one[] = {device};
    return WhoPage(style, frame, one);
  }
  Style style{.columns = 100};
  // How that process uses its (first) device.
  GpuUse& Use(int pid) {
    return std::find_if(frame.processes.begin(), frame.processes.end(),
                        [pid](const ProcessSample& p) { return p.pid == pid; })
        ->uses.at(0);
  }
  Frame frame = TestFrame();
};

TEST_F(Who, FitsNarrowTerminalsInBothLanguages) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    for (const int columns : {40, 60, 80}) {
      style = {.columns = columns, .language = language};
      for (const size_t device : {size_t{0}, size_t{1}}) {
        const std::string page = Page(device);
        for (const std::string_view line : Split(page, '\n')) {
          EXPECT_LE(DisplayWidth(line), columns) << line;
        }
      }
    }
  }
}

TEST_F(Who, ListsTheLargestHolderFirstAndCountsWhatIsHidden) {
  const DeviceHolders device = HoldersOf(frame, 0);
  ASSERT_EQ(device.holders.size(), 2u);
  EXPECT_EQ(device.holders[0].process->pid, 1201);
  EXPECT_EQ(device.hidden, 1);
  EXPECT_EQ(device.hidden_bytes, 1024.0 * 1024 * 1024);
  EXPECT_EQ(device.residual, ResidualKind::kContexts);
}

TEST_F(Who, NamesThePodRatherThanTheContainer) {
  EXPECT_THAT(Page(0), HasSubstr("1201  ada   train-job-0"));
}

TEST_F(Who, NamesTheBatchJobOfTheProcessOrOfItsContainer) {
  EXPECT_EQ(JobOf(frame, frame.processes[1]), "");
  frame.containers[0].slurm_job = "77";
  EXPECT_EQ(JobOf(frame, frame.processes[1]), "77");
  frame.processes[1].slurm_job = "78";
  EXPECT_EQ(JobOf(frame, frame.processes[1]), "78");
  EXPECT_THAT(Page(0), HasSubstr("JOB"));
}

TEST_F(Who, SaysWhatIsHiddenFromThisContainer) {
  EXPECT_THAT(Page(0), HasSubstr("99817  -     -"));
  EXPECT_THAT(Page(0), HasSubstr("(outside this container)"));
  EXPECT_THAT(Page(0), HasSubstr("Outside this container: 1 of the processes, holding 1.0GiB."));
}

TEST_F(Who, SaysThatAHolderHasEnded) {
  EXPECT_THAT(Page(1), HasSubstr("Ended, but their memory is not released yet: 1 of the"));
  EXPECT_THAT(Page(1), HasSubstr("holding an unknown amount"));
  Use(777).fields[UseField::kMemory] = 2e9;
  EXPECT_EQ(HoldersOf(frame, 1).zombie_bytes, 2e9);
  EXPECT_THAT(Page(1), HasSubstr("holding 1.9GiB"));
}

TEST_F(Who, ExplainsMemoryThatNobodyIsListedFor) {
  frame.processes.clear();
  frame.devices[0].process_count = 0.0;
  EXPECT_EQ(HoldersOf(frame, 0).residual, ResidualKind::kUnlisted);
  EXPECT_THAT(Page(0), HasSubstr("no process is listed"));
  EXPECT_THAT(Page(0), HasSubstr("the owners are hidden from this"));
  frame.devices[0].fields[DeviceField::kMemoryUsed] = 5e6;
  EXPECT_EQ(HoldersOf(frame, 0).residual, ResidualKind::kIdle);
}

TEST_F(Who, SaysWhoMayHoldWhatIsListedUnderNobody) {
  frame.host.sees_all_processes = false;  // a PID namespace of our own
  EXPECT_EQ(HoldersOf(frame, 0).residual, ResidualKind::kUnlisted);
  EXPECT_THAT(Page(0), HasSubstr("most likely its owners"));
  frame.host.sees_all_processes = true;
  EXPECT_EQ(HoldersOf(frame, 0).residual, ResidualKind::kUnowned);
  EXPECT_THAT(Page(0), HasSubstr("fuser -v"));
  frame.devices[0].fields[DeviceField::kMemoryUsed] = 12.1 * 1024 * 1024 * 1024;
  EXPECT_EQ(HoldersOf(frame, 0).residual, ResidualKind::kContexts);
  EXPECT_THAT(Page(0), Not(HasSubstr("hidden from here")));
}

TEST_F(Who, SharesAddUpWithTheResidual) {
  const double used = 3 * 1024.0 * 1024 * 1024;
  frame.devices[0].fields[DeviceField::kMemoryUsed] = used;
  Use(1201).fields[UseField::kMemory] = used / 3;
  Use(99817).fields[UseField::kMemory] = used / 3;
  EXPECT_THAT(Page(0), ContainsRegex("1201 .*1.0GiB +34%"));
  EXPECT_THAT(Page(0), ContainsRegex("99817 .*1.0GiB +33%"));
  EXPECT_THAT(Page(0), HasSubstr("The residual of 1.0GiB (33%) is "));
}

TEST_F(Who, AShareThatIsTooSmallToShowIsNotZero) {
  frame.devices[0].fields[DeviceField::kMemoryUsed] = 100e9;
  Use(1201).fields[UseField::kMemory] = 99.7e9;
  Use(99817).fields[UseField::kMemory] = 0.3e9;
  EXPECT_THAT(Page(0), HasSubstr(" 100%"));
  EXPECT_THAT(Page(0), HasSubstr(" <1%"));
}

TEST_F(Who, SharesOfAnAccountThatDoesNotAddUpAreEachTheirOwn) {
  frame.devices[0].fields[DeviceField::kMemoryUsed] = 10.0 * 1024 * 1024 * 1024;
  EXPECT_THAT(Page(0), HasSubstr(" 110%"));
  EXPECT_THAT(Page(0), HasSubstr(" 10%"));
}

TEST_F(Who, ADeviceWithoutANameLeavesNoBlanks) {
  frame.devices[1].info.name.clear();
  frame.devices[1].fields[DeviceField::kMemoryUsed] = Absence::kNotSupported;
  EXPECT_THAT(Page(1), StartsWith("GPU 1\n"));
}

TEST_F(Who, SaysThatNothingIsUsed) {
  frame.processes.clear();
  frame.devices[0].process_count = 0.0;
  frame.devices[0].fields[DeviceField::kMemoryUsed] = 0.0;
  EXPECT_THAT(Page(0), HasSubstr("No residual: nothing is used."));
}

TEST_F(Who, SaysWhyTheListIsMissing) {
  frame.processes.clear();
  frame.devices[0].process_count = Absence::kNoPermission;
  EXPECT_THAT(Page(0), HasSubstr("the processes are not known: no permission"));
}

TEST_F(Who, MoreThanThereIsHasNoShare) {
  frame.devices[0].fields[DeviceField::kMemoryTotal] = 5.0 * 1024 * 1024 * 1024;
  EXPECT_THAT(Page(0), HasSubstr("used, more than the 5.0GiB it is said to have"));
  EXPECT_THAT(Page(0), Not(HasSubstr("(248%)")));
}

TEST_F(Who, SaysOnceThatAHolderEnded) {
  ProcessSample& ended = frame.processes[0];
  ended.zombie = true;
  ended.command = ended.command_line = Absence::kGone;
  EXPECT_EQ(CommandText(style, ended), "(ended, not yet released)");
}

TEST_F(Who, TellsMemoryThatIsCountedTwice) {
  frame.devices[0].fields[DeviceField::kMemoryUsed] = 1e9;
  EXPECT_THAT(Page(0), HasSubstr("The processes add up to 11.1GiB more than is used"));
  EXPECT_EQ(HoldersOf(frame, 0).residual, ResidualKind::kNegative);
}

TEST_F(Who, FitsItsWidthInBothLanguages) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    style = {.columns = 80, .language = language};
    const std::string page = Page(0) + Page(1);
    for (const std::string_view line : Split(page, '\n')) {
      EXPECT_LE(DisplayWidth(line), 80) << line;
    }
  }
}

TEST_F(Who, JsonHoldsTheSame) {
  const size_t both[] = {0, 1};
  std::string text;
  AppendWhoJson(text, frame, both);
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(text.c_str()).HasParseError()) << text;
  EXPECT_EQ(json["schema"].GetInt(), 1);
  const auto& first = json["devices"][0];
  EXPECT_EQ(first["holders"][0]["pid"].GetInt(), 1201);
  EXPECT_EQ(first["holders"][0]["used_bytes"].GetInt64(), 11LL * 1024 * 1024 * 1024);
  EXPECT_EQ(first["hidden_count"].GetInt(), 1);
  EXPECT_STREQ(first["residual_is"].GetString(), "contexts_and_driver");
  EXPECT_EQ(first["memory"]["used_bytes"].GetInt64(), 13314398618);
  const auto& zombie = json["devices"][1]["holders"][0];
  EXPECT_TRUE(zombie["zombie"].GetBool());
  EXPECT_TRUE(zombie["used_bytes"].IsNull());
  EXPECT_STREQ(zombie["unknown"]["used_bytes"].GetString(), "not supported");
}

}  // namespace
}  // namespace gpusight::exporting
