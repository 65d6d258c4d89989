// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/alloc_conf.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>

#include "cli/doctor/number_prefix.h"
#include "cli/nearest.h"

namespace gpusight::doctor {
namespace {

constexpr uint64_t kLargeSegmentMb = 20;  // when large_segment_size_mb is not given
constexpr uint64_t kMostThreads = 128;

bool PowerOfTwo(double value) {
  return value >= 1 && value <= 0x1p63 && std::has_single_bit(static_cast<uint64_t>(value));
}

// Reads tokens from left to right; `ok` turns false at the first thing that PyTorch refuses.
class Reader {
 public:
  explicit Reader(std::string_view text) : tokens_(AllocConfTokens(text)) {}

  AllocConf Read() {
    while (ok_ && at_ < tokens_.size()) {
      Item();
      if (ok_ && at_ < tokens_.size()) Separator(",");
    }
    if (ok_) Together();
    return std::move(conf_);
  }

 private:
  void Fault(ConfFaultKind kind, std::string value = {}, std::string detail = {}) {
    conf_.faults.push_back({kind, key_, std::move(value), std::move(detail), token_});
    ok_ = ok_ && !Refused(kind);
  }

  bool Separator(std::string_view expected) {
    token_ = at_;
    if (at_ >= tokens_.size()) {
      Fault(ConfFaultKind::kNoValue);
    } else if (tokens_[at_] != expected) {
      Fault(ConfFaultKind::kNoSeparator, tokens_[at_], std::string(expected));
    } else {
      ++at_;
    }
    return ok_;
  }

  void Item() {
    token_ = at_;
    key_ = tokens_[at_++];
    const ConfKey* row = FindConfKey(key_);
    if (row == nullptr) {
      std::vector<std::string_view> names;
      for (const ConfKey& key : ConfKeys()) names.push_back(key.name);
      const std::string word = key_.substr(0, key_.find('='));
      if (word != key_ && FindConfKey(word) != nullptr) {
        return Fault(ConfFaultKind::kEqualsSign, key_, word);
      }
      const auto near = cli::Nearest(word, names);
      return Fault(ConfFaultKind::kUnknownKey, {}, std::string(near.value_or("")));
    }
    if (!Separator(":")) return;
    if (at_ >= tokens_.size()) return Fault(ConfFaultKind::kNoValue);
    token_ = at_;
    const size_t first = at_++;
    if (conf_.Find(key_) != nullptr) Fault(ConfFaultKind::kRepeated);
    Value(*row, tokens_[first]);
    std::string value;
    for (size_t i = first; i < std::min(at_, tokens_.size()); ++i) value += tokens_[i];
    conf_.items.push_back({key_, std::move(value), first});
  }

  void Value(const ConfKey& row, const std::string& value) {
    switch (row.rule) {
      case ConfRule::kBool:
        if (value != "True" && value != "False") Fault(ConfFaultKind::kNotBool, value);
        break;
      case ConfRule::kMegabytes:
      case ConfRule::kSegment:
        if (WholePrefix(value).negative) {
          Fault(ConfFaultKind::kNegative, value);
        } else if (const auto number = Number(value, WholePrefix(value));
                   number && *number < static_cast<double>(row.least)) {
          Fault(ConfFaultKind::kTooSmall, value, fmt::format("{}", row.least));
        }
        break;
      case ConfRule::kOpenFraction:
        if (const auto number = Number(value, RealPrefix(value)); number) {
          const bool inside = *number > 0 && *number < 1;  // false for "nan" too
          if (!inside) Fault(ConfFaultKind::kNotInRange, value, "(0, 1)");
        }
        break;
      case ConfRule::kFraction:
        if (const auto number = Number(value, RealPrefix(value)); number) {
          const bool inside = *number >= 0 && *number <= 1;
          if (!inside) Fault(ConfFaultKind::kNotInRange, value, "[0, 1]");
        }
        break;
      case ConfRule::kThreads:
        if (const auto number = Number(value, WholePrefix(value)); number) {
          if (!PowerOfTwo(*number)) {
            Fault(ConfFaultKind::kNotPowerOfTwo, value);
          } else if (*number > static_cast<double>(kMostThreads)) {
            Fault(ConfFaultKind::kNotInRange, value, fmt::format("[1, {}]", kMostThreads));
          }
        }
        break;
      case ConfRule::kDivisions:
        if (value == "[") {
          List([this](const std::string& size, const std::string& divisions) {
            const auto count = Number(divisions, WholePrefix(divisions));
            if (count && *count != 0 && !PowerOfTwo(*count)) {
              Fault(ConfFaultKind::kNotPowerOfTwo, divisions);
            }
            if (!ok_ || size == ">") return;
            const auto megabytes = Number(size, WholePrefix(size));
            if (megabytes && !PowerOfTwo(*megabytes)) Fault(ConfFaultKind::kNotPowerOfTwo, size);
          });
        } else if (const auto number = Number(value, WholePrefix(value));
                   number && !PowerOfTwo(*number)) {
          Fault(ConfFaultKind::kNotPowerOfTwo, value);
        }
        break;
      case ConfRule::kBackend:
        if (value != "native" && value != "cudaMallocAsync") {
          Fault(ConfFaultKind::kUnknownBackend, value);
        }
        break;
      case ConfRule::kReserve:
        Reserve(value);
        break;
      case ConfRule::kReserveByClass:
        if (value != "[") {
          Fault(ConfFaultKind::kNotList, value);
        } else {
          List([this](const std::string&, const std::string& reserve) { Reserve(reserve); });
        }
        break;
    }
  }

