// SPDX-License-Identifier: Apache-2.0
// A file to which whole lines are appended: rotation by size and age, reopening, and no half line
// left behind by a disk that filled up. Several programs may append to one file, but a file that
// is rotated has one writer only (flock). Also serves standard output, which neither rotates nor
// reopens. Next: log.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace gpusight::cli {

struct Rotation {
  uint64_t size = 0;  // bytes; 0: not by size
  double age = 0;     // seconds; 0: not by age
  uint64_t keep = 5;  // old files "path.1" (newest) to "path.<keep>"; 0: none
  // Whether a file that begins so is ours to move and to replace; without it every one is.
  bool (*ours)(std::string_view beginning) = nullptr;
};

// Not thread-safe. The clock must outlive it.
class LineFile {
 public:
  // Standard output (or another open descriptor, which stays open).
  LineFile(int fd, std::string name, std::string header, const Clock& clock);
  // Opens for appending. `header` opens every new file; a file that is there and begins with
  // another one is refused, since its columns would not match (kUsage). So is a file that another
  // LineFile writes to, if one of the two rotates (EWOULDBLOCK). One that rotates is refused where
  // a file of others lies under its name or that of an old file (kBadInput, `what` is that file).
  [[nodiscard]] static Result<LineFile> Open(std::string path, std::string header,
                                             Rotation rotation, const Clock& clock);

  // Appends whole lines, rotating first when it is due, and to a new file when the old one was
  // removed. After an error nothing of them is there.
  [[nodiscard]] Result<void> Write(std::string_view lines);

  // Opens the path again (SIGHUP), since another program may have moved the file. After an error
  // the old one stays in use.
  [[nodiscard]] Result<void> Reopen();

  // Why the file could not be rotated, once until it works again; meanwhile it is written on as it
  // is, and tried again whenever it is due.
  [[nodiscard]] std::optional<Error> TakeRotationError();

  int fd() const { return fd_; }
  bool reader_gone() const { return reader_gone_; }  // EPIPE

 private:
  Result<void> OpenPath();
  Result<void> CheckOwner(const std::string& path) const;
  Result<void> CheckHeader(int fd) const;
  Result<void> RotateIfDue(size_t more);
  // Renames the file and the older ones, or says why not and leaves all as it was.
  Result<void> MoveAway() const;
  Result<void> Append(std::string_view lines);

  UniqueFd owned_;
  int fd_ = -1;
  std::string path_;  // empty for a borrowed descriptor
  std::string name_;
  std::string header_;
  Rotation rotation_;
  const Clock* clock_;
  bool regular_ = false;
  bool header_due_ = false;
  uint64_t size_ = 0;
  WallTime born_;
  bool reader_gone_ = false;
  bool rotation_failed_ = false;
  std::optional<Error> rotation_error_;
};

}  // namespace gpusight::cli
