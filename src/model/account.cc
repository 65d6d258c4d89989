// SPDX-License-Identifier: Apache-2.0
#include "model/account.h"

namespace gpusight {
namespace {

Known<double> SumOfProcesses(const Frame& frame, size_t device) {
  const DeviceSample& sample = frame.devices[device];
  if (!sample.process_count) return sample.process_count.missing();
  double sum = 0;
  for (const ProcessSample& process : frame.processes) {
    for (const GpuUse& use : process.uses) {
      if (static_cast<size_t>(use.device) != device) continue;
      const Known<double>& bytes = use.fields[UseField::kMemory];
      if (!bytes) return Absence::kIncomplete;
      sum += *bytes;
    }
  }
  return sum;
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
  if (!account.used) {
    account.residual = account.used.missing();
  } else if (!account.processes) {
    account.residual = account.processes.missing();
  } else {
    account.residual = *account.used - *account.processes;
  }
  account.balanced = account.total && account.used && account.free && account.driver_reserved &&
                     *account.total == *account.used + *account.free + *account.driver_reserved;
  return account;
}

void FillAccounts(Frame& frame) {
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    const Account account = AccountOf(frame, i);
    frame.devices[i].fields[DeviceField::kMemoryProcesses] = account.processes;
    frame.devices[i].fields[DeviceField::kMemoryResidual] = account.residual;
  }
}

}  // namespace gpusight
