// SPDX-License-Identifier: Apache-2.0
#include "cli/needs.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <vector>

namespace gpusight::cli {
namespace {

SamplerOptions Needs(std::initializer_list<std::string_view> names, bool processes = false) {
  std::vector<exporting::LogField> fields;
  for (const std::string_view name : names) fields.push_back(*exporting::FindLogField(name));
  return NeedsOf(fields, processes);
}

TEST(Needs, OfThreeCheapFieldsAreThreeCheapFields) {
  const SamplerOptions needs = Needs({"util", "mem_used", "mem_total"});
  EXPECT_EQ(needs.nvml.wanted.count(), 3u);
  EXPECT_FALSE(needs.host_facts);
  EXPECT_FALSE(needs.nvml.processes);
  EXPECT_FALSE(needs.nvml.gpm);
  EXPECT_FALSE(needs.nvml.rings);
  EXPECT_FALSE(needs.nvml.events);
}

TEST(Needs, OfAFigureOverTheIntervalAreTheDriversSamples) {
  EXPECT_TRUE(Needs({"power_max"}).nvml.rings);
  EXPECT_FALSE(Needs({"power"}).nvml.rings);
}

TEST(Needs, OfAProcessAreItsFactsButNotTheMachines) {
  const SamplerOptions needs = Needs({"proc_mem"}, true);
  EXPECT_TRUE(needs.host_facts);
  EXPECT_TRUE(needs.nvml.processes);
  EXPECT_FALSE(needs.nvml.process_use);
  EXPECT_FALSE(needs.host.machine);
  EXPECT_FALSE(needs.host.relatives);
}

TEST(Needs, OfDearProcessFieldsAreTheirSources) {
  EXPECT_TRUE(Needs({"proc_sm"}, true).nvml.process_use);
  EXPECT_TRUE(Needs({"proc_workers"}, true).host.relatives);
  EXPECT_TRUE(Needs({"proc_files"}, true).host.open_files);
}

}  // namespace
}  // namespace gpusight::cli
