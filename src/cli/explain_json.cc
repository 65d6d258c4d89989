// SPDX-License-Identifier: Apache-2.0
// What `gpusight explain` found, for programs. A number that no message gives is null, and
// "unknown" of the same object says so.
#include <algorithm>
#include <cmath>

#include "cli/explain_page.h"
#include "export/json.h"
#include "memory/oom_advice.h"
#include "memory/oom_groups.h"
#include "memory/oom_words.h"
#include "model/text/oom.h"

namespace gpusight::cli {
namespace {

using exporting::JsonWriter;
using memory::Amount;
using memory::OomGroup;
using memory::OomText;

int64_t Whole(double bytes) {
  constexpr double kMost = 9e18;
  return std::llround(std::clamp(bytes, -kMost, kMost));
}

// An object whose members may be missing in the text.
class Members {
 public:
  explicit Members(JsonWriter& json) : json_(json) { json_.BeginObject(); }
  void Bytes(std::string_view key, const std::optional<Amount>& amount) {
    json_.Key(key);
    if (amount) {
      json_.Int(Whole(amount->bytes));
    } else {
      Missing(key);
    }
  }
  void Count(std::string_view key, const std::optional<uint64_t>& number) {
    json_.Key(key);
    if (number) {
      json_.Int(static_cast<int64_t>(*number));
    } else {
      Missing(key);
    }
  }
  void Word(std::string_view key, std::string_view word) {
    json_.Key(key);
    if (word.empty()) {
      Missing(key);
    } else {
      json_.String(word);
    }
  }
  void End() {
    if (!missing_.empty()) {
      json_.Key("unknown");
      json_.BeginObject();
      for (const std::string_view key : missing_) json_.Member(key, text::kExplainNotSaid.english);
      json_.EndObject();
    }
    json_.EndObject();
  }

 private:
  void Missing(std::string_view key) {
    json_.Null();
    missing_.push_back(key);
  }
  JsonWriter& json_;
  std::vector<std::string_view> missing_;
};

std::optional<uint64_t> Unless(int64_t number, int64_t none) {
  return number == none ? std::nullopt : std::optional(static_cast<uint64_t>(number));
}

void WriteText(JsonWriter& json, const OomText& text) {
  Members m(json);
  json.Member("form", Name(text.form));
  json.Member("place", Name(text.place()));
  m.Word("framework", FrameworkName(text.framework));
  m.Word("backend", text.backend);
  m.Count("device", Unless(text.device, -1));
  m.Count("rank", Unless(text.rank, -1));
  json.Member("line", text.first_line);
  json.Member("last_line", text.last_line);
  json.Member("times", text.times);
  m.Bytes("requested_bytes", text.requested);
  m.Bytes("capacity_bytes", text.capacity);
  m.Bytes("free_bytes", text.free);
  m.Bytes("used_by_all_bytes", text.device_used);
  m.Bytes("limit_bytes", text.limit);
  m.Bytes("pool_limit_bytes", text.pool_limit);
  m.Bytes("process_bytes", text.process);
  m.Bytes("allocated_bytes", text.allocated);
  m.Bytes("reserved_bytes", text.reserved);
  m.Bytes("cached_bytes", text.cached);
  m.Bytes("private_pools_bytes", text.private_pools);
  m.Bytes("largest_free_bytes", text.largest_free);
  m.Bytes("program_bytes", text.program);
  m.Bytes("host_limit_bytes", text.host_limit);
  json.Objects("processes", text.processes, [&](const memory::OomHolder& holder) {
    json.Member("pid", holder.pid);
    json.Member("bytes", Whole(holder.memory.bytes));
  });
  m.Count("killed_pid", Unless(static_cast<int64_t>(text.victim), 0));
  m.Word("killed_name", text.victim_name);
  json.Member("phase", Name(text.phase));
  json.Member("after", Name(text.after));
  m.Count("step", text.step);
  m.Count("epoch", text.epoch);
  json.Objects("traceback", text.trace, [&](const memory::TraceLine& line) {
    json.Member("file", line.file);
    json.Member("line", static_cast<int64_t>(line.line));
    json.Member("function", line.function);
  });
  json.Objects("buffers", text.buffers, [&](const memory::OomBuffer& buffer) {
    json.Member("bytes", Whole(buffer.size.bytes));
    json.Member("what", buffer.what);
  });
  json.Member("excerpt", text.excerpt);
  m.End();
}

void WriteAccount(JsonWriter& json, const memory::OomAccount& account) {
  json.Key("account");
  if (account.rows.empty()) {
    json.Null();
    return;
  }
  constexpr std::string_view kTotals[] = {"none", "capacity", "pool", "limit"};
  json.BeginObject();
  json.Member("of", kTotals[static_cast<size_t>(account.of)]);
  json.Member("total_bytes", Whole(account.total));
  json.Member("adds_up", !account.overfull);
  json.Objects("parts", account.rows, [&](const memory::OomAccount::Row& row) {
    json.Member("part", Name(row.part));
    json.Member("bytes", Whole(row.bytes));
  });
  json.EndObject();
}

void WriteGroup(JsonWriter& json, const OomGroup& group,
                const std::vector<memory::OomSetting>& settings, Language language) {
  const memory::OomVerdict& v = group.verdict;
  json.BeginObject();
  json.Member("class", Name(v.cause));
  json.Member("confidence", v.confidence);
  json.Member("consequence", group.consequence);
  json.Array("also", v.also, [&](memory::OomClass c) { json.String(Name(c)); });
  json.Array("notes", v.notes, [&](memory::OomNote n) { json.String(Name(n)); });
  json.Array("missing", v.gaps, [&](memory::OomGap g) { json.String(Name(g)); });
  json.Member("failure", static_cast<int64_t>(group.lead));
  json.Array("failures", group.members, [&](size_t at) { json.Int(static_cast<int64_t>(at)); });
  json.Member("sentence", memory::SentenceOf(group.facts, v, language));
  json.Array("remarks", memory::RemarksOf(group.facts, v, language),
             [&](const std::string& remark) { json.String(remark); });
  WriteAccount(json, v.account);
  json.Objects("advice", memory::AdviceFor(group.facts, v, settings, language),
               [&](const memory::Advice& advice) {
                 json.Member("framework", FrameworkName(advice.framework));
                 json.Member("what", advice.what);
                 json.Member("code", advice.code);
               });
  json.EndObject();
}

}  // namespace

void AppendExplainJson(std::string& out, std::string_view name, const memory::OomScan& scan,
                       bool all, Language language) {
  const auto groups = all ? memory::SingleTexts(scan.texts) : memory::GroupTexts(scan.texts);
  JsonWriter json(out);
  json.BeginObject();
  json.Member("schema", kExplainSchema);
  json.Member("file", name);
  json.Member("lines", scan.lines);
  json.Member("bytes", scan.bytes);
  json.Member("left_out", scan.left_out);
  json.Array("settings", scan.settings, [&](const memory::OomSetting& setting) {
    json.BeginObject();
    json.Member("name", setting.name);
    json.Member("value", setting.value);
    json.EndObject();
  });
  json.Array("failures", scan.texts, [&](const OomText& text) { WriteText(json, text); });
  json.Array("causes", groups,
             [&](const OomGroup& group) { WriteGroup(json, group, scan.settings, language); });
  json.EndObject();
}

}  // namespace gpusight::cli
