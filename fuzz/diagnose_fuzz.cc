// SPDX-License-Identifier: Apache-2.0
// Frames with any numbers in them: holes, NaN, huge values, counters that go back, clocks that
// jump, processes that are reused. The diagnosis must end, and say nothing that is no number or no
// share.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "diagnose/engine.h"
#include "model/finding_text.h"

namespace {

using namespace gpusight;

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool more() const { return at_ < size_; }
  uint8_t Byte() { return more() ? data_[at_++] : 0; }
  // Not known, plain, or wild.
  Known<double> Number() {
    const uint8_t kind = Byte();
    if (kind < 40) return Absence::kNotSupported;
    if (kind < 140) return Byte() / 100.0;
    if (kind < 200) return Byte() * 1e9;
    if (kind < 240) return static_cast<double>(Byte());
    double value = 0;
    uint8_t raw[sizeof value];
    for (uint8_t& byte : raw) byte = Byte();
    std::memcpy(&value, raw, sizeof value);
    return value;
  }

 private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

template <typename Field>
void Change(FieldSet<Field>& fields, Bytes& bytes) {
  for (int i = bytes.Byte() % 16; i > 0; --i) {
    fields[static_cast<Field>(bytes.Byte() % FieldSet<Field>::size())] = bytes.Number();
  }
}

int64_t Jump(Bytes& bytes) {
  const uint8_t kind = bytes.Byte();
  if (kind == 255) return -3'600'000'000'000;
  if (kind == 254) return INT64_MAX / 4;
  return (kind % 60) * 1'000'000'000LL;
}

void Must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  diagnose::Diagnoser diagnoser({}, {.time_scale = 0.25});
  Frame frame;
  frame.devices.resize(2);
  frame.devices[0].info.uuid = "GPU-0";
  frame.devices[1].info.uuid = "GPU-1";
  frame.processes.resize(3);
  for (int i = 0; i < 3; ++i) {
    ProcessSample& process = frame.processes[static_cast<size_t>(i)];
    process.pid = 10 + i;
    process.parent = i == 0 ? 1 : 10;
    if (i < 2) process.uses.resize(1);
    if (i == 2) process.role = ProcessRole::kLoaderWorker;
  }
  frame.containers.resize(1);
  frame.frameworks.resize(1);
  FrameworkSample& page = frame.frameworks[0];
  page.pid = 10;
  page.stacks = {"train.py:1 main;torch/dataloader.py:2 __next__", "a;;b", ""};
  page.allocators.resize(1);
  page.allocators[0].device = 0;
  for (int frames = 0; frames < 300 && bytes.more(); ++frames) {
    frame.time.ns += Jump(bytes) % (INT64_MAX / 8);
    if (frame.time.ns < 0 || frame.time.ns > INT64_MAX / 2)
      frame.time.ns = 1'700'000'000'000'000'000;
    frame.mono.ns += 1'000'000'000;
    frame.interval_seconds = bytes.Byte() == 7 ? *Known<double>(bytes.Number()) : 1;
    for (DeviceSample& device : frame.devices) Change(device.fields, bytes);
    for (ProcessSample& process : frame.processes) {
      Change(process.fields, bytes);
      if (bytes.Byte() == 9) process.start_ticks = bytes.Byte();
      process.container_index = bytes.Byte() % 3 - 1;
      for (GpuUse& use : process.uses) {
        Change(use.fields, bytes);
        use.device = bytes.Byte() % 4 - 1;
      }
    }
    Change(frame.containers[0].fields, bytes);
    Change(frame.host.fields, bytes);
    Change(page.fields, bytes);
    Change(page.allocators[0].fields, bytes);
    page.ForgetNews();
    for (int i = bytes.Byte() % 8; i > 0; --i) {
      page.steps.push_back(
          {bytes.Byte(), {frame.time.ns - Jump(bytes) / 60}, *Known<double>(bytes.Number()), 0});
      page.stack_samples.push_back({frame.time, bytes.Byte() % 5U});
    }
    if (bytes.Byte() == 3)
      page.out_of_memory.push_back(
          {frame.time, 0, bytes.Byte() * 1'000'000ULL, 0, 0, 0, 0, 0, 0, "", false});
    diagnoser.Add(frame);
  }
  const Diagnosis diagnosis = diagnoser.Finish();
  Must(std::isfinite(diagnosis.verdict.lost_ratio) &&
       std::isfinite(diagnosis.verdict.speedup_at_most));
  for (const Finding& finding : diagnosis.findings) {
    Must(finding.severity >= 0 && finding.severity <= 1);
    Must(finding.confidence >= 0.4 && finding.confidence <= 1);
    Must(!Tell(finding, Language::kEnglish, 100).empty());
    for (const Evidence& evidence : finding.evidence) {
      for (const Figure& figure : evidence.figures)
        Must(!figure.word.empty() || std::isfinite(figure.number));
    }
  }
  return 0;
}
