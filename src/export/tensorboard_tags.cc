// SPDX-License-Identifier: Apache-2.0
#include "export/tensorboard_tags.h"

namespace gpusight::exporting {

TagList<DeviceField> DeviceTags() {
  using F = DeviceField;
  static const FieldTag<F> kTags[] = {
      {"gpu", F::kUtilization},
      {"gpu", F::kUtilizationMean},
      {"gpu", F::kIdleShare},
      {"gpu", F::kMemoryActivity},
      {"gpu", F::kSmActivity},
      {"gpu", F::kSmOccupancy},
      {"gpu", F::kTensorActivity},
      {"gpu", F::kDramActivity},
      {"gpu_memory", F::kMemoryUsed},
      {"gpu_memory", F::kMemoryFree},
      {"gpu_memory", F::kMemoryProcesses},
      {"gpu_memory", F::kMemoryResidual},
      {"gpu_power", F::kPower},
      {"gpu_power", F::kPowerMean},
      {"gpu_power", F::kPowerMax},
      {"gpu_power", F::kTemperature},
      {"gpu_power", F::kMemoryTemperature},
      {"gpu_power", F::kSmClock},
      {"gpu_power", F::kMemoryClock},
      {"gpu_link", F::kPcieReceive},
      {"gpu_link", F::kPcieTransmit},
      {"gpu_link", F::kNvlinkReceive},
      {"gpu_link", F::kNvlinkTransmit},
  };
  return {TagRun::kDevice, TagAxis::kSeconds, kTags};
}

TagList<FrameworkField> FrameworkTags() {
  using F = FrameworkField;
  static const FieldTag<F> kTags[] = {
      {"framework", F::kSteps},
      {"framework", F::kStepTime},
      {"framework", F::kDataWaitRatio},
  };
  return {TagRun::kProcess, TagAxis::kSeconds, kTags};
}

TagList<AllocatorField> AllocatorTags() {
  using F = AllocatorField;
  static const FieldTag<F> kTags[] = {
      {"allocator", F::kAllocated},   {"allocator", F::kAllocatedPeak}, {"allocator", F::kReserved},
      {"allocator", F::kActive},      {"allocator", F::kInactiveSplit}, {"allocator", F::kRetries},
      {"allocator", F::kOutOfMemory},
  };
  return {TagRun::kProcess, TagAxis::kSeconds, kTags};
}

TagList<ProcessField> ProcessTags() {
  using F = ProcessField;
  static const FieldTag<F> kTags[] = {
      {"process", F::kCpu},     {"process", F::kResident},      {"process", F::kShared},
      {"process", F::kThreads}, {"process", F::kLoaderWorkers},
  };
  return {TagRun::kProcess, TagAxis::kSeconds, kTags};
}

TagList<UseField> UseTags() {
  using F = UseField;
  static const FieldTag<F> kTags[] = {
      {"process_gpu", F::kMemory},
      {"process_gpu", F::kSm},
  };
  return {TagRun::kProcess, TagAxis::kSeconds, kTags};
}

TagList<HostField> HostTags() {
  using F = HostField;
  static const FieldTag<F> kTags[] = {
      {"host", F::kCpu},         {"host", F::kCpuIoWait},      {"host", F::kMemoryAvailable},
      {"host", F::kShmUsed},     {"host", F::kSwapUsed},       {"host", F::kDiskBusy},
      {"host", F::kCpuPressure}, {"host", F::kMemoryPressure}, {"host", F::kIoPressure},
  };
  return {TagRun::kHost, TagAxis::kSeconds, kTags};
}

TagList<FrameworkField> FrameworkStepTags() {
  using F = FrameworkField;
  static const FieldTag<F> kTags[] = {
      {"step", F::kStepTime},
      {"step", F::kDataWaitRatio},
  };
  return {TagRun::kProcess, TagAxis::kSteps, kTags};
}

TagList<AllocatorField> AllocatorStepTags() {
  using F = AllocatorField;
  static const FieldTag<F> kTags[] = {
      {"step", F::kAllocated},
      {"step", F::kReserved},
  };
  return {TagRun::kProcess, TagAxis::kSteps, kTags};
}

TagList<DeviceField> DeviceStepTags() {
  using F = DeviceField;
  static const FieldTag<F> kTags[] = {
      {"step", F::kUtilizationMean}, {"step", F::kSmActivity}, {"step", F::kTensorActivity},
      {"step", F::kMemoryUsed},      {"step", F::kPowerMean},
  };
  return {TagRun::kProcess, TagAxis::kSteps, kTags};
}

}  // namespace gpusight::exporting
