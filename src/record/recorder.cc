// SPDX-License-Identifier: Apache-2.0
#include "record/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/finding_text.h"
#include "record/finding_json.h"

namespace gpusight::record {
Recorder::Recorder(std::string path, const RunFacts& facts, const WriterOptions& options,
                   const Clock& clock, bool locks)
    : path_(std::move(path)),
      facts_(facts),
      options_(options),
      locks_(locks),
      start_(clock.Wall()),
      origin_(clock.Mono()) {}

Recorder::~Recorder() = default;

bool Recorder::Open() {
  if (!database_) {
    auto database = Database::OpenToWrite(path_, locks_);
    if (!database) {
      trouble_ = Trouble::kOther;
      error_ = database.error().what;
      return false;
    }
    database_ = std::move(*database);
    // Then the rows are kept in memory and the reader is let be, until the next second.
    database_->SetPatience(static_cast<int>(options_.patience_seconds * 1000));
    // A journal that is made empty, not removed, spares the folder's file system; a log beside the
    // database (WAL) needs shared memory, which NFS and Lustre do not have.
    database_->Run("PRAGMA journal_mode=TRUNCATE");
    database_->Run("PRAGMA synchronous=NORMAL");
    database_->Run("PRAGMA temp_store=MEMORY");
    database_->Run("PRAGMA cache_size=-2048");
  }
  return true;
}

bool Recorder::Begin() {
  if (!Open() || !database_->Run("BEGIN IMMEDIATE")) return false;
  if (has_schema_) return true;
  if (!database_->Run(SchemaSql()) || !WriteRun()) return false;
  encoder_ = std::make_unique<Encoder>(*database_);
  rollup_ = std::make_unique<Rollup>(*database_, options_.retention);
  return true;
}

bool Recorder::Write(const Batch& batch, bool last) {
  t_ = t_written_;
  versions_ = versions_written_;
  const bool good = Begin() && WriteAll(batch) && rollup_->Step(t_) && Commit();
  if (!good) return GiveUp();
  has_schema_ = true;
  rollup_->Commit();
  t_written_ = t_;
  versions_written_ = versions_;
  lost_written_ = batch.lost;
  trouble_ = Trouble::kNone;
  const auto pages = database_->Number("PRAGMA page_count");
  const auto size = database_->Number("PRAGMA page_size");
  file_bytes_ = static_cast<uint64_t>(pages.value_or(0) * size.value_or(0));
  // Removes the journal.
  if (last) database_->Run("PRAGMA journal_mode=DELETE");
  return true;
}

bool Recorder::GiveUp() {
  if (database_) {
    trouble_ = database_->trouble();
    error_ = database_->error();
    if (const int system = database_->system_error(); trouble_ != Trouble::kBusy && system != 0) {
      error_ = std::strerror(system);
    }
    if (database_->in_transaction()) database_->Run("ROLLBACK");
  }
  if (has_schema_) {
    encoder_->Forget();
    rollup_->Forget();
  } else {
    encoder_.reset();
    rollup_.reset();
  }
  return false;
}

bool Recorder::Commit() { return database_->Run("COMMIT"); }

int64_t Recorder::TimeOf(const Frame& frame) {
  t_ = std::max(t_ + 1, (frame.mono - origin_) / 1'000'000);
  return t_;
}

bool Recorder::WriteAll(const Batch& batch) {
  for (const auto& frame : batch.frames) {
    if (!encoder_->Write(*frame, TimeOf(*frame))) return false;
  }
  for (const auto& [name, version] : batch.versions) {
    Statement fact = database_->Prepare("INSERT INTO run_fact VALUES('version',?,?,?)");
    if (!fact.Bind(1, ++versions_).BindText(2, name).BindText(3, version).Run()) return false;
  }
  return WriteOutput(batch) && WriteFindings(batch) && WriteEnd(batch);
}

bool Recorder::WriteRun() {
  Statement run = database_->Prepare(
      "INSERT INTO run(id,name,folder,pid,watched,start_time,gpusight,git_commit,git_changed,"
      "lost_frames) VALUES(1,?,?,?,?,?,?,?,?,0)");
  run.BindText(1, facts_.name).BindText(2, facts_.folder).Bind(3, facts_.pid);
  run.Bind(4, facts_.watched ? 1 : 0).Bind(5, start_.ns).BindText(6, facts_.gpusight);
  run.BindText(7, facts_.git_commit);
  if (facts_.git_changed) run.Bind(8, *facts_.git_changed ? 1 : 0);
  if (!run.Run()) return false;
  Statement fact = database_->Prepare("INSERT INTO run_fact VALUES(?,?,?,?)");
  const auto add = [&](std::string_view kind, int64_t position, std::string_view name,
                       std::string_view value) {
    fact.BindText(1, kind).Bind(2, position).BindText(3, name).BindText(4, value);
    return fact.Run();
  };
  int64_t position = 0;
  for (const std::string& argument : facts_.arguments) {
    if (!add("argument", ++position, "", argument)) return false;
  }
  const auto add_all = [&](std::string_view kind, const Pairs& pairs) {
    int64_t at = 0;
    return std::all_of(pairs.begin(), pairs.end(),
                       [&](const auto& pair) { return add(kind, ++at, pair.first, pair.second); });
  };
  if (!add_all("tag", facts_.tags) || !add_all("environment", facts_.environment) ||
      !add_all("version", facts_.versions)) {
    return false;
  }
  versions_ = static_cast<int64_t>(facts_.versions.size());
  Statement metric = database_->Prepare("INSERT INTO metric VALUES(?,?,?,?)");
  for (size_t i = 0; i < kScopes; ++i) {
    const auto scope = static_cast<Scope>(i);
    for (const CatalogRow& row : RowsOf(scope)) {
      metric.BindText(1, ScopeName(scope))
          .BindText(2, row.name)
          .BindText(3, UnitName(row.unit).english);
      if (!metric.BindText(4, row.kind == Kind::kCounter ? "counter" : "gauge").Run()) return false;
    }
  }
  return true;
}

bool Recorder::WriteEnd(const Batch& batch) {
  if (batch.lost != lost_written_) {
    if (!database_->Run(fmt::format("UPDATE run SET lost_frames={}", batch.lost))) return false;
  }
  if (!batch.end) return true;
  const RunEnd& end = *batch.end;
  Statement run = database_->Prepare(
      "UPDATE run SET end_time=?,end_kind=?,exit_code=?,exit_signal=?,end_text=?");
  run.Bind(1, end.time.ns).BindText(2, end.kind).BindText(5, end.text);
  if (end.code) {
    run.Bind(3, *end.code);
  } else {
    run.BindNull(3);
  }
  if (end.signal) {
    run.Bind(4, *end.signal);
  } else {
    run.BindNull(4);
  }
  if (!run.Run() || !database_->Run("DELETE FROM run_fact WHERE kind='end'")) return false;
  int64_t position = 0;
  for (const auto& [name, value] : end.facts) {
    Statement fact = database_->Prepare("INSERT INTO run_fact VALUES('end',?,?,?)");
    if (!fact.Bind(1, ++position).BindText(2, name).BindText(3, value).Run()) return false;
  }
  return true;
}

bool Recorder::WriteOutput(const Batch& batch) {
  if (batch.output.empty()) return true;
  Statement add = database_->Prepare("INSERT INTO output_tail VALUES(NULL,?,?,?)");
  for (const OutputPiece& piece : batch.output) {
    add.Bind(1, piece.time.ns).Bind(2, static_cast<int64_t>(piece.stream));
    if (!add.BindBytes(3, piece.bytes).Run()) return false;
  }
  // The pieces before the newest that together are enough.
  return database_->Run(
      fmt::format("DELETE FROM output_tail WHERE id<=(SELECT max(id) FROM (SELECT id,"
                  "sum(length(bytes)) OVER (ORDER BY id DESC)-length(bytes) AS later FROM "
                  "output_tail) WHERE later>={})",
                  options_.output_bytes));
}

// A finding that is there already is the same one, known better.
bool Recorder::WriteFindings(const Batch& batch) {
  if (batch.findings.empty()) return true;
  Statement add = database_->Prepare(
      "INSERT INTO finding VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
      "ON CONFLICT(rule,form,device_uuid,pid,start_ticks,opened_time) DO UPDATE SET "
      "updated_time=excluded.updated_time,closed_time=excluded.closed_time,level=excluded.level,"
      "severity=excluded.severity,confidence=excluded.confidence,"
      "seconds_left=excluded.seconds_left,rank=excluded.rank,evidence=excluded.evidence,"
      "proposal=excluded.proposal,place=excluded.place,missing=excluded.missing,"
      "behind=excluded.behind,text_en=excluded.text_en,text_zh=excluded.text_zh");
  const auto real = [&add](int at, const Known<double>& value) {
    if (value) {
      add.BindReal(at, *value);
    } else {
      add.BindNull(at);
    }
  };
  for (const Finding& f : batch.findings) {
    const std::string evidence = EvidenceJson(f.evidence), missing = WordsJson(f.missing);
    const std::string english = Tell(f, Language::kEnglish), chinese = Tell(f, Language::kChinese);
    add.Bind(1, f.opened.ns).Bind(2, f.updated.ns).BindText(4, f.rule).BindText(5, f.form);
    if (f.is_open()) {
      add.BindNull(3);
    } else {
      add.Bind(3, f.closed.ns);
    }
    add.BindText(6, LevelName(f.level)).BindReal(7, f.severity).BindReal(8, f.confidence);
    real(9, f.seconds_left);
    add.BindText(10, f.device_uuid).Bind(11, f.pid);
    add.Bind(12, static_cast<int64_t>(f.start_ticks)).Bind(13, f.rank).BindText(14, evidence);
    real(15, f.proposal);
    add.BindText(16, f.place).BindText(17, missing).BindText(18, f.behind);
    if (!add.BindText(19, english).BindText(20, chinese).Run()) return false;
  }
  return true;
}

}  // namespace gpusight::record
