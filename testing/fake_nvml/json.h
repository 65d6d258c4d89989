// SPDX-License-Identifier: Apache-2.0
// Reading JSON with errors that say where: a syntax error by line and column, a wrong value by its
// path ("devices[0].tracks.power"). RapidJSON parses, iteratively and to a limited depth, so that
// no file can exhaust the stack. Comments are allowed. Next: track.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace gpusight::fake {

struct Json {
  using List = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // in the file's order
  std::variant<std::nullptr_t, bool, uint64_t, int64_t, double, std::string, List, Object> value =
      nullptr;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&value);
  }
};

// `file` only appears in errors.
[[nodiscard]] Result<Json> ParseJson(std::string_view text, const std::string& file);

// One value of a document, with its path. Errors are collected in `errors` (the first one counts);
// a getter that finds something wrong reports it and returns a default, so that readers need no
// branches. The document must outlive it.
class Node {
 public:
  using Errors = std::vector<std::string>;

  Node(const Json* value, std::string path, Errors* errors)
      : value_(value), path_(std::move(path)), errors_(errors) {}

  bool there() const { return value_ != nullptr; }
  bool is_null() const { return Is<std::nullptr_t>(); }
  bool is_number() const { return Is<uint64_t>() || Is<int64_t>() || Is<double>(); }
  bool is_string() const { return Is<std::string>(); }
  bool is_array() const { return Is<Json::List>(); }
  bool is_object() const { return Is<Json::Object>(); }
  const Json& raw() const { return *value_; }
  const std::string& path() const { return path_; }
  Errors* errors() const { return errors_; }

  // The member, or a node that is not there(). An error when this is no object.
  Node operator[](std::string_view member) const;

  // Defaults stand for a value that is not there; one of another type is an error.
  double Number(double otherwise = 0) const;
  int Int(int otherwise = 0) const;
  uint64_t Unsigned(uint64_t otherwise = 0) const;
  bool Bool(bool otherwise = false) const;
  std::string String(std::string otherwise = {}) const;

  std::vector<Node> Elements() const;                               // of an array
  std::vector<std::pair<std::string, Node>> Members() const;        // of an object
  void Allow(std::initializer_list<std::string_view> names) const;  // others are errors
  void Fail(const std::string& what) const;

 private:
  template <typename T>
  bool Is() const {
    return there() && value_->As<T>() != nullptr;
  }
  const Json* value_;
  std::string path_;
  Errors* errors_;
};

}  // namespace gpusight::fake
