// SPDX-License-Identifier: Apache-2.0
// The driver calls of a quick `status` and nothing else: the floor below which no program that
// shows those figures can come, because the first call of a kind costs the driver up to
// milliseconds. Prints what each took as one line of JSON. Usage: bench_status_calls [LIBRARY]
// Next: ../src/probe/nvml/read_device.cc, which makes the same calls.
#include <fmt/format.h>
#include <time.h>

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/nvml/fields.h"
#include "probe/nvml/library.h"
#include "probe/nvml/sources.h"

namespace {

using namespace gpusight::nvml;

double Now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

class Table {
 public:
  template <typename Ask>
  void Time(std::string_view name, const Ask& ask) {
    const double start = Now();
    ask();
    rows_.emplace_back(name, Now() - start);
  }
  double sum() const {
    double sum = 0;
    for (const auto& row : rows_) sum += row.second;
    return sum;
  }
  std::string Json() const {
    std::string out;
    for (const auto& [name, ms] : rows_) {
      out += fmt::format("{}{{\"name\":\"{}\",\"ms\":{:.3f}}}", out.empty() ? "" : ",", name, ms);
    }
    return '[' + out + ']';
  }

 private:
  std::vector<std::pair<std::string, double>> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  const double start = Now();
  const auto library = Library::Open(argc > 1 ? argv[1] : "");
  if (!library) return fmt::print(stderr, "{}\n", library.error().what), 1;
  const Calls& calls = library->calls();
  Driver driver(&calls);
  const double loaded = Now();
  Device device = nullptr;
  const Return init = driver.Ask(&Calls::nvmlInit_v2);
  const double initialised = Now();
  const Return handle = driver.Ask(&Calls::nvmlDeviceGetHandleByIndex_v2, 0U, &device);
  const double ready = Now();

  Table table;
  const auto text = [&](std::string_view name, auto call) {
    std::array<char, 96> buffer{};
    table.Time(name, [&] {
      driver.Ask(call, device, buffer.data(), static_cast<unsigned>(buffer.size()));
    });
  };
  text("nvmlDeviceGetUUID", &Calls::nvmlDeviceGetUUID);
  text("nvmlDeviceGetName", &Calls::nvmlDeviceGetName);
  table.Time("nvmlDeviceGetPciInfo_v3", [&] {
    PciInfo pci{};
    driver.Ask(&Calls::nvmlDeviceGetPciInfo_v3, device, &pci);
  });
  std::set<Source> asked;
  for (const FieldRow& row : FieldRows()) {
    for (const Pick& pick : row.picks) {
      if (pick.source == Source::kNone || row.lane == Lane::kStill) break;
      const SourceRow& how = Row(pick.source);
      const bool quick = how.price == Price::kCheap || how.price == Price::kSubstitute;
      if (!quick || how.ask == nullptr || !asked.insert(pick.source).second) continue;
      Slots slots{};
      table.Time(how.calls, [&] { how.ask(driver, device, slots); });
    }
  }
  table.Time("nvmlDeviceGetMemoryInfo_v2", [&] {
    MemoryV2 memory{kMemoryV2Version, 0, 0, 0, 0};
    driver.Ask(&Calls::nvmlDeviceGetMemoryInfo_v2, device, &memory);
  });
  std::array<ProcessInfo32, 256> records{};
  const auto list = [&](std::string_view name, auto call) {
    auto count = static_cast<unsigned>(records.size());
    table.Time(name, [&] { driver.Ask(call, device, &count, static_cast<void*>(&records)); });
  };
  list("nvmlDeviceGetComputeRunningProcesses_v3", &Calls::nvmlDeviceGetComputeRunningProcesses_v3);
  list("nvmlDeviceGetGraphicsRunningProcesses_v3",
       &Calls::nvmlDeviceGetGraphicsRunningProcesses_v3);
  list("nvmlDeviceGetMPSComputeRunningProcesses_v3",
       &Calls::nvmlDeviceGetMPSComputeRunningProcesses_v3);
  fmt::print(
      "{{\"dlopen_ms\":{:.3f},\"init_ms\":{:.3f},\"handle_ms\":{:.3f},\"calls_ms\":{:.3f},"
      "\"total_ms\":{:.3f},\"calls\":{}}}\n",
      loaded - start, initialised - loaded, ready - initialised, table.sum(), Now() - start,
      table.Json());
  (void)fflush(stdout);
  _Exit(init != kSuccess || handle != kSuccess ? 1 : 0);
}
