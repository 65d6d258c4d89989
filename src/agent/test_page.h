// SPDX-License-Identifier: Apache-2.0
// What the tests of the page's writer share: a folder of their own, a page mapped by its path as a
// reader maps it, and a reader that keeps to the rules of page_layout.h. Next: agent_test.cc.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "agent/agent.h"
#include "agent/page_layout.h"

namespace gpusight {

class PageTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("page_" + std::to_string(getpid()) +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    setenv("GPUSIGHT_PAGE_DIR", folder_.c_str(), 1);
    unsetenv("GPUSIGHT");
  }
  void TearDown() override {
    gpusight_close(agent_);
    unsetenv("GPUSIGHT_PAGE_DIR");
    std::filesystem::remove_all(folder_);
  }
  void Open() {
    gpusight_status status = GPUSIGHT_OK;
    agent_ = gpusight_open("test 1.0", &status);
    ASSERT_NE(agent_, nullptr) << gpusight_status_name(status);
  }
  std::filesystem::path PagePath() const { return folder_ / (std::to_string(getpid()) + ".page"); }
  std::filesystem::path folder_;
  gpusight_agent* agent_ = nullptr;
};

// A page as a reader sees it.
class MappedPage {
 public:
  explicit MappedPage(const std::filesystem::path& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* map = mmap(nullptr, sizeof(gpusight_page), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    page_ = map == MAP_FAILED ? nullptr : static_cast<gpusight_page*>(map);
  }
  MappedPage(const MappedPage&) = delete;
  MappedPage& operator=(const MappedPage&) = delete;
  ~MappedPage() {
    if (page_ != nullptr) munmap(page_, sizeof *page_);
  }
  const gpusight_page* operator->() const { return page_; }

 private:
  gpusight_page* page_ = nullptr;
};

template <typename T>
void CopyWords(const T& from, T& to) {
  const auto* words = reinterpret_cast<const uint64_t*>(&from);
  for (size_t i = 0; i < sizeof(T) / 8; i++) {
    const uint64_t word = __atomic_load_n(&words[i], __ATOMIC_ACQUIRE);
    memcpy(reinterpret_cast<char*>(&to) + 8 * i, &word, 8);
  }
}

// One state of a section, whenever it can be had.
template <typename Section>
Section ReadSection(const Section& section) {
  Section copy;
  for (;;) {
    const uint32_t before = __atomic_load_n(&section.lock, __ATOMIC_ACQUIRE);
    CopyWords(section, copy);
    if (before % 2 == 0 && before == __atomic_load_n(&section.lock, __ATOMIC_RELAXED)) return copy;
  }
}

// Whether `copy` became entry `number` of a ring.
template <typename Entry>
bool ReadEntry(const Entry& entry, uint64_t number, Entry& copy) {
  if (__atomic_load_n(&entry.number, __ATOMIC_ACQUIRE) != number) return false;
  CopyWords(entry, copy);
  return __atomic_load_n(&entry.number, __ATOMIC_RELAXED) == number;
}

}  // namespace gpusight
