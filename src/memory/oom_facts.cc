// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_facts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpusight::memory {
namespace {

// Inside a PID namespace this process stands among the others under a number that it does not know.
// It is the one that holds what its allocator reserved and little more.
void GuessOwn(OomFacts& facts) {
  constexpr double kMostOutside = 6.0 * 1073741824;
  if (facts.process || !facts.reserved || facts.holders.empty()) return;
  auto best = facts.holders.end();
  for (auto it = facts.holders.begin(); it != facts.holders.end(); ++it) {
    const double outside = it->memory.bytes + it->memory.error - *facts.reserved + facts.error;
    if (outside < 0 || outside > kMostOutside) continue;
    if (best == facts.holders.end() || it->memory.bytes < best->memory.bytes) best = it;
  }
  if (best == facts.holders.end()) return;
  facts.process = best->memory.bytes;
  facts.own_guessed = true;
  facts.holders.erase(best);
}

std::optional<double> Field(const AllocatorSample* sample, AllocatorField field) {
  if (sample == nullptr || !sample->fields[field]) return std::nullopt;
  return *sample->fields[field];
}

const DeviceSample* DeviceOf(const Frame* frame, const AllocatorSample* allocator) {
  if (frame == nullptr || allocator == nullptr || allocator->device < 0) return nullptr;
  const auto at = static_cast<size_t>(allocator->device);
  return at < frame->devices.size() ? &frame->devices[at] : nullptr;
}

// What a program can get of the device.
std::optional<double> CapacityOf(const DeviceSample* device) {
  if (device == nullptr) return std::nullopt;
  const Known<double>& total = device->fields[DeviceField::kMemoryTotal];
  if (!total || *total <= 0) return std::nullopt;
  return *total - device->fields[DeviceField::kMemoryDriverReserved].value_or(0);
}

// PyTorch tells its observer a limit that was set (set_per_process_memory_fraction) in the place of
// the device's total; a limit is also what is less than was free, or clearly less than the device.
void SetLimit(OomFacts& facts, std::optional<double> told, std::optional<double> limit,
              const DeviceSample* device) {
  constexpr double kNearly = 0.97, kMiB = 1048576;
  const std::optional<double> capacity = CapacityOf(device);
  facts.limit = limit;
  if (told) {
    const bool same = limit && std::abs(*limit - *told) < kMiB;
    const bool less_than_free = facts.free && *facts.free > *told;
    const bool part = capacity && *told < kNearly * *capacity;
    if (!same && !less_than_free && !part) {
      facts.capacity = told;
      return;
    }
    facts.limit = told;
  }
  facts.capacity = capacity;
}

// Who else is on the device, by the last frame. It is older than the failure: what the process held
// then, it may have more of now, and others less.
void AddProcesses(OomFacts& facts, int pid, const Frame& frame, int device) {
  double others = 0;
  for (const ProcessSample& process : frame.processes) {
    for (const GpuUse& use : process.uses) {
      const Known<double>& memory = use.fields[UseField::kMemory];
      if (use.device != device || !memory) continue;
      if (process.pid == pid) {
        facts.process = *memory;
      } else {
        others += *memory;
        facts.holders.push_back({static_cast<uint64_t>(process.pid), {*memory, 0}});
      }
    }
  }
  if (frame.devices[static_cast<size_t>(device)].process_count) facts.others = others;
  if (facts.process && facts.reserved) facts.process = std::max(*facts.process, *facts.reserved);
  if (!facts.process || !facts.capacity || !facts.free) return;
  const double used = *facts.capacity - *facts.free;
  if (used < facts.reserved.value_or(0)) return;
  facts.process = std::min(*facts.process, used);
  if (facts.others) facts.others = std::min(*facts.others, used - *facts.process);
}

// Keeps what is above 0: rounding may make a part of nothing negative.
double Clamp(double bytes, double error) { return bytes < 0 && bytes > -error ? 0 : bytes; }

}  // namespace

OomFacts FactsOf(const OomText& text) {
  OomFacts facts;
  facts.place = text.place();
  facts.form = text.form;
  facts.framework = text.framework;
  facts.backend = text.backend;
  facts.device = text.device;
  facts.rank = text.rank;
  const auto take = [&facts](const std::optional<Amount>& amount) -> std::optional<double> {
    if (!amount) return std::nullopt;
    facts.error += amount->error;
    return amount->bytes;
  };
  facts.requested = take(text.requested);
  facts.capacity = take(text.capacity);
  facts.free = take(text.free);
  facts.limit = take(text.limit);
  facts.pool_limit = take(text.pool_limit);
  facts.allocated = take(text.allocated);
  facts.reserved = take(text.reserved);
  facts.cached = take(text.cached);
  facts.private_pools = take(text.private_pools);
  facts.process = take(text.process);
  facts.device_used = take(text.device_used);
  facts.other_allocations = take(text.other_allocations);
  facts.largest_free = take(text.largest_free);
  facts.program = take(text.program);
  facts.host_limit = take(text.host_limit);
  facts.holders = text.processes;
  for (const OomHolder& holder : facts.holders) facts.error += holder.memory.error;
  facts.victim = text.victim;
  facts.victim_name = text.victim_name;
  facts.killer_seen = text.form == OomForm::kOomKiller;
  facts.in_cgroup = std::find(text.hints.begin(), text.hints.end(), "cgroup") != text.hints.end();
  facts.step = text.step;
  facts.phase = text.phase;
  facts.no_grad = text.no_grad;
  facts.backward = text.backward;
  GuessOwn(facts);
  if (!facts.holders.empty() || facts.process) {
    double sum = 0;
    for (const OomHolder& holder : facts.holders) sum += holder.memory.bytes;
    facts.others = sum;
  }
  return facts;
}

