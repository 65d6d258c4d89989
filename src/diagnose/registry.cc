// SPDX-License-Identifier: Apache-2.0
// All rules, in the order in which one may explain another.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {
namespace {

// clang-format off
constexpr Rule kRules[] = {
    {"hw.xid_ecc", Tier::kHardware, 0, XidEcc},
    {"progress.none", Tier::kProgress, 10, NoProgress},
    {"hostmem.limit_or_thrash", Tier::kHostMemory, 30, HostLimit},
    {"phase.slow_start", Tier::kStart, 0, SlowStart},
    {"host.compile_stall", Tier::kCompile, 0, CompileStall},
    {"phase.checkpoint_stall", Tier::kPhase, 0, CheckpointStall},
    {"phase.eval_or_metric_stall", Tier::kPhase, 0, EvaluationStall},
    {"input.epoch_restart", Tier::kPhase, 0, EpochRestart},
    {"cpu.quota_throttled", Tier::kQuota, 30, QuotaThrottled},
    {"pcie.link_degraded", Tier::kLink, 30, LinkDegraded},
    {"gpu.neighbour", Tier::kNeighbour, 30, NeighbourOnCard},
    {"clock.thermal_or_hw_slowdown", Tier::kClock, 15, Slowdown},
    {"clock.pinned_low", Tier::kClock, 60, PinnedLow},
    {"input.serial_loader", Tier::kInput, 40, SerialLoader},
    {"input.too_few_workers", Tier::kInput, 40, TooFewWorkers},
    {"input.cpu_bound_preprocessing", Tier::kInput, 60, CpuBoundPreprocessing},
    {"cpu.oversubscribed", Tier::kInput, 60, Oversubscribed},
    {"io.local_disk_bound", Tier::kInput, 40, LocalDiskBound},
    {"io.remote_or_small_files", Tier::kInput, 40, RemoteOrSmallFiles},
    {"h2d.pageable_or_blocking", Tier::kInput, 60, PageableCopy},
    {"h2d.link_saturated", Tier::kInput, 40, LinkSaturated},
    {"multi.straggler_or_comm_bound", Tier::kInput, 60, Communication},
    {"host.sync_points", Tier::kHost, 60, SyncPoints},
    {"host.launch_bound", Tier::kHost, 60, LaunchBound},
    {"gpu.batch_too_small", Tier::kHost, 60, BatchTooSmall},
    {"gpu.tensor_cores_unused", Tier::kEfficiency, 60, TensorCoresUnused},
    {"gpu.bound_by", Tier::kInfo, 60, BoundBy},
    {"clock.power_cap", Tier::kInfo, 60, PowerCap},
    {"gpumem.leak", Tier::kRisk, 0, MemoryLeak},
    {"gpumem.outside_allocator", Tier::kRisk, 30, OutsideAllocator},
    {"gpumem.fragmentation", Tier::kRisk, 20, Fragmentation},
    {"gpumem.oom_soon", Tier::kRisk, 10, OomSoon},
    {"gpumem.oom_postmortem", Tier::kRisk, 0, OomPostmortem},
    {"gpumem.preallocated", Tier::kRisk, 30, Preallocated},
    {"hostmem.leak", Tier::kRisk, 0, HostLeak},
    {"shm.exhaustion", Tier::kRisk, 10, ShmExhaustion},
};
// clang-format on

}  // namespace

std::span<const Rule> Rules() { return kRules; }

}  // namespace gpusight::diagnose
