// SPDX-License-Identifier: Apache-2.0
// Makes the telemetry page's file. The folder is opened first and everything goes through its
// descriptor, so that nobody can swap it between the check and the use; the file is made under
// another name, allocated whole, and takes its own name when it is complete. Next: agent.c.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "agent/page_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(struct gpusight_page) == 358400, "a layout is never changed");

// What others left behind: how many names are looked at, how many files are removed, how old.
enum { kLooks = 512, kRemovals = 64 };
static const uint64_t kHour = 3600ull * 1000000000ull;

uint64_t gpusight_now(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

void gpusight_copy_text(char* to, size_t size, const char* from) {
  size_t length = from == NULL ? 0 : strnlen(from, size);
  if (length >= size) {
    length = size - 1;
    while (length > 0 && ((unsigned char)from[length] & 0xC0) == 0x80) length--;
  }
  if (length > 0) memcpy(to, from, length);
  memset(to + length, 0, size - length);
}

// Field 22 of /proc/<pid>/stat; 0 when there is no such process or no /proc.
static uint64_t StartTicks(const char* pid) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return 0;
  text[size] = 0;
  const char* field = strrchr(text, ')');  // the name may hold anything
  for (int number = 2; field != NULL && number < 22; number++) {
    field = strchr(field + 1, ' ');
  }
  return field == NULL ? 0 : strtoull(field + 1, NULL, 10);
}

static enum gpusight_status StatusOf(int error) {
  return error == ENOSPC || error == EDQUOT ? GPUSIGHT_NO_SPACE : GPUSIGHT_NO_FOLDER;
}

// Opens the folder, made if it is missing, and refuses one that somebody else could write to.
static enum gpusight_status OpenFolder(const char* path, int* folder) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return StatusOf(errno);
  *folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (*folder < 0) return errno == ELOOP || errno == ENOTDIR ? GPUSIGHT_FOREIGN : StatusOf(errno);
  struct stat info;
  if (fstat(*folder, &info) == 0 && info.st_uid == geteuid() && (info.st_mode & 022) == 0) {
    return GPUSIGHT_OK;
  }
  close(*folder);
  return GPUSIGHT_FOREIGN;
}

// Whether the file is the page of a process that is gone and said nothing for an hour. A process of
// another PID namespace looks gone, too; it is told by what it last said.
static int IsStale(int folder, const char* name, uint64_t now) {
  char pid[24] = "";
  size_t digits = strspn(name, "0123456789");
  if (digits == 0 || digits > 10 || name[digits] != '.') return 0;
  memcpy(pid, name, digits);
  const int whole = strcmp(name + digits, ".page") == 0;
  if (!whole && strcmp(name + digits, ".new") != 0) return 0;

  struct stat info;
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode) ||
      info.st_uid != geteuid()) {
    return 0;
  }
  uint64_t last = (uint64_t)info.st_mtim.tv_sec * 1000000000ull;
  if (last + kHour > now) return 0;
  if (!whole) return 1;

  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return 0;
  struct gpusight_page_header header;
  const ssize_t size = pread(fd, &header, sizeof header, 0);
  close(fd);
  if (size != (ssize_t)sizeof header || memcmp(header.magic, GPUSIGHT_PAGE_MAGIC, 8) != 0) return 0;
  if (header.beat > last) last = header.beat;
  if (header.ended > last) last = header.ended;
  if (last + kHour > now) return 0;
  const uint64_t alive = StartTicks(pid);
  return alive == 0 ? access("/proc/self/stat", R_OK) == 0 : alive != header.start_ticks;
}

static void RemoveStale(int folder) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* list = copy < 0 ? NULL : fdopendir(copy);
  if (list == NULL) {
    if (copy >= 0) close(copy);
    return;
  }
  const uint64_t now = gpusight_now();
  int removed = 0;
  for (int looks = 0; looks < kLooks && removed < kRemovals; looks++) {
    const struct dirent* entry = readdir(list);
    if (entry == NULL) break;
    if (IsStale(folder, entry->d_name, now) && unlinkat(folder, entry->d_name, 0) == 0) removed++;
  }
  closedir(list);
}

