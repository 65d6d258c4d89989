// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/memory_flags.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "base/fd.h"
#include "base/text.h"
#include "cli/doctor/number_prefix.h"

namespace gpusight::doctor {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string Recorded(const std::string& name) {
  return ReadFile(std::string(GPUSIGHT_TESTDATA "/frameworks/") + name).value();
}

// The recorded lists, oldest first: version, whether of a CUDA build, names with their FLAGS_.
struct Release {
  std::string version;
  bool cuda;
  Names names;
};

const std::vector<Release>& Releases() {
  static const std::vector<Release> kReleases = [] {
    std::vector<Release> all;
    for (const std::string version :
         {"2.5.2-gpu", "2.6.2", "2.6.2-gpu", "3.0.0", "3.1.1", "3.2.2"}) {
      Release release{version.substr(0, 5), version.ends_with("-gpu"), {}};
      const std::string text = Recorded("paddle-names-" + version + ".txt");
      std::string_view rest = text;
      while (const auto line = NextLine(rest)) release.names.insert("FLAGS_" + std::string(*line));
      all.push_back(std::move(release));
    }
    Release live{"3.3.1", false, {}};
    const std::string text = Recorded("paddle-flags-3.3.1.tsv");
    std::string_view rest = text;
    while (const auto line = NextLine(rest)) live.names.emplace(Split(*line, '\t')[0]);
    all.push_back(std::move(live));
    return all;
  }();
  return kReleases;
}

TEST(MemoryFlags, EveryRowIsInTheVersionsThatItNamesAndInNoOther) {
  for (const MemoryFlag& flag : PaddleFlags()) {
    for (const Release& release : Releases()) {
      if (flag.gpu_only && !release.cuda) continue;
      const bool expected = (flag.since.empty() || release.version >= flag.since) &&
                            (flag.until.empty() || release.version < flag.until);
      EXPECT_EQ(release.names.contains(flag.name), expected) << flag.name << release.version;
    }
  }
}

TEST(MemoryFlags, DefaultsAndTypesAreThoseOfTheRealPaddle) {
  const std::map<std::string_view, std::set<ValueRule>> rules = {
      {"bool", {ValueRule::kBool}},
      {"int", {ValueRule::kUnsigned, ValueRule::kInteger}},
      {"double", {ValueRule::kNumber, ValueRule::kShare}},
      {"string", {ValueRule::kText, ValueRule::kWords}}};
  const std::string text = Recorded("paddle-flags-3.3.1.tsv");
  std::string_view rest = text;
  int compared = 0;
  while (const auto line = NextLine(rest)) {
    const auto columns = Split(*line, '\t');
    const MemoryFlag* flag = FindFlag(columns[0]);
    if (flag == nullptr) continue;
    EXPECT_TRUE(rules.at(columns[1]).contains(flag->rule)) << *line;
    std::string fallback(columns[2]);
    if (columns[1] == "bool") fallback[0] = fallback[0] == 'T' ? 't' : 'f';
    EXPECT_TRUE(fallback.starts_with(flag->fallback)) << *line << " " << flag->fallback;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(MemoryFlags, KnowEveryFlagOfEveryRecordedPaddle) {
  for (const Release& release : Releases()) {
    for (const std::string& name : release.names) EXPECT_TRUE(KnownToPaddle(name)) << name;
  }
  EXPECT_TRUE(KnownToPaddle("FLAGS_use_cinn"));
  EXPECT_FALSE(KnownToPaddle("FLAGS_malloc_trunk_size"));
  EXPECT_FALSE(KnownToPaddle("FLAGS_"));
  EXPECT_FALSE(KnownToPaddle("allocator_strategy"));
}

TEST(MemoryFlags, NoFolkloreNameIsReal) {
  for (const Release& release : Releases()) {
    for (const std::string& name : release.names) {
      EXPECT_EQ(FindFolklore(name), nullptr) << name;
    }
  }
}

TEST(MemoryFlags, SuggestWhatWasMeant) {
  for (const auto& [name, meant] : std::map<std::string, std::string>{
           {"FLAGS_malloc_trunk_size", "FLAGS_auto_growth_chunk_size_in_mb"},
           {"FLAGS_fraction_of_gpu_memory_to_user", "FLAGS_fraction_of_gpu_memory_to_use"},
           {"FLAGS_fraction_of_gpu_memory", "FLAGS_fraction_of_gpu_memory_to_use"},
           {"FLAGS_gpu_memory_limit", "FLAGS_gpu_memory_limit_mb"},
           {"FLAGS_alocator_strategy", "FLAGS_allocator_strategy"},
           {"flags_allocator_strategy", "FLAGS_allocator_strategy"},
           {"FLAGS_ALLOCATOR_STRATEGY", "FLAGS_allocator_strategy"},
           {"FLAGS_auto_growth_chunk_size_mb", "FLAGS_auto_growth_chunk_size_in_mb"},
           {"CUDA_VISIBLE_DEVICE", "CUDA_VISIBLE_DEVICES"},
           {"PYTORCH_CUDA_ALLOC_CONFIG", "PYTORCH_CUDA_ALLOC_CONF"},
           {"PYTORCH_CUDA_ALOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"},
           {"XLA_PYTHON_CLIENT_MEM_FRACTIONS", "XLA_PYTHON_CLIENT_MEM_FRACTION"},
           {"XLA_PYTHON_CLIENT_PREALOCATE", "XLA_PYTHON_CLIENT_PREALLOCATE"},
           {"TF_FORCE_GPU_ALLOW_GROWT", "TF_FORCE_GPU_ALLOW_GROWTH"}}) {
    EXPECT_EQ(MeantFlag(name).value_or("none"), meant) << name;
  }
}

TEST(MemoryFlags, SuggestNothingForNamesThatOthersUse) {
  for (const char* name : {"CUDA_HOME",
                           "CUDA_VERSION",
                           "CUDA_PATH",
                           "CUDA_CACHE_PATH",
                           "CUDA_CACHE_MAXSIZE",
                           "CUDA_DEVICE_MAX_CONNECTIONS",
                           "NCCL_DEBUG",
                           "NCCL_IB_DISABLE",
                           "NCCL_P2P_DISABLE",
                           "NCCL_SOCKET_IFNAME",
                           "NCCL_VERSION",
                           "NCCL_MIN_P2P_NCHANNELS",
                           "NCCL_CUMEM_HOST_ENABLE",
                           "TF_CPP_MIN_LOG_LEVEL",
                           "TF_ENABLE_ONEDNN_OPTS",
                           "TF_XLA_FLAGS",
                           "TORCH_HOME",
                           "TORCH_CUDA_ARCH_LIST",
                           "TORCH_NCCL_BLOCKING_WAIT",
                           "PYTORCH_VERSION",
                           "JAX_PLATFORMS",
                           "XLA_FLAGS_X86",
                           "PATH",
                           "HOME",
                           "FLAGS",
                           "MY_FLAGS_allocator_strategy",
                           "FLAGS_zzz"}) {
    EXPECT_EQ(MeantFlag(name), std::nullopt) << name;
  }
}

TEST(MemoryFlags, ValuesThatPaddleReadsOtherwiseThanWrittenAreFaults) {
  // type, flag, value in quotes, what Paddle then holds
  const std::string text = Recorded("paddle-values-3.3.1.tsv");
  std::string_view rest = text;
  while (const auto line = NextLine(rest)) {
    const auto columns = Split(*line, '\t');
    const MemoryFlag* flag = FindFlag(columns[1]);
    ASSERT_NE(flag, nullptr) << *line;
    const std::string_view value = columns[2].substr(1, columns[2].size() - 2);
    const ValueFault fault = CheckValue(*flag, value);
    if (columns[0] == "bool") {
      // A value that Paddle cannot read leaves the default: only a flag whose default is the
      // other one shows it, so look at the pair of "true by default" and "false by default".
      const bool read = fault == ValueFault::kNone;
      if (read) {
        const bool on = value == "1" || value[0] == 't' || value[0] == 'T';
        EXPECT_EQ(columns[3], on ? "true" : "false") << *line;
      } else {
        EXPECT_EQ(columns[3], flag->fallback) << *line;
      }
      continue;
    }
    if (fault != ValueFault::kNone) continue;
    // What passes is held exactly as written.
    const bool whole = columns[0] != "double";
    const auto written = whole ? WholePrefix(Trim(value)) : RealPrefix(value);
    const auto held = whole ? WholePrefix(columns[3]) : RealPrefix(columns[3]);
    EXPECT_EQ(written.value, held.value) << *line;
    EXPECT_EQ(written.negative, held.negative) << *line;
  }
}

TEST(MemoryFlags, TellWhatIsWrongWithAValue) {
  using V = ValueFault;
  const auto check = [](std::string_view name, std::string_view value) {
    return CheckValue(*FindFlag(name), value);
  };
  EXPECT_EQ(check("FLAGS_free_idle_chunk", "yes"), V::kNotBool);
  EXPECT_EQ(check("FLAGS_free_idle_chunk", "True"), V::kNone);
  EXPECT_EQ(check("FLAGS_gpu_memory_limit_mb", "4096MB"), V::kTrailing);
  EXPECT_EQ(check("FLAGS_gpu_memory_limit_mb", "-1"), V::kNegative);
  EXPECT_EQ(check("FLAGS_gpu_memory_limit_mb", "lots"), V::kNotNumber);
  EXPECT_EQ(check("FLAGS_gpu_memory_limit_mb", ""), V::kNotNumber);
  EXPECT_EQ(check("FLAGS_fraction_of_gpu_memory_to_use", "92"), V::kNotShare);
  EXPECT_EQ(check("FLAGS_eager_delete_tensor_gb", "-1.0"), V::kNone);
  EXPECT_EQ(check("FLAGS_allocator_strategy", "best_fit"), V::kNotWord);
  EXPECT_EQ(check("FLAGS_allocator_strategy", "naive_best_fit"), V::kNone);
}

TEST(MemoryFlags, KnowTheVariablesOfJaxAndTheVersionsThatBroughtThem) {
  const std::string text = Recorded("jax-variables.tsv");
  std::string_view rest = text;
  std::map<std::string, std::string> first;
  while (const auto line = NextLine(rest)) {
    const auto columns = Split(*line, '\t');
    first.try_emplace(std::string(columns[1]), columns[0]);
  }
  EXPECT_EQ(first.size(), 5U);
  for (const auto& [name, version] : first) {
    const MemoryFlag* flag = FindFlag(name);
    ASSERT_NE(flag, nullptr) << name;
    EXPECT_EQ(flag->since.empty() ? "0.4.13" : flag->since, version) << name;
  }
}

TEST(MemoryFlags, JaxFoldsTheCaseOfItsAllocator) {
  EXPECT_EQ(CheckValue(*FindFlag("XLA_PYTHON_CLIENT_ALLOCATOR"), "Platform"), ValueFault::kNone);
  EXPECT_EQ(CheckValue(*FindFlag("XLA_PYTHON_CLIENT_PREALLOCATE"), "FALSE"), ValueFault::kNotWord);
}

TEST(MemoryFlags, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const auto table : {PaddleFlags(), OtherFlags()}) {
    for (const MemoryFlag& flag : table) EXPECT_TRUE(names.insert(flag.name).second) << flag.name;
  }
}

}  // namespace
}  // namespace gpusight::doctor
