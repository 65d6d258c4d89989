// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/state_files.h"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <vector>

namespace gpusight::cgroup {
namespace {

// Calls visit(depth, key, text) for each string that is a member of an object or an element of an
// array that is one. `key` is the nearest member's; `depth` counts open objects and arrays.
template <typename Visit>
class Strings : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Strings<Visit>> {
 public:
  explicit Strings(Visit visit) : visit_(std::move(visit)) {}
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    keys_.back().assign(text, size);
    return true;
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (!keys_.empty()) visit_(keys_, std::string_view(text, size));
    return true;
  }
  bool StartObject() { return Open(); }
  bool EndObject(rapidjson::SizeType) { return Close(); }
  bool StartArray() { return Open(); }
  bool EndArray(rapidjson::SizeType) { return Close(); }

 private:
  bool Open() {
    keys_.emplace_back();
    return true;
  }
  bool Close() {
    keys_.pop_back();
    return true;
  }
  Visit visit_;
  std::vector<std::string> keys_;  // of each open object; "" for an array
};

using Path = std::vector<std::string>;

// False when the text is no JSON; what was visited before stands.
template <typename Visit>
bool ForEachString(std::string_view json, Visit visit) {
  rapidjson::MemoryStream stream(json.data(), json.size());
  rapidjson::Reader reader;
  Strings<Visit> handler(std::move(visit));
  return !reader.Parse<rapidjson::kParseIterativeFlag>(stream, handler).IsError();
}

}  // namespace

std::string DockerName(std::string_view json) {
  std::string name;
  const bool whole = ForEachString(json, [&](const Path& path, std::string_view text) {
    if (path.size() == 1 && path[0] == "Name") name = text.substr(text.starts_with('/') ? 1 : 0);
  });
  return whole ? name : std::string();
}

BundleNames OciNames(std::string_view json) {
  BundleNames names;
  const bool whole = ForEachString(json, [&](const Path& path, std::string_view text) {
    if (path.size() != 2 || path[0] != "annotations") return;
    const std::string& key = path[1];
    if (key == "io.kubernetes.cri.container-name" || key == "io.kubernetes.container.name") {
      names.container = text;
    }
    if (key == "io.kubernetes.cri.sandbox-name" || key == "io.kubernetes.pod.name") {
      names.pod = text;
    }
    if (key == "io.kubernetes.cri.sandbox-namespace" || key == "io.kubernetes.pod.namespace") {
      names.pod_namespace = text;
    }
  });
  return whole ? names : BundleNames{};
}

std::string StorageName(std::string_view json, std::string_view id) {
  // [{"id": "…", "names": ["trainer"], …}, …]; the id stands before the names.
  std::string name;
  bool ours = false;
  const bool whole = ForEachString(json, [&](const Path& path, std::string_view text) {
    if (path.size() == 2 && path[1] == "id") ours = text == id;
    if (ours && name.empty() && path.size() == 3 && path[1] == "names") name = text;
  });
  return whole ? name : std::string();
}

}  // namespace gpusight::cgroup
