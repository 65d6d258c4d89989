// SPDX-License-Identifier: Apache-2.0
// A device: its curves, its memory over time, the driver's samples; and curves in general.
#include <cmath>

#include "report/json_parts.h"

namespace gpusight::report {
namespace {

bool Same(const std::vector<double>& a, const std::vector<double>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) return false;
    if (!std::isnan(a[i]) && Rounded(a[i]) != Rounded(b[i])) return false;
  }
  return true;
}

void WriteMemory(JsonWriter& json, const MemoryReport& memory) {
  json.Key("memory");
  json.BeginObject();
  json.Member("peak_used_bytes", memory.peak_used);
  if (memory.peak_used) {
    Time(json, "peak_at_seconds", memory.peak_at);
    json.Member("peak_total_bytes", memory.peak_total);
  }
  json.Member("unaccounted_peak_bytes", memory.unaccounted_peak > 0
                                            ? Known<double>(memory.unaccounted_peak)
                                            : Known<double>(Absence::kNotApplicable));
  json.Member("incomplete_pieces", static_cast<int64_t>(memory.incomplete_pieces));
  if (memory.incomplete_pieces > 0) json.Member("incomplete_why", Describe(memory.incomplete));
  json.Member("unbalanced_pieces", static_cast<int64_t>(memory.unbalanced_pieces));
  json.Key("total_bytes");
  Numbers(json, memory.total, true);
  json.Key("layers");
  json.BeginArray();
  for (const Layer& layer : memory.layers) {
    json.BeginObject();
    json.Member("kind", LayerName(layer.kind));
    json.MemberUnless("process", layer.process, -1, Absence::kNotApplicable);
    json.Member("at_peak_bytes", layer.at_peak);
    json.Key("bytes");
    Numbers(json, layer.bytes, true);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

void WriteClocks(JsonWriter& json, const DeviceReport& device) {
  json.Key("clock_event_seconds");
  json.BeginObject();
  for (const ClockReason& reason : device.clock_reasons) json.Member(reason.name, reason.seconds);
  json.EndObject();
  json.Key("clock_event_reasons");
  Numbers(json, device.clock_mask, true);
}

void WriteDetail(JsonWriter& json, const Detail& detail) {
  json.Key("utilization_samples");
  json.BeginObject();
  json.Member("step_seconds", Detail::kStep);
  json.Member("cut", detail.cut);
  json.Key("stretches");
  json.BeginArray();
  for (const Detail::Stretch& stretch : detail.stretches) {
    json.BeginObject();
    Time(json, "start_seconds", stretch.begin);
    json.Key("percent");
    json.BeginArray();
    for (const uint8_t percent : stretch.percent) {
      if (percent == Detail::kNoSample) {
        json.Null();
      } else {
        json.Int(percent);
      }
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

std::string_view UnitWord(Unit unit) {
  switch (unit) {
    case Unit::kRatio:
      return "ratio";
    case Unit::kBytes:
      return "bytes";
    case Unit::kBytesPerSecond:
      return "bytes_per_second";
    case Unit::kSeconds:
      return "seconds";
    case Unit::kWatts:
      return "watts";
    case Unit::kJoules:
      return "joules";
    case Unit::kCelsius:
      return "celsius";
    case Unit::kHertz:
      return "hertz";
    case Unit::kCount:
      return "count";
    case Unit::kCores:
      return "cores";
    case Unit::kMask:
      return "mask";
    case Unit::kNumber:
      return "number";
  }
  return "";
}

double Rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double size = std::pow(10.0, 3 - std::floor(std::log10(std::fabs(value))));
  return std::isfinite(size) && size > 0 ? std::round(value * size) / size : value;
}

void Numbers(JsonWriter& json, const std::vector<double>& values, bool exact) {
  json.BeginArray();
  for (const double value : values) json.Number(exact ? value : Rounded(value));
  json.EndArray();
}

void Time(JsonWriter& json, std::string_view key, WallTime time) {
  const double seconds = std::round(time.seconds() * 1e6) / 1e6;
  json.Member(key, time.ns != 0 ? Known<double>(seconds) : Known<double>(Absence::kNotSampledYet));
}

void WriteCurve(JsonWriter& json, Unit unit, const Curve& curve) {
  json.BeginObject();
  json.Member("unit", UnitWord(unit));
  const auto level = [&](std::string_view key, double Level::* part) {
    json.Member(key, curve.level ? Known<double>((*curve.level).*part)
                                 : Known<double>(curve.level.missing()));
  };
  level("mean", &Level::mean);
  level("least", &Level::least);
  level("most", &Level::most);
  if (curve.level) {
    Time(json, "most_at_seconds", curve.level->most_at);
    json.Member("known_seconds", curve.level->seconds);
    if (curve.missing_seconds > 0) {
      json.Member("missing_seconds", curve.missing_seconds);
      json.Member("missing_why", Describe(curve.missing));
    }
    json.Key("means");
    Numbers(json, curve.mean);
    if (!Same(curve.mean, curve.least)) {
      json.Key("leasts");
      Numbers(json, curve.least);
    }
    if (!Same(curve.mean, curve.most)) {
      json.Key("mosts");
      Numbers(json, curve.most);
    }
  }
  json.EndObject();
}

void Series(JsonWriter& json, const std::vector<NamedCurve>& curves) {
  json.Key("series");
  json.BeginObject();
  for (const NamedCurve& named : curves) {
    json.Key(named.name);
    WriteCurve(json, named.unit, named.curve);
  }
  json.EndObject();
}

void WriteDevice(JsonWriter& json, const DeviceReport& device) {
  json.BeginObject();
  json.Member("uuid", device.info.uuid);
  json.Member("index", device.info.index);
  json.MemberOr("name", device.info.name, Absence::kNotSupported);
  json.MemberOr("parent_uuid", device.info.parent_uuid, Absence::kNotApplicable);
  json.MemberUnless("gpu_instance", device.info.gpu_instance, -1, Absence::kNotApplicable);
  json.MemberUnless("compute_instance", device.info.compute_instance, -1, Absence::kNotApplicable);
  json.Member("idle_ratio", device.idle_share);
  json.Member("energy_joules", device.energy);
  json.Member("energy_from", device.energy_counted ? "counter" : "power");
  Series(json, device.curves);
  WriteClocks(json, device);
  WriteMemory(json, device.memory);
  WriteDetail(json, device.detail);
  json.EndObject();
}

}  // namespace gpusight::report
