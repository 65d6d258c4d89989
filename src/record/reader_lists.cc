// SPDX-License-Identifier: Apache-2.0
// The lists that a Recording holds besides its frames: events, marks, steps, stacks, findings, and
// the end of the output.
#include <fmt/format.h>

#include <algorithm>

#include "record/columns.h"
#include "record/finding_json.h"
#include "record/identity_reader.h"
#include "record/reader_impl.h"
#include "record/roles.h"

namespace gpusight::record {
namespace {

constexpr size_t kMostListed = 500'000;
constexpr size_t kLongestPiece = 1 << 20;

int64_t EndOf(Span span) { return span.end.ns == 0 ? INT64_MAX : span.end.ns; }

// Calls visit(row) for each row; `bound` are bound from 1 on.
template <typename Visit>
void Each(Statement statement, std::initializer_list<int64_t> bound, Visit&& visit) {
  if (!statement) return;
  int at = 1;
  for (const int64_t value : bound) statement.Bind(at++, value);
  for (size_t i = 0; i < kMostListed && statement.Row(); ++i) visit(statement);
}

constexpr std::string_view kOfProcess =
    "WHERE (?1=0 OR process=?1) AND time>=?2 AND time<?3 ORDER BY t,id";

}  // namespace

std::vector<Event> Recording::Events(Span span) const {
  std::vector<Event> out;
  IdentityReader identities(impl_->database);
  Each(Select(impl_->database, "event", {"time", "type", "device", "number"},
              "WHERE time>=? AND time<? ORDER BY t,id"),
       {span.begin.ns, EndOf(span)}, [&](const Statement& row) {
         Event event;
         if (!ParseEvent(row.Text(1), event.type)) return;
         event.time.ns = row.Integer(0);
         event.number = row.Integer(3);
         const DeviceInfo* info = row.IsNull(2) ? nullptr : identities.Device(row.Integer(2));
         if (info != nullptr) event.device_uuid = info->uuid;
         out.push_back(std::move(event));
       });
  return out;
}

std::vector<Mark> Recording::Marks(int64_t process, Span span) const {
  std::vector<Mark> out;
  Each(Select(impl_->database, "mark", {"time", "type", "value", "text"}, kOfProcess),
       {process, span.begin.ns, EndOf(span)}, [&](const Statement& row) {
         out.push_back({ParseMark(row.Text(1)), {row.Integer(0)}, row.Real(2), TextOf(row, 3)});
       });
  return out;
}

std::vector<OutOfMemory> Recording::OutOfMemories(int64_t process, Span span) const {
  std::vector<OutOfMemory> out;
  Each(Select(impl_->database, "out_of_memory",
              {"time", "ordinal", "requested_bytes", "total_bytes", "free_bytes", "allocated_bytes",
               "reserved_bytes", "active_bytes", "inactive_split_bytes", "stack", "caught"},
              kOfProcess),
       {process, span.begin.ns, EndOf(span)}, [&](const Statement& row) {
         OutOfMemory& oom = out.emplace_back();
         oom.time.ns = row.Integer(0);
         oom.ordinal = IntOf(row, 1);
         int at = 2;
         for (uint64_t* bytes : {&oom.requested, &oom.total, &oom.free, &oom.allocated,
                                 &oom.reserved, &oom.active, &oom.inactive_split}) {
           *bytes = static_cast<uint64_t>(row.Integer(at++));
         }
         oom.stack = TextOf(row, at);
         oom.caught = row.Integer(at + 1) != 0;
       });
  return out;
}

std::vector<RecordedStep> Recording::Steps(int64_t process, Span span) const {
  std::vector<RecordedStep> out;
  const int64_t begin = impl_->TimeOf(span.begin);
  if (begin == INT64_MAX) return out;
  // The first frame's steps ended before it.
  const int64_t from = span.begin.ns == 0 ? INT64_MIN : begin - 1;
  const int64_t to = span.end.ns == 0 ? INT64_MAX : impl_->TimeOf(span.end);
  const WallTime base = impl_->WallOf(begin);
  constexpr int64_t kFar = 1'000'000'000'000;
  Each(Select(impl_->database, "step",
              {"t", "number", "microseconds", "data_microseconds", "merged", "min_microseconds",
               "max_microseconds"},
              "WHERE (?1=0 OR process=?1) AND t>?2 AND t<=?3 ORDER BY t"),
       {process, from, to}, [&](const Statement& row) {
         RecordedStep& step = out.emplace_back();
         const int64_t ms =
             std::clamp(row.Integer(0), -kFar, kFar) - std::clamp(begin, -kFar, kFar);
         step.step.end.ns = base.ns + ms * 1'000'000;
         step.step.number = static_cast<uint64_t>(row.Integer(1));
         step.step.seconds = row.Real(2) / 1e6;
         step.step.data_seconds = row.Real(3) / 1e6;
         step.merged = static_cast<uint32_t>(std::clamp<int64_t>(row.Integer(4), 1, UINT32_MAX));
         step.least = row.IsNull(5) ? step.step.seconds : row.Real(5) / 1e6;
         step.most = row.IsNull(6) ? step.step.seconds : row.Real(6) / 1e6;
       });
  return out;
}

std::vector<StackCount> Recording::Stacks(int64_t process, Span span) const {
  std::vector<StackCount> out;
  const int64_t begin = impl_->TimeOf(span.begin);
  const int64_t end = span.end.ns == 0 ? INT64_MAX : impl_->TimeOf(span.end);
  IdentityReader identities(impl_->database);
  Statement s = impl_->database.Prepare(
      "SELECT stack,sum(samples) AS seen,sum(idle_samples) FROM stack_sample WHERE (?1=0 OR "
      "process=?1) AND t>=?2 AND t<?3 GROUP BY stack ORDER BY seen DESC");
  if (ColumnsOf(impl_->database, "stack_sample").empty()) return out;
  Each(std::move(s), {process, begin, end}, [&](const Statement& row) {
    const std::string* stack = identities.Stack(row.Integer(0));
    if (stack == nullptr) return;
    out.push_back(
        {*stack, static_cast<uint64_t>(row.Integer(1)), static_cast<uint64_t>(row.Integer(2))});
  });
  return out;
}

// Before version 2 a finding was a sentence in English with a begin and an end.
bool Recording::KnowsItsJob() const {
  const std::vector<RecordedProcess> processes = Processes();
  return std::any_of(processes.begin(), processes.end(),
                     [](const RecordedProcess& process) { return process.sample.in_job; });
}

std::vector<FindingRow> Recording::Findings() const {
  std::vector<FindingRow> out;
  const auto real = [](const Statement& row, int at) {
    return row.IsNull(at) ? Known<double>(Absence::kNotApplicable) : Known<double>(row.Real(at));
  };
  Each(Select(
           impl_->database, "finding",
           {"opened_time", "updated_time", "closed_time",  "rule",        "form",    "level",
            "severity",    "confidence",   "seconds_left", "device_uuid", "pid",     "start_ticks",
            "rank",        "evidence",     "proposal",     "place",       "missing", "behind",
            "text_en",     "text_zh",      "begin_time",   "end_time",    "text"},
           "ORDER BY id"),
       {}, [&](const Statement& row) {
         const bool old = row.IsNull(0);
         FindingRow& told = out.emplace_back();
         Finding& f = told.finding;
         f.opened = {row.Integer(old ? 20 : 0)};
         f.updated = {row.Integer(old ? 21 : 1)};
         f.closed = {row.Integer(old ? 21 : 2)};
         f.rule = TextOf(row, 3);
         f.form = TextOf(row, 4);
         f.level = LevelOf(row.Text(5));
         f.severity = row.Real(6);
         f.confidence = row.Real(7);
         f.seconds_left = real(row, 8);
         f.device_uuid = TextOf(row, 9);
         f.pid = IntOf(row, 10);
         f.start_ticks = static_cast<uint64_t>(row.Integer(11));
         f.rank = row.IsNull(12) ? -1 : IntOf(row, 12);
         f.evidence = ReadEvidence(row.Text(13));
         f.proposal = real(row, 14);
         f.place = TextOf(row, 15);
         f.missing = ReadWords(row.Text(16));
         f.behind = TextOf(row, 17);
         told.english = TextOf(row, old ? 22 : 18);
         told.chinese = TextOf(row, 19);
       });
  return out;
}

std::vector<OutputPiece> Recording::Output() const {
  std::vector<OutputPiece> out;
  Each(Select(impl_->database, "output_tail", {"time", "stream", "bytes"}, "ORDER BY id"), {},
       [&](const Statement& row) {
         out.push_back({{row.Integer(0)},
                        row.Integer(1) == 2 ? Stream::kError : Stream::kOut,
                        std::string(row.Bytes(2).substr(0, kLongestPiece))});
       });
  return out;
}

}  // namespace gpusight::record
