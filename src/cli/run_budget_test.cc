// SPDX-License-Identifier: Apache-2.0
#include "cli/run_budget.h"

#include <gmock/gmock.h>

#include <map>

namespace gpusight::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;

constexpr double kGiB = 1 << 30;
constexpr uint64_t kEight = uint64_t{8} << 30;

class BudgetTest : public ::testing::Test {
 protected:
  Budget Plan(std::optional<double> total = 80 * kGiB, bool python = true) {
    return PlanBudget(kEight, total, python, [this](const char* name) -> const char* {
      const auto at = env.find(name);
      return at == env.end() ? nullptr : at->second.c_str();
    });
  }
  std::map<std::string, std::string> env;
};

TEST_F(BudgetTest, TellsEachFrameworkInItsOwnWords) {
  EXPECT_THAT(Plan().set, ElementsAre(Pair("FLAGS_gpu_memory_limit_mb", "8192"),
                                      Pair("FLAGS_allocator_strategy", "auto_growth"),
                                      Pair("FLAGS_initial_gpu_memory_in_mb", "4096"),
                                      Pair("FLAGS_reallocate_gpu_memory_in_mb", "1024"),
                                      Pair("FLAGS_fraction_of_gpu_memory_to_use", "0.1000"),
                                      Pair("GPUSIGHT_MEMORY_BUDGET", "8589934592"),
                                      Pair("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.1000"),
                                      Pair("XLA_PYTHON_CLIENT_PREALLOCATE", "false"),
                                      Pair("TF_FORCE_GPU_ALLOW_GROWTH", "true")));
  EXPECT_THAT(Plan().kept, IsEmpty());
}

TEST_F(BudgetTest, KeepsWhatTheUserSet) {
  env = {{"FLAGS_allocator_strategy", "naive_best_fit"},
         {"XLA_PYTHON_CLIENT_PREALLOCATE", ""},
         {"GPUSIGHT_MEMORY_BUDGET", "5"}};
  const Budget budget = Plan();
  EXPECT_THAT(budget.kept, ElementsAre(Pair("FLAGS_allocator_strategy", "naive_best_fit"),
                                       Pair("GPUSIGHT_MEMORY_BUDGET", "5"),
                                       Pair("XLA_PYTHON_CLIENT_PREALLOCATE", "")));
  for (const auto& [name, value] : env) EXPECT_THAT(budget.set, Not(Contains(Key(name))));
}

TEST_F(BudgetTest, NeverGivesJaxBothNamesOfOneSetting) {
  env = {{"XLA_CLIENT_MEM_FRACTION", ".3"}};
  const Budget budget = Plan();
  EXPECT_THAT(budget.kept, ElementsAre(Pair("XLA_CLIENT_MEM_FRACTION", ".3")));
  EXPECT_THAT(budget.set, Not(Contains(Key("XLA_PYTHON_CLIENT_MEM_FRACTION"))));
}

TEST_F(BudgetTest, LeavesPyTorchToASettingOfTheUsers) {
  env = {{"PYTORCH_CUDA_ALLOC_CONF", "per_process_memory_fraction:0.4"}};
  EXPECT_THAT(Plan().set, Not(Contains(Key("GPUSIGHT_MEMORY_BUDGET"))));
  EXPECT_THAT(Plan().kept, Contains(Key("PYTORCH_CUDA_ALLOC_CONF")));
  env = {{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"}};
  EXPECT_THAT(Plan().set, Contains(Key("GPUSIGHT_MEMORY_BUDGET")));
}

TEST_F(BudgetTest, SaysWhoHasNoLimit) {
  const Budget blind = Plan(std::nullopt);
  EXPECT_TRUE(blind.no_total);
  EXPECT_THAT(blind.set, Not(Contains(Key("XLA_PYTHON_CLIENT_MEM_FRACTION"))));
  const Budget bare = Plan(80 * kGiB, false);
  EXPECT_TRUE(bare.no_python);
  const auto words = Describe(bare, kEight, Language::kEnglish);
  EXPECT_THAT(words,
              ElementsAre(HasSubstr("memory budget 8.0GiB: set FLAGS_gpu_memory_limit_mb=8192"),
                          HasSubstr("PyTorch has no limit")));
}

TEST_F(BudgetTest, IsNeverMoreThanAllOfADevice) {
  EXPECT_THAT(Plan(4 * kGiB).set, Contains(Pair("XLA_PYTHON_CLIENT_MEM_FRACTION", "1.0000")));
}

TEST_F(BudgetTest, NamesWhatWasKeptInBothLanguages) {
  env = {{"TF_FORCE_GPU_ALLOW_GROWTH", "false\x1b[31m"}};
  EXPECT_THAT(Describe(Plan(), kEight, Language::kEnglish),
              Contains("kept as you set them: TF_FORCE_GPU_ALLOW_GROWTH=false?[31m"));
  EXPECT_THAT(Describe(Plan(), kEight, Language::kChinese), Contains(HasSubstr("保留您的设置")));
}

}  // namespace
}  // namespace gpusight::cli
