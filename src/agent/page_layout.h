// SPDX-License-Identifier: Apache-2.0
// The telemetry page, byte for byte: a file that a process maps and writes, and that gpusight maps
// and reads, also after the process was killed. Plain C, fixed offsets, little endian, no pointer.
// What changes together stands in one section; `lock` of the section is odd while it is written
// (a sequence lock; one writer at a time). Rings are written without it: entry n % size is valid
// when its `number` says n before and after it was read.
// Every field is hostile to its reader: a text may lack its end, a count may be anything.
// A layout is never changed, only followed by another one with a higher version; docs/page.md has
// the table. Next: agent.h (how programs write it), probe/page (how gpusight reads it).
#pragma once

#include <stdint.h>

#define GPUSIGHT_PAGE_MAGIC "GPUSIGHT"
#define GPUSIGHT_PAGE_VERSION 1u

#define GPUSIGHT_PAGE_DEVICES 16u
#define GPUSIGHT_PAGE_STEPS 256u
#define GPUSIGHT_PAGE_MARKS 128u
#define GPUSIGHT_PAGE_OOMS 8u
#define GPUSIGHT_PAGE_STACKS 512u
#define GPUSIGHT_PAGE_STACK_TEXT 488u
#define GPUSIGHT_PAGE_SAMPLES 1024u

// Numbers of gpusight_page_identity.framework.
enum {
  GPUSIGHT_FRAMEWORK_OTHER = 0,
  GPUSIGHT_FRAMEWORK_PYTORCH = 1,
  GPUSIGHT_FRAMEWORK_PADDLE = 2,
  GPUSIGHT_FRAMEWORK_JAX = 3,
  GPUSIGHT_FRAMEWORK_TENSORFLOW = 4
};

// Numbers of gpusight_page_mark.type.
enum {
  GPUSIGHT_MARK_PHASE = 1,       // text: "train", "eval", "checkpoint"; "" ends it
  GPUSIGHT_MARK_CHECKPOINT = 2,  // value: seconds that it took
  GPUSIGHT_MARK_EXCEPTION = 3,   // text: type and message of what ends the program
  GPUSIGHT_MARK_NOTE = 4,        // text: whatever the program says
  GPUSIGHT_MARK_METRIC = 5       // text: name; value
};

// Bits of gpusight_page_memory.known: which of its numbers are there, from the first on.
enum {
  GPUSIGHT_MEMORY_ALLOCATED = 1 << 0,
  GPUSIGHT_MEMORY_ALLOCATED_PEAK = 1 << 1,
  GPUSIGHT_MEMORY_RESERVED = 1 << 2,
  GPUSIGHT_MEMORY_RESERVED_PEAK = 1 << 3,
  GPUSIGHT_MEMORY_ACTIVE = 1 << 4,
  GPUSIGHT_MEMORY_INACTIVE_SPLIT = 1 << 5,
  GPUSIGHT_MEMORY_REQUESTED = 1 << 6,
  GPUSIGHT_MEMORY_LIMIT = 1 << 7,
  GPUSIGHT_MEMORY_RETRIES = 1 << 8,
  GPUSIGHT_MEMORY_OUT_OF_MEMORY = 1 << 9
};

// Times are nanoseconds since 1970 (CLOCK_REALTIME) unless they are durations.

struct gpusight_page_header {  // at 0; the magic is written last, only `ended` and `beat` change
  char magic[8];
  uint32_t version;
  uint32_t size;  // of the whole page, bytes
  int32_t pid;    // as the process itself sees it
  uint32_t reserved;
  uint64_t start_ticks;  // field 22 of /proc/self/stat; with pid the identity
  uint64_t created;
  uint64_t ended;   // 0 while it runs; set by an orderly end
  char writer[32];  // "gpusight 1.2.3"
  uint64_t beat;    // when the process last wrote anything at all; 0: not told
  uint8_t padding[40];
};  // 128

struct gpusight_page_identity {  // what seldom changes
  uint32_t lock;
  uint32_t framework;
  int32_t rank, local_rank, world_size;  // -1: not known
  uint32_t flags;                        // bit 0 mixed precision, bit 1 compiled, bit 2 capturing
  char framework_version[32];
  char python_version[32];
  char dtype[16];
  char script[256];
  char settings[512];  // allocator settings and flags as given
  uint8_t padding[152];
};  // 1024

struct gpusight_page_memory {  // the allocator of one device
  uint32_t lock;
  int32_t ordinal;  // the framework's number of the device; -1: slot not used
  uint64_t written;
  uint64_t known;
  uint64_t allocated, allocated_peak, reserved, reserved_peak, active, inactive_split, requested,
      limit, retries, out_of_memory;
  char uuid[48];  // of the device, "" when not known
  uint8_t padding[104];
};  // 256

struct gpusight_page_progress {  // steps and waits
  uint32_t lock;
  uint32_t reserved;
  uint64_t steps;          // how many ended; also the number of the newest in the ring
  uint64_t data_waits;     // how many ended
  uint64_t data_wait;      // nanoseconds, of those that ended
  uint64_t waiting_since;  // 0: not waiting for data just now
  uint64_t marks;          // number of the newest mark
  uint64_t samples;        // number of the newest stack sample
  uint64_t out_of_memory;  // number of the newest record
  uint64_t stacks;         // how many were ever put into the table
  uint8_t padding[56];
};  // 128

struct gpusight_page_step {
  uint64_t number;  // from 1; 0: never written; ~0: being written
  uint64_t end;
  uint64_t duration;  // nanoseconds since the end of the step before; 0: the first
  uint64_t data_wait;
};  // 32

struct gpusight_page_mark {
  uint64_t number;  // as above
  uint64_t time;
  double value;
  uint32_t type;
  char text[228];
};  // 256

struct gpusight_page_oom {
  uint64_t number;  // as above
  uint64_t time;
  int32_t ordinal;
  uint32_t reserved_word;
  uint64_t requested, total, free, allocated, reserved, active, inactive_split;
  char stack[1968];  // innermost frame first, separated by ';'
};  // 2048

struct gpusight_page_stack {  // one of the table
  uint64_t number;            // the how-manieth that was put in; as above
  uint64_t count;             // samples that saw it
  uint64_t last;
  char text[GPUSIGHT_PAGE_STACK_TEXT];  // outermost frame first, "file.py:12 name;…"
};  // 512

struct gpusight_page_sample {
  uint64_t number;  // as above
  uint64_t time;
  uint64_t stack;  // number of the stack; its place is (number - 1) % GPUSIGHT_PAGE_STACKS
  uint64_t reserved;
};  // 32

struct gpusight_page {
  struct gpusight_page_header header;
  struct gpusight_page_progress progress;
  uint8_t padding[768];
  struct gpusight_page_identity identity;
  struct gpusight_page_memory memory[GPUSIGHT_PAGE_DEVICES];
  struct gpusight_page_step step[GPUSIGHT_PAGE_STEPS];
  struct gpusight_page_mark mark[GPUSIGHT_PAGE_MARKS];
  struct gpusight_page_oom oom[GPUSIGHT_PAGE_OOMS];
  struct gpusight_page_sample sample[GPUSIGHT_PAGE_SAMPLES];
  struct gpusight_page_stack stack[GPUSIGHT_PAGE_STACKS];
};
