// SPDX-License-Identifier: Apache-2.0
// Exported: the driver's sample rings, and process utilisation, which is made from the same 200 ms
// slots. The protocol (who says 6, who says 7, what is left untouched) is that of driver 580.
#include <algorithm>
#include <cmath>

#include "testing/fake_nvml/driver.h"
#include "testing/fake_nvml/processes.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

constexpr unsigned kProcessSlots = 72;
constexpr double kProcessWindow = 14.2, kSlotSeconds = 0.2;  // what the ring of 72 slots remembers

struct Ring {
  unsigned slots;  // one more than it fills
  double period;   // seconds
};

// The newest slot of the ring is number Newest(); slot n ends at n * period.
int64_t Newest(double now, double period) {
  return static_cast<int64_t>(std::floor(now / period + 1e-9));
}

// The track; or the recorded ring, over and over; or the getter's record.
struct Source {
  const Track* track = nullptr;
  const std::vector<Item>* ring = nullptr;
  double constant = 0, scale = 1;
  bool momentary = false;  // else the mean over the slot

  double At(int64_t slot, double period) const {
    const double end = static_cast<double>(slot) * period;
    if (!track->empty()) return track->At(momentary ? end : end - period / 2) * scale;
    if (ring == nullptr) return constant;
    // The newest recorded sample is that of time 0.
    const auto size = static_cast<int64_t>(ring->size());
    const int64_t place = ((slot - 1) % size + size) % size;
    return NumberOf<double>((*ring)[static_cast<size_t>(place)]);
  }
};

Source SourceOf(const Session& session, unsigned type) {
  struct Row {
    TrackName track;
    Call call;
    size_t item;
    double scale;
  };
  static constexpr Row kRows[] = {
      {TrackName::kMomentaryPower, Call::nvmlDeviceGetPowerUsage, 0, 1e3},
      {TrackName::kUtilization, Call::nvmlDeviceGetUtilizationRates, 0, 1},
      {TrackName::kMemoryActivity, Call::nvmlDeviceGetUtilizationRates, 1, 1},
      {TrackName::kEncoder, Call::nvmlDeviceGetEncoderUtilization, 0, 1},
      {TrackName::kDecoder, Call::nvmlDeviceGetDecoderUtilization, 0, 1},
      {},
      {},
      {},
      {TrackName::kJpeg, Call::nvmlDeviceGetJpgUtilization, 0, 1},
      {TrackName::kOfa, Call::nvmlDeviceGetOfaUtilization, 0, 1},
  };
  const Row& row = kRows[type];
  Source source{&session.device().track(row.track), nullptr, 0, row.scale,
                type == kTotalPowerSamples};
  const Entry* ring = session.device().Find({Call::nvmlDeviceGetSamples, type});
  if (ring != nullptr && !ring->recorded.items.empty()) source.ring = &ring->recorded.items;
  const Entry* entry = session.device().Find({row.call, 0});
  if (entry != nullptr && row.item < entry->recorded.items.size()) {
    source.constant = NumberOf<double>(entry->recorded.items[row.item]);
  }
  return source;
}

// The driver writes four of the eight bytes; the rest is what lay there.
void PutValue(Value& value, uint32_t number) {
  value.u64 = 0x00007fa600000000u;
  value.u32 = number;
}

struct Use {
  uint32_t pid;
  uint64_t time_us;
  uint32_t percent[6];  // SM, memory, encoder, decoder, JPEG, OFA
  bool idle() const {
    return std::all_of(std::begin(percent), std::end(percent), [](uint32_t p) { return p == 0; });
  }
};

// One row a process: its mean since `last_seen`, dated with its newest slot.
bool UseOf(const Session& session, const ProcessSpec& process, uint64_t last_seen, Use& use) {
  const double newest = static_cast<double>(Newest(session.now(), kSlotSeconds)) * kSlotSeconds;
  const bool stale = session.scenario().quirks.stale_process_samples;
  double from = std::max(newest - kProcessWindow, process.alive.from);
  const double to = std::min(newest, process.alive.until);
  if (stale && process.alive.until <= newest) from = std::max(process.alive.from, to - 1);
  if (to <= from) return false;
  use.pid = process.utilization_pid;
  use.time_us = session.Wall(to);
  if (use.time_us <= last_seen) {
    if (!stale || process.alive.until > newest) return false;
  } else if (last_seen > 0) {
    const double seen = to - static_cast<double>(use.time_us - last_seen) * 1e-6;
    from = std::max(from, seen);
  }
  const Track* tracks[] = {&process.sm,      &process.memory_activity,
                           &process.encoder, &process.decoder,
                           &process.jpeg,    &process.ofa};
  for (size_t i = 0; i < 6; ++i) use.percent[i] = NumberOf<uint32_t>(tracks[i]->Mean(from, to));
  return !use.idle();
}

