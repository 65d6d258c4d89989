// SPDX-License-Identifier: Apache-2.0
#include "record/encoder.h"

#include <fmt/format.h>

#include "record/samples.h"

namespace gpusight::record {

WideTables::WideTables(Database& database, AbsenceTable& absences) {
  tables_.reserve(kScopes);
  for (size_t i = 0; i < kScopes; ++i) {
    tables_.emplace_back(database, absences, static_cast<Scope>(i));
  }
}

bool WideTables::EndFrame(int64_t t) {
  for (WideTable& table : tables_) {
    if (!table.EndFrame(t)) return false;
  }
  return true;
}

void WideTables::Forget() {
  for (WideTable& table : tables_) table.Forget();
}

Encoder::Encoder(Database& database)
    : absences_(database),
      identities_(database, absences_),
      tables_(database, absences_),
      happenings_(database, identities_),
      frame_(database.Prepare("INSERT INTO frame VALUES(?,?,?,1)")),
      machine_(database.Prepare("INSERT OR REPLACE INTO machine VALUES(?,?,?,?,?,?,?,?,?,?,?,?)")),
      samples_(database.Prepare("INSERT OR REPLACE INTO device_samples VALUES(?,?,?,?,?)")) {}

void Encoder::Forget() {
  identities_.Forget();
  tables_.Forget();
  machine_written_.clear();
}

bool Encoder::Write(const Frame& frame, int64_t t) {
  if (!frame_.Bind(1, t).Bind(2, frame.time.ns).BindReal(3, frame.interval_seconds).Run()) {
    return false;
  }
  if (!WriteMachine(frame, t) || !identities_.Resolve(frame, t, ids_)) return false;
  bool good = true;
  EachRow(frame, ids_,
          [&](const WideRow& row) { good = good && tables_.Of(row.scope).Write(t, row); });
  return good && tables_.EndFrame(t) && WriteSamples(frame, t) && happenings_.Write(frame, t, ids_);
}

bool Encoder::WriteMachine(const Frame& frame, int64_t t) {
  const HostSample& host = frame.host;
  const DriverInfo& driver = frame.driver;
  std::string now =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", host.hostname, host.kernel,
                  host.boot_id, host.sees_all_processes ? (*host.sees_all_processes ? 1 : 0) : -1,
                  static_cast<int>(driver.state), driver.code, driver.message, driver.library,
                  driver.version, driver.nvml_version, driver.cuda_version);
  if (now == machine_written_) return true;
  Statement& s = machine_;
  s.Bind(1, t).BindText(2, host.hostname).BindText(3, host.kernel).BindText(4, host.boot_id);
  if (host.sees_all_processes) {
    s.Bind(5, *host.sees_all_processes ? 1 : 0);
  } else {
    s.BindNull(5);
  }
  s.Bind(6, static_cast<int>(driver.state)).Bind(7, driver.code).BindText(8, driver.message);
  s.BindText(9, driver.library).BindText(10, driver.version).BindText(11, driver.nvml_version);
  if (!s.BindText(12, driver.cuda_version).Run()) return false;
  if (!host.sees_all_processes && host.sees_all_processes.missing() != Missing{}) {
    if (!absences_.Write(t, "machine", {}, "sees_all_processes",
                         host.sees_all_processes.missing())) {
      return false;
    }
  }
  machine_written_ = std::move(now);
  return true;
}

bool Encoder::WriteSamples(const Frame& frame, int64_t t) {
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    const DeviceSample& device = frame.devices[i];
    std::string utilization, memory, power;
    EncodeSamples(device.utilization_ring, frame.time, kRatioUnit, utilization);
    EncodeSamples(device.memory_activity_ring, frame.time, kRatioUnit, memory);
    EncodeSamples(device.power_ring, frame.time, kPowerUnit, power);
    if (utilization.empty() && memory.empty() && power.empty()) continue;
    samples_.Bind(1, t).Bind(2, ids_.devices[i]);
    const auto put = [&](int at, const std::string& bytes) {
      if (bytes.empty()) {
        samples_.BindNull(at);
      } else {
        samples_.BindBytes(at, bytes);
      }
    };
    put(3, utilization);
    put(4, memory);
    put(5, power);
    if (!samples_.Run()) return false;
  }
  return true;
}

}  // namespace gpusight::record
