// SPDX-License-Identifier: Apache-2.0
#include "tui/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tui/test_frames.h"
#include "tui/update.h"

namespace gpusight::tui {
namespace {

using testing::ElementsAre;

struct Kin {
  int pid, parent;
  double memory;  // bytes; 0: uses no GPU
};

State Family(const std::vector<Kin>& family) {
  State state = MadeState({.processes = 0, .steps = 1});
  state.frame.processes.clear();
  for (const Kin& kin : family) {
    ProcessSample p;
    p.pid = kin.pid;
    p.parent = kin.parent;
    p.start_ticks = 1;
    p.command_line = "p" + std::to_string(kin.pid);
    if (kin.memory > 0) {
      p.uses.push_back({});
      p.uses[0].fields[UseField::kMemory] = kin.memory;
    }
    state.frame.processes.push_back(p);
  }
  state.selected = {};
  state.selected_row = 0;
  RebuildRows(state);
  return state;
}

std::vector<int> Pids(const State& state) {
  std::vector<int> pids;
  for (const TableRow& row : state.rows) pids.push_back(state.frame.processes[row.process].pid);
  return pids;
}

TEST(Rows, AreSortedWithTheUnknownLastInBothDirections) {
  State state = Family({{1, 0, 10}, {2, 0, 30}, {3, 0, 20}, {4, 0, 5}});
  state.frame.processes[3].uses[0].fields[UseField::kMemory] = Absence::kNotSupported;
  RebuildRows(state);
  EXPECT_THAT(Pids(state), ElementsAre(2, 3, 1, 4));
  state.falling = false;
  RebuildRows(state);
  EXPECT_THAT(Pids(state), ElementsAre(1, 3, 2, 4));
}

TEST(Rows, EqualsStandByPidInBothDirections) {
  State state = Family({{7, 0, 10}, {5, 0, 10}, {6, 0, 10}});
  EXPECT_THAT(Pids(state), ElementsAre(5, 6, 7));
  state.falling = false;
  RebuildRows(state);
  EXPECT_THAT(Pids(state), ElementsAre(5, 6, 7));
}

TEST(Rows, RelativesWithoutAGpuComeOnRequest) {
  State state = Family({{1, 0, 10}, {2, 1, 0}});
  EXPECT_THAT(Pids(state), ElementsAre(1));
  state.all = true;
  RebuildRows(state);
  EXPECT_THAT(Pids(state), ElementsAre(1, 2));
}

TEST(Rows, TheTreeShowsTheParentsThatLeadToAProcess) {
  State state = Family({{10, 1, 0}, {11, 10, 5}, {12, 10, 9}, {20, 1, 7}});
  state.tree = true;
  RebuildRows(state);
  EXPECT_THAT(Pids(state), ElementsAre(10, 12, 11, 20));
  EXPECT_EQ(state.rows[1].branch, "├ ");
  EXPECT_EQ(state.rows[2].branch, "└ ");
  EXPECT_EQ(state.rows[3].branch, "");
}

TEST(Rows, ParentsInACircleStillShowEveryone) {
  State state = Family({{1, 3, 10}, {2, 1, 10}, {3, 2, 10}, {4, 4, 10}, {5, 3, 10}});
  state.tree = true;
  RebuildRows(state);
  EXPECT_THAT(Pids(state), testing::UnorderedElementsAre(1, 2, 3, 4, 5));
}

TEST(Rows, AForeignNumberIsNobodysParent) {
  State state = Family({{10, 1, 5}, {11, 10, 5}});
  state.frame.processes[0].translated = false;
  state.tree = true;
  RebuildRows(state);
  for (const TableRow& row : state.rows) EXPECT_EQ(row.branch, "");
}

TEST(Rows, AFilterHidesWhatDoesNotMatch) {
  State state = Family({{1, 0, 10}, {2, 0, 30}});
  state.filter = "P2";
  RebuildRows(state);
  EXPECT_THAT(Pids(state), ElementsAre(2));
  state.filter = "nobody";
  RebuildRows(state);
  EXPECT_TRUE(state.rows.empty());
}

TEST(Rows, TheSelectionFollowsItsProcess) {
  State state = Family({{1, 0, 10}, {2, 0, 30}, {3, 0, 20}});
  state.selected = KeyOf(state.frame.processes[0]);
  RebuildRows(state);
  EXPECT_EQ(state.selected_row, 2);
  state.falling = false;
  RebuildRows(state);
  EXPECT_EQ(state.selected_row, 0);
  EXPECT_EQ(state.selected.pid, 1);
}

TEST(Rows, WhenTheSelectedProcessEndsItsNeighbourIsSelected) {
  State state = Family({{1, 0, 10}, {2, 0, 30}, {3, 0, 20}});
  state.selected = KeyOf(state.frame.processes[2]);
  RebuildRows(state);
  state.frame.processes.erase(state.frame.processes.begin() + 2);
  RebuildRows(state);
  EXPECT_EQ(state.selected.pid, 1);
}

TEST(Rows, ANewProcessWithAnOldNumberIsNotTheSelectedOne) {
  State state = Family({{1, 0, 10}, {2, 0, 30}});
  state.selected = KeyOf(state.frame.processes[0]);
  RebuildRows(state);
  state.frame.processes[0].start_ticks = 2;
  EXPECT_EQ(SelectedProcess(state), nullptr);
}

}  // namespace
}  // namespace gpusight::tui
