// SPDX-License-Identifier: Apache-2.0
#include "record/samples.h"

#include <cmath>
#include <optional>

namespace gpusight::record {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr uint64_t kMost = 100'000;  // samples in one frame; far above what a driver keeps
constexpr int64_t kFarthest = int64_t{1} << 50;  // ms and units beyond this are no honest ones

void Put(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

uint64_t Zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
int64_t Unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

std::optional<uint64_t> Take(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// A sum that stays within what is honest.
std::optional<int64_t> Sum(int64_t a, uint64_t coded) {
  const int64_t b = Unzigzag(coded);
  if (b > kFarthest || b < -kFarthest) return std::nullopt;
  const int64_t sum = a + b;
  if (sum > kFarthest || sum < -kFarthest) return std::nullopt;
  return sum;
}

int64_t Ms(WallTime time) { return time.ns / kNsPerMs; }

}  // namespace

void EncodeSamples(std::span<const SubSample> samples, WallTime frame, double unit,
                   std::string& out) {
  if (samples.size() > kMost) samples = samples.last(kMost);
  if (samples.empty()) return;
  Put(out, samples.size());
  Put(out, Zigzag(Ms(frame) - Ms(samples[0].time)));
  int64_t value = 0, distance = 0, time = Ms(samples[0].time);
  for (const SubSample& sample : samples) {
    const int64_t now = std::llround(sample.value / unit);
    const int64_t step = Ms(sample.time) - time;
    Put(out, 2 * Zigzag(now - value) + (step != distance ? 1 : 0));
    if (step != distance) Put(out, Zigzag(step - distance));
    value = now;
    distance = step;
    time += step;
  }
}

bool DecodeSamples(std::string_view bytes, WallTime frame, double unit,
                   std::vector<SubSample>& out) {
  out.clear();
  if (bytes.empty()) return true;
  const auto count = Take(bytes);
  const auto offset = Take(bytes);
  if (!count || !offset || *count > kMost) return false;
  const auto back = Sum(0, *offset);
  if (!back) return false;
  int64_t value = 0, distance = 0, time = Ms(frame) - *back;
  for (uint64_t i = 0; i < *count; ++i) {
    const auto token = Take(bytes);
    if (!token) return false;
    const auto next = Sum(value, *token >> 1);
    if (!next) return false;
    value = *next;
    if ((*token & 1) != 0) {
      const auto coded = Take(bytes);
      if (!coded) return false;
      const auto changed = Sum(distance, *coded);
      if (!changed) return false;
      distance = *changed;
    }
    time += distance;
    if (time < 0 || time > INT64_MAX / kNsPerMs) return false;
    // Divided, so that 585.3 is not 585.3000000000001.
    out.push_back({WallTime{time * kNsPerMs}, static_cast<double>(value) / std::round(1 / unit)});
  }
  return bytes.empty();
}

void EncodeTimes(std::span<const WallTime> times, WallTime frame, std::string& out) {
  if (times.size() > kMost) times = times.last(kMost);
  if (times.empty()) return;
  Put(out, times.size());
  int64_t before = Ms(times[0]);
  Put(out, Zigzag(Ms(frame) - before));
  for (const WallTime time : times.subspan(1)) {
    const int64_t now = std::max(Ms(time), before);
    Put(out, static_cast<uint64_t>(now - before));
    before = now;
  }
}

bool DecodeTimes(std::string_view bytes, WallTime frame, std::vector<WallTime>& out) {
  out.clear();
  if (bytes.empty()) return true;
  const auto count = Take(bytes);
  const auto offset = Take(bytes);
  if (!count || !offset || *count == 0 || *count > kMost) return false;
  const auto back = Sum(0, *offset);
  if (!back) return false;
  int64_t time = Ms(frame) - *back;
  for (uint64_t i = 0; i < *count; ++i) {
    if (i > 0) {
      const auto step = Take(bytes);
      if (!step || *step > static_cast<uint64_t>(kFarthest)) return false;
      time += static_cast<int64_t>(*step);
    }
    if (time < 0 || time > INT64_MAX / kNsPerMs) return false;
    out.push_back(WallTime{time * kNsPerMs});
  }
  return bytes.empty();
}

}  // namespace gpusight::record
