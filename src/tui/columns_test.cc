// SPDX-License-Identifier: Apache-2.0
#include "tui/columns.h"

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "tui/column_values.h"
#include "tui/test_frames.h"

namespace gpusight::tui {
namespace {

TEST(Columns, PlacedColumnsNeverOverlapOrStickOut) {
  ColumnSet all;
  all.set();
  for (const ColumnSet& shown : {DefaultColumns(), all}) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      for (int width = 1; width <= 500; ++width) {
        int x = 0;
        for (const PlacedColumn& column : PlaceColumns(shown, width, language)) {
          ASSERT_GE(column.x, x) << width;
          ASSERT_GT(column.width, 0) << width;
          ASSERT_LE(column.x + column.width, width) << width;
          x = column.x + column.width + 1;
        }
        ASSERT_GT(x, 0) << width;
      }
    }
  }
}

TEST(Columns, ANarrowScreenKeepsPidMemoryAndCommand) {
  std::set<Column> kept;
  for (const PlacedColumn& column : PlaceColumns(DefaultColumns(), 30, Language::kEnglish)) {
    kept.insert(column.id);
  }
  EXPECT_EQ(kept, (std::set<Column>{Column::kPid, Column::kMemory, Column::kCommand}));
}

TEST(Columns, ACommandOfTwoCellsIsLeftAway) {
  const auto placed = PlaceColumns(DefaultColumns(), 20, Language::kEnglish);
  ASSERT_EQ(placed.size(), 2u);
  EXPECT_EQ(placed[1].id, Column::kMemory);
}

TEST(Columns, TheCommandBeginsWithTheProgramNotItsFolder) {
  State state = MadeState({.processes = 1});
  const auto shown = [&](const char* command_line) {
    state.frame.processes[0].command_line = std::string(command_line);
    return CellOf(state, state.frame.processes[0], Column::kCommand);
  };
  EXPECT_EQ(shown("/opt/train/.venv/bin/python3 /data/train.py -v"), "python3 /data/train.py -v");
  EXPECT_EQ(shown("./run.sh"), "run.sh");
  EXPECT_EQ(shown("ray::Train/actor step"), "ray::Train/actor step");
  EXPECT_EQ(shown("/opt/app/"), "/opt/app/");
  EXPECT_EQ(shown("python3 a/b.py"), "python3 a/b.py");
}

TEST(Columns, TitlesFitIntoTheirColumns) {
  ColumnSet all;
  all.set();
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    for (const PlacedColumn& column : PlaceColumns(all, 500, language)) {
      EXPECT_LE(DisplayWidth(RowOf(column.id).title.In(language)), column.width);
    }
  }
}

TEST(Columns, NamesAreFoundAgainAndUnique) {
  std::set<std::string_view> names;
  for (const ColumnRow& row : ColumnRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(FindColumn(row.name), row.id);
  }
  EXPECT_EQ(FindColumn("nonsense"), std::nullopt);
}

class ColumnValues : public testing::Test {
 protected:
  State state_ = MadeState({.devices = 8, .processes = 8, .steps = 2});
  ProcessSample& process() { return state_.frame.processes[1]; }
};

TEST_F(ColumnValues, AProcessOnSeveralDevicesCountsAllItsMemoryAndItsBusiestSm) {
  GpuUse more = process().uses[0];
  process().uses[0].fields[UseField::kMemory] = 1024.0;
  process().uses[0].fields[UseField::kSm] = 0.25;
  more.device = 2;
  more.fields[UseField::kMemory] = 2048.0;
  more.fields[UseField::kSm] = 0.75;
  process().uses.push_back(more);
  EXPECT_EQ(CellOf(state_, process(), Column::kMemory), "3.0KiB");
  EXPECT_EQ(CellOf(state_, process(), Column::kSm), "75%");
  EXPECT_EQ(CellOf(state_, process(), Column::kDevice), "1,2");
  state_.focus = DeviceKey(state_.frame.devices[1].info);
  EXPECT_EQ(CellOf(state_, process(), Column::kMemory), "1.0KiB");
  EXPECT_EQ(CellOf(state_, process(), Column::kSm), "25%");
}

TEST_F(ColumnValues, ARowOfDevicesIsWrittenShort) {
  process().uses.clear();
  for (int i = 0; i < 8; ++i) {
    process().uses.push_back({});
    process().uses.back().device = i;
  }
  EXPECT_EQ(CellOf(state_, process(), Column::kDevice), "0-7");
}

TEST_F(ColumnValues, AgeIsThatOfTheRecordingOnARecordedMachine) {
  process().start_time = state_.frame.time.seconds() - 90;
  process().start_ticks = 1000;  // 10 s after boot
  state_.frame.host.fields[HostField::kUptime] = 70.0;
  EXPECT_EQ(CellOf(state_, process(), Column::kAge), "1m30s");
  state_.settings.recorded = true;
  EXPECT_EQ(CellOf(state_, process(), Column::kAge), "1m00s");
}

TEST_F(ColumnValues, MissingIsNeverZero) {
  process().uses[0].fields[UseField::kMemory] = Absence::kNotSupported;
  process().fields[ProcessField::kCpu] = Absence::kNoPermission;
  EXPECT_EQ(CellOf(state_, process(), Column::kMemory), "–");
  EXPECT_EQ(CellOf(state_, process(), Column::kCpu), "–");
  EXPECT_FALSE(SortKeyOf(state_, process(), Column::kMemory).known);
}

TEST_F(ColumnValues, WhoLivesElsewhereOrHasEndedSaysSo) {
  process().translated = false;
  EXPECT_EQ(CellOf(state_, process(), Column::kCommand), "– outside this container");
  process().translated = true;
  process().zombie = true;
  EXPECT_EQ(CellOf(state_, process(), Column::kCommand),
            "python (ended, still listed by the driver)");
}

TEST_F(ColumnValues, ACommandCannotSendEscapeSequences) {
  process().command_line = std::string("evil\x1b[2J\x07");
  EXPECT_EQ(CellOf(state_, process(), Column::kCommand), "evil?[2J?");
}

TEST_F(ColumnValues, EveryWordOfAPatternMustMatchInAnyCase) {
  process().command_line = std::string("python Train.py");
  process().user = std::string("linus");
  const std::string text = SearchText(state_, process());
  EXPECT_TRUE(Matches(text, "LINUS train"));
  EXPECT_TRUE(Matches(text, "gpu1"));
  EXPECT_TRUE(Matches(text, std::to_string(process().pid)));
  EXPECT_TRUE(Matches(text, ""));
  EXPECT_FALSE(Matches(text, "linus serve"));
}

}  // namespace
}  // namespace gpusight::tui
