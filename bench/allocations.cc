// SPDX-License-Identifier: Apache-2.0
// malloc, calloc, realloc and aligned allocation, counted and passed on to glibc's. operator new
// ends in malloc, so one place sees the C++ and the C library's (opendir, fopen) alike.
#include "bench/allocations.h"

#include <atomic>
#include <cstddef>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace gpusight::bench {
namespace {

std::atomic<uint64_t> count{0};
std::atomic<MeterInsideFn> inside_driver{nullptr};

void Note() {
  const MeterInsideFn inside = inside_driver.load(std::memory_order_relaxed);
  if (inside == nullptr || !inside()) count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

uint64_t AllocationCount() { return count.load(std::memory_order_relaxed); }
void IgnoreAllocationsInside(MeterInsideFn inside) { inside_driver = inside; }

}  // namespace gpusight::bench

extern "C" {
void* malloc(size_t size) {
  gpusight::bench::Note();
  return __libc_malloc(size);
}
void* calloc(size_t items, size_t size) {
  gpusight::bench::Note();
  return __libc_calloc(items, size);
}
void* realloc(void* old, size_t size) {
  gpusight::bench::Note();
  return __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
  gpusight::bench::Note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == nullptr ? 12 : 0;  // ENOMEM
}
}
