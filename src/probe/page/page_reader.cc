// SPDX-License-Identifier: Apache-2.0
#include "probe/page/page_reader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "agent/page_layout.h"
#include "base/text.h"

namespace gpusight::page {
namespace {

using Page = gpusight_page;

constexpr int kTries = 4;                           // of a section that is just being written
constexpr uint64_t kMostBytes = uint64_t{1} << 50;  // more memory than any device has
constexpr uint64_t kMostCount = uint64_t{1} << 53;  // what a double still counts
constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kLongest = 1'000'000'000ULL * 86'400 * 366;  // nanoseconds of any duration

// A text that may lack its end.
template <size_t kSize>
std::string TextOf(const char (&text)[kSize]) {
  return Printable(std::string_view(text, strnlen(text, kSize)));
}

double Seconds(uint64_t ns) { return static_cast<double>(std::min(ns, kLongest)) / 1e9; }

Known<double> Number(uint64_t known, uint64_t bit, uint64_t value, uint64_t most) {
  if ((known & bit) == 0) return Absence::kNotSupported;
  if (value > most) return Absence::kImplausible;
  return static_cast<double>(value);
}

Framework FrameworkOf(uint32_t number) {
  return number <= GPUSIGHT_FRAMEWORK_TENSORFLOW ? static_cast<Framework>(number)
                                                 : Framework::kOther;
}

// -1 for what cannot be a rank.
int Rank(int32_t number) { return number >= 0 && number < (1 << 24) ? number : -1; }

}  // namespace

bool PageReader::ReadBytes(size_t offset, void* out, size_t size) const {
  auto* to = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t n = pread(file_.get(), to, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    offset += static_cast<size_t>(n);
    size -= static_cast<size_t>(n);
  }
  return true;
}

// A section whose lock was even, and which read the same twice.
template <typename Section>
bool PageReader::ReadSection(size_t offset, Section& out) const {
  Section again;
  for (int i = 0; i < kTries; ++i) {
    if (!ReadBytes(offset, &out, sizeof out) || !ReadBytes(offset, &again, sizeof again)) {
      return false;
    }
    if (out.lock % 2 == 0 && std::memcmp(&out, &again, sizeof out) == 0) return true;
  }
  return false;
}

// The entries after number `last` up to `newest` that are whole, oldest first.
template <typename Entry>
void PageReader::ReadRing(size_t offset, uint64_t size, uint64_t newest, uint64_t& last,
                          std::vector<Entry>& out, uint64_t& lost) const {
  out.clear();
  if (newest < last) last = 0;  // not what a page does: begin anew
  if (newest == last || newest == UINT64_MAX) return;
  const uint64_t first = std::max(last + 1, newest < size ? 1 : newest - size + 1);
  lost += first - (last + 1);
  last = newest;
  Entry entry, again;
  for (uint64_t n = first; n <= newest; ++n) {
    const size_t at = offset + static_cast<size_t>(n % size) * sizeof entry;
    const bool whole = ReadBytes(at, &entry, sizeof entry) && ReadBytes(at, &again, sizeof again) &&
                       entry.number == n && again.number == n;
    if (whole) {
      out.push_back(entry);
    } else {
      ++lost;
    }
  }
}

Result<void> PageReader::ReadHeader() {
  gpusight_page_header header;
  const auto refuse = [&](std::string why) {
    return Fail(ErrorCode::kBadInput, fmt::format("{}: {}", name_, std::move(why)));
  };
  if (!ReadBytes(0, &header, sizeof header)) return refuse("shorter than a telemetry page");
  if (std::memcmp(header.magic, GPUSIGHT_PAGE_MAGIC, sizeof header.magic) != 0) {
    return refuse("not a telemetry page");
  }
  if (header.version != GPUSIGHT_PAGE_VERSION) {
    return refuse(fmt::format("a telemetry page of version {}; this program reads version {}",
                              header.version, GPUSIGHT_PAGE_VERSION));
  }
  if (header.size != sizeof(Page)) {
    return refuse(fmt::format("a telemetry page of {} bytes, not {}", header.size, sizeof(Page)));
  }
  char end;
  if (!ReadBytes(sizeof(Page) - 1, &end, 1)) return refuse("a telemetry page that is cut short");
  pid_ = header.pid;
  start_ticks_ = header.start_ticks;
  created_ = header.created;
  ended_ = WallTime{header.ended <= INT64_MAX ? static_cast<int64_t>(header.ended) : 0};
  return {};
}

// Neither before the page nor in the future.
bool PageReader::IsPlausible(uint64_t time) const {
  return time <= INT64_MAX && static_cast<int64_t>(time) <= now_.ns + kSecond &&
         time + kSecond >= created_;
}

Result<void> PageReader::Read(FrameworkSample& sample, WallTime now, double interval_seconds) {
  now_ = now;
  sample.ForgetNews();
  if (auto read = ReadHeader(); !read) return read;
  gpusight_page_progress progress;
  if (!ReadSection(offsetof(Page, progress), progress)) {
    return Fail(ErrorCode::kIo, fmt::format("{}: was being written", name_));
  }
  FillIdentity(sample);
  FillAllocators(sample, now);
  FillSteps(sample, progress.steps);
  FillMarks(sample, progress.marks);
  FillOutOfMemory(sample, progress.out_of_memory);
  FillStacks(sample, progress.samples);

  using F = FrameworkField;
  sample.fields[F::kSteps] = static_cast<double>(std::min(progress.steps, kMostCount));
  double spent = 0;
  size_t timed = 0;
  for (const StepSample& step : sample.steps) {
    spent += step.seconds;
    timed += step.seconds > 0 ? 1 : 0;
  }
  sample.fields[F::kStepTime] = timed > 0 ? Known<double>(spent / static_cast<double>(timed))
                                          : Known<double>(Absence::kNotSampledYet);
  // A wait that has not ended counts as far as it has come.
  double wait = Seconds(progress.data_wait);
  if (progress.waiting_since != 0 && IsPlausible(progress.waiting_since)) {
    const auto since = static_cast<int64_t>(progress.waiting_since);
    wait += std::max<double>(0, static_cast<double>(now.ns - since) / 1e9);
  }
  const bool waits = progress.data_waits > 0 || progress.waiting_since != 0;
  sample.fields[F::kDataWait] = waits ? Known<double>(wait) : Absence::kNotSampledYet;
  sample.fields[F::kDataWaitRatio] =
      waits && begun_ && interval_seconds > 0
          ? Known<double>(std::clamp((wait - last_wait_) / interval_seconds, 0.0, 1.0))
          : Known<double>(Absence::kNotSampledYet);
  last_wait_ = wait;
  begun_ = true;
  return {};
}

void PageReader::FillIdentity(FrameworkSample& sample) {
  constexpr size_t kAt = offsetof(Page, identity);
  uint32_t lock = 0;
  if (ReadBytes(kAt, &lock, sizeof lock) && lock == identity_lock_) return;
  gpusight_page_identity identity;
  if (!ReadSection(kAt, identity)) return;
  identity_lock_ = identity.lock;
  sample.framework = FrameworkOf(identity.framework);
  sample.version = TextOf(identity.framework_version);
  sample.python = TextOf(identity.python_version);
  sample.dtype = TextOf(identity.dtype);
  sample.script = TextOf(identity.script);
  sample.settings = TextOf(identity.settings);
  sample.rank = Rank(identity.rank);
  sample.local_rank = Rank(identity.local_rank);
  sample.world_size = Rank(identity.world_size);
  sample.mixed_precision = (identity.flags & 1) != 0;
  sample.compiled = (identity.flags & 2) != 0;
}

void PageReader::FillAllocators(FrameworkSample& sample, WallTime now) const {
  size_t count = 0;
  for (size_t i = 0; i < GPUSIGHT_PAGE_DEVICES; ++i) {
    gpusight_page_memory memory;
    if (!ReadSection(offsetof(Page, memory) + i * sizeof memory, memory)) continue;
    if (memory.ordinal < 0 || memory.ordinal >= (1 << 16) || memory.written == 0) continue;
    if (sample.allocators.size() <= count) sample.allocators.emplace_back();
    AllocatorSample& out = sample.allocators[count++];
    out.ordinal = memory.ordinal;
    out.uuid = TextOf(memory.uuid);
    out.device = -1;
    out.age =
        IsPlausible(memory.written)
            ? Known<double>(std::max<double>(
                  0, static_cast<double>(now.ns - static_cast<int64_t>(memory.written)) / 1e9))
            : Known<double>(Absence::kImplausible);
    const auto fill = [&](AllocatorField field, uint64_t bit, uint64_t value, uint64_t most) {
      out.fields[field] = Number(memory.known, bit, value, most);
    };
    using F = AllocatorField;
    fill(F::kAllocated, GPUSIGHT_MEMORY_ALLOCATED, memory.allocated, kMostBytes);
    fill(F::kAllocatedPeak, GPUSIGHT_MEMORY_ALLOCATED_PEAK, memory.allocated_peak, kMostBytes);
    fill(F::kReserved, GPUSIGHT_MEMORY_RESERVED, memory.reserved, kMostBytes);
    fill(F::kReservedPeak, GPUSIGHT_MEMORY_RESERVED_PEAK, memory.reserved_peak, kMostBytes);
    fill(F::kActive, GPUSIGHT_MEMORY_ACTIVE, memory.active, kMostBytes);
    fill(F::kInactiveSplit, GPUSIGHT_MEMORY_INACTIVE_SPLIT, memory.inactive_split, kMostBytes);
    fill(F::kRequested, GPUSIGHT_MEMORY_REQUESTED, memory.requested, kMostBytes);
    fill(F::kLimit, GPUSIGHT_MEMORY_LIMIT, memory.limit, kMostBytes);
    fill(F::kRetries, GPUSIGHT_MEMORY_RETRIES, memory.retries, kMostCount);
    fill(F::kOutOfMemory, GPUSIGHT_MEMORY_OUT_OF_MEMORY, memory.out_of_memory, kMostCount);
  }
  sample.allocators.resize(count);
}

void PageReader::FillSteps(FrameworkSample& sample, uint64_t newest) {
  std::vector<gpusight_page_step> entries;
  ReadRing(offsetof(Page, step), GPUSIGHT_PAGE_STEPS, newest, last_step_, entries, sample.lost);
  for (const gpusight_page_step& entry : entries) {
    if (!IsPlausible(entry.end)) {
      ++sample.lost;
      continue;
    }
    sample.steps.push_back({entry.number, WallTime{static_cast<int64_t>(entry.end)},
                            Seconds(entry.duration),
                            Seconds(std::min(entry.data_wait, entry.duration))});
  }
}

void PageReader::FillMarks(FrameworkSample& sample, uint64_t newest) {
  std::vector<gpusight_page_mark> entries;
  ReadRing(offsetof(Page, mark), GPUSIGHT_PAGE_MARKS, newest, last_mark_, entries, sample.lost);
  for (const gpusight_page_mark& entry : entries) {
    if (!IsPlausible(entry.time) || entry.type < GPUSIGHT_MARK_PHASE ||
        entry.type > GPUSIGHT_MARK_METRIC) {
      ++sample.lost;
      continue;
    }
    sample.marks.push_back({static_cast<MarkType>(entry.type),
                            WallTime{static_cast<int64_t>(entry.time)},
                            std::isfinite(entry.value) ? entry.value : 0, TextOf(entry.text)});
  }
}

void PageReader::FillOutOfMemory(FrameworkSample& sample, uint64_t newest) {
  std::vector<gpusight_page_oom> entries;
  ReadRing(offsetof(Page, oom), GPUSIGHT_PAGE_OOMS, newest, last_oom_, entries, sample.lost);
  for (const gpusight_page_oom& entry : entries) {
    if (!IsPlausible(entry.time)) {
      ++sample.lost;
      continue;
    }
    OutOfMemory out;
    out.time = WallTime{static_cast<int64_t>(entry.time)};
    out.ordinal = entry.ordinal;
    out.requested = std::min(entry.requested, kMostBytes);
    out.total = std::min(entry.total, kMostBytes);
    out.free = std::min(entry.free, kMostBytes);
    out.allocated = std::min(entry.allocated, kMostBytes);
    out.reserved = std::min(entry.reserved, kMostBytes);
    out.active = std::min(entry.active, kMostBytes);
    out.inactive_split = std::min(entry.inactive_split, kMostBytes);
    out.stack = TextOf(entry.stack);
    sample.out_of_memory.push_back(std::move(out));
  }
}

// The position in sample.stacks of stack `number` of the page's table; UINT32_MAX when another one
// took its place.
uint32_t PageReader::StackOf(FrameworkSample& sample, uint64_t number) {
  gpusight_page_stack entry, again;
  const size_t at = offsetof(Page, stack) +
                    static_cast<size_t>((number - 1) % GPUSIGHT_PAGE_STACKS) * sizeof entry;
  if (number == 0 || !ReadBytes(at, &entry, sizeof entry) || !ReadBytes(at, &again, sizeof again) ||
      entry.number != number || again.number != number) {
    return UINT32_MAX;
  }
  sample.stacks.push_back(TextOf(entry.text));
  return static_cast<uint32_t>(sample.stacks.size() - 1);
}

void PageReader::FillStacks(FrameworkSample& sample, uint64_t newest) {
  std::vector<gpusight_page_sample> entries;
  ReadRing(offsetof(Page, sample), GPUSIGHT_PAGE_SAMPLES, newest, last_sample_, entries,
           sample.lost);
  std::vector<std::pair<uint64_t, uint32_t>> known;  // a second has few different ones
  for (const gpusight_page_sample& entry : entries) {
    auto found = std::find_if(known.begin(), known.end(),
                              [&](const auto& pair) { return pair.first == entry.stack; });
    if (found == known.end()) {
      known.emplace_back(entry.stack, StackOf(sample, entry.stack));
      found = known.end() - 1;
    }
    if (found->second == UINT32_MAX || !IsPlausible(entry.time)) {
      ++sample.lost;
      continue;
    }
    sample.stack_samples.push_back({WallTime{static_cast<int64_t>(entry.time)}, found->second});
  }
}

}  // namespace gpusight::page
