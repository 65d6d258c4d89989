// SPDX-License-Identifier: Apache-2.0
#include "cli/demo.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace gpusight::cli {
namespace {

// The number behind `key` in the text of a file; 0 when there is none.
double NumberBehind(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + key.size());
  return ParseNumber<double>(text.substr(0, text.find_first_of(" \n"))).value_or(0);
}

}  // namespace

std::string FakeFolder(const std::string& program) {
  const std::string beside = program.substr(0, program.rfind('/')) + "/..";
  const std::string built = beside + "/fake", installed = beside + "/lib/gpusight";
  return ListFolder(built + "/demo") ? built : installed;
}

DemoLife::DemoLife(const Root& root, WallTime now) {
  const auto stat = ReadFile(root.Path("/proc/stat")), uptime = ReadFile(root.Path("/proc/uptime"));
  if (!stat || !uptime) return;
  moment_ = NumberBehind(*stat, "\nbtime ") + NumberBehind(*uptime, "");
  shift_ = now.seconds() - moment_;
}

void DemoLife::operator()(Frame& frame) const {
  if (moment_ <= 0) return;
  for (ProcessSample& process : frame.processes) {
    if (!process.start_time) continue;
    auto& fields = process.fields;
    const double age = moment_ - *process.start_time;
    const double used =
        fields[ProcessField::kCpuUser].value_or(0) + fields[ProcessField::kCpuSystem].value_or(0);
    if (fields[ProcessField::kCpu] && age > 0) fields[ProcessField::kCpu] = used / age;
    process.start_time = *process.start_time + shift_;
  }
  auto& host = frame.host.fields;
  if (host[HostField::kCpu] && host[HostField::kLoad1] && host[HostField::kCpus]) {
    host[HostField::kCpu] = std::min(*host[HostField::kLoad1], *host[HostField::kCpus]);
  }
}

}  // namespace gpusight::cli
