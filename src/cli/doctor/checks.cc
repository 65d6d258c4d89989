// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/check.h"
#include "model/text/doctor.h"

namespace gpusight::doctor {
namespace {

constexpr Check kDriver[] = {CheckCards,        CheckModule, CheckLibrary, CheckVersions,
                             CheckDriverAnswer, CheckNodes,  CheckUvm,     CheckFabric};
constexpr Check kContainer[] = {CheckContainer,    CheckNvidiaVariables, CheckReload,
                                CheckPidNamespace, CheckToolkit,         CheckCdi};
constexpr Check kDevices[] = {
    CheckDevices, CheckPersistence, CheckComputeMode, CheckMig,   CheckPcie, CheckNvlink, CheckNuma,
    CheckPower,   CheckClocks,      CheckEcc,         CheckRemap, CheckXids, CheckHolders};
constexpr Check kHost[] = {CheckCpus,   CheckMemoryLimit, CheckShm,     CheckPids,
                           CheckLimits, CheckOvercommit,  CheckGovernor};
constexpr Check kProfiling[] = {CheckCapabilities, CheckMonitors, CheckInjection};
constexpr Check kEnvironment[] = {CheckVisibleDevices, CheckThreads, CheckMemoryFlags};

constexpr Group kGroups[] = {
    {text::kGroupDriver, kDriver},       {text::kGroupContainer, kContainer},
    {text::kGroupDevices, kDevices},     {text::kGroupHost, kHost},
    {text::kGroupProfiling, kProfiling}, {text::kGroupEnvironment, kEnvironment},
};

}  // namespace

std::span<const Group> Groups() { return kGroups; }

}  // namespace gpusight::doctor
