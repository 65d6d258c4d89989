// SPDX-License-Identifier: Apache-2.0
// The files that a process sees below its "/", which whoever owns its container made as he liked.
// A symbolic link among them means something in the container and never something of ours, so each
// name is resolved by the kernel with the process's "/" as its root; a pipe or a device in place
// of a file is not opened. A kernel without openat2(2) (before Linux 5.6), or a container runtime
// that forbids it, leaves us without an answer: ENOSYS or EPERM. Next: names.h.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"

namespace gpusight::cgroup {

// All of them: `process` is its folder's name in /proc ("123", "self"), `path` is absolute, the
// answer is 0 or errno.

// A regular file of at most `limit` bytes; what is longer is EFBIG, what is no file ESPIPE.
[[nodiscard]] int ReadInside(const Root& root, std::string_view process, const char* path,
                             size_t limit, std::string& text);

// Opens a regular file for reading, without waiting.
[[nodiscard]] int OpenInside(const Root& root, std::string_view process, const char* path,
                             UniqueFd& file);

// The size of the file system that holds the folder `path`. Only on the live machine.
[[nodiscard]] int SpaceInside(const Root& root, std::string_view process, const char* path,
                              Space& space);

// Whether there is anything of that name.
[[nodiscard]] int FindInside(const Root& root, std::string_view process, const char* path);

}  // namespace gpusight::cgroup
