// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/process_list.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "probe/nvml/chores.h"
#include "probe/nvml/errors.h"

namespace gpusight::nvml {
namespace {

using ListCall = Return (*Calls::*)(Device, unsigned*, void*);

struct Kind {
  UseType type;
  std::array<ListCall, 3> calls;  // newest first
};

constexpr std::array<Kind, 3> kKinds = {
    Kind{UseType::kCompute,
         {&Calls::nvmlDeviceGetComputeRunningProcesses_v3,
          &Calls::nvmlDeviceGetComputeRunningProcesses_v2,
          &Calls::nvmlDeviceGetComputeRunningProcesses}},
    Kind{UseType::kGraphics,
         {&Calls::nvmlDeviceGetGraphicsRunningProcesses_v3,
          &Calls::nvmlDeviceGetGraphicsRunningProcesses_v2,
          &Calls::nvmlDeviceGetGraphicsRunningProcesses}},
    Kind{UseType::kMps,
         {&Calls::nvmlDeviceGetMPSComputeRunningProcesses_v3,
          &Calls::nvmlDeviceGetMPSComputeRunningProcesses_v2,
          &Calls::nvmlDeviceGetMPSComputeRunningProcesses}},
};

constexpr size_t kFirstRoom = 64;  // records
constexpr size_t kMostRoom = 1 << 16;

}  // namespace

void MergeUses(std::vector<Use>& uses) {
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return std::tie(a.pid, a.device) < std::tie(b.pid, b.device);
  });
  size_t kept = 0;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (kept > 0 && uses[kept - 1].pid == uses[i].pid && uses[kept - 1].device == uses[i].device) {
      Use& merged = uses[kept - 1];
      merged.types |= uses[i].types;
      const bool known = merged.memory < kMemoryImplausible;
      const bool other_known = uses[i].memory < kMemoryImplausible;
      if (other_known && (!known || uses[i].memory > merged.memory)) merged.memory = uses[i].memory;
      continue;
    }
    uses[kept++] = uses[i];
  }
  uses.resize(kept);
}

ProcessLists::Outcome ProcessLists::ReadKind(Pass& pass, Gpu& gpu, size_t kind, uint64_t total) {
  const Kind& row = kKinds[kind];
  uint8_t& version = version_[kind];
  for (; version < row.calls.size(); ++version) {
    if (!pass.driver.Has(row.calls[version])) continue;
    Return code = kInsufficientSize;
    unsigned count = 0;
    for (int tries = 0; tries < 4 && code == kInsufficientSize; ++tries) {
      // Some drivers do not say how many they need; some more may start meanwhile.
      const size_t wanted = count + size_t{count} / 4;
      if (count > 0)
        buffer_.resize(kRecordRoom * std::min(kMostRoom, std::max(2 * Room(), wanted)));
      count = static_cast<unsigned>(Room());
      Prefill(buffer_);
      code = pass.driver.Ask(row.calls[version], gpu.handle, &count,
                             static_cast<void*>(buffer_.data()));
    }
    if (code == kFunctionNotFound || code == kArgumentVersionMismatch) continue;  // an older one
    if (code != kSuccess) return {code, false};
    count = std::min(count, static_cast<unsigned>(Room()));
    const Layout layout = FindLayout(buffer_, count, total);
    pass.rejected += DecodeProcesses(buffer_, count, layout, total, records_);
    return {kSuccess, count > 0 && layout.stride == 0};
  }
  return {kFunctionNotFound, false};
}

bool ProcessLists::Lives(unsigned pid) const {
  std::array<char, 4200> path{};
  const auto end =
      fmt::format_to_n(path.data(), path.size() - 1, "{}/proc/{}", root_.folder(), pid);
  return end.size < path.size() && access(path.data(), F_OK) == 0;
}

bool ProcessLists::StillTrue(const Pass& pass, const Gpu& gpu, const ListState& state) const {
  const Known<double>& used = gpu.sample.fields[DeviceField::kMemoryUsed];
  if (!state.good || !used || *used != state.used || state.records.size() > kMostLooked) {
    return false;
  }
  const double age = static_cast<double>(pass.mono - state.pace.last) * 1e-9;
  const double most = state.records.empty() ? kEmptySeconds : kListSeconds;
  if (age + 0.05 * pass.interval >= most) return false;
  return std::all_of(state.records.begin(), state.records.end(),
                     [&](const ProcessRecord& record) { return Lives(record.pid); });
}

Return ProcessLists::Read(Pass& pass, Gpu& gpu, uint16_t device, std::vector<Use>& uses) {
  if (buffer_.empty()) buffer_.resize(kFirstRoom * kRecordRoom);
  const auto total =
      static_cast<uint64_t>(gpu.sample.fields[DeviceField::kMemoryTotal].value_or(0));
  const size_t first = uses.size();
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    const bool compute = kKinds[kind].type == UseType::kCompute;
    ListState& state = gpu.lists[kind];
    const bool due =
        compute || !state.records.empty() || IsDue(pass, state.pace, kShareOfSlowSource, 0);
    if (state.refused || !due) continue;
    Outcome outcome;
    if (!StillTrue(pass, gpu, state)) {
      const Timed timed(pass, state.pace);
      records_.clear();
      outcome = ReadKind(pass, gpu, kind, total);
      state.records.assign(records_.begin(), records_.end());
      state.good = outcome.code == kSuccess && !outcome.noise;
      state.used = gpu.sample.fields[DeviceField::kMemoryUsed].value_or(-1);
    }
    if (IsDeviceGone(outcome.code) || IsSessionLost(outcome.code)) return outcome.code;
    if (outcome.code != kSuccess) {
      state.refused = IsRefusal(outcome.code);
      state.refusal = outcome.code;
      if (!state.refused) pass.Failed(outcome.code);
    }
    // A device without graphics or MPS is whole without those lists; compute must answer.
    if (outcome.noise || (compute && outcome.code != kSuccess && !state.refused)) {
      gpu.sample.process_count =
          outcome.noise ? Missing{Absence::kImplausible, 0} : MissingOf(outcome.code);
      uses.resize(first);
      return kSuccess;
    }
    for (const ProcessRecord& record : state.records) {
      uses.push_back({static_cast<int>(record.pid), device, static_cast<uint8_t>(kKinds[kind].type),
                      record.memory});
    }
  }
  const ListState& compute = gpu.lists[0];
  if (compute.refused && uses.size() == first) {
    gpu.sample.process_count = MissingOf(compute.refusal);
  } else {
    gpu.sample.process_count = 0.0;  // counted once they are merged
  }
  return kSuccess;
}

}  // namespace gpusight::nvml
