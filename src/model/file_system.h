// SPDX-License-Identifier: Apache-2.0
// Kinds of file systems, as far as the speed of a data set depends on them. Pure.
#pragma once

#include <string_view>

namespace gpusight {

// Whether files of this type ("nfs4", "fuse.s3fs") come over a network, or from a program of
// which we must assume so: each open and each small read then costs a round trip.
[[nodiscard]] bool IsNetworkFileSystem(std::string_view type);

// Whether it holds no files of users (proc, sysfs, devpts, …).
[[nodiscard]] bool IsPseudoFileSystem(std::string_view type);

}  // namespace gpusight
