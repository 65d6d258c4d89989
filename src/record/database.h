// SPDX-License-Identifier: Apache-2.0
// SQLite as the recording uses it: a connection and prepared statements that close themselves, and
// errors as values. Only database.cc includes sqlite3.h. Next: schema.h.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gpusight::record {

// One prepared statement. Bind from 1 as SQL counts, Run() or Row(), Reset(), again.
class Statement {
 public:
  Statement() = default;
  explicit operator bool() const { return statement_ != nullptr; }

  // Texts and bytes are not copied: they must stay as they are until Reset().
  Statement& Bind(int at, int64_t value);
  Statement& BindReal(int at, double value);
  Statement& BindText(int at, std::string_view text);
  Statement& BindBytes(int at, std::string_view bytes);
  Statement& BindNull(int at);

  // True: a row is there. False: done, or an error that Database::trouble() names.
  bool Row();
  // Runs to the end, then resets. False on an error.
  bool Run();
  void Reset();
  bool failed() const;  // the last Row() ended by an error

  // Column `at` (from 0) of the current row. Text and bytes live until the next Row() or Reset().
  bool IsNull(int at) const;
  int64_t Integer(int at) const;
  double Real(int at) const;
  std::string_view Text(int at) const;
  std::string_view Bytes(int at) const;

 private:
  friend class Database;
  struct Close {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Close> statement_;
  int last_ = 0;  // the code of the last step
};

// What an error of SQLite means for us.
enum class Trouble : uint8_t {
  kNone,
  kFull,     // no room left
  kBusy,     // somebody reads or writes just now; try again later
  kLocks,    // the file system does not lock
  kJournal,  // a commit was cut, and we may not write to take it back
  kDamaged,  // no database, or a broken one
  kOther,
};

// A private, changeable view of a file: what is changed in it never reaches the file.
class Mapping {
 public:
  Mapping() = default;
  Mapping(unsigned char* bytes, size_t size) : bytes_(bytes), size_(size) {}
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  static Result<Mapping> OfFile(const std::string& path);
  static Mapping OfBytes(std::string_view bytes);
  std::span<unsigned char> bytes() { return {bytes_, size_}; }

 private:
  unsigned char* bytes_ = nullptr;
  size_t size_ = 0;
};

// One connection. Not thread-safe.
class Database {
 public:
  // For writing an empty file that is there. `locks` false: without file locks.
  static Result<Database> OpenToWrite(const std::string& path, bool locks);
  // For reading only; never changes the file nor leaves anything beside it.
  static Result<Database> OpenToRead(const std::string& path, bool locks);
  // For reading what is in memory.
  static Result<Database> OpenInMemory(Mapping mapping, size_t bytes);

  bool Run(const char* sql);
  bool Run(const std::string& sql) { return Run(sql.c_str()); }
  // Empty when the SQL does not fit the file.
  Statement Prepare(std::string_view sql);
  // One integer of the first row; nullopt on an error or without a row.
  std::optional<int64_t> Number(std::string_view sql);

  Trouble trouble() const;  // of the last call
  std::string error() const;
  int system_error() const;  // errno behind it, 0 for none
  int64_t last_row() const;
  bool in_transaction() const;
  void SetPatience(int milliseconds);
  // Against files made to harm: nothing of the file's own schema runs.
  void Distrust();

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<Mapping> mapping_;  // must outlive the connection
  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace gpusight::record
