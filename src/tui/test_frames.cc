// SPDX-License-Identifier: Apache-2.0
#include "tui/test_frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/account.h"
#include "tui/update.h"

namespace gpusight::tui {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024, kMiB = 1024.0 * 1024;
constexpr int64_t kStart = 1'775'383'200'000'000'000;  // 2026-04-05 10:00:00 UTC

// A load between 0 and 1 that goes up and down, another one for each device.
double Load(int device, double second) {
  const double phase = second / 9 + device * 1.7;
  const double wave = 0.62 + 0.33 * std::sin(phase) + 0.12 * std::sin(phase * 5.3);
  return std::fmod(second + 12 + device * 7, 30) < 3.4 ? 0 : std::clamp(wave, 0.0, 1.0);
}

ProcessSample MadeProcess(int number, int devices) {
  static constexpr std::array<const char*, 5> kUsers = {"ada", "linus", "grace", "wang", "root"};
  static constexpr std::array<const char*, 5> kCommands = {
      "python train.py --model resnet50 --batch-size 256 --amp bf16 --data /mnt/imagenet",
      "python -m vllm.entrypoints.openai.api_server --model qwen --tensor-parallel-size 2",
      "python pretrain.py --config configs/gpt-1.3b.yaml --resume", "python 训练.py --批量 64",
      "/usr/bin/nvidia-cuda-mps-server"};
  const auto which = static_cast<size_t>(number % 5);
  ProcessSample p;
  p.pid = 4100 + number * 37;
  p.start_ticks = static_cast<uint64_t>(1000 + number);
  p.start_time = kStart * 1e-9 - 3600.0 * (number % 50 + 1) - 125;
  p.namespace_pids = {p.pid};
  p.parent = number >= 8 && number % 4 != 0 ? 4100 + (number - number % 4) * 37 : 1;
  p.ours = which != 4;
  p.user = std::string(kUsers[which]);
  p.command = std::string("python");
  p.command_line = std::string(kCommands[which]);
  p.container = std::string(number % 3 == 0 ? "" : number % 3 == 1 ? "trainer-0" : "a1b2c3d4e5f6");
  p.fields.Fill({Absence::kNoPermission, 0});
  p.fields[ProcessField::kCpu] = 0.35 + number % 13;
  p.fields[ProcessField::kResident] = (number % 17 + 1) * 0.7 * kGiB;
  p.fields[ProcessField::kThreads] = 20.0 + number;
  GpuUse use;
  use.device = devices > 0 ? number % devices : 0;
  use.types = static_cast<uint8_t>(UseType::kCompute);
  use.fields[UseField::kSm] = number % 4 == 3 ? Known<double>(Absence::kNotSupported)
                                              : Known<double>((number * 29 % 100) / 100.0);
  if (devices > 0) p.uses.push_back(use);
  return p;
}

void FillDevice(DeviceSample& d, int index, int step) {
  const double load = Load(index, step);
  d.info.uuid = fmt::format("GPU-{:08x}-0000-0000-0000-000000000000", index + 1);
  d.info.index = index;
  d.info.name = "NVIDIA H200";
  d.info.pci_bus_id = fmt::format("00000000:{:02X}:00.0", 6 + index);
  d.fields.Fill({Absence::kNotSupported, 0});
  d.process_count = 0;
  const auto set = [&d](DeviceField f, double value) { d.fields[f] = value; };
  set(DeviceField::kUtilization, load);
  set(DeviceField::kMemoryActivity, load * 0.4);
  set(DeviceField::kSmActivity, load * 0.88);
  set(DeviceField::kTensorActivity, load * 0.31);
  set(DeviceField::kDramActivity, load * 0.42);
  set(DeviceField::kMemoryTotal, 143771 * kMiB);
  set(DeviceField::kMemoryDriverReserved, 614 * kMiB);
  set(DeviceField::kTemperature, std::round(34 + 22 * load));
  set(DeviceField::kMemoryTemperature, std::round(38 + 20 * load));
  set(DeviceField::kPower, 105 + 540 * load);
  set(DeviceField::kPowerLimit, 700);
  set(DeviceField::kSmClock, load > 0 ? 1830e6 : 345e6);
  set(DeviceField::kSmClockMax, 1980e6);
  set(DeviceField::kMemoryClock, 3201e6);
  set(DeviceField::kMemoryClockMax, 3201e6);
  set(DeviceField::kPerformanceState, 0);
  set(DeviceField::kClockEventReasons, load > 0.9 ? 4 : 0);
  set(DeviceField::kPcieGeneration, 5);
  set(DeviceField::kPcieWidth, 16);
  set(DeviceField::kPcieReceive, load * 1.3 * kGiB);
  set(DeviceField::kPcieTransmit, load * 210 * kMiB);
  for (int i = 1; i <= 5; ++i) {
    d.utilization_ring.push_back(
        {WallTime{kStart + (step - 1) * 1'000'000'000LL + i * 200'000'000LL},
         Load(index, step - 1 + i * 0.2)});
  }
  for (int i = 1; i <= 50; ++i) {
    d.power_ring.push_back({WallTime{kStart + (step - 1) * 1'000'000'000LL + i * 20'000'000LL},
                            105 + 540 * Load(index, step - 1 + i * 0.02)});
  }
}

// Memory of the processes first, so that used = processes + residual.
void FillMemory(Frame& frame) {
  std::vector<int> count(frame.devices.size());
  for (const ProcessSample& p : frame.processes) {
    for (const GpuUse& use : p.uses) ++count[static_cast<size_t>(use.device)];
  }
  std::vector<double> used(frame.devices.size(), 624 * kMiB);
  for (ProcessSample& p : frame.processes) {
    for (GpuUse& use : p.uses) {
      const auto device = static_cast<size_t>(use.device);
      const double share = 112.0 / count[device] * (0.7 + 0.3 * (p.pid % 3 == 0));
      use.fields[UseField::kMemory] = std::floor(share * kGiB);
      used[device] += *use.fields[UseField::kMemory];
    }
  }
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    DeviceSample& d = frame.devices[i];
    d.process_count = count[i];
    d.fields[DeviceField::kMemoryUsed] = used[i];
    d.fields[DeviceField::kMemoryFree] =
        *d[DeviceField::kMemoryTotal] - used[i] - *d[DeviceField::kMemoryDriverReserved];
  }
}

}  // namespace

Frame MadeFrame(int devices, int processes, int step) {
  Frame frame;
  frame.sequence = static_cast<uint64_t>(step);
  frame.time.ns = kStart + step * 1'000'000'000LL;
  frame.mono.ns = (step + 1) * 1'000'000'000LL;
  frame.interval_seconds = step > 1 ? 1 : 0;
  frame.driver.version = "580.159.04";
  frame.driver.cuda_version = "13.0";
  if (devices == 0) {
    frame.driver.state = DriverState::kNoDevice;
    frame.driver.message = "The driver is loaded but lists no GPU.";
  }
  frame.devices.resize(static_cast<size_t>(devices));
  for (int i = 0; i < devices; ++i) FillDevice(frame.devices[static_cast<size_t>(i)], i, step);
  for (int i = 0; i < processes; ++i) frame.processes.push_back(MadeProcess(i, devices));
  FillMemory(frame);
  FillAccounts(frame);
  frame.host.hostname = "gpu-node-1";
  frame.host.fields[HostField::kCpus] = 64.0;
  frame.host.fields[HostField::kCpu] = 12.3;
  frame.host.fields[HostField::kLoad1] = 14.2;
  frame.host.fields[HostField::kMemoryTotal] = 503 * kGiB;
  frame.host.fields[HostField::kMemoryAvailable] = 380 * kGiB;
  return frame;
}

State MadeState(const Made& made) {
  State state;
  state.settings.language = made.language;
  state.settings.ascii = made.ascii;
  Begin(state, 1, MonoTime{1'000'000'000});
  Update(state, made.size);
  for (int step = 1; step <= made.steps; ++step) {
    Frame frame = MadeFrame(made.devices, made.processes, step);
    Update(state, frame.time, frame.mono);
    Update(state, frame);
  }
  return state;
}

}  // namespace gpusight::tui