  // The items of a list up to its "]".
  template <typename Each>
  void List(const Each& each) {
    while (ok_ && at_ < tokens_.size() && tokens_[at_] != "]") {
      const std::string name = tokens_[at_++];
      if (!Separator(":")) return;
      token_ = at_;
      if (at_ >= tokens_.size()) return Fault(ConfFaultKind::kNoValue, name);
      each(name, tokens_[at_++]);
      if (ok_ && at_ < tokens_.size() && tokens_[at_] != "]") Separator(",");
    }
    if (!ok_) return;
    token_ = at_;
    if (at_ >= tokens_.size()) return Fault(ConfFaultKind::kUnclosedList);
    ++at_;
  }

  std::optional<double> Number(const std::string& value, const NumberPrefix& read) {
    if (read.length == 0) {
      Fault(ConfFaultKind::kNotNumber, value);
      return std::nullopt;
    }
    if (read.length < value.size()) {
      Fault(ConfFaultKind::kTrailing, value, value.substr(0, read.length));
    }
    return read.value;
  }

  void Reserve(const std::string& value) {
    std::string_view number = value;
    if (!number.empty() && (number.back() == 'G' || number.back() == 'g')) number.remove_suffix(1);
    const NumberPrefix read = RealPrefix(number);
    if (read.length != number.size() || read.length == 0 || !(read.value > 0) ||
        !std::isfinite(read.value)) {
      Fault(ConfFaultKind::kIgnoredReserve, value);
    }
  }

  // What depends on several keys.
  void Together() {
    double segment = static_cast<double>(kLargeSegmentMb);
    if (const auto* item = conf_.Find("large_segment_size_mb"); item != nullptr) {
      segment = WholePrefix(item->value).value;
    }
    const ConfItem* backend = conf_.Find("backend");
    for (const ConfItem& item : conf_.items) {
      key_ = item.key;
      token_ = item.token;
      const ConfKey& row = *FindConfKey(item.key);
      if (const NumberPrefix number = WholePrefix(item.value);
          row.rule == ConfRule::kSegment && !number.negative && number.value < segment) {
        Fault(ConfFaultKind::kTooSmall, item.value, fmt::format("{:.0f}", segment));
      }
      if (row.native && backend != nullptr && backend->value == "cudaMallocAsync") {
        Fault(ConfFaultKind::kIgnoredByBackend, item.value);
      }
    }
    key_ = "garbage_collection_threshold";
    if (conf_.Find(key_) != nullptr && conf_.Find("per_process_memory_fraction") == nullptr) {
      Fault(ConfFaultKind::kNeedsFraction);
    }
  }

  std::vector<std::string> tokens_;
  size_t at_ = 0;
  size_t token_ = 0;  // where a fault would be
  bool ok_ = true;
  std::string key_;
  AllocConf conf_;
};

}  // namespace

std::vector<std::string> AllocConfTokens(std::string_view text) {
  std::vector<std::string> tokens;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) tokens.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    if (c == ',' || c == ':' || c == '[' || c == ']') {
      flush();
      tokens.emplace_back(1, c);
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      word += c;
    }
  }
  flush();
  return tokens;
}

const ConfItem* AllocConf::Find(std::string_view key) const {
  // The last one counts.
  const auto found = std::find_if(items.rbegin(), items.rend(),
                                  [key](const ConfItem& item) { return item.key == key; });
  return found == items.rend() ? nullptr : &*found;
}

AllocConf ParseAllocConf(std::string_view text) { return Reader(text).Read(); }

}  // namespace gpusight::doctor
