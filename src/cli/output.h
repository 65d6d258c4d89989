// SPDX-License-Identifier: Apache-2.0
// Where a command writes: a file descriptor, or a test's string. Nothing is buffered here; a
// command hands over whole lines or pages, so nothing half-written stays behind.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace gpusight::cli {

class Output {
 public:
  virtual ~Output() = default;
  // Writes all of it or fails. A reader that went away (EPIPE) is kIo too: see broken().
  [[nodiscard]] virtual Result<void> Write(std::string_view text) = 0;
  // Nobody reads any more; the command should end, quietly.
  virtual bool broken() const { return false; }
};

// Does not own the descriptor.
class FdOutput : public Output {
 public:
  FdOutput(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  Result<void> Write(std::string_view text) override;
  bool broken() const override { return broken_; }

 private:
  int fd_;
  std::string name_;
  bool broken_ = false;
};

class StringOutput : public Output {
 public:
  Result<void> Write(std::string_view text) override;
  std::string text;
};

}  // namespace gpusight::cli
