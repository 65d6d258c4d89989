// SPDX-License-Identifier: Apache-2.0
// Writes the telemetry page. Counts are kept beside the page, so that a section that is busy never
// loses any. Next: page_words.h (how), page_file.c (the file), page_layout.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "agent/agent.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "agent/page_file.h"
#include "agent/page_layout.h"
#include "agent/page_words.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

// Lives in a mapping that the kernel zeroes in a child: there `page` is NULL whatever made the
// child. Where the kernel cannot, the handler of pthread_atfork() does it.
struct gpusight_agent {
  struct gpusight_page* page;
  uint64_t steps, data_waits, data_wait, waiting_since, marks, samples, ooms, stacks;
  uint64_t last_step;       // CLOCK_MONOTONIC of the newest step's end; 0: none
  uint64_t last_data_wait;  // data_wait at that time
  uint32_t waiting;         // threads that wait just now
  char path[GPUSIGHT_PATH_SIZE];
};

enum { kAgents = 4 };
static struct gpusight_agent* agents[kAgents];
static struct gpusight_page* pages[kAgents];  // a wiped agent does not know its own any more
static pthread_mutex_t agents_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

// Of this thread: its waits inside each other, and when the outermost began.
static __thread uint32_t wait_depth;
static __thread uint64_t wait_start;
static __thread const struct gpusight_agent* wait_agent;

