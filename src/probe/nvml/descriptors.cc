// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/descriptors.h"

#include <sys/eventfd.h>

#include <array>

#include "base/fd.h"

namespace gpusight::nvml {
namespace {

// The library opens the control node and its parameters, then a node for every device.
constexpr size_t kNeeded = 8;

}  // namespace

bool MayLackDescriptors(Return code) {
  return code == kLibraryNotFound || code == kDriverNotLoaded || code == kNoPermission ||
         code == kInsufficientResources || code == kUnknown;
}

bool FewDescriptorsLeft() {
  std::array<UniqueFd, kNeeded> tried;
  for (UniqueFd& one : tried) {
    one = UniqueFd(eventfd(0, EFD_CLOEXEC));
    if (!one.valid()) return true;
  }
  return false;
}

}  // namespace gpusight::nvml
