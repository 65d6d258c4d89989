// SPDX-License-Identifier: Apache-2.0
// Pure parsers of the texts that collect.cc reads: the driver's files in /proc, limits, capability
// masks, library names, container specifications, the kernel's log. All take any bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/doctor/facts.h"

namespace gpusight::doctor {

// /proc/driver/nvidia/version: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  …".
void ParseDriverVersion(std::string_view text, KernelDriver& driver);

// /proc/driver/nvidia/params: the number after "RmProfilingAdminOnly:".
[[nodiscard]] std::optional<bool> ParseProfilingParameter(std::string_view text);

// /proc/modules: is there a module of that name?
[[nodiscard]] bool HasModule(std::string_view modules, std::string_view name);

// /lib/modules/<kernel>/modules.dep: does it name a module nvidia, compressed or not?
[[nodiscard]] bool NamesNvidiaModule(std::string_view dependencies);

// "libcuda.so.580.159.04" -> "580.159.04"; nullopt for another name or a short version ("1").
[[nodiscard]] std::optional<std::string> VersionOfLibrary(std::string_view file_name,
                                                          std::string_view stem);

// Every driver version in a CDI specification: those of the libcuda and libnvidia-ml it names.
[[nodiscard]] std::vector<std::string> VersionsInSpec(std::string_view text);

// /proc/<pid>/limits: the soft limit of that line; kNoLimit for "unlimited".
[[nodiscard]] Known<double> ParseLimitLine(std::string_view limits, std::string_view name);

// /proc/<pid>/status: the hexadecimal number after "CapEff:", and so on.
[[nodiscard]] std::optional<uint64_t> ParseStatusMask(std::string_view status,
                                                      std::string_view key);
// The first number after that key ("Uid:").
[[nodiscard]] std::optional<uint64_t> ParseStatusNumber(std::string_view status,
                                                        std::string_view key);
// How many CPUs "Cpus_allowed_list:" names; 0 when it says nothing.
[[nodiscard]] int ParseCpusAllowed(std::string_view status);

// "pid:[4026531836]" -> 4026531836.
[[nodiscard]] std::optional<uint64_t> ParseNamespaceLink(std::string_view link);
inline constexpr uint64_t kInitialPidNamespace = 0xEFFFFFFC;

// /proc/<pid>/environ, or environ(7) joined by NUL bytes.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> ParseEnvironment(
    std::string_view text);

// Messages "NVRM: Xid (PCI:0000:00:06): 31, pid=…" of /dev/kmsg's records
// ("6,339,5140900,-;NVRM: …", the third number being microseconds after boot).
[[nodiscard]] std::vector<XidMessage> ParseKernelLog(std::string_view records);

}  // namespace gpusight::doctor