static void Fill(struct gpusight_page* page, const char* writer) {
  struct gpusight_page_header* header = &page->header;
  header->version = GPUSIGHT_PAGE_VERSION;
  header->size = sizeof *page;
  header->pid = (int32_t)getpid();
  header->start_ticks = StartTicks("self");
  header->created = header->beat = gpusight_now();
  gpusight_copy_text(header->writer, sizeof header->writer, writer);
  page->identity.rank = page->identity.local_rank = page->identity.world_size = -1;
  for (unsigned i = 0; i < GPUSIGHT_PAGE_DEVICES; i++) page->memory[i].ordinal = -1;
  uint64_t magic;
  memcpy(&magic, GPUSIGHT_PAGE_MAGIC, sizeof magic);
  __atomic_store_n((uint64_t*)(void*)header->magic, magic, __ATOMIC_RELEASE);
}

// Whether a file of this size would bring the process a SIGXFSZ.
static int IsTooBig(size_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size;
}

// Maps a new file of the folder as the page.
static enum gpusight_status MakeFile(int folder, const char* writer, const char* name,
                                     struct gpusight_page** page) {
  if (IsTooBig(sizeof **page)) return GPUSIGHT_NO_SPACE;
  char draft[32];
  snprintf(draft, sizeof draft, "%ld.new", (long)getpid());
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int fd = openat(folder, draft, flags, 0600);
  if (fd < 0 && errno == EEXIST && unlinkat(folder, draft, 0) == 0) {
    fd = openat(folder, draft, flags, 0600);  // a process with our number died while it made one
  }
  if (fd < 0) return StatusOf(errno);

  enum gpusight_status status = GPUSIGHT_OK;
  void* map = MAP_FAILED;
  const int error = posix_fallocate(fd, 0, (off_t)sizeof **page);
  if (error != 0) {
    status = error == ENOSPC || error == EDQUOT || error == EFBIG ? GPUSIGHT_NO_SPACE
                                                                  : GPUSIGHT_NO_FOLDER;
  } else {
    map = mmap(NULL, sizeof **page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (map == MAP_FAILED) status = GPUSIGHT_NO_MEMORY;
  }
  close(fd);
  if (status == GPUSIGHT_OK) {
    Fill(map, writer);
    if (renameat(folder, draft, folder, name) != 0) status = StatusOf(errno);
  }
  if (status == GPUSIGHT_OK) {
    *page = map;
    return status;
  }
  if (map != MAP_FAILED) munmap(map, sizeof **page);
  unlinkat(folder, draft, 0);
  return status;
}

static enum gpusight_status CreateIn(const char* place, const char* writer,
                                     struct gpusight_page** page, char* path) {
  char name[32];
  snprintf(name, sizeof name, "%ld.page", (long)getpid());
  const int length = snprintf(path, GPUSIGHT_PATH_SIZE, "%s/%s", place, name);
  if (length < 0 || length >= GPUSIGHT_PATH_SIZE) return GPUSIGHT_NO_FOLDER;
  int folder;
  enum gpusight_status status = OpenFolder(place, &folder);
  if (status != GPUSIGHT_OK) return status;
  RemoveStale(folder);
  status = MakeFile(folder, writer, name, page);
  close(folder);
  return status;
}

enum gpusight_status gpusight_page_create(const char* writer, struct gpusight_page** page,
                                          char* path) {
  const char* given = getenv("GPUSIGHT_PAGE_DIR");
  if (given != NULL && given[0] != 0) return CreateIn(given, writer, page, path);
  const char* temporary = getenv("TMPDIR");
  if (temporary == NULL || temporary[0] != '/') temporary = "/tmp";
  const char* places[] = {"/dev/shm", temporary};
  enum gpusight_status status = GPUSIGHT_NO_FOLDER;
  for (int i = 0; i < 2; i++) {
    char place[GPUSIGHT_PATH_SIZE];
    const int length =
        snprintf(place, sizeof place, "%s/gpusight-%lu", places[i], (unsigned long)geteuid());
    if (length < 0 || length >= (int)sizeof place) continue;
    status = CreateIn(place, writer, page, path);
    if (status == GPUSIGHT_OK) break;
  }
  return status;
}
