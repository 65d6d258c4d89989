// SPDX-License-Identifier: Apache-2.0
#include "record/finding_json.h"

#include <fmt/format.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpusight::record {
namespace {

// By Unit. Words of the file: they never change.
constexpr std::array<std::string_view, 12> kUnits = {"ratio",   "bytes", "bytes_per_second",
                                                     "seconds", "watts", "joules",
                                                     "celsius", "hertz", "count",
                                                     "cores",   "mask",  "number"};
static_assert(kUnits.size() == static_cast<size_t>(Unit::kNumber) + 1);
constexpr std::array<std::string_view, 3> kLevels = {"info", "warning", "critical"};

constexpr size_t kMostEvidence = 64, kMostFigures = 16, kMostWords = 256, kLongestWord = 1000;

using Buffer = rapidjson::StringBuffer;
using Output =
    rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator>;

void Put(Output& out, std::string_view text) {
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

// [{"key": …, "figures": [{…}]}]: what is at another depth, or has another name, is passed over.
class EvidenceReader : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, EvidenceReader> {
 public:
  std::vector<Evidence> Take() { return std::move(out_); }

  bool StartArray() { return Open(); }
  bool EndArray(rapidjson::SizeType) { return Close(); }
  bool StartObject() {
    Open();
    if (depth_ == 2 && out_.size() < kMostEvidence) out_.emplace_back();
    if (depth_ == 4 && InFigures()) out_.back().figures.emplace_back();
    return true;
  }
  bool EndObject(rapidjson::SizeType) { return Close(); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (depth_ == 2) in_figures_ = std::string_view(text, size) == "figures";
    key_.assign(text, std::min<size_t>(size, kLongestWord));
    return true;
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    const std::string_view value(text, std::min<size_t>(size, kLongestWord));
    if (out_.empty()) return true;
    if (depth_ == 2 && key_ == "key") out_.back().key = value;
    if (Figure* figure = At()) {
      if (key_ == "word") figure->word = value;
      const auto* unit = std::find(kUnits.begin(), kUnits.end(), value);
      if (key_ == "unit" && unit != kUnits.end()) {
        figure->unit = static_cast<Unit>(unit - kUnits.begin());
      }
    }
    return true;
  }
  bool Double(double value) {
    if (Figure* figure = At(); figure != nullptr && key_ == "number") figure->number = value;
    return true;
  }
  bool Int(int value) { return Double(value); }
  bool Uint(unsigned value) { return Double(value); }
  bool Int64(int64_t value) { return Double(static_cast<double>(value)); }
  bool Uint64(uint64_t value) { return Double(static_cast<double>(value)); }

 private:
  bool Open() {
    ++depth_;
    return true;
  }
  bool Close() {
    --depth_;
    return true;
  }
  bool InFigures() const {
    return in_figures_ && !out_.empty() && out_.back().figures.size() < kMostFigures;
  }
  Figure* At() {
    const bool there = depth_ == 4 && in_figures_ && !out_.empty() && !out_.back().figures.empty();
    return there ? &out_.back().figures.back() : nullptr;
  }

  std::vector<Evidence> out_;
  std::string key_;
  int depth_ = 0;
  bool in_figures_ = false;
};

class WordsReader : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, WordsReader> {
 public:
  std::vector<std::string> Take() { return std::move(out_); }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (out_.size() < kMostWords) out_.emplace_back(text, std::min<size_t>(size, kLongestWord));
    return true;
  }

 private:
  std::vector<std::string> out_;
};

template <typename Reader>
auto Read(std::string_view json) {
  rapidjson::MemoryStream stream(json.data(), json.size());
  rapidjson::Reader reader;
  Reader handler;
  const bool good = !reader.Parse<rapidjson::kParseIterativeFlag>(stream, handler).IsError();
  auto out = handler.Take();
  if (!good) out.clear();
  return out;
}

}  // namespace

std::string EvidenceJson(std::span<const Evidence> evidence) {
  Buffer buffer;
  Output out(buffer);
  out.StartArray();
  for (const Evidence& one : evidence) {
    out.StartObject();
    Put(out, "key");
    Put(out, one.key);
    Put(out, "figures");
    out.StartArray();
    for (const Figure& figure : one.figures) {
      out.StartObject();
      if (!figure.word.empty()) {
        Put(out, "word");
        Put(out, figure.word);
      } else {
        Put(out, "number");
        // JSON has no word for what is not finite.
        out.Double(std::isfinite(figure.number) ? figure.number : 0);
        Put(out, "unit");
        Put(out, kUnits[static_cast<size_t>(figure.unit)]);
      }
      out.EndObject();
    }
    out.EndArray();
    out.EndObject();
  }
  out.EndArray();
  return {buffer.GetString(), buffer.GetSize()};
}

std::vector<Evidence> ReadEvidence(std::string_view json) { return Read<EvidenceReader>(json); }

std::string WordsJson(std::span<const std::string> words) {
  Buffer buffer;
  Output out(buffer);
  out.StartArray();
  for (const std::string& word : words) Put(out, word);
  out.EndArray();
  return {buffer.GetString(), buffer.GetSize()};
}

std::vector<std::string> ReadWords(std::string_view json) { return Read<WordsReader>(json); }

std::string_view LevelName(FindingLevel level) { return kLevels[static_cast<size_t>(level)]; }

FindingLevel LevelOf(std::string_view name) {
  const auto* at = std::find(kLevels.begin(), kLevels.end(), name);
  return at == kLevels.end() ? FindingLevel::kWarning
                             : static_cast<FindingLevel>(at - kLevels.begin());
}

}  // namespace gpusight::record
