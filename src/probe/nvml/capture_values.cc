// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/capture_values.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace gpusight::nvml {
namespace {

constexpr uint32_t kLastField = 300, kLastMetric = 209;
constexpr unsigned char kPattern = 0xaa;
constexpr uint64_t kPattern64 = 0xaaaaaaaaaaaaaaaa;
constexpr uint32_t kPattern32 = 0xaaaaaaaa;

template <typename T>
uint32_t RawOf(const T& value) {
  uint32_t raw = 0;
  std::memcpy(&raw, &value, sizeof raw);
  return raw;
}

std::string ValueText(ValueType type, const Value& value) {
  switch (type) {
    case kDouble:
      return JsonNumber(value.d);
    case kUnsignedInt:
      return fmt::format("{}", value.u32);
    case kSignedLongLong:
      return fmt::format("{}", value.i64);
    case kSignedInt:
      return fmt::format("{}", value.i32);
    case kUnsignedShort:
      return fmt::format("{}", value.u16);
    case kUnsignedLong:
    case kUnsignedLongLong:
      break;
  }
  return fmt::format("{}", value.u64);
}

// The driver says success without writing the value, or does not even say that: a pattern tells.
void RecordField(const Calls& calls, Device device, uint32_t field, uint32_t scope,
                 CapturedDevice& out) {
  FieldValue answer;
  std::memset(static_cast<void*>(&answer), kPattern, sizeof answer);
  answer.field = field;
  answer.scope = scope;
  if (calls.nvmlDeviceGetFieldValues(device, 1, &answer) != kSuccess) return;
  std::string key = fmt::format("nvmlDeviceGetFieldValues/{}", field);
  if (scope != 0) key += fmt::format(",{}", scope);
  const uint32_t result = RawOf(answer.result);
  std::string members;
  if (result == kPattern32) {
    members = "\"code\": -1";
  } else if (result != kSuccess) {
    if (result == kInvalidArgument) return;  // no such field: as if not recorded
    members = CodeText(static_cast<Return>(result));
  } else {
    // The driver's own measure.
    if (answer.latency_us > 0) members = fmt::format("\"us\": {}, ", answer.latency_us);
    const uint32_t type = RawOf(answer.type);
    if (type != kPattern32) members += fmt::format("\"type\": {}, ", type);
    const bool narrow = type == kUnsignedInt || type == kSignedInt;
    const bool unwritten = narrow ? answer.value.u32 == kPattern32 : answer.value.u64 == kPattern64;
    members += unwritten || type == kPattern32
                   ? std::string("\"unwritten\": true")
                   : "\"v\": " + ValueText(static_cast<ValueType>(type), answer.value);
  }
  out.answers.push_back({std::move(key), std::move(members)});
}

// Two samples of one source, freed with it.
class GpmPair {
 public:
  explicit GpmPair(const Calls& calls) : calls_(calls) {
    good_ = calls.nvmlGpmSampleAlloc != nullptr && calls.nvmlGpmSampleFree != nullptr &&
            calls.nvmlGpmMetricsGet != nullptr &&
            calls.nvmlGpmSampleAlloc(&samples_[0]) == kSuccess &&
            calls.nvmlGpmSampleAlloc(&samples_[1]) == kSuccess;
  }
  ~GpmPair() {
    for (const GpmSample sample : samples_) {
      if (sample != nullptr) calls_.nvmlGpmSampleFree(sample);
    }
  }
  GpmPair(const GpmPair&) = delete;
  GpmPair& operator=(const GpmPair&) = delete;

  // kNotSupported when there are no buffers.
  Return Take(size_t which, Device device, const CapturedMig* mig) {
    if (!good_) return kNotSupported;
    if (mig == nullptr) {
      return calls_.nvmlGpmSampleGet == nullptr ? kFunctionNotFound
                                                : calls_.nvmlGpmSampleGet(device, samples_[which]);
    }
    return calls_.nvmlGpmMigSampleGet == nullptr
               ? kFunctionNotFound
               : calls_.nvmlGpmMigSampleGet(device, mig->gpu_instance, samples_[which]);
  }

  // Null when it failed.
  std::unique_ptr<GpmMetricsGet> Metrics() {
    auto get = std::make_unique<GpmMetricsGet>();
    get->version = kGpmVersion;
    get->count = kLastMetric;
    get->first = samples_[0];
    get->second = samples_[1];
    for (uint32_t i = 0; i < kLastMetric; ++i) get->metrics[i].id = i + 1;
    if (calls_.nvmlGpmMetricsGet(get.get()) != kSuccess) get.reset();
    return get;
  }

