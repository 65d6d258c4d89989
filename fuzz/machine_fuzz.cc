// SPDX-License-Identifier: Apache-2.0
// Any bytes as the machine's files: /proc/stat, meminfo, loadavg, uptime, diskstats, net/dev,
// passwd.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "probe/host/machine.h"
#include "probe/host/machine_files.h"
#include "probe/host/users.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpusight::host;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)ParseSystemStat(text);
  (void)ParseMemoryInfo(text);
  if (const auto load = ParseLoadAverage(text); load && !(load->one_minute >= 0)) std::abort();
  if (const auto uptime = ParseUptime(text); uptime && !(*uptime >= 0)) std::abort();
  std::string_view rest = text;
  std::string_view before;
  while (const auto line = gpusight::NextLine(rest)) {
    if (const auto disk = ParseDiskLine(*line)) {
      if (disk->name.empty()) std::abort();
      if (IsWholeDisk(disk->name, before)) before = disk->name;
    }
    if (const auto network = ParseNetworkLine(*line); network && network->name.empty())
      std::abort();
  }
  (void)ParsePasswd(text);
  (void)SysfsPciId(text);
  return 0;
}
