// SPDX-License-Identifier: Apache-2.0
// Where the memory of a device was, over time, as layers that stand on each other:
//   allocated + inactive split + other cached = reserved      (the framework's allocator)
//   reserved + outside the allocator = the process's memory
//   processes + other processes + residual + driver reserved + free = total
// Each piece of the grid shows the one frame in which most was used, so that the sums hold to the
// byte and no peak is lost. Next: model.h.
#pragma once

#include <map>
#include <vector>

#include "model/frame.h"
#include "report/curve.h"

namespace gpusight::report {

enum class LayerKind : uint8_t {
  kAllocated,
  kInactiveSplit,
  kOtherCached,  // reserved - allocated - inactive split
  kCached,       // reserved - allocated, where the framework does not tell the split
  kOutside,      // of the allocator: context, libraries
  kProcess,      // all of a process that says nothing of its allocator
  kOtherProcesses,
  kResidual,
  kDriverReserved,
  kFree,
};

// "allocated", "inactive_split", …; the words of the JSON.
[[nodiscard]] std::string_view LayerName(LayerKind kind);

struct Layer {
  LayerKind kind = LayerKind::kFree;
  int process = -1;           // position in the report's list of processes; -1: no single one
  std::vector<double> bytes;  // per piece; NaN where there is no account
  double at_peak = 0;
};

struct MemoryReport {
  std::vector<Layer> layers;  // the lowest first
  std::vector<double> total;  // per piece; NaN where there is no account
  Known<double> peak_used;    // missing: no frame had an account, and why
  WallTime peak_at;
  double peak_total = 0;
  // More than that was used in a frame that was merged since: of that moment only the sum is kept.
  // 0: there was none.
  double unaccounted_peak = 0;
  // Pieces in which a process's share is not known, so that the residual holds it.
  size_t incomplete_pieces = 0;
  Missing incomplete;
  // Pieces in which the driver's own numbers do not add up to its total.
  size_t unbalanced_pieces = 0;
};

class MemoryBuilder {
 public:
  // `own`: how many processes get layers of their own.
  explicit MemoryBuilder(const Grid& grid, size_t own = 6) : grid_(&grid), own_(own) {}

  // One process on this device in a frame, for the next Add(). `allocator` may be null.
  void AddProcess(int process, const Known<double>& memory, const AllocatorSample* allocator);
  void Add(Reach reach, const DeviceSample& device);
  // The most of a merged frame.
  void AddMost(double used);
  MemoryReport Take();

 private:
  struct Share {
    double memory = 0;
    double allocated = kNone, inactive_split = kNone, reserved = kNone;
  };
  struct Piece {
    double total = kNone, used = 0, free = 0, driver_reserved = kNone;
    double others = 0;  // processes beyond those that are kept apart
    bool incomplete = false;
  };
  std::vector<Share>* Find(int process);
  static void PutLayers(std::vector<Layer>& layers, int process, const std::vector<Share>& shares);

  const Grid* grid_;
  size_t own_;
  std::vector<Piece> pieces_;
  std::map<int, std::vector<Share>> shares_;  // by process, per piece
  std::vector<std::pair<int, Share>> now_;
  bool incomplete_now_ = false;
  MemoryReport report_;
  size_t peak_piece_ = 0;
  double most_ = 0;
};

}  // namespace gpusight::report
