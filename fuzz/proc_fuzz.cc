// SPDX-License-Identifier: Apache-2.0
// Any bytes as the files of a process: stat, status, io, command line, environment.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "probe/host/open_files.h"
#include "probe/host/proc_stat.h"
#include "probe/host/proc_text.h"
#include "probe/host/roles.h"

namespace {

void Require(bool truth) {
  if (!truth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpusight::host;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto stat = ParseProcStat(text)) {
    Require(stat->comm.empty() || (stat->comm.data() >= text.data() &&
                                   stat->comm.data() + stat->comm.size() <= text.data() + size));
  }
  if (const auto status = ParseProcStatus(text)) {
    Require(status->namespace_pids().size() <= ProcStatus::kDeepest);
  }
  (void)ParseProcIo(text);
  (void)ParseProcStatm(text);
  (void)ParseNamespaceLink(text);
  const auto arguments = Arguments(text);
  (void)KindOf("python3", arguments);
  Require(CommandLine(text).size() <= size);
  const JobEnvironment environment = PickEnvironment(text);
  Require(environment.rank >= -1 && environment.local_rank >= -1 && environment.world_size >= -1);
  return 0;
}