static uint64_t Monotonic(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

// --- Opening, closing, forking --------------------------------------------------------------

static void ForgetInChild(void) {
  for (int i = 0; i < kAgents; i++) {
    if (agents[i] != NULL) memset(agents[i], 0, sizeof *agents[i]);
    if (pages[i] != NULL) munmap(pages[i], sizeof *pages[i]);
    agents[i] = NULL;
    pages[i] = NULL;
  }
  wait_depth = 0;
  pthread_mutex_unlock(&agents_lock);
}
static void LockAgents(void) { pthread_mutex_lock(&agents_lock); }
static void UnlockAgents(void) { pthread_mutex_unlock(&agents_lock); }
static void HandleForks(void) { pthread_atfork(LockAgents, UnlockAgents, ForgetInChild); }

const char* gpusight_status_name(enum gpusight_status status) {
  static const char* const names[] = {"ok",        "not_open", "off",      "busy",      "argument",
                                      "no_folder", "foreign",  "no_space", "no_memory", "too_many"};
  const unsigned number = (unsigned)status;
  return number < sizeof names / sizeof *names ? names[number] : "unknown";
}

static struct gpusight_agent* Open(const char* writer, enum gpusight_status* status) {
  int place = 0;
  while (place < kAgents && agents[place] != NULL) place++;
  if (place == kAgents) {
    *status = GPUSIGHT_TOO_MANY;
    return NULL;
  }
  struct gpusight_agent* agent = mmap(NULL, sizeof *agent, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (agent == MAP_FAILED) {
    *status = GPUSIGHT_NO_MEMORY;
    return NULL;
  }
  (void)madvise(agent, sizeof *agent, MADV_WIPEONFORK);
  struct gpusight_page* page = NULL;
  *status = gpusight_page_create(writer, &page, agent->path);
  if (*status != GPUSIGHT_OK) {
    munmap(agent, sizeof *agent);
    return NULL;
  }
  __atomic_store_n(&agent->page, page, __ATOMIC_RELEASE);
  agents[place] = agent;
  pages[place] = page;
  return agent;
}

struct gpusight_agent* gpusight_open(const char* writer, enum gpusight_status* status) {
  enum gpusight_status ignored;
  if (status == NULL) status = &ignored;
  const char* wanted = getenv("GPUSIGHT");
  if (wanted != NULL && strcmp(wanted, "0") == 0) {
    *status = GPUSIGHT_OFF;
    return NULL;
  }
  pthread_once(&fork_once, HandleForks);
  LockAgents();
  struct gpusight_agent* agent = Open(writer, status);
  UnlockAgents();
  return agent;
}

static struct gpusight_page* PageOf(const struct gpusight_agent* agent) {
  return agent == NULL ? NULL : __atomic_load_n(&agent->page, __ATOMIC_ACQUIRE);
}

enum gpusight_status gpusight_close(struct gpusight_agent* agent) {
  if (agent == NULL) return GPUSIGHT_NOT_OPEN;
  struct gpusight_page* page = PageOf(agent);
  LockAgents();
  for (int i = 0; i < kAgents; i++) {
    if (agents[i] != agent) continue;
    agents[i] = NULL;
    pages[i] = NULL;
  }
  UnlockAgents();
  if (page != NULL) {
    const uint64_t now = gpusight_now();
    Set(&page->header.beat, now);
    __atomic_store_n(&page->header.ended, now, __ATOMIC_RELEASE);
    munmap(page, sizeof *page);
  }
  munmap(agent, sizeof *agent);
  return page == NULL ? GPUSIGHT_NOT_OPEN : GPUSIGHT_OK;
}

const char* gpusight_path(const struct gpusight_agent* agent) {
  return agent == NULL ? "" : agent->path;
}

int gpusight_is_open(const struct gpusight_agent* agent) { return PageOf(agent) != NULL; }

// --- Sections -------------------------------------------------------------------------------

// The rest of a section after its first word, whose other half is `second`.
static void WriteSection(uint32_t* lock, uint32_t second, const void* value, size_t size) {
  __atomic_store_n(lock + 1, second, __ATOMIC_RELEASE);
  CopyWords(lock + 2, (const char*)value + 8, size - 8);
  End(lock);
}

static uint32_t FrameworkNumber(const char* name) {
  static const char* const names[] = {"", "PyTorch", "PaddlePaddle", "JAX", "TensorFlow"};
  for (uint32_t i = 1; name != NULL && i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) return i;
  }
  return GPUSIGHT_FRAMEWORK_OTHER;
}

enum gpusight_status gpusight_identify(struct gpusight_agent* agent,
                                       const struct gpusight_identity* identity) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  if (identity == NULL) return GPUSIGHT_ARGUMENT;
  struct gpusight_page_identity value;
  memset(&value, 0, sizeof value);
  value.rank = identity->rank;
  value.local_rank = identity->local_rank;
  value.world_size = identity->world_size;
  value.flags = (identity->mixed_precision ? 1u : 0u) | (identity->compiled ? 2u : 0u) |
                (identity->capturing ? 4u : 0u);
  gpusight_copy_text(value.framework_version, sizeof value.framework_version,
                     identity->framework_version);
  gpusight_copy_text(value.python_version, sizeof value.python_version, identity->python_version);
  gpusight_copy_text(value.dtype, sizeof value.dtype, identity->dtype);
  gpusight_copy_text(value.script, sizeof value.script, identity->script);
  gpusight_copy_text(value.settings, sizeof value.settings, identity->settings);
  if (!BeginSoon(&page->identity.lock)) return GPUSIGHT_BUSY;
  WriteSection(&page->identity.lock, FrameworkNumber(identity->framework), &value, sizeof value);
  Set(&page->header.beat, gpusight_now());
  return GPUSIGHT_OK;
}

