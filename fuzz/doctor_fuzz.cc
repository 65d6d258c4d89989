// SPDX-License-Identifier: Apache-2.0
// The doctor's parsers of files that others write: the driver's, the kernel's, a process's.
#include <cstdint>
#include <string_view>

#include "cli/doctor/parse.h"
#include "cli/doctor/workspace.h"
#include "cli/doctor/wrap.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpusight::doctor;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  KernelDriver driver;
  ParseDriverVersion(text, driver);
  (void)ParseProfilingParameter(text);
  (void)HasModule(text, "nvidia");
  (void)NamesNvidiaModule(text);
  (void)VersionOfLibrary(text, "libcuda.so.");
  (void)VersionsInSpec(text);
  (void)ParseLimitLine(text, "Max open files");
  (void)ParseStatusMask(text, "CapEff:");
  (void)ParseStatusNumber(text, "Uid:");
  (void)ParseCpusAllowed(text);
  (void)ParseNamespaceLink(text);
  (void)ParseKernelLog(text);
  (void)WorkspaceBytes(text);
  for (const auto& variable : ParseEnvironment(text)) {
    if (variable.first.empty()) __builtin_trap();
  }
  if (Wrap(text, 20).empty()) __builtin_trap();
  return 0;
}
