// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/read_device.h"

#include <cmath>

#include "probe/nvml/chores.h"
#include "probe/nvml/errors.h"

namespace gpusight::nvml {
namespace {

bool FilledElsewhere(Source source) { return Row(source).ask == nullptr; }
bool FilledElsewhere(const FieldRow& row) { return FilledElsewhere(row.picks[0].source); }

// "Not available" inside a successful answer: all ones.
bool IsNotAvailable(double raw) { return raw >= static_cast<double>(kValueNotAvailable); }

bool AllRefused(const Slots& slots) {
  for (const Slot& slot : slots) {
    if (!IsRefusal(slot.code)) return false;
  }
  return true;
}

// The source's answer in this pass; asked at most once.
const Slots& AnswerOf(Pass& pass, Gpu& gpu, Source source) {
  const auto i = static_cast<size_t>(source);
  if (gpu.answered[i] == gpu.pass) return gpu.answers[i];
  gpu.answered[i] = gpu.pass;
  gpu.answers[i] = {};
  Row(source).ask(pass.driver, gpu.handle, gpu.answers[i]);
  if (AllRefused(gpu.answers[i])) {
    gpu.refused[i] = true;
    gpu.refusal[i] = gpu.answers[i][0].code;
  }
  return gpu.answers[i];
}

Missing WhyRefused(const Gpu& gpu, const FieldRow& row, Return code) {
  if (gpu.mig_on && !row.with_mig) return {Absence::kUnderMig, 0};
  return MissingOf(code);
}

struct Reading {
  Return code = kSuccess;  // not kSuccess: the device or the driver has gone
  Known<double> value;
};

Reading ReadField(Pass& pass, Gpu& gpu, const FieldRow& row) {
  Return refusal = kFunctionNotFound;
  for (const Pick& pick : row.picks) {
    if (pick.source == Source::kNone || FilledElsewhere(pick.source)) break;
    const auto source = static_cast<size_t>(pick.source);
    Return code = gpu.refusal[source];
    if (!gpu.refused[source]) {
      const Slot& slot = AnswerOf(pass, gpu, pick.source)[pick.slot];
      code = slot.code;
      if (code == kSuccess) ++pass.answers;
      if (code == kSuccess && IsNotAvailable(slot.value)) return {kSuccess, Absence::kNotSupported};
      if (code == kSuccess) return {kSuccess, Judge(pass, row, slot.value * pick.scale)};
      if (IsDeviceGone(code) || IsSessionLost(code)) return {code, MissingOf(code)};
      if (!IsRefusal(code)) {
        pass.Failed(code);
        return {kSuccess, MissingOf(code)};
      }
    }
    if (code != kFunctionNotFound) refusal = code;  // "not supported" says more than "too old"
  }
  return {kSuccess, WhyRefused(gpu, row, refusal)};
}

// The first source of the row that has not been refused.
Source CurrentSource(const Gpu& gpu, const FieldRow& row) {
  for (const Pick& pick : row.picks) {
    if (pick.source == Source::kNone) break;
    if (!gpu.refused[static_cast<size_t>(pick.source)]) return pick.source;
  }
  return row.picks[0].source;
}

// A first frame that is to be quick leaves out what is dear.
bool Postponed(const Pass& pass, const Gpu& gpu, const FieldRow& row) {
  return pass.lazy() && Row(CurrentSource(gpu, row)).dear;
}

Return ReadLane(Pass& pass, Gpu& gpu, Lane lane) {
  for (const FieldRow& row : FieldRows()) {
    if (row.lane != lane || FilledElsewhere(row) || Postponed(pass, gpu, row)) continue;
    const Reading reading = ReadField(pass, gpu, row);
    if (reading.code != kSuccess) return reading.code;
    gpu.sample.fields[row.field] = reading.value;
  }
  return kSuccess;
}

Return ReadSlowLane(Pass& pass, Gpu& gpu) {
  for (const FieldRow& row : FieldRows()) {
    if (row.lane != Lane::kSlow || FilledElsewhere(row) || Postponed(pass, gpu, row)) continue;
    const auto source = static_cast<size_t>(CurrentSource(gpu, row));
    const bool refused = gpu.refused[source];
    const bool answered = gpu.answered[source] == gpu.pass;
    if (!refused && !answered &&
        !IsDue(pass, gpu.pace[source], kShareOfSlowSource, pass.options.slow_lane)) {
      continue;
    }
    Reading reading;
    if (refused || answered) {
      reading = ReadField(pass, gpu, row);
    } else {
      const Timed timed(pass, gpu.pace[source]);
      reading = ReadField(pass, gpu, row);
    }
    if (reading.code != kSuccess) return reading.code;
    gpu.sample.fields[row.field] = reading.value;
  }
  return kSuccess;
}

// PCIe placeholders of parts that are joined to their CPU by another link.
void HidePlaceholders(Gpu& gpu) {
  if (!gpu.sample.info.coherent_link) return;
  for (const DeviceField field :
       {DeviceField::kPcieGeneration, DeviceField::kPcieGenerationMax, DeviceField::kPcieWidth,
        DeviceField::kPcieWidthMax, DeviceField::kPcieReplays}) {
    gpu.sample.fields[field] = Absence::kNotSupported;
  }
}

}  // namespace

void Gpu::Forget() {
  handle = nullptr;
  still_read = false;
  refused.reset();
  answered = {};
  pass = 0;
  pace = {};
  rings = {};
  links = {};
  use = {};
  lists = {};
  gpm.Forget();
}

Known<double> Judge(Pass& pass, const FieldRow& row, double value) {
  if (value >= row.least && value <= row.most) return value;
  ++pass.rejected;  // also NaN
  return Absence::kImplausible;
}

Return ReadFields(Pass& pass, Gpu& gpu) {
  ++gpu.pass;
  if (const Return code = ReadLane(pass, gpu, Lane::kFast); code != kSuccess) return code;
  if (!gpu.still_read) {
    if (const Return code = ReadLane(pass, gpu, Lane::kStill); code != kSuccess) return code;
    ReadMultiprocessors(pass, gpu);
    gpu.still_read = !pass.lazy();
  }
  if (const Return code = ReadSlowLane(pass, gpu); code != kSuccess) return code;
  HidePlaceholders(gpu);
  return kSuccess;
}

Return ReadOnce(Pass& pass, Gpu& gpu) {
  ++gpu.pass;
  return ReadLane(pass, gpu, Lane::kOnce);
}

}  // namespace gpusight::nvml
