// SPDX-License-Identifier: Apache-2.0
#include "export/json.h"

#include <cmath>

#include "base/text.h"
#include "export/number.h"

namespace gpusight::exporting {
namespace {

// Whether all of it is well-formed UTF-8, which nearly everything is.
bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::string_view before = text;
    if (NextCodePoint(text) == 0xFFFD && before.substr(0, 3) != "\xEF\xBF\xBD") return false;
  }
  return true;
}

std::string MendUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const bool invalid = NextCodePoint(text) == 0xFFFD;
    out += invalid ? "\xEF\xBF\xBD" : before.substr(0, before.size() - text.size());
  }
  return out;
}

}  // namespace

void JsonWriter::BeginObject() {
  writer_.StartObject();
  ++depth_;
}

void JsonWriter::EndObject() {
  size_t first = scratch_.reasons.size();
  while (first > 0 && scratch_.reasons[first - 1].depth == depth_) --first;
  if (first < scratch_.reasons.size()) {
    Key("unknown");
    writer_.StartObject();
    for (size_t i = first; i < scratch_.reasons.size(); ++i) {
      Key(scratch_.reasons[i].key);
      scratch_.text.clear();
      AppendDescription(scratch_.text, scratch_.reasons[i].missing);
      String(scratch_.text);
    }
    writer_.EndObject();
    scratch_.reasons.resize(first);
  }
  writer_.EndObject();
  --depth_;
}

void JsonWriter::BeginArray() { writer_.StartArray(); }
void JsonWriter::EndArray() { writer_.EndArray(); }

void JsonWriter::Key(std::string_view key) {
  writer_.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
}

void JsonWriter::String(std::string_view text) {
  const std::string mended = IsUtf8(text) ? std::string() : MendUtf8(text);
  const std::string_view good = mended.empty() ? text : std::string_view(mended);
  writer_.String(good.empty() ? "" : good.data(), static_cast<rapidjson::SizeType>(good.size()));
}

void JsonWriter::Number(double value) {
  if (!std::isfinite(value)) return Null();
  char buffer[32];
  const std::string_view text = WriteNumber(buffer, value);
  writer_.RawValue(text.data(), text.size(), rapidjson::kNumberType);
}

void JsonWriter::Int(int64_t value) { writer_.Int64(value); }
void JsonWriter::Bool(bool value) { writer_.Bool(value); }
void JsonWriter::Null() { writer_.Null(); }

void JsonWriter::Member(std::string_view key, std::string_view text) {
  Key(key);
  String(text);
}

void JsonWriter::Member(std::string_view key, double value) {
  Key(key);
  Number(value);
}

void JsonWriter::Member(std::string_view key, int64_t value) {
  Key(key);
  Int(value);
}

void JsonWriter::Member(std::string_view key, bool value) {
  Key(key);
  Bool(value);
}

void JsonWriter::Unknown(std::string_view key, Missing why) {
  Key(key);
  Null();
  scratch_.reasons.push_back({depth_, key, why});
}

void JsonWriter::Member(std::string_view key, const Known<double>& value) {
  if (value && std::isfinite(*value)) return Member(key, *value);
  Unknown(key, value ? Missing{Absence::kImplausible, 0} : value.missing());
}

void JsonWriter::Member(std::string_view key, const Known<bool>& value) {
  if (value) return Member(key, *value);
  Unknown(key, value.missing());
}

void JsonWriter::Member(std::string_view key, const Known<uint64_t>& value) {
  if (value) return Member(key, *value);
  Unknown(key, value.missing());
}

void JsonWriter::Member(std::string_view key, const Known<std::string>& value) {
  if (value) return Member(key, std::string_view(*value));
  Unknown(key, value.missing());
}

void JsonWriter::MemberOr(std::string_view key, std::string_view text, Missing why) {
  if (!text.empty()) return Member(key, text);
  Unknown(key, why);
}

void JsonWriter::MemberUnless(std::string_view key, int64_t value, int64_t none, Missing why) {
  if (value != none) return Member(key, value);
  Unknown(key, why);
}

bool JsonWriter::FirstOfGroup(std::span<const CatalogRow> rows, size_t at) {
  for (size_t i = 0; i < at; ++i) {
    if (rows[i].group == rows[at].group) return false;
  }
  return true;
}

}  // namespace gpusight::exporting