// The slot of the device, taken if it has none; slots are given in order and never given back.
static struct gpusight_page_memory* Slot(struct gpusight_page* page, int ordinal) {
  for (unsigned i = 0; i < GPUSIGHT_PAGE_DEVICES; i++) {
    int32_t holder = __atomic_load_n(&page->memory[i].ordinal, __ATOMIC_RELAXED);
    if (holder == -1 && __atomic_compare_exchange_n(&page->memory[i].ordinal, &holder, ordinal, 0,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return &page->memory[i];
    }
    if (holder == ordinal) return &page->memory[i];
  }
  return NULL;
}

enum gpusight_status gpusight_memory(struct gpusight_agent* agent,
                                     const struct gpusight_allocator* allocator) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  if (allocator == NULL || allocator->ordinal < 0) return GPUSIGHT_ARGUMENT;
  struct gpusight_page_memory* slot = Slot(page, allocator->ordinal);
  if (slot == NULL) return GPUSIGHT_ARGUMENT;
  struct gpusight_page_memory value;
  memset(&value, 0, sizeof value);
  const uint64_t numbers[] = {allocator->allocated, allocator->allocated_peak,
                              allocator->reserved,  allocator->reserved_peak,
                              allocator->active,    allocator->inactive_split,
                              allocator->requested, allocator->limit,
                              allocator->retries,   allocator->out_of_memory};
  uint64_t* fields[] = {&value.allocated,     &value.allocated_peak, &value.reserved,
                        &value.reserved_peak, &value.active,         &value.inactive_split,
                        &value.requested,     &value.limit,          &value.retries,
                        &value.out_of_memory};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (numbers[i] == GPUSIGHT_UNKNOWN) continue;
    *fields[i] = numbers[i];
    value.known |= 1ull << i;
  }
  gpusight_copy_text(value.uuid, sizeof value.uuid, allocator->uuid);
  value.written = gpusight_now();
  if (!BeginSoon(&slot->lock)) return GPUSIGHT_BUSY;
  WriteSection(&slot->lock, (uint32_t)allocator->ordinal, &value, sizeof value);
  Set(&page->header.beat, value.written);
  return GPUSIGHT_OK;
}

// --- Progress, rings ------------------------------------------------------------------------

// Puts the counts into the page. Whoever is refused may go: the one who writes may have read the
// counts before, but the next publication has them all.
static enum gpusight_status Publish(struct gpusight_agent* agent, struct gpusight_page* page,
                                    uint64_t now) {
  struct gpusight_page_progress* to = &page->progress;
  Set(&page->header.beat, now);
  if (!BeginSoon(&to->lock)) return GPUSIGHT_BUSY;
  const uint64_t values[] = {Get(&agent->steps),     Get(&agent->data_waits),
                             Get(&agent->data_wait), Get(&agent->waiting_since),
                             Get(&agent->marks),     Get(&agent->samples),
                             Get(&agent->ooms),      Get(&agent->stacks)};
  CopyWords(&to->steps, values, sizeof values);
  End(&to->lock);
  return GPUSIGHT_OK;
}

enum gpusight_status gpusight_step(struct gpusight_agent* agent) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  const uint64_t monotonic = Monotonic(), wait = Get(&agent->data_wait);
  const uint64_t before = __atomic_exchange_n(&agent->last_step, monotonic, __ATOMIC_RELAXED);
  const uint64_t wait_before = __atomic_exchange_n(&agent->last_data_wait, wait, __ATOMIC_RELAXED);
  struct gpusight_page_step value = {0, gpusight_now(), 0, wait - wait_before};
  if (before != 0 && monotonic > before) value.duration = monotonic - before;
  const uint64_t number = Add(&agent->steps, 1);
  WriteEntry(&page->step[number % GPUSIGHT_PAGE_STEPS], &value, sizeof value, number);
  return Publish(agent, page, value.end);
}

enum gpusight_status gpusight_wait_begin(struct gpusight_agent* agent) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  if (wait_agent != agent) wait_depth = 0;
  wait_agent = agent;
  if (wait_depth++ > 0) return GPUSIGHT_OK;
  wait_start = Monotonic();
  const uint64_t now = gpusight_now();
  if (__atomic_add_fetch(&agent->waiting, 1, __ATOMIC_RELAXED) == 1) {
    Set(&agent->waiting_since, now);
  }
  return Publish(agent, page, now);
}

enum gpusight_status gpusight_wait_end(struct gpusight_agent* agent) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  if (wait_agent != agent || wait_depth == 0) return GPUSIGHT_ARGUMENT;
  if (--wait_depth > 0) return GPUSIGHT_OK;
  Add(&agent->data_wait, Monotonic() - wait_start);
  Add(&agent->data_waits, 1);
  if (__atomic_sub_fetch(&agent->waiting, 1, __ATOMIC_RELAXED) == 0) {
    Set(&agent->waiting_since, 0);
  }
  return Publish(agent, page, gpusight_now());
}

