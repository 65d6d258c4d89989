// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/read_device.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

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

// Which part of the table a reading is about. All but a quick look read everything at once.
enum class Part { kAll, kCheap, kCostly };

bool MayAsk(const Gpu& gpu, Part part, Source source) {
  const Price price = Row(source).price;
  if (part == Part::kAll) return price != Price::kSubstitute;
  if (part == Part::kCostly) return price == Price::kCostly;
  return price == Price::kCheap || (price == Price::kSubstitute && !gpu.mig_on);
}

Reading ReadField(Pass& pass, Gpu& gpu, const FieldRow& row, Part part = Part::kAll) {
  Return refusal = kFunctionNotFound;
  for (const Pick& pick : row.picks) {
    if (pick.source == Source::kNone || FilledElsewhere(pick.source)) break;
    if (!MayAsk(gpu, part, pick.source)) continue;
    const auto source = static_cast<size_t>(pick.source);
    Return code = gpu.refusal[source];
    if (!gpu.refused[source]) {
      const Slot& slot = AnswerOf(pass, gpu, pick.source)[pick.slot];
      code = slot.code;
      if (code == kSuccess) ++pass.answers;
      if (code == kSuccess && IsNotAvailable(slot.value)) return {kSuccess, Absence::kNotSupported};
      if (code == kSuccess) return {kSuccess, Judge(pass, row, Scaled(slot.value, pick.scale))};
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

bool IsIn(Part part, const Pass& pass, const Gpu& gpu, const FieldRow& row) {
  if (FilledElsewhere(row) || !pass.options.wants(row.field)) return false;
  if (part == Part::kAll) return true;
  const bool vital = row.field == DeviceField::kUtilization;
  const bool late = gpu.look_cost >= pass.options.quick_look && !vital;
  if (gpu.sample.fields[row.field] || (part == Part::kCostly && late)) return false;
  return std::any_of(row.picks.begin(), row.picks.end(), [&](const Pick& pick) {
    return pick.source != Source::kNone && MayAsk(gpu, part, pick.source) &&
           !gpu.refused[static_cast<size_t>(pick.source)];
  });
}

// Adds what is done while it lives to what the quick look has cost.
class Look {
 public:
  Look(const Pass& pass, Gpu& gpu) : pass_(pass), gpu_(gpu), start_(pass.cpu_seconds()) {}
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;
  ~Look() { gpu_.look_cost += pass_.cpu_seconds() - start_; }

 private:
  const Pass& pass_;
  Gpu& gpu_;
  double start_;
};

Return ReadLane(Pass& pass, Gpu& gpu, Lane lane) {
  for (const FieldRow& row : FieldRows()) {
    if (row.lane != lane || !IsIn(Part::kAll, pass, gpu, row)) continue;
    const Reading reading = ReadField(pass, gpu, row);
    if (reading.code != kSuccess) return reading.code;
    gpu.sample.fields[row.field] = reading.value;
  }
  return kSuccess;
}

Return ReadSlowLane(Pass& pass, Gpu& gpu) {
  for (const FieldRow& row : FieldRows()) {
    if (row.lane != Lane::kSlow || !IsIn(Part::kAll, pass, gpu, row)) continue;
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

// The lanes' rows that belong to the part, in the order of the table.
Return LookAt(Pass& pass, Gpu& gpu, Part part, std::initializer_list<Lane> lanes) {
  for (const Lane lane : lanes) {
    for (const FieldRow& row : FieldRows()) {
      if (row.lane != lane || !IsIn(part, pass, gpu, row)) continue;
      const Look look(pass, gpu);
      const Reading reading = ReadField(pass, gpu, row, part);
      if (reading.code != kSuccess) return reading.code;
      gpu.sample.fields[row.field] = reading.value;
    }
  }
  return kSuccess;
}

Return LookQuickly(Pass& pass, Gpu& gpu) {
  Return code = LookAt(pass, gpu, Part::kCheap, {Lane::kFast, Lane::kSlow});
  if (code == kSuccess) {
    code = LookAt(pass, gpu, Part::kCostly, {Lane::kFast, Lane::kOnce, Lane::kStill, Lane::kSlow});
  }
  return code;
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
  look_cost = 0;
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
  if (pass.lazy()) {
    const Return code = LookQuickly(pass, gpu);
    if (gpu.look_cost < pass.options.quick_look) ReadStillFacts(pass, gpu);
    HidePlaceholders(gpu);
    return code;
  }
  if (const Return code = ReadLane(pass, gpu, Lane::kFast); code != kSuccess) return code;
  if (!gpu.still_read) {
    // After a quick look, what it left out of the first lane too.
    if (const Return code = ReadLane(pass, gpu, Lane::kOnce); code != kSuccess) return code;
    if (const Return code = ReadLane(pass, gpu, Lane::kStill); code != kSuccess) return code;
    ReadStillFacts(pass, gpu);
    gpu.still_read = true;
  }
  if (const Return code = ReadSlowLane(pass, gpu); code != kSuccess) return code;
  HidePlaceholders(gpu);
  return kSuccess;
}

Return ReadOnce(Pass& pass, Gpu& gpu) {
  ++gpu.pass;
  return pass.lazy() ? LookAt(pass, gpu, Part::kCheap, {Lane::kOnce})
                     : ReadLane(pass, gpu, Lane::kOnce);
}

void NoteWhatWasLeftOut(const Pass& pass, Gpu& gpu) {
  const bool all = pass.options.wanted.all();
  for (const FieldRow& row : FieldRows()) {
    Known<double>& field = gpu.sample.fields[row.field];
    const bool unread = !field && field.missing().why == Absence::kNotSampledYet;
    const bool unwanted = !all && !pass.options.wants(row.field);
    if (unread && (pass.lazy() || unwanted)) field = Absence::kNotAsked;
    if (!field && field.missing().why == Absence::kNotAsked && !pass.lazy() && !unwanted) {
      field = Absence::kNotSampledYet;
    }
  }
}

}  // namespace gpusight::nvml
