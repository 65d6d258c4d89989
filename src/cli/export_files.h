// SPDX-License-Identifier: Apache-2.0
// The tables of a recording as files of one folder, one for each table. Next: export.cc.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/language.h"
#include "record/tables.h"

namespace gpusight::cli {

enum class TableFormat : uint8_t {
  kCsv,      // for people and spreadsheets
  kJsonl,    // an object per line, null for what is not known
  kParquet,  // CSV to be converted: texts as they are, always in quotes, and the types in
             // schema.json
};

class ExportFiles : public record::TableSink {
 public:
  // Makes the folder where it is missing; refuses to overwrite a file.
  static Result<ExportFiles> Create(const std::string& folder, TableFormat format,
                                    Language language);

  bool Row(size_t table, std::span<const record::TableCell> cells) override;
  // Writes what is left. The error of that, or of an earlier row.
  Result<void> Finish();
  uint64_t rows() const { return rows_; }
  uint64_t bytes() const { return bytes_; }

 private:
  struct File {
    UniqueFd fd;
    std::string path, waiting;
  };
  ExportFiles(TableFormat format, Language language) : format_(format), language_(language) {}
  Result<File> Open(const std::string& path) const;
  void AppendCsv(std::string& out, std::span<const record::TableCell> cells) const;
  bool Flush(File& file);

  TableFormat format_;
  Language language_;
  std::vector<File> files_;
  uint64_t rows_ = 0, bytes_ = 0;
  std::optional<Error> error_;
};

}  // namespace gpusight::cli
