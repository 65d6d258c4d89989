// SPDX-License-Identifier: Apache-2.0
#include "export/json.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/text.h"
#include "export/number.h"

namespace gpusight::exporting {
namespace {

// The text as JSON, for one that RapidJSON would not write well: controls beyond its own become
// escapes, so that showing the JSON on a terminal is safe, and invalid bytes U+FFFD.
void AppendEscaped(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = NextCodePoint(text);
    if (IsControl(c)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04X}", static_cast<uint32_t>(c));
    } else if (c == 0xFFFD) {
      out += "\xEF\xBF\xBD";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += before.substr(0, before.size() - text.size());
    }
  }
  out += '"';
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
  if (IsPlain(text)) {
    writer_.String(text.empty() ? "" : text.data(), static_cast<rapidjson::SizeType>(text.size()));
    return;
  }
  std::string escaped;
  AppendEscaped(escaped, text);
  writer_.RawValue(escaped.data(), escaped.size(), rapidjson::kStringType);
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
