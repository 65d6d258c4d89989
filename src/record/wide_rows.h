// SPDX-License-Identifier: Apache-2.0
// A frame as rows of numbers: whose they are, and the numbers in the catalogue's order. Writing,
// merging and comparing frames all go over the same rows. Next: wide_table.h.
#pragma once

#include <array>
#include <compare>
#include <span>
#include <vector>

#include "model/frame.h"
#include "record/schema.h"

namespace gpusight::record {

// Whose numbers: the id of a device, process or container; 0 for the host. `part` tells apart what
// one entity has several of: the device of a use, the ordinal of an allocator.
struct Key {
  int64_t entity = 0, part = 0;
  friend auto operator<=>(const Key&, const Key&) = default;
};

// The ids of a frame's devices, processes, …, at the same positions. Of a framework: its process.
struct FrameIds {
  std::vector<int64_t> devices, processes, containers, frameworks;
  void Clear() {
    devices.clear();
    processes.clear();
    containers.clear();
    frameworks.clear();
  }
};

using Values = std::span<const Known<double>>;

struct WideRow {
  Scope scope = Scope::kDevice;
  Key key;
  Values values;  // as RowsOf(scope)
  Values extras;  // as ExtrasOf(scope); one that is missing as "not sampled yet" is plain NULL
};

template <typename Field>
[[nodiscard]] Values ValuesOf(const FieldSet<Field>& fields) {
  return {&fields[static_cast<Field>(0)], FieldSet<Field>::size()};
}
template <typename Field>
[[nodiscard]] std::span<Known<double>> ValuesOf(FieldSet<Field>& fields) {
  return {&fields[static_cast<Field>(0)], FieldSet<Field>::size()};
}

// NULL for 0, the number else.
[[nodiscard]] inline Known<double> NotZero(double value) {
  return value == 0 ? Known<double>() : Known<double>(value);
}

// Calls visit(const WideRow&) for every row of the frame.
template <typename Visit>
void EachRow(const Frame& frame, const FrameIds& ids, Visit&& visit) {
  for (size_t i = 0; i < frame.devices.size(); ++i) {
    const DeviceSample& d = frame.devices[i];
    const std::array<Known<double>, 2> extras = {NotZero(static_cast<double>(d.state)),
                                                 d.process_count};
    visit(WideRow{Scope::kDevice, {ids.devices[i], 0}, ValuesOf(d.fields), extras});
  }
  for (size_t i = 0; i < frame.processes.size(); ++i) {
    const ProcessSample& p = frame.processes[i];
    const std::array<Known<double>, 1> state = {NotZero(p.zombie ? 1 : 0)};
    visit(WideRow{Scope::kProcess, {ids.processes[i], 0}, ValuesOf(p.fields), state});
    for (const GpuUse& use : p.uses) {
      const auto device = static_cast<size_t>(use.device);
      if (device >= ids.devices.size()) continue;
      const std::array<Known<double>, 1> types = {Known<double>(use.types)};
      visit(WideRow{
          Scope::kUse, {ids.processes[i], ids.devices[device]}, ValuesOf(use.fields), types});
    }
  }
  for (size_t i = 0; i < frame.containers.size(); ++i) {
    visit(WideRow{
        Scope::kContainer, {ids.containers[i], 0}, ValuesOf(frame.containers[i].fields), {}});
  }
  visit(WideRow{Scope::kHost, {}, ValuesOf(frame.host.fields), {}});
  for (size_t i = 0; i < frame.frameworks.size(); ++i) {
    const FrameworkSample& f = frame.frameworks[i];
    const std::array<Known<double>, 1> lost = {NotZero(static_cast<double>(f.lost))};
    visit(WideRow{Scope::kFramework, {ids.frameworks[i], 0}, ValuesOf(f.fields), lost});
    for (const AllocatorSample& a : f.allocators) {
      const auto device = static_cast<size_t>(a.device);
      const std::array<Known<double>, 2> extras = {
          a.device >= 0 && device < ids.devices.size()
              ? Known<double>(static_cast<double>(ids.devices[device]))
              : Known<double>(),
          a.age};
      visit(WideRow{Scope::kAllocator, {ids.frameworks[i], a.ordinal}, ValuesOf(a.fields), extras});
    }
  }
}

}  // namespace gpusight::record
