// SPDX-License-Identifier: Apache-2.0
// The telemetry page's writer: by these functions a program tells gpusight about its framework.
// Plain C11 without dependencies: compile agent.c and page_file.c into the program, or link
// libgpusight_agent.a. Used by the Python package, and meant for libtorch and Paddle Inference
// programs (examples/c/training_loop.c).
//
// The contract:
// - Nothing here prints, aborts, raises a signal or throws. A function returns a status; ignoring
//   it is fine, since the page is never needed by the program itself.
// - Memory is taken by gpusight_open() only. The page's file is allocated as a whole there, so that
//   a full file system is a status and never a SIGBUS.
// - Every function may be called from any thread at any time, and none waits for another: of two
//   threads that write the same section one gets GPUSIGHT_BUSY. Steps and waits are never lost to
//   that, they are counted beside the page. Only gpusight_close() must be the last call.
// - A child made by fork() does not write into its parent's page: every function returns
//   GPUSIGHT_NOT_OPEN there, and it may open a page of its own.
// - An agent that is NULL is GPUSIGHT_NOT_OPEN, so a failed gpusight_open() needs no check.
// - Texts are UTF-8; what does not fit is cut at a character's boundary. NULL is "".
// - GPUSIGHT=0 in the environment switches everything off.
// Next: page_layout.h (what is written), page_file.c (where).
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpusight_agent;

enum gpusight_status {
  GPUSIGHT_OK = 0,
  GPUSIGHT_NOT_OPEN,   // no page: opening it failed, or this is a child of its process
  GPUSIGHT_OFF,        // GPUSIGHT=0
  GPUSIGHT_BUSY,       // another thread is writing the same section
  GPUSIGHT_ARGUMENT,   // an argument means nothing; nothing was written
  GPUSIGHT_NO_FOLDER,  // no folder for pages, or it cannot be made or written
  GPUSIGHT_FOREIGN,    // the folder is a symbolic link, somebody else's or writable by others
  GPUSIGHT_NO_SPACE,   // the file system is full
  GPUSIGHT_NO_MEMORY,  // the page or the agent cannot be mapped
  GPUSIGHT_TOO_MANY    // this process has four pages already
};

// A word for a log: "ok", "no_space", …; never NULL.
const char* gpusight_status_name(enum gpusight_status status);

// Makes the page of this process: <pid>.page in $GPUSIGHT_PAGE_DIR if that is set, else in
// /dev/shm/gpusight-<uid>/, else in gpusight-<uid>/ below $TMPDIR or /tmp. `writer` names the
// program, "my-trainer 1.2". Returns NULL and the reason (where `status` is not NULL).
struct gpusight_agent* gpusight_open(const char* writer, enum gpusight_status* status);

// Says that the process ends in good order and forgets the page; its file stays for a look back,
// and is removed by another process's gpusight_open() an hour later at the earliest.
enum gpusight_status gpusight_close(struct gpusight_agent* agent);

// The path of the page, valid until gpusight_close(); "" when there is none.
const char* gpusight_path(const struct gpusight_agent* agent);

// Whether this process can write to the page.
int gpusight_is_open(const struct gpusight_agent* agent);

// What seldom changes. Every call replaces all of it.
struct gpusight_identity {
  const char* framework;             // "PyTorch", "PaddlePaddle", "JAX", "TensorFlow", else other
  const char* framework_version;     // "2.11.0"
  const char* python_version;        // "3.11.4"; "" for native programs
  const char* dtype;                 // "bfloat16"
  const char* script;                // what runs, short
  const char* settings;              // allocator settings and flags as given
  int rank, local_rank, world_size;  // -1: not known
  int mixed_precision, compiled, capturing;
};
enum gpusight_status gpusight_identify(struct gpusight_agent* agent,
                                       const struct gpusight_identity* identity);

// The allocator of one device, in bytes and counts; UINT64_MAX is a number that is not known (and
// not 0). Up to 16 devices are kept.
#define GPUSIGHT_UNKNOWN UINT64_MAX
struct gpusight_allocator {
  int ordinal;       // the framework's number of the device: 1 for cuda:1
  const char* uuid;  // of the device, "" when not known
  uint64_t allocated, allocated_peak, reserved, reserved_peak, active, inactive_split, requested;
  uint64_t limit;          // most that the allocator may reserve
  uint64_t retries;        // how often it emptied its cache and tried again
  uint64_t out_of_memory;  // how often it gave up
};
enum gpusight_status gpusight_memory(struct gpusight_agent* agent,
                                     const struct gpusight_allocator* allocator);

// An optimizer step ended. Costs about 0.1 µs.
enum gpusight_status gpusight_step(struct gpusight_agent* agent);

// The training loop begins, or ceases, to wait for data. A thread waits once: begins that are
// nested in others are not counted. Waits of several threads add up.
enum gpusight_status gpusight_wait_begin(struct gpusight_agent* agent);
enum gpusight_status gpusight_wait_end(struct gpusight_agent* agent);

// Things that happen, each with its time.
enum gpusight_status gpusight_phase(struct gpusight_agent* agent, const char* name);  // "" ends it
enum gpusight_status gpusight_checkpoint(struct gpusight_agent* agent, double seconds,
                                         const char* text);
enum gpusight_status gpusight_exception(struct gpusight_agent* agent, const char* text);
enum gpusight_status gpusight_note(struct gpusight_agent* agent, const char* text);
enum gpusight_status gpusight_metric(struct gpusight_agent* agent, const char* name, double value);

// An allocation failed. Bytes; `total` and `free` of the device, the rest of the allocator.
struct gpusight_oom {
  int ordinal;
  uint64_t requested, total, free, allocated, reserved, active, inactive_split;
  const char* stack;  // innermost frame first, separated by ';'
};
enum gpusight_status gpusight_out_of_memory(struct gpusight_agent* agent,
                                            const struct gpusight_oom* oom);

// Stack samples: a stack is put into the page's table once and gets a number; the table holds the
// newest 512, so number + 512 takes its place. A sample is one sight of it, `time` in nanoseconds
// since 1970. gpusight_stack() gives 0 when it wrote nothing.
uint64_t gpusight_stack(struct gpusight_agent* agent, const char* text);
enum gpusight_status gpusight_sample(struct gpusight_agent* agent, uint64_t stack, uint64_t time);

#ifdef __cplusplus
}
#endif
