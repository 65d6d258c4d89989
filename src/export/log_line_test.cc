// SPDX-License-Identifier: Apache-2.0
#include "export/log_line.h"

#include <gmock/gmock.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <ctime>

#include "export/csv.h"
#include "testing/allocations.h"
#include "testing/test_frame.h"

namespace gpusight::exporting {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<LogField> Fields(std::initializer_list<std::string_view> names) {
  std::vector<LogField> out;
  for (const auto name : names) out.push_back(FindLogField(name).value());
  return out;
}

class LogLine : public ::testing::Test {
 protected:
  LogLine() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  std::string Line(const LogLayout& layout, size_t device, int process = -1) {
    LogSubject subject{frame, device};
    if (process >= 0) {
      subject.process = &frame.processes[static_cast<size_t>(process)];
      subject.use = &subject.process->uses.front();
    }
    std::string out;
    LogEncoder(layout).Append(out, subject);
    return out;
  }
  Frame frame = TestFrame();
};

TEST_F(LogLine, TextHasExactlyThePromisedShape) {
  const LogLayout layout{LogFormat::kText, Fields({"util", "mem_used", "mem_total"})};
  EXPECT_EQ(Line(layout, 0),
            "[2026-04-05 10:00:00] GPU-0: util=78%, mem_used=12.4GiB, mem_total=16.0GiB\n");
}

TEST_F(LogLine, TextGivesTheReasonInPlaceOfAMissingValue) {
  const LogLayout layout{LogFormat::kText, Fields({"fan", "temp"})};
  EXPECT_EQ(Line(layout, 0), "[2026-04-05 10:00:00] GPU-0: fan=n/a(not supported), temp=52C\n");
}

TEST_F(LogLine, TextShowsMillisecondsWhenSecondsDoNotTellLinesApart) {
  LogLayout layout{LogFormat::kText, Fields({"util"})};
  layout.milliseconds = true;
  EXPECT_THAT(Line(layout, 0), StartsWith("[2026-04-05 10:00:00.123] GPU-0: "));
}

TEST_F(LogLine, TextNamesTheProcessItIsAbout) {
  LogLayout layout{LogFormat::kText, Fields({"util", "proc_mem", "proc_sm", "proc_cpu"})};
  layout.processes = true;
  EXPECT_EQ(Line(layout, 0, 1),
            "[2026-04-05 10:00:00] GPU-0: pid=1201, command=python, util=78%, proc_mem=11.0GiB, "
            "proc_sm=66%, proc_cpu=1.50\n");
}

TEST_F(LogLine, LogfmtUsesBaseUnitsAndKeepsReasonsApart) {
  const LogLayout layout{LogFormat::kLogfmt, Fields({"util", "mem_used", "fan"})};
  EXPECT_EQ(Line(layout, 1),
            "time=2026-04-05T10:00:00.123Z gpu=1 uuid=GPU-99999999-8888-7777-6666-555555555555 "
            "utilization_ratio=0 memory_used_bytes=1073741824 "
            "unknown=\"fan_ratio: driver error 999\"\n");
}

TEST_F(LogLine, CsvKeepsItsColumnsWhetherValuesAreKnownOrNot) {
  const LogLayout layout{LogFormat::kCsv, Fields({"util", "fan", "mem_used"})};
  EXPECT_EQ(LogEncoder(layout).Header(),
            "time,gpu,uuid,utilization_ratio,fan_ratio,memory_used_bytes,unknown\n");
  EXPECT_EQ(Line(layout, 1),
            "2026-04-05T10:00:00.123Z,1,GPU-99999999-8888-7777-6666-555555555555,0,,1073741824,"
            "fan_ratio: driver error 999\n");
}

TEST(CsvCell, IsNoFormulaOfASpreadsheet) {
  const auto cell = [](std::string_view text) {
    std::string out;
    AppendCsvCell(out, text);
    return out;
  };
  EXPECT_EQ(cell("=1+1"), "'=1+1");
  EXPECT_EQ(cell("@a,b"), "\"'@a,b\"");
  EXPECT_EQ(cell("-bash"), "'-bash");
  EXPECT_EQ(cell("a=b"), "a=b");
  EXPECT_EQ(cell(""), "");
}

TEST_F(LogLine, CsvQuotesACommandWithCommasAndQuotes) {
  LogLayout layout{LogFormat::kCsv, {}};
  layout.processes = true;
  frame.processes[1].command = std::string("a,\"b\"\n");
  EXPECT_THAT(Line(layout, 0, 1), HasSubstr(",1201,\"a,\"\"b\"\" \","));
}

TEST_F(LogLine, JsonlIsOneObjectWithNullsExplained) {
  const LogLayout layout{LogFormat::kJsonl, Fields({"util", "fan", "mem_used"})};
  const std::string line = Line(layout, 0);
  rapidjson::Document json;
  ASSERT_FALSE(json.Parse(line.c_str()).HasParseError()) << line;
  EXPECT_EQ(json["gpu"].GetInt(), 0);
  EXPECT_EQ(json["utilization_ratio"].GetDouble(), 0.78);
  EXPECT_EQ(json["memory_used_bytes"].GetInt64(), 13314398618);
  EXPECT_TRUE(json["fan_ratio"].IsNull());
  EXPECT_STREQ(json["unknown"]["fan_ratio"].GetString(), "not supported");
}

TEST_F(LogLine, MigInstancesAreNamedByTheirGpuAndInstances) {
  frame.devices[1].info.parent_uuid = frame.devices[0].info.uuid;
  frame.devices[1].info.gpu_instance = 7;
  frame.devices[1].info.compute_instance = 0;
  EXPECT_THAT(Line({LogFormat::kText, Fields({"util"})}, 1), HasSubstr("] GPU-0/7/0: "));
  EXPECT_THAT(Line({LogFormat::kJsonl, Fields({"util"})}, 1),
              HasSubstr("\"gpu\":0,\"gpu_instance\":7,\"compute_instance\":0"));
}

TEST_F(LogLine, ADeviceWithoutUuidHasTheReasonInItsPlace) {
  frame.devices[0].info.uuid.clear();
  EXPECT_THAT(Line({LogFormat::kCsv, Fields({"util"})}, 0), HasSubstr(",0,,"));
  EXPECT_THAT(Line({LogFormat::kCsv, Fields({"util"})}, 0), HasSubstr("uuid: not supported"));
  EXPECT_THAT(Line({LogFormat::kJsonl, Fields({"util"})}, 0), HasSubstr("\"uuid\":null"));
  const std::string logfmt = Line({LogFormat::kLogfmt, Fields({"util"})}, 0);
  EXPECT_THAT(logfmt, Not(HasSubstr("uuid=")));
  EXPECT_THAT(logfmt, HasSubstr("unknown=\"uuid: not supported"));
}

TEST_F(LogLine, AllocatesNothingOnceItsBuffersHaveGrown) {
  frame.devices[0].fields[DeviceField::kEncoder] = Missing{Absence::kDriverError, 999};
  for (const LogFormat format :
       {LogFormat::kText, LogFormat::kLogfmt, LogFormat::kCsv, LogFormat::kJsonl}) {
    LogLayout layout{format, AllLogFields(true)};
    layout.processes = true;
    LogEncoder encoder(layout);
    std::string out;
    const LogSubject subject{frame, 0, &frame.processes[1], &frame.processes[1].uses[0]};
    encoder.Append(out, subject);
    const size_t size = out.size();
    const uint64_t before = AllocationCount();
    for (int i = 0; i < 10; ++i) {
      out.clear();
      encoder.Append(out, subject);
    }
    EXPECT_EQ(AllocationCount(), before) << static_cast<int>(format);
    EXPECT_EQ(out.size(), size);
  }
}

TEST(LogField, IsFoundByItsShortAndItsLongName) {
  EXPECT_EQ(FindLogField("util"), FindLogField("utilization_ratio"));
  EXPECT_EQ(FindLogField("proc_rss"), FindLogField("proc_resident_bytes"));
  EXPECT_EQ(FindLogField("nonsense"), std::nullopt);
  EXPECT_EQ(FindLogField("proc_nonsense"), std::nullopt);
  EXPECT_EQ(FindLogField(""), std::nullopt);
}

TEST(LogField, NamesAreUniqueAndFindTheirOwnField) {
  for (const LogField field : AllLogFields(true)) {
    EXPECT_EQ(FindLogField(ShortName(field)), field) << ShortName(field);
    EXPECT_EQ(FindLogField(LongName(field)), field) << LongName(field);
  }
}

}  // namespace
}  // namespace gpusight::exporting
