// SPDX-License-Identifier: Apache-2.0
// The folder /proc below the Root: opened once, paths below it built without allocating, errno
// numbers turned into reasons. Next: process_reader.h.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "base/fd.h"
#include "base/kept_file.h"
#include "model/known.h"

namespace gpusight::host {

// A short path such as "1234/task/1240/stat", of numbers and texts. By hand: a path is built for
// every file that is opened.
class ShortPath {
 public:
  template <typename... Pieces>
  explicit ShortPath(const Pieces&... pieces) {
    (Add(pieces), ...);
    *end_ = '\0';
  }
  const char* c_str() const { return text_.data(); }

 private:
  void Add(std::string_view piece) {
    const size_t size = std::min(piece.size(), Room());
    end_ = std::copy_n(piece.data(), size, end_);
  }
  void Add(int number) {
    const auto [end, error] = std::to_chars(end_, end_ + Room(), number);
    if (error == std::errc{}) end_ = end;
  }
  size_t Room() const { return static_cast<size_t>(text_.data() + text_.size() - 1 - end_); }

  std::array<char, 96> text_;
  char* end_ = text_.data();
};

struct ProcFolder {
  explicit ProcFolder(const Root& root)
      : folder(OpenFolder(root.Path("/proc").c_str())), live(root.live()) {}
  UniqueFd folder;
  bool live;  // the running kernel's: descriptors of it may be kept
  uint64_t reads = 0;
  uint64_t failures = 0;  // neither "not there" nor "not for us"
  uint64_t rejected = 0;  // read, but not what it should be

  void Note(int error, bool parsed) {
    if (error == 0) {
      rejected += parsed ? 0 : 1;
    } else if (error != ENOENT && error != ESRCH && error != EACCES && error != EPERM) {
      ++failures;
    }
  }
};

// Why a file of a process could not be read.
[[nodiscard]] inline Missing WhyProcess(int error_number) {
  switch (error_number) {
    case 0:  // read, but not what it should be
      return {Absence::kImplausible};
    case ENOENT:
    case ESRCH:
      return {Absence::kGone};
    case EACCES:
    case EPERM:
      return {Absence::kNoPermission};
    case EBADF:  // there is no /proc
      return {Absence::kNotSupported};
    default:
      return {Absence::kSystemError, error_number};
  }
}

// Why a file of the machine could not be read.
[[nodiscard]] inline Missing WhyMachine(int error_number) {
  const bool absent = error_number == ENOENT || error_number == EOPNOTSUPP;
  return absent ? Missing{Absence::kNotSupported} : WhyProcess(error_number);
}

}  // namespace gpusight::host
