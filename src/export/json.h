// SPDX-License-Identifier: Apache-2.0
// Writes JSON into a string: objects, members, and Known<> values with the rule that every null
// has its reason in the member "unknown" of the same object. RapidJSON does the syntax. Text from
// outside that is not UTF-8 is mended. Next: json_status.h.
#pragma once

#include <rapidjson/writer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/frame.h"

namespace gpusight::exporting {

// Memory that writers of many short texts share, so that they allocate nothing. One writer at a
// time.
struct JsonScratch {
  // The members without a value in the objects that are open.
  struct Reason {
    int depth;
    std::string_view key;
    Missing missing;
  };
  std::vector<Reason> reasons;
  std::string text;
};

// Appends to `out`, which must outlive it, as must `scratch`.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : JsonWriter(out, own_) {}
  JsonWriter(std::string& out, JsonScratch& scratch)
      : scratch_(scratch), sink_{&out}, writer_(sink_, &levels_) {
    scratch_.reasons.clear();
  }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  // An object with members; EndObject() adds "unknown" when some member of it was unknown.
  void BeginObject();
  void EndObject();
  void BeginArray();
  void EndArray();
  void Key(std::string_view key);

  void String(std::string_view text);
  void Number(double value);  // null when it is not finite
  void Int(int64_t value);
  void Bool(bool value);
  void Null();

  // Members of the current object. A key must live until the object ends.
  void Member(std::string_view key, std::string_view text);
  void Member(std::string_view key, const char* text) { Member(key, std::string_view(text)); }
  void Member(std::string_view key, const std::string& text) {
    Member(key, std::string_view(text));
  }
  void Member(std::string_view key, double value);
  void Member(std::string_view key, int64_t value);
  void Member(std::string_view key, int value) { Member(key, int64_t{value}); }
  void Member(std::string_view key, uint64_t value) { Member(key, static_cast<int64_t>(value)); }
  void Member(std::string_view key, bool value);
  void Member(std::string_view key, const Known<double>& value);
  void Member(std::string_view key, const Known<bool>& value);
  void Member(std::string_view key, const Known<std::string>& value);
  void Member(std::string_view key, const Known<uint64_t>& value);
  // The text, or null for that reason when it is empty.
  void MemberOr(std::string_view key, std::string_view text, Missing why);
  void MemberOr(std::string_view key, std::string_view text, Absence why) {
    MemberOr(key, text, Missing{why, 0});
  }
  // The number, or null for that reason when it is the one that stands for "none".
  void MemberUnless(std::string_view key, int64_t value, int64_t none, Missing why);
  void MemberUnless(std::string_view key, int64_t value, int64_t none, Absence why) {
    MemberUnless(key, value, none, Missing{why, 0});
  }

  // A member that is an array: `write` is called for each item and writes one value.
  template <typename List, typename Write>
  void Array(std::string_view key, const List& list, const Write& write) {
    Key(key);
    BeginArray();
    for (const auto& item : list) write(item);
    EndArray();
  }
  // The same of objects: `write` writes the members of one.
  template <typename List, typename Write>
  void Objects(std::string_view key, const List& list, const Write& write) {
    Array(key, list, [&](const auto& item) {
      BeginObject();
      write(item);
      EndObject();
    });
  }

  // Every row of one group ("" = the rows without group) as a member named by the row's key.
  template <typename Field>
  void Group(std::span<const CatalogRow> rows, const FieldSet<Field>& fields,
             std::string_view group) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].group == group) Member(rows[i].key, fields[static_cast<Field>(i)]);
    }
  }
  // The rows without group as members, then one object for each group.
  template <typename Field>
  void Fields(std::span<const CatalogRow> rows, const FieldSet<Field>& fields) {
    Group(rows, fields, "");
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].group.empty() || !FirstOfGroup(rows, i)) continue;
      Key(rows[i].group);
      BeginObject();
      Group(rows, fields, rows[i].group);
      EndObject();
    }
  }

 private:
  // RapidJSON writes to this.
  struct Sink {
    using Ch = char;
    std::string* out;
    void Put(char c) const { out->push_back(c); }
    void Flush() {}
  };
  // RapidJSON remembers the open objects and arrays here: 16 bytes each, and it asks for 32 of them
  // at once. Our texts are a handful deep.
  struct Levels {
    static constexpr bool kNeedFree = false;
    std::array<std::max_align_t, 64> bytes;
    void* Malloc(size_t size) { return size <= sizeof bytes ? bytes.data() : nullptr; }
    void* Realloc(void* old, size_t, size_t size) {
      return size <= sizeof bytes ? (old == nullptr ? bytes.data() : old) : nullptr;
    }
    static void Free(void*) {}
  };
  void Unknown(std::string_view key, Missing why);
  static bool FirstOfGroup(std::span<const CatalogRow> rows, size_t at);

  JsonScratch own_;
  JsonScratch& scratch_;
  Sink sink_;
  Levels levels_;
  rapidjson::Writer<Sink, rapidjson::UTF8<>, rapidjson::UTF8<>, Levels> writer_;
  int depth_ = 0;
};

}  // namespace gpusight::exporting
