// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/json.h"

#include <fmt/format.h>
#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace gpusight::fake {

namespace {

constexpr size_t kDepthLimit = 64;
constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                            rapidjson::kParseCommentsFlag | rapidjson::kParseValidateEncodingFlag;

// Builds the value from RapidJSON's events; `open_` is the path of lists and objects that are not
// finished. Their addresses stay, because only the last element of each is open.
class Builder {
 public:
  explicit Builder(Json& root) : root_(root) {}
  // Why it stopped the reader, or null.
  const char* why() const {
    return too_deep_ ? "more than 64 levels deep" : too_large_ ? "a number too large" : nullptr;
  }

  bool Null() { return Put(nullptr); }
  bool Bool(bool b) { return Put(b); }
  // Numbers come as texts: RapidJSON 1.1 rounds some of them wrongly.
  bool RawNumber(const char* s, rapidjson::SizeType n, bool) {
    const std::string_view text(s, n);
    if (const auto u = ParseNumber<uint64_t>(text)) return Put(*u);
    if (const auto i = ParseNumber<int64_t>(text)) return Put(*i);
    const auto d = ParseNumber<double>(text);
    too_large_ = !d;
    return d && Put(*d);
  }
  bool Int(int) { return false; }  // these are never called
  bool Uint(unsigned) { return false; }
  bool Int64(int64_t) { return false; }
  bool Uint64(uint64_t) { return false; }
  bool Double(double) { return false; }
  bool String(const char* s, rapidjson::SizeType n, bool) { return Put(std::string(s, n)); }
  bool Key(const char* s, rapidjson::SizeType n, bool) {
    std::get<Json::Object>(open_.back()->value).emplace_back(std::string(s, n), Json{});
    return true;
  }
  bool StartObject() { return Open(Json::Object{}); }
  bool EndObject(rapidjson::SizeType) { return Close(); }
  bool StartArray() { return Open(Json::List{}); }
  bool EndArray(rapidjson::SizeType) { return Close(); }

 private:
  Json& Next() {
    if (open_.empty()) return root_;
    if (auto* list = std::get_if<Json::List>(&open_.back()->value)) return list->emplace_back();
    return std::get<Json::Object>(open_.back()->value).back().second;
  }
  template <typename T>
  bool Put(T value) {
    Next().value = std::move(value);
    return true;
  }
  template <typename T>
  bool Open(T empty) {
    too_deep_ = open_.size() >= kDepthLimit;
    if (too_deep_) return false;
    Json& next = Next();
    next.value = std::move(empty);
    open_.push_back(&next);
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  Json& root_;
  std::vector<Json*> open_;
  bool too_deep_ = false, too_large_ = false;
};

std::string Where(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t start = before.rfind('\n');
  const size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return fmt::format("line {}, column {} (offset {})", line, column, offset);
}

}  // namespace

Result<Json> ParseJson(std::string_view text, const std::string& file) {
  Json document;
  Builder builder(document);
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (result.IsError()) {
    const char* why =
        builder.why() != nullptr ? builder.why() : rapidjson::GetParseError_En(result.Code());
    return gpusight::Fail(ErrorCode::kBadInput,
                          fmt::format("{}: {}: {}", file, Where(text, result.Offset()), why));
  }
  return document;
}

Node Node::operator[](std::string_view member) const {
  std::string path = path_.empty() ? std::string(member) : fmt::format("{}.{}", path_, member);
  if (!there()) return {nullptr, std::move(path), errors_};
  const auto* object = value_->As<Json::Object>();
  if (object == nullptr) {
    Fail("expected an object");
    return {nullptr, std::move(path), errors_};
  }
  for (const auto& [name, value] : *object) {
    if (name == member) return {&value, std::move(path), errors_};
  }
  return {nullptr, std::move(path), errors_};
}

double Node::Number(double otherwise) const {
  if (!there()) return otherwise;
  if (const auto* u = value_->As<uint64_t>()) return static_cast<double>(*u);
  if (const auto* i = value_->As<int64_t>()) return static_cast<double>(*i);
  if (const auto* d = value_->As<double>()) return *d;
  Fail("expected a number");
  return otherwise;
}

int Node::Int(int otherwise) const {
  if (!there()) return otherwise;
  constexpr int64_t kMost = std::numeric_limits<int>::max();
  if (const auto* u = value_->As<uint64_t>(); u != nullptr && *u <= uint64_t{kMost}) {
    return static_cast<int>(*u);
  }
  if (const auto* i = value_->As<int64_t>(); i != nullptr && *i >= -kMost) {
    return static_cast<int>(*i);
  }
  Fail("expected a whole number");
  return otherwise;
}

uint64_t Node::Unsigned(uint64_t otherwise) const {
  if (!there()) return otherwise;
  if (const auto* u = value_->As<uint64_t>()) return *u;
  Fail("expected a whole number of at least 0");
  return otherwise;
}

bool Node::Bool(bool otherwise) const {
  if (!there()) return otherwise;
  if (const auto* b = value_->As<bool>()) return *b;
  Fail("expected true or false");
  return otherwise;
}

std::string Node::String(std::string otherwise) const {
  if (!there()) return otherwise;
  if (const auto* s = value_->As<std::string>()) return *s;
  Fail("expected a text");
  return otherwise;
}

std::vector<Node> Node::Elements() const {
  std::vector<Node> elements;
  if (!there()) return elements;
  const auto* list = value_->As<Json::List>();
  if (list == nullptr) {
    Fail("expected a list");
    return elements;
  }
  elements.reserve(list->size());
  for (size_t i = 0; i < list->size(); ++i) {
    elements.emplace_back(&(*list)[i], fmt::format("{}[{}]", path_, i), errors_);
  }
  return elements;
}

std::vector<std::pair<std::string, Node>> Node::Members() const {
  std::vector<std::pair<std::string, Node>> members;
  if (!there()) return members;
  const auto* object = value_->As<Json::Object>();
  if (object == nullptr) {
    Fail("expected an object");
    return members;
  }
  members.reserve(object->size());
  for (const auto& [name, value] : *object) {
    std::string path = path_.empty() ? name : fmt::format("{}.{}", path_, name);
    members.emplace_back(name, Node(&value, std::move(path), errors_));
  }
  return members;
}

void Node::Allow(std::initializer_list<std::string_view> names) const {
  for (const auto& [name, node] : Members()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      node.Fail(fmt::format("unknown; known here: {}", fmt::join(names, ", ")));
    }
  }
}

void Node::Fail(const std::string& what) const {
  errors_->push_back(path_.empty() ? what : fmt::format("{}: {}", path_, what));
}

}  // namespace gpusight::fake
