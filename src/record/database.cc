// SPDX-License-Identifier: Apache-2.0
#include "record/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"

namespace gpusight::record {
namespace {

// A path as the URI that SQLite opens it by: every byte that means something there is escaped.
std::string Uri(const std::string& path, std::string_view query) {
  std::string out = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += query;
  return out;
}

}  // namespace

void Statement::Close::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Statement& Statement::Bind(int at, int64_t value) {
  sqlite3_bind_int64(statement_.get(), at, value);
  return *this;
}
Statement& Statement::BindReal(int at, double value) {
  sqlite3_bind_double(statement_.get(), at, value);
  return *this;
}
Statement& Statement::BindText(int at, std::string_view text) {
  sqlite3_bind_text(statement_.get(), at, text.data() == nullptr ? "" : text.data(),
                    static_cast<int>(text.size()), SQLITE_STATIC);
  return *this;
}
Statement& Statement::BindBytes(int at, std::string_view bytes) {
  sqlite3_bind_blob(statement_.get(), at, bytes.data() == nullptr ? "" : bytes.data(),
                    static_cast<int>(bytes.size()), SQLITE_STATIC);
  return *this;
}
Statement& Statement::BindNull(int at) {
  sqlite3_bind_null(statement_.get(), at);
  return *this;
}

bool Statement::Row() {
  last_ = statement_ == nullptr ? SQLITE_MISUSE : sqlite3_step(statement_.get());
  return last_ == SQLITE_ROW;
}

bool Statement::Run() {
  while (Row()) {
  }
  const bool good = last_ == SQLITE_DONE;
  Reset();
  return good;
}

void Statement::Reset() { sqlite3_reset(statement_.get()); }
bool Statement::failed() const { return last_ != SQLITE_ROW && last_ != SQLITE_DONE; }

bool Statement::IsNull(int at) const {
  return sqlite3_column_type(statement_.get(), at) == SQLITE_NULL;
}
int64_t Statement::Integer(int at) const { return sqlite3_column_int64(statement_.get(), at); }
double Statement::Real(int at) const { return sqlite3_column_double(statement_.get(), at); }
std::string_view Statement::Text(int at) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), at));
  if (text == nullptr) return {};
  return {text, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), at))};
}
std::string_view Statement::Bytes(int at) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), at));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), at))};
}

Mapping::Mapping(Mapping&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}
Mapping::~Mapping() {
  if (bytes_ != nullptr) munmap(bytes_, size_);
}

Result<Mapping> Mapping::OfFile(const std::string& path) {
  auto fd = OpenForRead(path);
  if (!fd) return tl::unexpected(std::move(fd.error()));
  struct stat status{};
  if (fstat(fd->get(), &status) != 0) return tl::unexpected(ErrnoError(errno, path));
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return Mapping();
  void* bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd->get(), 0);
  if (bytes == MAP_FAILED) return tl::unexpected(ErrnoError(errno, path));
  return Mapping(static_cast<unsigned char*>(bytes), size);
}

Mapping Mapping::OfBytes(std::string_view bytes) {
  if (bytes.empty()) return {};
  void* memory =
      mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  std::memcpy(memory, bytes.data(), bytes.size());
  return {static_cast<unsigned char*>(memory), bytes.size()};
}

Result<Database> Database::OpenToWrite(const std::string& path, bool locks) {
  sqlite3* connection = nullptr;
  const std::string uri = Uri(path, locks ? "?mode=rw" : "?mode=rw&nolock=1");
  const int code =
      sqlite3_open_v2(uri.c_str(), &connection,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(connection);
  if (code != SQLITE_OK) return Fail(ErrorCode::kIo, database.error());
  return database;
}

Result<Database> Database::OpenToRead(const std::string& path, bool locks) {
  sqlite3* connection = nullptr;
  const std::string uri = Uri(path, locks ? "?mode=ro" : "?mode=ro&nolock=1");
  const int code =
      sqlite3_open_v2(uri.c_str(), &connection,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(connection);
  if (code != SQLITE_OK) return Fail(ErrorCode::kIo, database.error());
  return database;
}

Result<Database> Database::OpenInMemory(Mapping mapping, size_t bytes) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(":memory:", &connection,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(connection);
  if (code != SQLITE_OK) return Fail(ErrorCode::kIo, database.error());
  database.mapping_ = std::make_unique<Mapping>(std::move(mapping));
  const auto room = database.mapping_->bytes();
  const auto size = static_cast<sqlite3_int64>(std::min(bytes, room.size()));
  if (sqlite3_deserialize(connection, "main", room.data(), size, size,
                          SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
    return Fail(ErrorCode::kBadInput, database.error());
  }
  return database;
}

bool Database::Run(const char* sql) {
  return sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

Statement Database::Prepare(std::string_view sql) {
  sqlite3_stmt* made = nullptr;
  sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                     SQLITE_PREPARE_PERSISTENT, &made, nullptr);
  Statement statement;
  statement.statement_.reset(made);
  return statement;
}

std::optional<int64_t> Database::Number(std::string_view sql) {
  Statement statement = Prepare(sql);
  if (!statement || !statement.Row()) return std::nullopt;
  return statement.Integer(0);
}

Trouble Database::trouble() const {
  switch (sqlite3_extended_errcode(connection_.get())) {
    case SQLITE_READONLY_ROLLBACK:
    case SQLITE_READONLY_CANTLOCK:
    case SQLITE_READONLY_RECOVERY:
      return Trouble::kJournal;
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_UNLOCK:
    case SQLITE_IOERR_CHECKRESERVEDLOCK:
      return Trouble::kLocks;
    default:
      break;
  }
  switch (sqlite3_errcode(connection_.get())) {
    case SQLITE_OK:
    case SQLITE_DONE:
    case SQLITE_ROW:
      return Trouble::kNone;
    case SQLITE_FULL:
      return Trouble::kFull;
    case SQLITE_IOERR:
      return system_error() == ENOSPC || system_error() == EDQUOT ? Trouble::kFull
                                                                  : Trouble::kOther;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Trouble::kBusy;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // SQL that does not fit the file
      return Trouble::kDamaged;
    default:
      return Trouble::kOther;
  }
}

std::string Database::error() const { return sqlite3_errmsg(connection_.get()); }
int Database::system_error() const { return sqlite3_system_errno(connection_.get()); }
int64_t Database::last_row() const { return sqlite3_last_insert_rowid(connection_.get()); }
bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }
void Database::SetPatience(int milliseconds) {
  sqlite3_busy_timeout(connection_.get(), milliseconds);
}

void Database::Distrust() {
  sqlite3* c = connection_.get();
  sqlite3_db_config(c, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(c, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(c, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(c, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(c, SQLITE_LIMIT_LENGTH, 1 << 24);
  sqlite3_limit(c, SQLITE_LIMIT_ATTACHED, 0);
  Run("PRAGMA cell_size_check=ON");
  Run("PRAGMA mmap_size=0");
}

}  // namespace gpusight::record
