// SPDX-License-Identifier: Apache-2.0
// The functions of all rules, one file each in this folder. To add one: its file, a line here, a
// row in registry.cc, its texts in model/text/diagnose*.h and a case in testdata/diagnose/. Next:
// ../registry.cc.
#pragma once

#include "diagnose/rule.h"

namespace gpusight::diagnose {

std::optional<Finding> XidEcc(View& view);
std::optional<Finding> NoProgress(View& view);
std::optional<Finding> HostLimit(View& view);
std::optional<Finding> SlowStart(View& view);
std::optional<Finding> CompileStall(View& view);
std::optional<Finding> CheckpointStall(View& view);
std::optional<Finding> EvaluationStall(View& view);
std::optional<Finding> EpochRestart(View& view);
std::optional<Finding> QuotaThrottled(View& view);
std::optional<Finding> LinkDegraded(View& view);
std::optional<Finding> NeighbourOnCard(View& view);
std::optional<Finding> Slowdown(View& view);
std::optional<Finding> PinnedLow(View& view);
std::optional<Finding> SerialLoader(View& view);
std::optional<Finding> TooFewWorkers(View& view);
std::optional<Finding> CpuBoundPreprocessing(View& view);
std::optional<Finding> Oversubscribed(View& view);
std::optional<Finding> LocalDiskBound(View& view);
std::optional<Finding> RemoteOrSmallFiles(View& view);
std::optional<Finding> PageableCopy(View& view);
std::optional<Finding> LinkSaturated(View& view);
std::optional<Finding> Communication(View& view);
std::optional<Finding> SyncPoints(View& view);
std::optional<Finding> LaunchBound(View& view);
std::optional<Finding> BatchTooSmall(View& view);
std::optional<Finding> TensorCoresUnused(View& view);
std::optional<Finding> BoundBy(View& view);
std::optional<Finding> PowerCap(View& view);
std::optional<Finding> MemoryLeak(View& view);
std::optional<Finding> OutsideAllocator(View& view);
std::optional<Finding> Fragmentation(View& view);
std::optional<Finding> OomSoon(View& view);
std::optional<Finding> OomPostmortem(View& view);
std::optional<Finding> Preallocated(View& view);
std::optional<Finding> HostLeak(View& view);
std::optional<Finding> ShmExhaustion(View& view);

}  // namespace gpusight::diagnose
