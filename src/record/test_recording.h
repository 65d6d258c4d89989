// SPDX-License-Identifier: Apache-2.0
// Makes recordings for tests: a folder that goes away, frames into a file without a thread, and
// frames that are compared. For tests only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/frame.h"
#include "record/reader.h"
#include "record/writer.h"

namespace gpusight::record {

class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::string Path(const std::string& name = "run.gpusight") const { return path_ + "/" + name; }
  std::vector<std::string> Names() const;

 private:
  std::string path_;
};

// A recording of `count` frames that `make` fills, committed every `batch` frames; the findings
// with the last.
void Record(const std::string& path, int count, const std::function<void(Frame&)>& make,
            const WriterOptions& options = {}, int batch = 1, const RunFacts& facts = {},
            bool locks = true, const std::vector<Finding>& findings = {});

// All frames of a file, from that time on.
std::vector<Frame> ReadFrames(const std::string& path, WallTime from = {});

// Fails the running test unless `read` is what a recording keeps of `written`. `lazy`: also numbers
// that a recording may hold for some seconds.
void ExpectSame(const Frame& written, const Frame& read, bool lazy = false);

}  // namespace gpusight::record
