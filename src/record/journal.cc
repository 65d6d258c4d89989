// SPDX-License-Identifier: Apache-2.0
#include "record/journal.h"

#include <cstdint>
#include <cstring>

namespace gpusight::record {
namespace {

constexpr std::string_view kMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
constexpr size_t kHeader = 28;
constexpr uint32_t kUntilEnd = 0xFFFFFFFF;

uint32_t Word(std::string_view bytes, size_t at) {
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i) {
    word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return word;
}

bool IsSize(uint32_t size, uint32_t least) {
  return size >= least && size <= 65536 && (size & (size - 1)) == 0;
}

uint32_t Checksum(uint32_t nonce, std::string_view page) {
  uint32_t sum = nonce;
  for (size_t at = page.size() - 200; at > 0 && at < page.size(); at -= 200) {
    sum += static_cast<unsigned char>(page[at]);
  }
  return sum;
}

}  // namespace

std::optional<size_t> ApplyJournal(std::string_view journal, std::span<unsigned char> database) {
  size_t at = 0;
  std::optional<size_t> size;
  uint32_t page_size = 0, sector = 0;
  // One section per time that the journal was synced.
  while (at + kHeader <= journal.size() && journal.substr(at, kMagic.size()) == kMagic) {
    uint32_t records = Word(journal, at + 8);
    const uint32_t nonce = Word(journal, at + 12);
    if (!size) {
      sector = Word(journal, at + 20);
      page_size = Word(journal, at + 24);
      if (!IsSize(page_size, 512) || !IsSize(sector, 32)) return std::nullopt;
      const uint64_t bytes = uint64_t{Word(journal, at + 16)} * page_size;
      if (bytes > database.size()) return std::nullopt;
      size = static_cast<size_t>(bytes);
    }
    at += sector;
    const size_t record = page_size + 8;
    if (at > journal.size()) break;
    const auto room = static_cast<uint32_t>((journal.size() - at) / record);
    if (records == kUntilEnd) records = room;
    for (uint32_t i = 0; i < records && i < room; ++i, at += record) {
      const uint64_t number = Word(journal, at);
      const std::string_view page = journal.substr(at + 4, page_size);
      // The first one that is not whole ends what was synced.
      if (Word(journal, at + 4 + page_size) != Checksum(nonce, page)) return size;
      if (number == 0 || number * page_size > database.size()) return std::nullopt;
      std::memcpy(database.data() + (number - 1) * page_size, page.data(), page_size);
    }
    at = (at + sector - 1) / sector * sector;
  }
  return size;
}

}  // namespace gpusight::record
