// SPDX-License-Identifier: Apache-2.0
#include "report/memory_account.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace gpusight::report {
namespace {

// More processes than are shown are told apart until it is known which of them are large.
constexpr size_t kMostApart = 24;

}  // namespace

std::string_view LayerName(LayerKind kind) {
  switch (kind) {
    case LayerKind::kAllocated:
      return "allocated";
    case LayerKind::kInactiveSplit:
      return "inactive_split";
    case LayerKind::kOtherCached:
      return "other_cached";
    case LayerKind::kCached:
      return "cached";
    case LayerKind::kOutside:
      return "outside_allocator";
    case LayerKind::kProcess:
      return "process";
    case LayerKind::kOtherProcesses:
      return "other_processes";
    case LayerKind::kResidual:
      return "residual";
    case LayerKind::kDriverReserved:
      return "driver_reserved";
    case LayerKind::kFree:
      return "free";
  }
  return "";
}

void MemoryBuilder::AddProcess(int process, const Known<double>& memory,
                               const AllocatorSample* allocator) {
  if (!memory) {
    incomplete_now_ = true;
    report_.incomplete = memory.missing();
    return;
  }
  Share share{.memory = std::round(*memory)};
  if (allocator != nullptr) {
    const auto& fields = allocator->fields;
    share.reserved = std::round(fields[AllocatorField::kReserved].value_or(kNone));
    share.allocated = std::round(fields[AllocatorField::kAllocated].value_or(kNone));
    share.inactive_split = std::round(fields[AllocatorField::kInactiveSplit].value_or(kNone));
  }
  now_.emplace_back(process, share);
}

std::vector<MemoryBuilder::Share>* MemoryBuilder::Find(int process) {
  const auto found = shares_.find(process);
  if (found != shares_.end()) return &found->second;
  if (process < 0 || shares_.size() >= kMostApart) return nullptr;
  return &shares_.emplace(process, std::vector<Share>(grid_->count)).first->second;
}

void MemoryBuilder::Add(Reach reach, const DeviceSample& device) {
  const auto now = std::exchange(now_, {});
  const bool incomplete = std::exchange(incomplete_now_, false) || !device.process_count;
  if (!device.process_count) report_.incomplete = device.process_count.missing();
  const auto& total = device[DeviceField::kMemoryTotal];
  const auto& used = device[DeviceField::kMemoryUsed];
  const auto& free = device[DeviceField::kMemoryFree];
  for (const Known<double>* need : {&total, &used, &free}) {
    if (*need) continue;
    if (!report_.peak_used) report_.peak_used = need->missing();
    return;
  }
  if (pieces_.empty()) pieces_.resize(grid_->count);
  // Merged frames hold means; to the byte, sums hold for whole bytes only.
  const double driver = std::round(device[DeviceField::kMemoryDriverReserved].value_or(kNone));
  const double all = std::round(*total), taken = std::round(*used);
  const double gap = all - taken - std::round(*free) - (std::isnan(driver) ? 0 : driver);
  const double rest = std::round(*free) + (std::fabs(gap) <= 2 ? gap : 0);
  const auto put = [&](size_t at) {
    for (auto& [process, shares] : shares_) shares[at] = {};
    pieces_[at] = {all, taken, rest, driver, 0, incomplete};
    for (const auto& [process, share] : now) {
      if (std::vector<Share>* shares = Find(process)) {
        (*shares)[at] = share;
      } else {
        pieces_[at].others += share.memory;
      }
    }
  };
  // Its own piece shows the most of all frames in it; those before it that it speaks for, too, and
  // that have no frame, show it.
  const size_t last = grid_->At(reach.end);
  const double seconds = std::clamp(reach.seconds, 0.0, kLongestReach);
  const size_t first = grid_->At({reach.end.ns - static_cast<int64_t>(seconds * 1e9)});
  for (size_t at = first; at < last; ++at) {
    if (std::isnan(pieces_[at].total)) put(at);
  }
  if (std::isnan(pieces_[last].total) || pieces_[last].used < taken) put(last);
  // The last one at the peak: what the allocator said came up to a second before the frame.
  if (!report_.peak_used || taken >= *report_.peak_used) {
    report_.peak_used = taken;
    report_.peak_at = reach.end;
    report_.peak_total = all;
    peak_piece_ = last;
  }
}