// Hands each row to `put(i, use)`; `room` and the result are the protocol's.
template <typename Put>
Return Uses(Call call, const Session& session, uint64_t last_seen, unsigned& count, bool buffer,
            const Put& put) {
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (call == Call::nvmlDeviceGetProcessUtilization && session.mig() != nullptr) {
    return kNotSupported;
  }
  const bool junk = session.scenario().quirks.junk_process_samples;
  const auto processes = static_cast<unsigned>(session.device().processes.size());
  const unsigned needed = junk ? 100 : std::max(kProcessSlots, processes);
  if (!buffer || count < needed) {
    count = needed;
    return kInsufficientSize;
  }
  unsigned written = 0;
  for (const ProcessSpec& process : session.device().processes) {
    Use use{};
    if (UseOf(session, process, last_seen, use)) put(written++, use);
  }
  for (; junk && written < needed; ++written) {
    const uint32_t rubbish = 37100 + written;
    put(written, Use{written % 3 == 0 ? 0 : 0x7ffe0000 + written,
                     written % 2,
                     {rubbish, rubbish, 0, 0, 0, 0}});
  }
  if (written == 0) return kNotFound;
  count = written;
  return kSuccess;
}

}  // namespace

extern "C" {

Return nvmlDeviceGetSamples(Device h, SamplingType type, unsigned long long last_seen,
                            ValueType* value_type, unsigned* count, Sample* samples) {
  const auto number = static_cast<unsigned>(type);
  const Session session(Call::nvmlDeviceGetSamples, h, number);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (session.mig() != nullptr) return kNotSupported;
  if (number == 7 || number > 9 || value_type == nullptr || count == nullptr) {
    return kInvalidArgument;
  }
  const bool power = number == kTotalPowerSamples;
  const bool clocks = number == kProcessorClockSamples || number == kMemoryClockSamples;
  const Ring ring = power ? Ring{120, 0.02} : Ring{clocks ? 100u : 72u, kSlotSeconds};
  *value_type = kUnsignedInt;
  if (samples == nullptr) {
    *count = ring.slots;
    return kSuccess;
  }
  if (clocks) return kNotFound;  // never filled on data-centre cards

  const Source source = SourceOf(session, number);
  const int64_t newest = Newest(session.now(), ring.period);
  unsigned written = 0;
  for (int64_t slot = newest - ring.slots + 2; slot <= newest && written < *count; ++slot) {
    const double end = static_cast<double>(slot) * ring.period;
    const uint64_t time_us = session.Wall(end);
    if (time_us <= last_seen) continue;
    Sample& sample = samples[written++];
    sample.time_us = time_us;
    PutValue(sample.value, NumberOf<uint32_t>(source.At(slot, ring.period)));
  }
  if (written == 0) return kNotFound;
  *count = written;
  return kSuccess;
}

Return nvmlDeviceGetProcessUtilization(Device h, ProcessUtilization* samples, unsigned* count,
                                       unsigned long long last_seen) {
  const Session session(Call::nvmlDeviceGetProcessUtilization, h);
  if (count == nullptr) return kInvalidArgument;
  return Uses(Call::nvmlDeviceGetProcessUtilization, session, last_seen, *count, samples != nullptr,
              [&](unsigned i, const Use& use) {
                ProcessUtilization& s = samples[i];
                s.pid = use.pid;
                s.time_us = use.time_us;
                s.sm = use.percent[0];
                s.memory = use.percent[1];
                s.encoder = use.percent[2];
                s.decoder = use.percent[3];
              });
}

Return nvmlDeviceGetProcessesUtilizationInfo(Device h, ProcessesUtilizationV1* list) {
  const Session session(Call::nvmlDeviceGetProcessesUtilizationInfo, h);
  if (list == nullptr) return kInvalidArgument;
  if (list->version != kProcessesUtilizationVersion) return kArgumentVersionMismatch;
  return Uses(Call::nvmlDeviceGetProcessesUtilizationInfo, session, list->last_seen_us, list->count,
              list->samples != nullptr, [&](unsigned i, const Use& use) {
                ProcessUtilizationV1& s = list->samples[i];
                s.time_us = use.time_us;
                s.pid = use.pid;
                s.sm = use.percent[0];
                s.memory = use.percent[1];
                s.encoder = use.percent[2];
                s.decoder = use.percent[3];
                s.jpeg = use.percent[4];
                s.ofa = use.percent[5];
              });
}

}  // extern "C"

}  // namespace gpusight::nvml
