// SPDX-License-Identifier: Apache-2.0
#include "record/reader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "model/text/record.h"
#include "record/columns.h"
#include "record/decoder.h"
#include "record/reader_impl.h"

namespace gpusight::record {
namespace {

constexpr size_t kMostFacts = 100'000;
constexpr int kTries = 100;
constexpr useconds_t kTryEveryUs = 10'000;

}  // namespace

Recording::Recording(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

int64_t Recording::Impl::TimeOf(WallTime wall) const {
  Statement s = database.Prepare("SELECT min(t) FROM frame WHERE time>=?");
  if (!s || !s.Bind(1, wall.ns).Row() || s.IsNull(0)) return INT64_MAX;
  return s.Integer(0);
}

WallTime Recording::Impl::WallOf(int64_t t) const {
  // The frame before, else the first one.
  for (const char* sql : {"SELECT t,time FROM frame WHERE t<=? ORDER BY t DESC LIMIT 1",
                          "SELECT t,time FROM frame WHERE t>=? ORDER BY t LIMIT 1"}) {
    Statement s = database.Prepare(sql);
    if (!s || !s.Bind(1, t).Row()) continue;
    constexpr int64_t kFar = 1'000'000'000'000;  // ms; some thirty years
    const int64_t ms = std::clamp(t, -kFar, kFar) - std::clamp(s.Integer(0), -kFar, kFar);
    return {std::clamp<int64_t>(s.Integer(1), 0, 4'000'000'000'000'000'000) + ms * 1'000'000};
  }
  return {};
}

Error Recording::Impl::Explain(Trouble trouble, const std::string& error) const {
  const std::string shown = Printable(path);
  switch (trouble) {
    case Trouble::kBusy:
      return {ErrorCode::kIo, Say(language, text::kRecordBusy, shown),
              Say(language, text::kRecordBusyRemedy)};
    case Trouble::kDamaged:
      return {ErrorCode::kBadInput, Say(language, text::kRecordDamaged, shown, error),
              Say(language, text::kRecordDamagedRemedy)};
    default:
      return {ErrorCode::kIo, Say(language, text::kRecordUnreadable, shown, error), {}};
  }
}

Summary Recording::Read() const {
  Database& db = impl_->database;
  Summary summary;
  summary.schema = static_cast<int>(db.Number("PRAGMA user_version").value_or(0));
  RunFacts& facts = summary.facts;
  Statement run = Select(
      db, "run",
      {"name", "folder", "pid", "watched", "start_time", "gpusight", "git_commit", "git_changed",
       "end_time", "end_kind", "exit_code", "exit_signal", "end_text", "lost_frames"},
      "WHERE id=1");
  if (run && run.Row()) {
    facts.name = TextOf(run, 0);
    facts.folder = TextOf(run, 1);
    facts.pid = IntOf(run, 2);
    facts.watched = run.Integer(3) != 0;
    facts.start.ns = run.Integer(4);
    facts.gpusight = TextOf(run, 5);
    facts.git_commit = TextOf(run, 6);
    if (!run.IsNull(7)) facts.git_changed = run.Integer(7) != 0;
    summary.end.time.ns = run.Integer(8);
    summary.end.kind = TextOf(run, 9);
    if (!run.IsNull(10)) summary.end.code = IntOf(run, 10);
    if (!run.IsNull(11)) summary.end.signal = IntOf(run, 11);
    summary.end.text = TextOf(run, 12);
    summary.lost = static_cast<uint64_t>(run.Integer(13));
  }
  Statement fact = Select(db, "run_fact", {"kind", "name", "value"}, "ORDER BY kind, position");
  for (size_t i = 0; fact && i < kMostFacts && fact.Row(); ++i) {
    const std::string_view kind = fact.Text(0);
    if (kind == "argument") facts.arguments.push_back(TextOf(fact, 2));
    Pairs* pairs = kind == "tag"           ? &facts.tags
                   : kind == "environment" ? &facts.environment
                   : kind == "version"     ? &facts.versions
                   : kind == "end"         ? &summary.end.facts
                                           : nullptr;
    if (pairs != nullptr) pairs->emplace_back(TextOf(fact, 1), TextOf(fact, 2));
  }
  Statement frames = db.Prepare("SELECT count(*),max(time) FROM frame");
  Statement first = Select(db, "frame", {"time", "interval_seconds"}, "ORDER BY t LIMIT 1");
  if (frames && frames.Row() && first && first.Row()) {
    summary.frames = static_cast<uint64_t>(frames.Integer(0));
    // A merged frame stands for the time before it.
    constexpr double kLongest = 1e9;
    const double interval = std::clamp(first.Real(1), 0.0, kLongest);
    summary.span.begin.ns =
        std::max<int64_t>(first.Integer(0), 0) - static_cast<int64_t>(interval * 1e9);
    summary.span.end.ns = frames.Integer(1);
  }
  Decoder decoder(db, Decoder::Depth::kAll);
  Frame frame;
  const auto last = db.Number("SELECT max(t) FROM frame");
  if (last && decoder.SeekAfter(*last == INT64_MIN ? *last : *last - 1) && decoder.Next(frame)) {
    summary.hostname = frame.host.hostname;
    summary.kernel = frame.host.kernel;
    summary.driver = frame.driver;
  }
  return summary;
}

std::vector<RecordedDevice> Recording::Devices() const {
  return IdentityReader(impl_->database).Devices();
}
std::vector<RecordedContainer> Recording::Containers() const {
  return IdentityReader(impl_->database).Containers();
}
std::vector<RecordedProcess> Recording::Processes() const {
  std::vector<RecordedProcess> processes = IdentityReader(impl_->database).Processes();
  const int64_t last = impl_->database.Number("SELECT max(t) FROM frame").value_or(0);
  for (RecordedProcess& process : processes) {
    const int64_t end = process.seen.end.ns;
    process.seen.begin = impl_->WallOf(process.seen.begin.ns);
    process.seen.end = impl_->WallOf(end < 0 ? last : end);
  }
  return processes;
}

class FrameCursor::Impl {
 public:
  explicit Impl(const Recording::Impl& recording)
      : recording_(recording),
        decoder_(recording.database, Decoder::Depth::kAll),
        version_(recording.database.Prepare("PRAGMA data_version")) {}

  bool Next(Frame& frame) {
    // One transaction, so that a frame is whole while somebody writes; none between calls.
    const bool began = recording_.database.Run("BEGIN");
    if (version_.Row() && version_.Integer(0) != seen_) {
      seen_ = version_.Integer(0);
      decoder_.identities().Clear();
    }
    version_.Reset();
    bool found = decoder_.Next(frame);
    // Without locks a commit in progress looks like one that was cut. It takes milliseconds.
    for (int i = 0; !found && decoder_.trouble() == Trouble::kJournal && i < kTries; ++i) {
      usleep(kTryEveryUs);
      found = decoder_.SeekAfter(last_) && decoder_.Next(frame);
    }
    if (found) last_ = decoder_.t();
    if (!found && decoder_.failed()) Explain();
    if (began) recording_.database.Run("COMMIT");
    return found;
  }

  void Seek(WallTime time) {
    trouble_.reset();
    const int64_t t = recording_.TimeOf(time);
    const int64_t last = recording_.database.Number("SELECT max(t) FROM frame").value_or(0);
    const int64_t after = t == INT64_MAX ? last : t == INT64_MIN ? t : t - 1;
    last_ = after;
    if (!decoder_.SeekAfter(after)) Explain();
  }

  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  void Explain() {
    if (!trouble_) trouble_ = recording_.Explain(decoder_.trouble(), decoder_.error());
  }

  const Recording::Impl& recording_;
  Decoder decoder_;
  Statement version_;
  int64_t seen_ = 0;
  int64_t last_ = INT64_MIN;  // t of the last frame
  std::optional<Error> trouble_;
};

FrameCursor::FrameCursor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FrameCursor::FrameCursor(FrameCursor&&) noexcept = default;
FrameCursor& FrameCursor::operator=(FrameCursor&&) noexcept = default;
FrameCursor::~FrameCursor() = default;
bool FrameCursor::Next(Frame& frame) { return impl_->Next(frame); }
void FrameCursor::Seek(WallTime time) { impl_->Seek(time); }
std::optional<Error> FrameCursor::trouble() const { return impl_->trouble(); }

FrameCursor Recording::Frames(WallTime from) const {
  FrameCursor cursor(std::make_unique<FrameCursor::Impl>(*impl_));
  if (from.ns != 0) cursor.Seek(from);
  return cursor;
}

}  // namespace gpusight::record
