// SPDX-License-Identifier: Apache-2.0
// Files that are read at every sample, such as /proc/<pid>/stat. ReadBuffer is reused, KeptFile
// keeps its descriptor open, errors are errno numbers: in steady state nothing is allocated and a
// read is one system call. For files read once, see fd.h.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace gpusight {

// How a file ends. The kernel makes most files of /proc/<pid> in one piece, so that the first read
// is also the last; lists (mountinfo, net/dev) come in several and are read until nothing follows.
enum class Pieces : bool { kOne, kMany };

// The bytes of the last read. Grows to the largest file and stays so.
class ReadBuffer {
 public:
  std::string_view text() const { return {bytes_.data(), used_}; }

  // Reads the descriptor from offset 0 to its end. 0, or errno (then the text is empty); EFBIG
  // above 16 MiB.
  int ReadFrom(int fd, Pieces pieces = Pieces::kMany);

  // Opens `name` below the folder descriptor (or AT_FDCWD), reads, closes. 0 or errno.
  int ReadOnce(int folder, const char* name, Pieces pieces = Pieces::kMany);

  // The same for the first `limit` bytes of a file that may be long.
  int ReadFront(int folder, const char* name, size_t limit);

 private:
  int Fill(int fd, Pieces pieces, size_t limit);

  std::vector<char> bytes_;
  size_t used_ = 0;
};

class KeptFile {
 public:
  // Reads the file `name` below `folder`. With `keep`, it stays open for the next call, which then
  // ignores the name: a descriptor of /proc/<pid>/… goes on meaning the same process, also when
  // the number was given to another one (it then answers ESRCH). 0 or errno.
  int Read(int folder, const char* name, bool keep, ReadBuffer& buffer,
           Pieces pieces = Pieces::kOne);

  bool open() const { return fd_.valid(); }
  void Close() { fd_.Reset(); }

 private:
  UniqueFd fd_;
};

// The entries of a folder whose names are numbers (processes, threads, descriptors), sorted, into
// `out`. 0 or errno.
int ListNumbers(int folder, const char* name, std::vector<int>& out);

// Opens a folder for use as a base of relative names. Invalid when it is not there.
[[nodiscard]] UniqueFd OpenFolder(const char* path);

}  // namespace gpusight
