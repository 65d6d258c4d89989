// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_text.h"

#include <algorithm>
#include <array>

namespace gpusight::memory {
namespace {

using Field = std::optional<Amount> OomText::*;
constexpr Field kFields[] = {
    &OomText::requested,    &OomText::capacity,      &OomText::free,
    &OomText::device_used,  &OomText::limit,         &OomText::pool_limit,
    &OomText::process,      &OomText::allocated,     &OomText::reserved,
    &OomText::cached,       &OomText::private_pools, &OomText::other_allocations,
    &OomText::largest_free, &OomText::program,       &OomText::host_limit};

// Messages that can be parts of one failure.
int FamilyOf(OomForm form) {
  switch (form) {
    case OomForm::kXla:
    case OomForm::kTensorFlow:
    case OomForm::kPool:
      return 1;
    default:
      return 16 + static_cast<int>(form);
  }
}

bool Conflict(int a, int b) { return a >= 0 && b >= 0 && a != b; }

}  // namespace

std::string_view Name(OomForm form) {
  constexpr std::array<std::string_view, 17> kNames = {"torch",        "torch_cuda_malloc_async",
                                                       "torch_mps",    "paddle",
                                                       "xla",          "tensorflow",
                                                       "pool",         "pool_growth",
                                                       "driver_call",  "library",
                                                       "collective",   "host_allocator",
                                                       "oom_killer",   "worker_killed",
                                                       "killed",       "bus_error",
                                                       "shared_memory"};
  return kNames[static_cast<size_t>(form)];
}

OomPlace PlaceOf(OomForm form) {
  switch (form) {
    case OomForm::kHostAllocator:
    case OomForm::kOomKiller:
    case OomForm::kWorkerKilled:
    case OomForm::kKilled:
      return OomPlace::kHost;
    case OomForm::kBusError:
    case OomForm::kSharedMemory:
      return OomPlace::kSharedMemory;
    default:
      return OomPlace::kDevice;
  }
}

std::string_view Name(OomPlace place) {
  constexpr std::array<std::string_view, 3> kNames = {"device", "host", "shared_memory"};
  return kNames[static_cast<size_t>(place)];
}

std::string_view Name(OomPhase phase) {
  constexpr std::array<std::string_view, 3> kNames = {"unknown", "training", "evaluation"};
  return kNames[static_cast<size_t>(phase)];
}

std::string_view Name(OomAfter after) {
  constexpr std::array<std::string_view, 3> kNames = {"unknown", "ended", "went_on"};
  return kNames[static_cast<size_t>(after)];
}

bool MayBeSame(const OomText& a, const OomText& b) {
  if (FamilyOf(a.form) != FamilyOf(b.form) || Conflict(a.device, b.device) ||
      Conflict(a.rank, b.rank) || a.place() != b.place()) {
    return false;
  }
  if (a.victim != 0 && b.victim != 0 && a.victim != b.victim) return false;
  const bool known = a.framework != Framework::kOther && b.framework != Framework::kOther;
  // What a pool says is attributed by guess.
  if (known && a.framework != b.framework && FamilyOf(a.form) != 1) return false;
  return std::none_of(std::begin(kFields), std::end(kFields), [&](Field field) {
    return a.*field && b.*field && !MayEqual(*(a.*field), *(b.*field));
  });
}

void Complete(OomText& into, const OomText& more) {
  for (const Field field : kFields) {
    if (!(into.*field)) into.*field = more.*field;
  }
  if (into.framework == Framework::kOther || more.form == OomForm::kXla ||
      more.form == OomForm::kTensorFlow) {
    if (more.framework != Framework::kOther) into.framework = more.framework;
  }
  if (into.form == OomForm::kPool) into.form = more.form;
  if (into.backend.empty()) into.backend = more.backend;
  if (into.device < 0) into.device = more.device;
  if (into.rank < 0) into.rank = more.rank;
  if (into.processes.empty()) into.processes = more.processes;
  if (into.buffers.empty()) into.buffers = more.buffers;
  if (into.victim == 0 && more.victim != 0) {
    into.victim = more.victim;
    into.excerpt = more.excerpt;  // the line that names who was killed
  }
  if (into.victim_name.empty()) into.victim_name = more.victim_name;
  for (const std::string& hint : more.hints) {
    if (std::find(into.hints.begin(), into.hints.end(), hint) == into.hints.end()) {
      into.hints.push_back(hint);
    }
  }
  if (into.trace.empty()) {
    into.trace = more.trace;
    into.phase = more.phase;
    into.no_grad = more.no_grad;
    into.backward = more.backward;
  }
  if (!into.step) into.step = more.step;
  if (!into.epoch) into.epoch = more.epoch;
}

}  // namespace gpusight::memory
