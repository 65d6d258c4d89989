// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/doctor/test_facts.h"
#include "cli/doctor/workspace.h"

namespace gpusight::doctor {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Variables = std::vector<std::pair<std::string, std::string>>;

Facts With(Variables variables) {
  Facts facts = HealthyFacts();
  facts.subject.environment = std::move(variables);
  return facts;
}

struct Case {
  const char* name;
  const char* value;
  const char* verdict;  // state of the first line
  const char* remedy;   // a part of it, "" = none
};

TEST(MemoryFlagCheck, JudgesEverySetting) {
  const Case cases[] = {
      {"FLAGS_malloc_trunk_size", "512", "problem", "FLAGS_auto_growth_chunk_size_in_mb"},
      {"FLAGS_fraction_of_gpu_memory_to_us", "0.5", "problem",
       "FLAGS_fraction_of_gpu_memory_to_use"},
      {"FLAGS_something_new", "1", "note", "unset FLAGS_something_new"},
      {"FLAGS_auto_growth_chunk_size_in_mb", "64", "ok", ""},
      {"FLAGS_auto_growth_chunk_size_in_mb", "64MB", "problem", "_mb=64"},
      {"FLAGS_gpu_memory_limit_mb", "-1", "problem", "unset FLAGS_gpu_memory_limit_mb"},
      {"FLAGS_gpu_memory_limit_mb", "8GB", "problem", "=8192"},
      {"FLAGS_gpu_memory_limit_mb", "1e3", "problem", "=1000"},
      {"FLAGS_max_reserved_threshold_in_gb", "64GiB", "problem", "=64"},
      {"FLAGS_max_reserved_threshold_in_gb", "512M", "problem", "a whole number of GiB."},
      {"FLAGS_gpu_allocator_retry_time", "2s", "problem", "=2000"},
      {"FLAGS_fraction_of_cpu_memory_to_use", "90%", "problem", "=0.9"},
      {"FLAGS_fraction_of_cpu_memory_to_use", "2", "problem", "takes a share"},
      {"FLAGS_gpu_memory_limit_mb", "all", "problem", "a whole number of MiB."},
      {"FLAGS_free_idle_chunk", "on", "problem", "=true"},
      {"FLAGS_free_idle_chunk", "off", "problem", "=false"},
      {"FLAGS_free_idle_chunk", "maybe", "problem", "takes true or false."},
      {"FLAGS_allocator_strategy", "growth", "problem", "=auto_growth"},
      {"FLAGS_allocator_strategy", "autogrowth", "problem", "=auto_growth"},
      {"FLAGS_allocator_strategy", "arena", "problem", "unset"},
      {"FLAGS_fraction_of_gpu_memory_to_use", "0.5", "note", "naive_best_fit"},
      {"FLAGS_init_allocated_mem", "true", "note", "unset"},
      {"FLAGS_new_executor_log_memory_stats", "true", "note", "FLAGS_log_memory_stats"},
      {"FLAGS_use_shm_cache", "true", "note", "unset"},
      {"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True", "ok", ""},
      {"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:true", "problem",
       "expandable_segments:True"},
      {"PYTORCH_CUDA_ALLOC_CONF", "max_split_size:128", "problem", "max_split_size_mb"},
      {"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128MB", "note", "=max_split_size_mb:128"},
      {"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:8GB", "note", "=max_split_size_mb:8192"},
      {"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:10", "problem", "=max_split_size_mb:20"},
      {"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments=True", "problem",
       "=expandable_segments:True"},
      {"PYTORCH_CUDA_ALLOC_CONF", "lots", "problem", "key:value"},
      {"PYTORCH_ALLOC_CONF", "large_segment_size_mb:40", "ok", ""},
      {"PYTORCH_CUDA_ALLOC_CONFIG", "x", "problem", "PYTORCH_CUDA_ALLOC_CONF"},
      {"PYTORCH_NO_CUDA_MEMORY_CACHING", "0", "note", "unset"},
      {"CUDA_LAUNCH_BLOCKING", "1", "note", "unset"},
      {"CUDA_LAUNCH_BLOCKING", "0", "ok", ""},
      {"CUDA_LAUNCH_BLOCKING", "true", "problem", "=1"},
      {"CUDA_MODULE_LOADING", "EAGER", "note", "unset"},
      {"CUDA_MODULE_LOADING", "LAZY", "ok", ""},
      {"CUDA_DEVICE_ORDER", "PCI", "problem", "=PCI_BUS_ID"},
      {"CUDA_VISIBLE_DEVICE", "0", "problem", "CUDA_VISIBLE_DEVICES"},
      {"CUBLAS_WORKSPACE_CONFIG", ":4096:8", "ok", ""},
      {"CUBLAS_WORKSPACE_CONFIG", "4096", "problem", ":4096:8"},
      {"NCCL_BUFFSIZE", "4M", "problem", "=4194304"},
      {"NCCL_BUFFSIZE", "0x400000", "ok", ""},
      {"NCCL_BUFFER_SIZE", "8388608", "problem", "NCCL_BUFFSIZE"},
      {"XLA_PYTHON_CLIENT_PREALLOCATE", "false", "ok", ""},
      {"XLA_PYTHON_CLIENT_PREALLOCATE", "no", "problem", "=false"},
      {"XLA_PYTHON_CLIENT_MEM_FRACTION", ".5", "note", "XLA_CLIENT_MEM_FRACTION"},
      {"XLA_CLIENT_MEM_FRACTION", "2", "note", "unset"},
      {"XLA_PYTHON_CLIENT_ALLOCATOR", "platform", "note", "unset"},
      // JAX reads these in Python, where a number is the whole text or an error.
      {"XLA_CLIENT_MEM_FRACTION", "90%", "problem", "export XLA_CLIENT_MEM_FRACTION=0.9"},
      {"XLA_CLIENT_MEM_FRACTION", "abc", "problem", "unset XLA_CLIENT_MEM_FRACTION"},
      {"XLA_CLIENT_MEM_FRACTION", "0.5.", "problem", "unset"},
      {"XLA_CLIENT_MEM_FRACTION", "-0.5", "problem", "takes a share"},
      {"XLA_CLIENT_MEM_FRACTION", " 0.5 ", "ok", ""},
      {"XLA_CLIENT_MEM_FRACTION", "0.7_5", "ok", ""},
      {"XLA_CLIENT_MEM_FRACTION", "", "ok", ""},
      {"XLA_PYTHON_CLIENT_MEM_FRACTION", "90%", "problem", "_FRACTION=0.9"},
      {"XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB", "5x", "problem", "unset"},
      {"XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB", "1GB", "problem", "=1024"},
      {"XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB", "64.0", "problem", "=64"},
      {"XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB", "1_024", "ok", ""},
      {"XLA_PYTHON_CLIENT_ALLOCATOR", "blatform", "problem", "=platform"},
      {"XLA_FLAGS", "--xla_a=1 --xla_b", "ok", ""},
      {"XLA_FLAGS", "--xla_a=1 xla_b", "problem", "--flag=value"},
      {"XLA_FLAGS", "/etc/xla", "ok", ""},
      {"TF_FORCE_GPU_ALLOW_GROWTH", "true", "ok", ""},
      {"TF_FORCE_GPU_ALLOW_GROWTH", "1", "problem", "=true"},
      {"TF_FORCE_GPU_ALLOW_GROWTH", "True", "problem", "=true"},
      {"TF_GPU_ALLOW_GROWTH", "true", "problem", "TF_FORCE_GPU_ALLOW_GROWTH"},
  };
  for (const Case& c : cases) {
    const Facts facts = With({{c.name, c.value}});
    const auto verdicts = Verdicts(CheckMemoryFlags, facts);
    ASSERT_FALSE(verdicts.empty()) << c.name;
    EXPECT_EQ(verdicts[0], std::string(c.verdict) + " memory_flag." + c.name)
        << c.name << "=" << c.value;
    const std::string remedy = RemedyOf(CheckMemoryFlags, facts);
    EXPECT_THAT(remedy, HasSubstr(c.remedy)) << c.name;
    EXPECT_EQ(remedy.empty(), *c.remedy == '\0' && std::string(c.verdict) != "problem")
        << c.name << "=" << c.value << ": " << remedy;
  }
}

TEST(MemoryFlagCheck, SaysThatJaxWillNotStartWhereItRefusesTheValue) {
  for (const auto& [name, value] : {std::pair("XLA_CLIENT_MEM_FRACTION", "90%"),
                                    {"XLA_PYTHON_CLIENT_MEM_FRACTION", "abc"},
                                    {"XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB", "5x"},
                                    {"XLA_PYTHON_CLIENT_ALLOCATOR", "pool"}}) {
    EXPECT_THAT(RunCheck(CheckMemoryFlags, With({{name, value}}))[0].text,
                HasSubstr("JAX will not start"));
  }
}

TEST(MemoryFlagCheck, SaysThatNothingIsSet) {
  EXPECT_THAT(
      Verdicts(
          CheckMemoryFlags,
          With({{"PATH", "/bin"}, {"CUDA_HOME", "/usr/local/cuda"}, {"FLAGS_check_nan_inf", "1"}})),
      ElementsAre("ok memory_flag"));
}

TEST(MemoryFlagCheck, NeverShowsTheValueOfAnUnknownVariable) {
  const Facts facts = With({{"FLAGS_my_token", "s3cret"},
                            {"FLAGS_malloc_trunk_size", "s3cret"},
                            {"CUDA_VISIBLE_DEVICE", "s3cret"}});
  for (const Line& line : RunCheck(CheckMemoryFlags, facts)) {
    EXPECT_THAT(line.text + line.remedy, Not(HasSubstr("s3cret")));
  }
}

TEST(MemoryFlagCheck, ChunkSizesFitTheStrategy) {
  EXPECT_THAT(Verdicts(CheckMemoryFlags, With({{"FLAGS_allocator_strategy", "naive_best_fit"},
                                               {"FLAGS_fraction_of_gpu_memory_to_use", "0.5"},
                                               {"FLAGS_auto_growth_chunk_size_in_mb", "64"}})),
              ElementsAre("ok memory_flag.FLAGS_allocator_strategy",
                          "ok memory_flag.FLAGS_fraction_of_gpu_memory_to_use",
                          "note memory_flag.FLAGS_auto_growth_chunk_size_in_mb"));
}

TEST(MemoryFlagCheck, TwoNamesForOneSettingMustAgree) {
  Facts facts = With({{"PYTORCH_ALLOC_CONF", "expandable_segments:True"},
                      {"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:False"}});
  EXPECT_EQ(Verdicts(CheckMemoryFlags, facts).back(), "problem memory_flag.PYTORCH_ALLOC_CONF");
  facts.subject.environment[1].second = "expandable_segments:True";
  EXPECT_EQ(Verdicts(CheckMemoryFlags, facts).back(), "ok memory_flag.PYTORCH_CUDA_ALLOC_CONF");
  EXPECT_EQ(Verdicts(CheckMemoryFlags, With({{"XLA_CLIENT_MEM_FRACTION", "0.5"},
                                             {"XLA_PYTHON_CLIENT_MEM_FRACTION", "0.5"}}))
                .back(),
            "problem memory_flag.XLA_CLIENT_MEM_FRACTION");
}

TEST(MemoryFlagCheck, KeysThatOlderVersionsRefuseAreMarked) {
  const auto lines =
      RunCheck(CheckMemoryFlags, With({{"PYTORCH_CUDA_ALLOC_CONF", "large_segment_size_mb:40"}}));
  EXPECT_THAT(lines[0].text, HasSubstr("before 2.11 refuses"));
}

TEST(MemoryFlagCheck, EscapeSequencesInValuesAreMadeHarmless) {
  const auto lines =
      RunCheck(CheckMemoryFlags, With({{"FLAGS_gpu_memory_limit_mb", "1\x1b[31m\x07"}}));
  EXPECT_THAT(lines[0].text, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07"))));
}

TEST(MemoryFlagCheck, AnUnreadableEnvironmentIsSaid) {
  Facts facts = HealthyFacts();
  facts.subject.environment_known = false;
  facts.subject.pid = 41822;
  EXPECT_THAT(Verdicts(CheckMemoryFlags, facts), ElementsAre("note memory_flag"));
  EXPECT_EQ(RemedyOf(CheckMemoryFlags, facts), "sudo gpusight doctor --pid 41822");
}

TEST(MemoryFlagCheck, SaysThatAColonStandsBetweenKeyAndValue) {
  const auto lines =
      RunCheck(CheckMemoryFlags, With({{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments=True"}}));
  EXPECT_THAT(lines[0].text, HasSubstr("with ':' instead of '='"));
}

TEST(MemoryFlagCheck, ANameCannotSmuggleACommandIntoTheRemedy) {
  EXPECT_EQ(RemedyOf(CheckMemoryFlags, With({{"FLAGS_x;reboot", "1"}})), "unset 'FLAGS_x;reboot'");
}

TEST(Workspace, SumsItsPairs) {
  EXPECT_EQ(WorkspaceBytes(":4096:2:16:8"), 8519680.0);
  EXPECT_EQ(WorkspaceBytes(":16:8"), 131072.0);
  for (const char* bad : {"", ":", "4096:8", ":4096", ":4096:8:", ":a:8", ":4096:-1", ":4096:8 "}) {
    EXPECT_EQ(WorkspaceBytes(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace gpusight::doctor
