// SPDX-License-Identifier: Apache-2.0
// A telemetry page as tests write it, field by field and without agent.c, so that the reader is
// checked against the layout itself.
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "agent/page_layout.h"

namespace gpusight::page {

class TestPage {
 public:
  static constexpr uint64_t kCreated = 1'700'000'000'000'000'000;

  TestPage() {
    std::memcpy(page().header.magic, GPUSIGHT_PAGE_MAGIC, 8);
    page().header.version = GPUSIGHT_PAGE_VERSION;
    page().header.size = sizeof(gpusight_page);
    page().header.pid = 41;
    page().header.start_ticks = 7000;
    page().header.created = kCreated;
    for (gpusight_page_memory& memory : page().memory) memory.ordinal = -1;
  }

  gpusight_page& page() { return *page_; }

  // Seconds after the page was made, as the page writes times.
  static uint64_t At(double seconds) { return kCreated + static_cast<uint64_t>(seconds * 1e9); }

  void AddStep(double end, double seconds, double wait = 0) {
    const uint64_t n = ++page().progress.steps;
    page().step[n % GPUSIGHT_PAGE_STEPS] = {n, At(end), static_cast<uint64_t>(seconds * 1e9),
                                            static_cast<uint64_t>(wait * 1e9)};
  }
  uint64_t AddStack(std::string_view text) {
    const uint64_t n = ++page().progress.stacks;
    gpusight_page_stack& stack = page().stack[(n - 1) % GPUSIGHT_PAGE_STACKS];
    stack = {};
    stack.number = n;
    std::memcpy(stack.text, text.data(), std::min(text.size(), sizeof stack.text));
    return n;
  }
  void AddSample(double time, uint64_t stack) {
    const uint64_t n = ++page().progress.samples;
    page().sample[n % GPUSIGHT_PAGE_SAMPLES] = {n, At(time), stack, 0};
  }

  void Write(const std::filesystem::path& path, size_t size = sizeof(gpusight_page)) const {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(page_.get()), static_cast<std::streamsize>(size));
  }

 private:
  std::unique_ptr<gpusight_page> page_ = std::make_unique<gpusight_page>();
};

}  // namespace gpusight::page