 private:
  const Calls& calls_;
  GpmSample samples_[2] = {};
  bool good_ = false;
};

void RecordMetrics(const GpmMetricsGet& get, CapturedDevice& out) {
  for (uint32_t i = 0; i < get.count; ++i) {
    const GpmMetric& m = get.metrics[i];
    std::string key = fmt::format("nvmlGpmMetricsGet/{}", m.id);
    const auto name = [](const char* text) { return JsonText(text == nullptr ? "" : text); };
    if (m.result != kSuccess) {
      out.answers.push_back({std::move(key), CodeText(m.result)});
    } else if (m.short_name != nullptr && *m.short_name != '\0') {  // an empty name: no such metric
      out.answers.push_back(
          {std::move(key), fmt::format("\"v\": [{}, {}, {}, {}]", JsonNumber(m.value),
                                       name(m.short_name), name(m.long_name), name(m.unit))});
    }
  }
}

// Only what counts something: the names are in the device's own metrics.
void RecordMigMetrics(const GpmMetricsGet& get, CapturedMig& out) {
  for (uint32_t i = 0; i < get.count; ++i) {
    const GpmMetric& m = get.metrics[i];
    const bool told = m.result == kSuccess && std::isfinite(m.value);
    if (told && m.value != 0) out.gpm.emplace_back(m.id, m.value);
  }
}

}  // namespace

void RecordFields(const Calls& calls, Device device, CapturedDevice& out) {
  if (calls.nvmlDeviceGetFieldValues == nullptr) return;
  FieldValue probe{};
  probe.field = 1;
  const Return code = calls.nvmlDeviceGetFieldValues(device, 1, &probe);
  if (code != kSuccess) {
    out.answers.push_back({"nvmlDeviceGetFieldValues", CodeText(code)});
    return;
  }
  for (uint32_t field = 1; field <= kLastField; ++field) RecordField(calls, device, field, 0, out);
  for (const uint32_t field : {kFieldPowerAverage, kFieldPowerInstant}) {
    for (uint32_t scope = 1; scope <= 3; ++scope) RecordField(calls, device, field, scope, out);
  }
  for (uint32_t field = 138; field <= 141; ++field) {  // NVLink throughput, by link and in total
    for (uint32_t link = 1; link < 18; ++link) RecordField(calls, device, field, link, out);
    RecordField(calls, device, field, ~0u, out);
  }
}

void RecordGpm(const Calls& calls, const std::vector<Device>& handles,
               const CaptureOptions& options, const Clock& clock,
               std::vector<CapturedDevice>& devices) {
  struct Source {
    CapturedDevice& device;
    CapturedMig* mig;
    Device handle;
    std::unique_ptr<GpmPair> pair;
  };
  std::vector<Source> sources;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].handle != kSuccess) continue;
    sources.push_back({devices[i], nullptr, handles[i], nullptr});
    for (CapturedMig& mig : devices[i].mig) {
      sources.push_back({devices[i], &mig, handles[i], nullptr});
    }
  }
  bool any = false;
  for (Source& source : sources) {
    source.pair = std::make_unique<GpmPair>(calls);
    const Stopwatch watch(clock);
    const Return code = source.pair->Take(0, source.handle, source.mig);
    any = any || code == kSuccess;
    if (source.mig == nullptr) {
      source.device.answers.push_back({"nvmlGpmSampleGet", watch.Members() + CodeText(code)});
    }
    if (code != kSuccess) source.pair.reset();
  }
  if (any) options.wait(options.gpm_seconds);
  for (Source& source : sources) {
    if (!source.pair || source.pair->Take(1, source.handle, source.mig) != kSuccess) continue;
    const auto metrics = source.pair->Metrics();
    if (metrics == nullptr) continue;
    if (source.mig == nullptr) {
      RecordMetrics(*metrics, source.device);
    } else {
      RecordMigMetrics(*metrics, *source.mig);
    }
  }
}

void RecordRings(const Calls& calls, Device device, const Clock& clock, CapturedDevice& out) {
  if (calls.nvmlDeviceGetSamples == nullptr) return;
  for (uint32_t type = 0; type <= 10; ++type) {
    std::vector<Sample> samples(1024);
    auto count = static_cast<unsigned>(samples.size());
    ValueType value_type{};
    const Stopwatch watch(clock);
    const Return code = calls.nvmlDeviceGetSamples(device, static_cast<SamplingType>(type), 0,
                                                   &value_type, &count, samples.data());
    std::string members = watch.Members();
    if (code == kSuccess) {
      samples.resize(std::min<size_t>(count, samples.size()));
      std::vector<std::string> values;
      values.reserve(samples.size());
      for (const Sample& sample : samples) values.push_back(ValueText(value_type, sample.value));
      members += "\"v\": " + ListText(values);
    } else {
      members += CodeText(code);
    }
    out.answers.push_back({fmt::format("nvmlDeviceGetSamples/{}", type), std::move(members)});
  }
}

}  // namespace gpusight::nvml