void MemoryBuilder::PutLayers(std::vector<Layer>& layers, int process,
                              const std::vector<Share>& shares) {
  const auto add = [&](LayerKind kind, const std::function<double(const Share&)>& of) {
    Layer layer{kind, process, {}, 0};
    layer.bytes.reserve(shares.size());
    bool any = false;
    for (const Share& share : shares) {
      layer.bytes.push_back(of(share));
      any = any || layer.bytes.back() != 0;
    }
    if (any) layers.push_back(std::move(layer));
  };
  const auto told = [](const Share& s) { return !std::isnan(s.reserved + s.allocated); };
  const auto split = [&](const Share& s) { return told(s) && !std::isnan(s.inactive_split); };
  add(LayerKind::kAllocated, [&](const Share& s) { return told(s) ? s.allocated : 0; });
  add(LayerKind::kInactiveSplit, [&](const Share& s) { return split(s) ? s.inactive_split : 0; });
  add(LayerKind::kOtherCached,
      [&](const Share& s) { return split(s) ? s.reserved - s.allocated - s.inactive_split : 0; });
  add(LayerKind::kCached,
      [&](const Share& s) { return told(s) && !split(s) ? s.reserved - s.allocated : 0; });
  add(LayerKind::kOutside, [&](const Share& s) { return told(s) ? s.memory - s.reserved : 0; });
  add(LayerKind::kProcess, [&](const Share& s) { return told(s) ? 0 : s.memory; });
}

void MemoryBuilder::AddMost(double used) {
  if (std::isfinite(used)) most_ = std::max(most_, std::round(used));
}

MemoryReport MemoryBuilder::Take() {
  MemoryReport report = std::exchange(report_, {});
  if (pieces_.empty()) return report;
  if (report.peak_used && most_ > *report.peak_used) report.unaccounted_peak = most_;
  // The largest processes get layers of their own.
  std::vector<std::pair<double, int>> order;
  for (const auto& [process, shares] : shares_) {
    double most = 0;
    for (const Share& share : shares) most = std::max(most, share.memory);
    order.emplace_back(-most, process);
  }
  std::sort(order.begin(), order.end());
  for (size_t i = own_; i < order.size(); ++i) {
    const std::vector<Share>& shares = shares_[order[i].second];
    for (size_t at = 0; at < pieces_.size(); ++at) pieces_[at].others += shares[at].memory;
  }
  order.resize(std::min(order.size(), own_));
  const size_t count = pieces_.size();
  std::vector<double> processes(count);
  for (const auto& [most, process] : order) {
    const std::vector<Share>& shares = shares_[process];
    for (size_t at = 0; at < count; ++at) processes[at] += shares[at].memory;
    PutLayers(report.layers, process, shares);
  }
  Layer others{LayerKind::kOtherProcesses, -1, std::vector<double>(count), 0};
  Layer residual{LayerKind::kResidual, -1, std::vector<double>(count), 0};
  Layer reserved{LayerKind::kDriverReserved, -1, std::vector<double>(count), 0};
  Layer free{LayerKind::kFree, -1, std::vector<double>(count), 0};
  bool any_others = false, any_reserved = false;
  report.total.resize(count, kNone);
  for (size_t at = 0; at < count; ++at) {
    const Piece& piece = pieces_[at];
    report.total[at] = piece.total;
    others.bytes[at] = piece.others;
    residual.bytes[at] = piece.used - processes[at] - piece.others;
    reserved.bytes[at] = std::isnan(piece.driver_reserved) ? 0 : piece.driver_reserved;
    free.bytes[at] = piece.free;
    any_others = any_others || piece.others != 0;
    any_reserved = any_reserved || !std::isnan(piece.driver_reserved);
    if (std::isnan(piece.total)) continue;
    report.incomplete_pieces += piece.incomplete ? 1 : 0;
    const double sum = piece.used + piece.free + reserved.bytes[at];
    report.unbalanced_pieces += sum == piece.total ? 0 : 1;
  }
  if (any_others) report.layers.push_back(std::move(others));
  report.layers.push_back(std::move(residual));
  if (any_reserved) report.layers.push_back(std::move(reserved));
  report.layers.push_back(std::move(free));
  for (Layer& layer : report.layers) {
    layer.at_peak = layer.bytes[peak_piece_];
    for (size_t at = 0; at < count; ++at) {
      if (std::isnan(report.total[at])) layer.bytes[at] = kNone;
    }
  }
  return report;
}

}  // namespace gpusight::report
