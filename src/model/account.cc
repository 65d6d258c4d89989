// SPDX-License-Identifier: Apache-2.0
#include "model/account.h"

namespace gpusight {
namespace {

// What the sum begins with: nothing, or why the processes of the device are not known.
Known<double> Begin(const DeviceSample& sample) {
  return sample.process_count ? Known<double>(0.0) : Known<double>(sample.process_count.missing());
}

// A sum of which a part is missing stays incomplete.
void Add(Known<double>& sum, const GpuUse& use) {
  if (!sum) return;
  const Known<double>& bytes = use.fields[UseField::kMemory];
  sum = bytes ? Known<double>(*sum + *bytes) : Absence::kIncomplete;
}

Known<double> SumOfProcesses(const Frame& frame, size_t device) {
  Known<double> sum = Begin(frame.devices[device]);
  for (const ProcessSample& process : frame.processes) {
    for (const GpuUse& use : process.uses) {
      if (static_cast<size_t>(use.device) == device) Add(sum, use);
    }
  }
  return sum;
}

Known<double> Residual(const Known<double>& used, const Known<double>& processes) {
  if (!used) return used.missing();
  if (!processes) return processes.missing();
  return *used - *processes;
}

}  // namespace

Account AccountOf(const Frame& frame, size_t device) {
  const DeviceSample& sample = frame.devices[device];
  Account account;
  account.total = sample[DeviceField::kMemoryTotal];
  account.used = sample[DeviceField::kMemoryUsed];
  account.free = sample[DeviceField::kMemoryFree];
  account.driver_reserved = sample[DeviceField::kMemoryDriverReserved];
  account.processes = SumOfProcesses(frame, device);
  account.residual = Residual(account.used, account.processes);
  account.balanced = account.total && account.used && account.free && account.driver_reserved &&
                     *account.total == *account.used + *account.free + *account.driver_reserved;
  return account;
}

// One look at each process, whatever the number of devices: thousands of them do not fit the cache.
void FillAccounts(Frame& frame) {
  const auto sum_of = [&](size_t device) -> Known<double>& {
    return frame.devices[device].fields[DeviceField::kMemoryProcesses];
  };
  for (size_t i = 0; i < frame.devices.size(); ++i) sum_of(i) = Begin(frame.devices[i]);
  for (const ProcessSample& process : frame.processes) {
    for (const GpuUse& use : process.uses) {
      const auto device = static_cast<size_t>(use.device);
      if (device < frame.devices.size()) Add(sum_of(device), use);
    }
  }
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    DeviceSample& sample = frame.devices[i];
    sample.fields[DeviceField::kMemoryResidual] =
        Residual(sample[DeviceField::kMemoryUsed], sum_of(i));
  }
}

}  // namespace gpusight
