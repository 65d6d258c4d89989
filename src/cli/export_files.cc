// SPDX-License-Identifier: Apache-2.0
#include "cli/export_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/text.h"
#include "cli/output.h"
#include "cli/reason.h"
#include "export/csv.h"
#include "export/json.h"
#include "export/number.h"
#include "model/text/export.h"

namespace gpusight::cli {
namespace {

constexpr size_t kBuffer = 256 * 1024;

// "2026-04-05T10:00:00.123456Z": what CSV readers take for a time.
void AppendTime(std::string& out, WallTime time) {
  const time_t seconds = time.ns / 1'000'000'000;
  tm parts{};
  gmtime_r(&seconds, &parts);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
                 parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
                 parts.tm_sec, time.ns / 1000 % 1'000'000);
}

void AppendQuoted(std::string& out, std::string_view text) {
  std::string room;
  out += '"';
  for (const char c : Printable(text, room)) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

std::string_view TypeName(record::CellType type) {
  switch (type) {
    case record::CellType::kTime:
      return "timestamp[us, tz=UTC]";
    case record::CellType::kInteger:
      return "int64";
    case record::CellType::kReal:
      return "double";
    case record::CellType::kText:
      return "string";
  }
  return "string";
}

// What converts the files: the columns of each with their types, as Apache Arrow names them.
std::string Schema() {
  std::string out;
  exporting::JsonWriter json(out);
  json.BeginObject();
  for (const record::ExportTable& table : record::ExportTables()) {
    json.Key(table.name);
    json.BeginObject();
    json.Member("file", fmt::format("{}.csv", table.name));
    json.Key("columns");
    json.BeginArray();
    for (const record::TableColumn& column : table.columns) {
      json.BeginObject();
      json.Member("name", column.name);
      json.Member("type", TypeName(column.type));
      if (!column.unit.empty()) json.Member("unit", column.unit);
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndObject();
  out += '\n';
  return out;
}

void AppendJson(std::string& out, const record::ExportTable& table,
                std::span<const record::TableCell> cells) {
  exporting::JsonWriter json(out);
  json.BeginObject();
  for (size_t i = 0; i < cells.size(); ++i) {
    json.Key(table.columns[i].name);
    const record::TableCell& cell = cells[i];
    if (const auto* time = std::get_if<WallTime>(&cell)) {
      std::string text;
      AppendTime(text, *time);
      json.String(text);
    } else if (const auto* integer = std::get_if<int64_t>(&cell)) {
      json.Int(*integer);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      json.Number(*real);
    } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
      json.String(*text);
    } else {
      json.Null();
    }
  }
  json.EndObject();
  out += '\n';
}

}  // namespace

Result<ExportFiles> ExportFiles::Create(const std::string& folder, TableFormat format,
                                        Language language) {
  ExportFiles files(format, language);
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    return Fail(
        ErrorCode::kIo,
        Say(language, text::kExportNoFolder, Printable(folder), SystemReason(errno, language)),
        Say(language, text::kExportNoFolderRemedy));
  }
  const std::string_view ending = format == TableFormat::kJsonl ? "jsonl" : "csv";
  for (const record::ExportTable& table : record::ExportTables()) {
    auto file = files.Open(fmt::format("{}/{}.{}", folder, table.name, ending));
    if (!file) return tl::unexpected(std::move(file.error()));
    if (format != TableFormat::kJsonl) {
      for (const record::TableColumn& column : table.columns) {
        if (!file->waiting.empty()) file->waiting += ',';
        file->waiting += column.name;
      }
      file->waiting += '\n';
    }
    files.files_.push_back(std::move(*file));
  }
  if (format == TableFormat::kParquet) {
    auto file = files.Open(folder + "/schema.json");
    if (!file) return tl::unexpected(std::move(file.error()));
    file->waiting = Schema();
    files.files_.push_back(std::move(*file));
  }
  return files;
}

Result<ExportFiles::File> ExportFiles::Open(const std::string& path) const {
  File file;
  file.path = path;
  file.fd = UniqueFd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.fd.valid()) return file;
  if (errno == EEXIST) {
    return Fail(ErrorCode::kUsage, Say(language_, text::kExportExists, Printable(path)),
                Say(language_, text::kExportExistsRemedy));
  }
  return Fail(ErrorCode::kIo,
              Say(language_, text::kExportFailed, Printable(path), SystemReason(errno, language_)),
              Say(language_, text::kExportNoFolderRemedy));
}

void ExportFiles::AppendCsv(std::string& out, std::span<const record::TableCell> cells) const {
  bool first = true;
  for (const record::TableCell& cell : cells) {
    if (!first) out += ',';
    first = false;
    if (const auto* time = std::get_if<WallTime>(&cell)) {
      AppendTime(out, *time);
    } else if (const auto* integer = std::get_if<int64_t>(&cell)) {
      fmt::format_to(std::back_inserter(out), "{}", *integer);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      exporting::AppendNumber(out, *real);
    } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
      if (format_ == TableFormat::kParquet) {
        AppendQuoted(out, *text);
      } else {
        exporting::AppendCsvCell(out, *text);
      }
    }
  }
  out += '\n';
}

bool ExportFiles::Row(size_t table, std::span<const record::TableCell> cells) {
  if (error_) return false;
  File& file = files_[table];
  if (format_ == TableFormat::kJsonl) {
    AppendJson(file.waiting, record::ExportTables()[table], cells);
  } else {
    AppendCsv(file.waiting, cells);
  }
  ++rows_;
  return file.waiting.size() < kBuffer || Flush(file);
}

bool ExportFiles::Flush(File& file) {
  FdOutput output(file.fd.get(), file.path);
  if (auto written = output.Write(file.waiting); !written) {
    error_ = std::move(written.error());
    return false;
  }
  bytes_ += file.waiting.size();
  file.waiting.clear();
  return true;
}

Result<void> ExportFiles::Finish() {
  for (File& file : files_) {
    if (error_ || !Flush(file)) break;
  }
  if (error_) return tl::unexpected(*error_);
  return {};
}

}  // namespace gpusight::cli