OomFacts FactsOf(const OutOfMemory& event, const FrameworkSample& sample, const Frame* frame) {
  OomFacts facts;
  facts.form = sample.framework == Framework::kPaddle ? OomForm::kPaddle : OomForm::kTorch;
  if (sample.framework == Framework::kJax) facts.form = OomForm::kXla;
  if (sample.framework == Framework::kTensorFlow) facts.form = OomForm::kTensorFlow;
  facts.framework = sample.framework;
  facts.device = event.ordinal;
  facts.rank = sample.rank;
  // The observer has no word for "not known" but 0.
  const auto known = [](uint64_t bytes) -> std::optional<double> {
    return bytes > 0 ? std::optional(static_cast<double>(bytes)) : std::nullopt;
  };
  facts.requested = known(event.requested);
  if (event.total > 0) facts.free = static_cast<double>(event.free);
  facts.allocated = known(event.allocated);
  facts.reserved = known(event.reserved);
  facts.inactive_split = known(event.inactive_split);
  if (facts.allocated && facts.reserved) {
    const auto held = static_cast<double>(std::max(event.allocated, event.active));
    facts.cached = std::max(0.0, *facts.reserved - held);
  }
  const auto at =
      std::find_if(sample.allocators.begin(), sample.allocators.end(),
                   [&event](const AllocatorSample& a) { return a.ordinal == event.ordinal; });
  const AllocatorSample* allocator = at == sample.allocators.end() ? nullptr : &*at;
  const DeviceSample* device = DeviceOf(frame, allocator);
  SetLimit(facts, known(event.total), Field(allocator, AllocatorField::kLimit), device);
  const Known<double>& steps = sample.fields[FrameworkField::kSteps];
  if (steps && *steps >= 0) facts.step = static_cast<uint64_t>(*steps);
  if (device != nullptr) AddProcesses(facts, sample.pid, *frame, allocator->device);
  return facts;
}

void AddHistory(OomFacts& facts, std::span<const MemoryPoint> points) {
  facts.has_history = points.size() > 1;
  facts.growth = FindGrowth(points, facts.capacity.value_or(0));
  facts.evaluation = FindEvaluationPeak(points);
  if (points.empty()) return;
  if (facts.phase == OomPhase::kUnknown) facts.phase = points.back().phase;
  if (!facts.step) facts.step = points.back().step;
}

std::string_view Name(OomPart part) {
  constexpr std::array<std::string_view, 9> kNames = {
      "allocated", "private_pools", "cached", "outside_allocator", "other_processes", "unlisted",
      "rest",      "used_by_all",   "free"};
  return kNames[static_cast<size_t>(part)];
}

std::optional<double> OomAccount::Part(OomPart part) const {
  for (const Row& row : rows) {
    if (row.part == part) return row.bytes;
  }
  return std::nullopt;
}

OomAccount AccountOf(const OomFacts& f) {
  OomAccount out;
  const auto add = [&out](OomPart part, double bytes) { out.rows.push_back({part, bytes}); };
  const auto begin = [&out](OomTotal of, double total) {
    out.of = of;
    out.total = total;
  };
  if (f.place != OomPlace::kDevice) return out;
  if (f.form == OomForm::kTorchMps) {
    if (!f.limit || !f.allocated) return out;
    const double others = f.other_allocations.value_or(0);
    begin(OomTotal::kLimit, *f.limit);
    add(OomPart::kAllocated, *f.allocated);
    add(OomPart::kOutside, others);
    add(OomPart::kFree, *f.limit - *f.allocated - others);
  } else if (f.pool_limit && f.allocated) {
    begin(OomTotal::kPool, *f.pool_limit);
    add(OomPart::kAllocated, *f.allocated);
    add(OomPart::kFree, *f.pool_limit - *f.allocated);
  } else if (f.limit && !f.capacity && f.device_used && f.free) {
    begin(OomTotal::kLimit, *f.limit);  // Paddle's numbers are this process's then
    add(OomPart::kUsed, *f.limit - *f.free);
    add(OomPart::kFree, *f.free);
  } else if (f.capacity && f.free && f.allocated) {
    begin(OomTotal::kCapacity, *f.capacity);
    const double pools = std::min(f.private_pools.value_or(0), *f.allocated);
    add(OomPart::kAllocated, *f.allocated - pools);
    if (pools > 0) add(OomPart::kPools, pools);
    // cudaMallocAsync tells nothing of its cache.
    const double reserved = f.reserved.value_or(*f.allocated);
    if (f.reserved) add(OomPart::kCached, *f.reserved - *f.allocated);
    const double beyond = *f.capacity - *f.free - reserved;
    if (f.process && *f.process >= reserved - f.error) {
      const double outside = Clamp(*f.process - reserved, f.error);
      const double others = f.others.value_or(0);
      add(OomPart::kOutside, outside);
      if (f.others) add(OomPart::kOthers, others);
      add(OomPart::kUnlisted, Clamp(beyond - outside - others, f.error + 1));
    } else {
      add(OomPart::kRest, Clamp(beyond, f.error + 1));
    }
    add(OomPart::kFree, *f.free);
  } else if (f.capacity && f.free) {
    begin(OomTotal::kCapacity, *f.capacity);
    add(OomPart::kUsed, *f.capacity - *f.free);
    add(OomPart::kFree, *f.free);
  }
  // What is left over may be less than nothing where the driver moves memory to the host, or where
  // the numbers are not of one moment.
  out.overfull = std::any_of(out.rows.begin(), out.rows.end(),
                             [](const OomAccount::Row& row) { return row.bytes < 0; });
  return out;
}

}  // namespace gpusight::memory
