// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/json.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpusight::fake {

namespace {

constexpr int kDepthLimit = 64;
constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag |
                            rapidjson::kParseCommentsFlag | rapidjson::kParseValidateEncodingFlag;

// Passes everything on to the document's builder but refuses to go deeper than the limit.
template <typename Builder>
class DepthGuard {
 public:
  explicit DepthGuard(Builder& builder) : builder_(builder) {}
  bool too_deep() const { return too_deep_; }

  bool Null() { return builder_.Null(); }
  bool Bool(bool b) { return builder_.Bool(b); }
  bool Int(int i) { return builder_.Int(i); }
  bool Uint(unsigned u) { return builder_.Uint(u); }
  bool Int64(int64_t i) { return builder_.Int64(i); }
  bool Uint64(uint64_t u) { return builder_.Uint64(u); }
  bool Double(double d) { return builder_.Double(d); }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool copy) {
    return builder_.RawNumber(s, n, copy);
  }
  bool String(const char* s, rapidjson::SizeType n, bool copy) {
    return builder_.String(s, n, copy);
  }
  bool Key(const char* s, rapidjson::SizeType n, bool copy) { return builder_.Key(s, n, copy); }
  bool StartObject() { return Enter() && builder_.StartObject(); }
  bool EndObject(rapidjson::SizeType n) { return Leave() && builder_.EndObject(n); }
  bool StartArray() { return Enter() && builder_.StartArray(); }
  bool EndArray(rapidjson::SizeType n) { return Leave() && builder_.EndArray(n); }

 private:
  bool Enter() {
    too_deep_ = ++depth_ > kDepthLimit;
    return !too_deep_;
  }
  bool Leave() {
    --depth_;
    return true;
  }

  Builder& builder_;
  int depth_ = 0;
  bool too_deep_ = false;
};

std::string Where(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t start = before.rfind('\n');
  const size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return fmt::format("line {}, column {} (offset {})", line, column, offset);
}

}  // namespace

Result<rapidjson::Document> ParseJson(std::string_view text, const std::string& file) {
  rapidjson::Document document;
  rapidjson::ParseResult result;
  bool too_deep = false;
  auto generate = [&](rapidjson::Document& builder) {
    rapidjson::MemoryStream stream(text.data(), text.size());
    rapidjson::Reader reader;
    DepthGuard<rapidjson::Document> guard(builder);
    result = reader.Parse<kFlags>(stream, guard);
    too_deep = guard.too_deep();
    return !result.IsError();
  };
  document.Populate(generate);
  if (result.IsError()) {
    const std::string why = too_deep ? fmt::format("more than {} levels deep", kDepthLimit)
                                     : std::string(rapidjson::GetParseError_En(result.Code()));
    return gpusight::Fail(ErrorCode::kBadInput,
                          fmt::format("{}: {}: {}", file, Where(text, result.Offset()), why));
  }
  return document;
}

Node Node::operator[](std::string_view member) const {
  const std::string path =
      path_.empty() ? std::string(member) : fmt::format("{}.{}", path_, member);
  if (!there()) return {nullptr, path, errors_};
  if (!value_->IsObject()) {
    Fail("expected an object");
    return {nullptr, path, errors_};
  }
  const rapidjson::Value name(
      rapidjson::StringRef(member.data(), static_cast<rapidjson::SizeType>(member.size())));
  const auto found = value_->FindMember(name);
  return {found == value_->MemberEnd() ? nullptr : &found->value, path, errors_};
}

double Node::Number(double otherwise) const {
  if (!there()) return otherwise;
  if (!value_->IsNumber()) {
    Fail("expected a number");
    return otherwise;
  }
  return value_->GetDouble();
}

int Node::Int(int otherwise) const {
  if (!there()) return otherwise;
  if (!value_->IsInt()) {
    Fail("expected a whole number");
    return otherwise;
  }
  return value_->GetInt();
}

uint64_t Node::Unsigned(uint64_t otherwise) const {
  if (!there()) return otherwise;
  if (!value_->IsUint64()) {
    Fail("expected a whole number of at least 0");
    return otherwise;
  }
  return value_->GetUint64();
}

bool Node::Bool(bool otherwise) const {
  if (!there()) return otherwise;
  if (!value_->IsBool()) {
    Fail("expected true or false");
    return otherwise;
  }
  return value_->GetBool();
}

std::string Node::String(std::string otherwise) const {
  if (!there()) return otherwise;
  if (!value_->IsString()) {
    Fail("expected a text");
    return otherwise;
  }
  return {value_->GetString(), value_->GetStringLength()};
}

std::vector<Node> Node::Elements() const {
  std::vector<Node> elements;
  if (!there()) return elements;
  if (!value_->IsArray()) {
    Fail("expected a list");
    return elements;
  }
  for (rapidjson::SizeType i = 0; i < value_->Size(); ++i) {
    elements.emplace_back(&(*value_)[i], fmt::format("{}[{}]", path_, i), errors_);
  }
  return elements;
}

std::vector<std::pair<std::string, Node>> Node::Members() const {
  std::vector<std::pair<std::string, Node>> members;
  if (!there()) return members;
  if (!value_->IsObject()) {
    Fail("expected an object");
    return members;
  }
  for (auto member = value_->MemberBegin(); member != value_->MemberEnd(); ++member) {
    std::string name(member->name.GetString(), member->name.GetStringLength());
    Node node(&member->value, path_.empty() ? name : fmt::format("{}.{}", path_, name), errors_);
    members.emplace_back(std::move(name), std::move(node));
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
