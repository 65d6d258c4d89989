// SPDX-License-Identifier: Apache-2.0
// The fuzz targets without a fuzzer: runs LLVMFuzzerTestOneInput once on each file named, and on
// each file of the folders named, so that every build with tests replays what was found before.
// It fails when no input was read: a corpus that went missing must not look like a pass.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/fd.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int count, char** arguments) {
  std::vector<std::string> files;
  for (int i = 1; i < count; ++i) {
    std::error_code error;
    if (!std::filesystem::is_directory(arguments[i], error)) {
      files.emplace_back(arguments[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i], error)) {
      if (entry.is_regular_file(error)) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "no inputs: name corpus folders or files\n");
    return 1;
  }
  for (const std::string& file : files) {
    const auto bytes = gpusight::ReadFile(file);
    if (!bytes) {
      std::fprintf(stderr, "%s\n", bytes.error().what.c_str());
      return 1;
    }
    // A copy of exactly that size, so that a sanitizer sees a read behind the end.
    const std::vector<uint8_t> exact(bytes->begin(), bytes->end());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
  }
  std::printf("replayed %zu inputs\n", files.size());
  return 0;
}
