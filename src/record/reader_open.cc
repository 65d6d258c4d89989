// SPDX-License-Identifier: Apache-2.0
// Opening a recording: what is not one, is cut, damaged or too new is said in one sentence each.
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/fd.h"
#include "base/text.h"
#include "model/text/record.h"
#include "record/columns.h"
#include "record/journal.h"
#include "record/reader_impl.h"
#include "record/schema.h"

namespace gpusight::record {
namespace {

constexpr size_t kHeader = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr size_t kMostJournal = size_t{1} << 30;
constexpr int kPatienceMs = 5000;

uint32_t Word(std::string_view bytes, size_t at) {
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

// Whether the file system locks at all: SQLite takes one that has no lock to give (NFS without its
// lock daemon) for busy.
bool CanLock(const std::string& path) {
  const auto fd = OpenForRead(path);
  struct flock lock{};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return fd && fcntl(fd->get(), F_GETLK, &lock) == 0;
}

class Opener {
 public:
  Opener(std::string_view path, Language language)
      : path_(path), shown_(Printable(path)), language_(language) {}

  // What the first hundred bytes tell.
  Result<void> CheckHeader(std::string_view header) const {
    // 1 at 18 and 19: not a database with a log beside it; opening that could make files.
    if (header.size() < kHeader || !header.starts_with(kMagic) || header[18] != 1 ||
        header[19] != 1 || Word(header, 68) != static_cast<uint32_t>(kApplicationId)) {
      return Fail(ErrorCode::kBadInput, Say(language_, text::kRecordNotOne, shown_),
                  Say(language_, text::kRecordNotOneRemedy));
    }
    const uint32_t version = Word(header, 60);
    if (version > static_cast<uint32_t>(kSchemaVersion)) {
      return Fail(ErrorCode::kBadInput,
                  Say(language_, text::kRecordNewer, shown_, version, kSchemaVersion),
                  Say(language_, text::kRecordNewerRemedy));
    }
    return {};
  }

  Error Damaged(std::string_view why) const {
    return {ErrorCode::kBadInput, Say(language_, text::kRecordDamaged, shown_, why),
            Say(language_, text::kRecordDamagedRemedy)};
  }
  Error Truncated(uint64_t there, uint64_t whole) const {
    return {ErrorCode::kBadInput, Say(language_, text::kRecordTruncated, shown_, there, whole),
            Say(language_, text::kRecordTruncatedRemedy)};
  }
  Error Empty() const {
    return {ErrorCode::kBadInput, Say(language_, text::kRecordEmpty, shown_), {}};
  }

  Result<std::string> ReadHeader() const {
    struct stat status{};
    if (stat(path_.c_str(), &status) != 0) return tl::unexpected(ErrnoError(errno, shown_));
    if (S_ISDIR(status.st_mode)) {
      return Fail(ErrorCode::kBadInput, Say(language_, text::kRecordFolder, shown_),
                  Say(language_, text::kRecordNotOneRemedy));
    }
    if (!S_ISREG(status.st_mode)) return std::string(1, 0);  // a pipe would be waited for
    auto mapping = Mapping::OfFile(path_);
    if (!mapping) {
      Error error = std::move(mapping.error());
      error.what = Say(language_, text::kRecordUnreadable, shown_, std::strerror(error.system));
      return tl::unexpected(std::move(error));
    }
    const auto bytes = mapping->bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data()),
                       std::min(bytes.size(), kHeader));
  }

  // A commit was cut, and its journal is still there: reads a copy in which it never began.
  Result<Database> OpenCut() const {
    auto mapping = Mapping::OfFile(path_);
    if (!mapping) return tl::unexpected(std::move(mapping.error()));
    auto journal = ReadFile(path_ + "-journal", kMostJournal);
    if (!journal) return tl::unexpected(std::move(journal.error()));
    const auto size = ApplyJournal(*journal, mapping->bytes());
    if (size && *size == 0) return tl::unexpected(Empty());
    const size_t bytes = size.value_or(mapping->bytes().size());
    auto database = Database::OpenInMemory(std::move(*mapping), bytes);
    if (database) database->Distrust();
    return database;
  }

  Result<Database> OpenFile(uint64_t pages_in_header, uint64_t page_size) const {
    for (const bool locks : {true, false}) {
      auto database = Database::OpenToRead(path_, locks);
      if (!database) return database;
      database->Distrust();
      database->SetPatience(kPatienceMs);
      if (database->Number("SELECT count(*) FROM sqlite_schema")) return database;
      const Trouble trouble = database->trouble();
      if (trouble == Trouble::kJournal) return OpenCut();
      if (locks && (trouble == Trouble::kLocks || (trouble == Trouble::kBusy && !CanLock(path_)))) {
        continue;
      }
      if (trouble == Trouble::kBusy) {
        return Fail(ErrorCode::kIo, Say(language_, text::kRecordBusy, shown_),
                    Say(language_, text::kRecordBusyRemedy));
      }
      struct stat status{};
      stat(path_.c_str(), &status);
      const auto size = static_cast<uint64_t>(status.st_size);
      if (size < pages_in_header * page_size) {
        return tl::unexpected(Truncated(size, pages_in_header * page_size));
      }
      return tl::unexpected(Damaged(database->error()));
    }
    return tl::unexpected(Damaged("?"));
  }

  // Whether what every recording has is there.
  Result<void> CheckTables(Database& database) const {
    for (const std::string_view table : {"run", "frame", "device_frame"}) {
      if (ColumnsOf(database, table).empty()) {
        return tl::unexpected(Damaged(Say(language_, text::kRecordNoTable, table)));
      }
    }
    return {};
  }

 private:
  std::string path_, shown_;
  Language language_;
};

uint64_t PageSize(std::string_view header) {
  const uint32_t size = Word(header, 16) >> 16;
  return size == 1 ? 65536 : size;
}

}  // namespace

Result<Recording> Recording::Open(const std::string& path, Language language) {
  const Opener opener(path, language);
  const auto header = opener.ReadHeader();
  if (!header) return tl::unexpected(header.error());
  if (header->empty()) return tl::unexpected(opener.Empty());
  if (auto good = opener.CheckHeader(*header); !good) return tl::unexpected(good.error());
  auto database = opener.OpenFile(Word(*header, 28), PageSize(*header));
  if (!database) return tl::unexpected(std::move(database.error()));
  if (auto good = opener.CheckTables(*database); !good) return tl::unexpected(good.error());
  return Recording(std::make_unique<Impl>(std::move(*database), path, language));
}

Result<Recording> Recording::FromBytes(std::string_view bytes, Language language) {
  const Opener opener("-", language);
  if (bytes.empty()) return tl::unexpected(opener.Empty());
  if (auto good = opener.CheckHeader(bytes.substr(0, kHeader)); !good) {
    return tl::unexpected(good.error());
  }
  auto database = Database::OpenInMemory(Mapping::OfBytes(bytes), bytes.size());
  if (!database) return tl::unexpected(std::move(database.error()));
  database->Distrust();
  if (!database->Number("SELECT count(*) FROM sqlite_schema")) {
    return tl::unexpected(opener.Damaged(database->error()));
  }
  if (auto good = opener.CheckTables(*database); !good) return tl::unexpected(good.error());
  return Recording(std::make_unique<Impl>(std::move(*database), "-", language));
}

}  // namespace gpusight::record