static enum gpusight_status Mark(struct gpusight_agent* agent, uint32_t type, const char* text,
                                 double number_value) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  struct gpusight_page_mark value;
  memset(&value, 0, sizeof value);
  value.time = gpusight_now();
  value.type = type;
  value.value = number_value;
  gpusight_copy_text(value.text, sizeof value.text, text);
  const uint64_t number = Add(&agent->marks, 1);
  WriteEntry(&page->mark[number % GPUSIGHT_PAGE_MARKS], &value, sizeof value, number);
  return Publish(agent, page, value.time);
}

enum gpusight_status gpusight_phase(struct gpusight_agent* agent, const char* name) {
  return Mark(agent, GPUSIGHT_MARK_PHASE, name, 0);
}
enum gpusight_status gpusight_checkpoint(struct gpusight_agent* agent, double seconds,
                                         const char* text) {
  return Mark(agent, GPUSIGHT_MARK_CHECKPOINT, text, seconds);
}
enum gpusight_status gpusight_exception(struct gpusight_agent* agent, const char* text) {
  return Mark(agent, GPUSIGHT_MARK_EXCEPTION, text, 0);
}
enum gpusight_status gpusight_note(struct gpusight_agent* agent, const char* text) {
  return Mark(agent, GPUSIGHT_MARK_NOTE, text, 0);
}
enum gpusight_status gpusight_metric(struct gpusight_agent* agent, const char* name, double value) {
  return Mark(agent, GPUSIGHT_MARK_METRIC, name, value);
}

enum gpusight_status gpusight_out_of_memory(struct gpusight_agent* agent,
                                            const struct gpusight_oom* oom) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  if (oom == NULL) return GPUSIGHT_ARGUMENT;
  struct gpusight_page_oom value;
  memset(&value, 0, sizeof value);
  value.time = gpusight_now();
  value.ordinal = oom->ordinal;
  value.requested = oom->requested;
  value.total = oom->total;
  value.free = oom->free;
  value.allocated = oom->allocated;
  value.reserved = oom->reserved;
  value.active = oom->active;
  value.inactive_split = oom->inactive_split;
  gpusight_copy_text(value.stack, sizeof value.stack, oom->stack);
  const uint64_t number = Add(&agent->ooms, 1);
  WriteEntry(&page->oom[number % GPUSIGHT_PAGE_OOMS], &value, sizeof value, number);
  return Publish(agent, page, value.time);
}

uint64_t gpusight_stack(struct gpusight_agent* agent, const char* text) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL || text == NULL) return 0;
  struct gpusight_page_stack value;
  memset(&value, 0, sizeof value);
  gpusight_copy_text(value.text, sizeof value.text, text);
  const uint64_t number = Add(&agent->stacks, 1);
  WriteEntry(&page->stack[(number - 1) % GPUSIGHT_PAGE_STACKS], &value, sizeof value, number);
  return number;
}

enum gpusight_status gpusight_sample(struct gpusight_agent* agent, uint64_t stack, uint64_t time) {
  struct gpusight_page* page = PageOf(agent);
  if (page == NULL) return GPUSIGHT_NOT_OPEN;
  if (stack == 0) return GPUSIGHT_ARGUMENT;
  struct gpusight_page_stack* seen = &page->stack[(stack - 1) % GPUSIGHT_PAGE_STACKS];
  if (Get(&seen->number) != stack) return GPUSIGHT_ARGUMENT;
  Add(&seen->count, 1);
  Set(&seen->last, time);
  const uint64_t number = Add(&agent->samples, 1);
  const struct gpusight_page_sample value = {0, time, stack, 0};
  WriteEntry(&page->sample[number % GPUSIGHT_PAGE_SAMPLES], &value, sizeof value, number);
  return Publish(agent, page, gpusight_now());
}
