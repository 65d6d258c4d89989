// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, loaded at run time. Calls is one pointer for each function of
// abi.h; a function that this driver lacks is null and costs one field, never the program.
// Next: driver.h, through which everything else calls.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "base/result.h"
#include "probe/nvml/abi.h"

namespace gpusight::nvml {

// NOLINTBEGIN(bugprone-macro-parentheses): a parameter list is no expression
struct Calls {
#define GPUSIGHT_CALL(name, parameters) Return(*name) parameters = nullptr;
  GPUSIGHT_NVML_CALLS(GPUSIGHT_CALL)
#undef GPUSIGHT_CALL
};
// NOLINTEND(bugprone-macro-parentheses)

// Where the library is looked for when no path is given, in this order: the dynamic loader's own
// search, then WSL2's folder, then where distributions, containers and cloud images put it. Never
// the unversioned name: that is a stub of the CUDA toolkit.
[[nodiscard]] std::span<const char* const> LibraryPlaces();

// Owns the loaded library; unloads it when it goes. Movable, not copyable.
class Library {
 public:
  Library() = default;
  Library(Library&& other) noexcept { *this = std::move(other); }
  Library& operator=(Library&& other) noexcept;
  ~Library() { Close(); }

  // Loads `path`, or, when that is empty, the first of LibraryPlaces() that can be loaded.
  [[nodiscard]] static Result<Library> Open(const std::string& path);

  bool loaded() const { return handle_ != nullptr; }
  const Calls& calls() const { return calls_; }
  const std::string& path() const { return path_; }  // of the file that was loaded

  void Close();
  // Leaves the library loaded for ever: for when a thread may still be inside it.
  void Forget() { handle_ = nullptr; }

 private:
  void* handle_ = nullptr;
  Calls calls_;
  std::string path_;
};

}  // namespace gpusight::nvml
