// SPDX-License-Identifier: Apache-2.0
// Exported: GPM. A sample is a moment on a 100 ms grid; a metric is its track's mean between two of
// them. Two samples within one slot of the grid succeed with zeros and NaN, swapped ones with
// rubbish, as on the H200.
#include <cmath>
#include <limits>

#include "testing/fake_nvml/driver.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

constexpr double kGrid = 0.1;          // seconds
constexpr uint32_t kLastMetric = 209;  // of driver 580

using State = Driver::GpmSampleState;

State* Find(Driver& driver, GpmSample sample) {
  const auto found = driver.gpm_samples.find(reinterpret_cast<uintptr_t>(sample));
  return found == driver.gpm_samples.end() ? nullptr : &found->second;
}

Return Take(Session& session, GpmSample sample, int gpu_instance) {
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  State* state = Find(session.driver(), sample);
  if (state == nullptr) return kInvalidArgument;
  *state = {session.index(), gpu_instance, std::floor(session.now() / kGrid + 1e-9) * kGrid};
  return kSuccess;
}

const Track* TrackOf(const DeviceSpec& device, int gpu_instance, uint32_t metric) {
  const GpmTracks* tracks = &device.gpm;
  for (const MigInstance& mig : device.mig) {
    if (static_cast<int>(mig.gpu_instance) == gpu_instance) tracks = &mig.gpm;
  }
  if (const auto found = tracks->find(metric); found != tracks->end()) return &found->second;
  if (gpu_instance >= 0) return nullptr;
  const auto named = [&](TrackName name) {
    const Track& track = device.track(name);
    return track.empty() ? nullptr : &track;
  };
  switch (metric) {
    case kGpmPcieTx:
      return named(TrackName::kPcieTx);
    case kGpmPcieRx:
      return named(TrackName::kPcieRx);
    case kGpmNvlinkTx:
      return named(TrackName::kNvlinkTx);
    case kGpmNvlinkRx:
      return named(TrackName::kNvlinkRx);
    default:
      return nullptr;
  }
}

const char* NameOf(const Entry* entry, size_t item, const char* otherwise) {
  if (entry == nullptr || item >= entry->recorded.items.size()) return otherwise;
  const auto* text = std::get_if<std::string>(&entry->recorded.items[item]);
  return text == nullptr ? otherwise : text->c_str();
}

void Fill(const DeviceSpec& device, const State& first, const State& second, GpmMetric& metric) {
  const Call call = Call::nvmlGpmMetricsGet;
  const Entry* entry = device.Find({call, metric.id});
  const int code = entry == nullptr ? 0 : entry->recorded.code;
  metric.result =
      metric.id == 0 || metric.id > kLastMetric ? kInvalidArgument : static_cast<Return>(code);
  if (metric.result != kSuccess) return;
  const Track* track = TrackOf(device, first.gpu_instance, metric.id);
  metric.short_name = NameOf(entry, 1, track != nullptr ? "track" : "");
  metric.long_name = NameOf(entry, 2, track != nullptr ? "TRACK" : "");
  metric.unit = NameOf(entry, 3, "%");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (second.time == first.time) {
    metric.value = metric.id == kGpmDram ? nan : 0;
  } else if (second.time < first.time) {
    metric.value = metric.id == kGpmDram     ? nan
                   : metric.id >= kGpmPcieTx ? -9220458077047526.0
                                             : 100;
  } else if (track != nullptr) {
    metric.value = track->Mean(first.time, second.time);
  } else if (first.gpu_instance < 0 && entry != nullptr && !entry->recorded.items.empty()) {
    metric.value = NumberOf<double>(entry->recorded.items.front());
  } else {
    metric.value = 0;
  }
}

}  // namespace

extern "C" {

Return nvmlGpmQueryDeviceSupport(Device h, GpmSupport* support) {
  const Session session(Call::nvmlGpmQueryDeviceSupport, h);
  if (session.code() != kSuccess) return session.code();
  if (support == nullptr) return kInvalidArgument;
  if (support->version != kGpmVersion) return kArgumentVersionMismatch;
  support->supported = session.Get<uint32_t>(0);
  return kSuccess;
}

Return nvmlGpmSampleAlloc(GpmSample* sample) {
  Session session(Call::nvmlGpmSampleAlloc, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (sample == nullptr) return kInvalidArgument;
  const uint64_t number = session.driver().next_object++;
  session.driver().gpm_samples[number] = {};
  *sample = AsPointer<GpmSample>(number);
  return kSuccess;
}

Return nvmlGpmSampleFree(GpmSample sample) {
  Session session(Call::nvmlGpmSampleFree, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  const auto number = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(sample));
  return session.driver().gpm_samples.erase(number) == 0 ? kInvalidArgument : kSuccess;
}

Return nvmlGpmSampleGet(Device h, GpmSample sample) {
  Session session(Call::nvmlGpmSampleGet, h);
  return Take(session, sample, -1);
}

Return nvmlGpmMigSampleGet(Device h, unsigned gpu_instance, GpmSample sample) {
  Session session(Call::nvmlGpmMigSampleGet, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  for (const MigInstance& mig : session.device().mig) {
    if (mig.gpu_instance == gpu_instance) {
      return Take(session, sample, static_cast<int>(gpu_instance));
    }
  }
  return kInvalidArgument;
}

Return nvmlGpmMetricsGet(GpmMetricsGet* get) {
  Session session(Call::nvmlGpmMetricsGet, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (get == nullptr) return kInvalidArgument;
  if (get->version != kGpmVersion) return kArgumentVersionMismatch;
  const State* first = Find(session.driver(), get->first);
  const State* second = Find(session.driver(), get->second);
  const bool good = get->count > 0 && first != nullptr && second != nullptr && first != second &&
                    first->device >= 0 && first->device == second->device &&
                    first->gpu_instance == second->gpu_instance;
  if (!good) return kInvalidArgument;
  const DeviceSpec& device = session.scenario().devices[static_cast<size_t>(first->device)];
  for (uint32_t i = 0; i < get->count; ++i) Fill(device, *first, *second, get->metrics[i]);
  return kSuccess;
}

}  // extern "C"

}  // namespace gpusight::nvml
