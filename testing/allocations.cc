// SPDX-License-Identifier: Apache-2.0
#include "testing/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<uint64_t> allocations{0};

void* Allocate(size_t size) {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

uint64_t gpusight::AllocationCount() { return allocations; }

// All that may meet one of these deletes. Not inlined: the compiler would see malloc meet delete.
[[gnu::noinline]] void* operator new(size_t size) {
  if (void* memory = Allocate(size)) return memory;
  std::abort();
}
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return Allocate(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
