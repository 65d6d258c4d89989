// SPDX-License-Identifier: Apache-2.0
// All of a telemetry page is written by atomic words: a section between an odd and an even `lock`,
// a ring's entry between ~0 and its number. A reader on any processor that sees the same lock
// before and after has seen one state. For agent.c alone.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { kSpins = 200, kBeingWritten = -1 };

static inline uint64_t Get(const uint64_t* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void Set(uint64_t* word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline uint64_t Add(uint64_t* word, uint64_t value) {
  return __atomic_add_fetch(word, value, __ATOMIC_RELAXED);
}

// Each word is released, so that none is seen before the odd lock, or the ~0, that stands first.
static inline void CopyWords(void* to, const void* from, size_t size) {
  uint64_t* words = to;
  for (size_t i = 0; i < size / 8; i++) {
    uint64_t word;
    memcpy(&word, (const char*)from + 8 * i, 8);
    __atomic_store_n(&words[i], word, __ATOMIC_RELEASE);
  }
}

// The lock of a section is its first 4 bytes; the other 4 of that word are `second`.
static inline int Begin(uint32_t* lock) {
  uint32_t even = __atomic_load_n(lock, __ATOMIC_RELAXED);
  return (even & 1) == 0 &&
         __atomic_compare_exchange_n(lock, &even, even + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
static inline int BeginSoon(uint32_t* lock) {
  for (int i = 0; i < kSpins; i++) {
    if (Begin(lock)) return 1;
  }
  return 0;
}
static inline void End(uint32_t* lock) {
  __atomic_store_n(lock, __atomic_load_n(lock, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
}

// An entry of a ring: its first word is its number.
static inline void WriteEntry(void* entry, const void* value, size_t size, uint64_t number) {
  uint64_t* first = entry;
  __atomic_store_n(first, (uint64_t)kBeingWritten, __ATOMIC_RELAXED);
  CopyWords(first + 1, (const char*)value + 8, size - 8);
  __atomic_store_n(first, number, __ATOMIC_RELEASE);
}
