// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/mountinfo.h"

#include "base/text.h"

namespace gpusight::cgroup {
namespace {

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

std::string Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] <= '3' && IsOctal(text[i + 1]) &&
        IsOctal(text[i + 2]) && IsOctal(text[i + 3])) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                               (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"; between the
// sixth field and the "-" stand any number of optional fields.
std::optional<Mount> ParseMountLine(std::string_view line) {
  Mount mount;
  const auto id = NextWord(line);
  const auto parent = NextWord(line);
  const auto device = NextWord(line);
  const auto root = NextWord(line);
  const auto point = NextWord(line);
  const auto mount_options = NextWord(line);
  if (!id || !parent || !device || !root || !point || !mount_options) return std::nullopt;
  const auto number = ParseNumber<int>(*id);
  if (!number) return std::nullopt;
  std::optional<std::string_view> word;
  do {
    word = NextWord(line);
    if (!word) return std::nullopt;
  } while (*word != "-");
  const auto type = NextWord(line);
  if (!type) return std::nullopt;
  mount.id = *number;
  mount.root = Unescape(*root);
  mount.mount_point = Unescape(*point);
  mount.type = Unescape(*type);
  // An empty source is written as nothing at all, so the options may come in its place.
  const auto source = NextWord(line);
  const auto options = NextWord(line);
  if (source && options) {
    mount.source = Unescape(*source);
    mount.options = Unescape(*options);
  } else if (source) {
    mount.options = Unescape(*source);
  }
  return mount;
}

std::vector<Mount> ParseMountInfo(std::string_view text) {
  std::vector<Mount> mounts;
  while (const auto line = NextLine(text)) {
    if (auto mount = ParseMountLine(*line)) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

std::optional<uint64_t> ShmSize(std::string_view mountinfo) {
  std::optional<uint64_t> size;
  while (const auto line = NextLine(mountinfo)) {
    const auto mount = ParseMountLine(*line);
    if (!mount || mount->mount_point != "/dev/shm") continue;
    size.reset();
    for (const std::string_view option : Split(mount->options, ',')) {
      if (!option.starts_with("size=") || !option.ends_with("k")) continue;
      const auto kilobytes = ParseNumber<uint64_t>(option.substr(5, option.size() - 6));
      if (kilobytes && *kilobytes < UINT64_MAX / 1024) size = *kilobytes * 1024;
    }
  }
  return size;
}

}  // namespace gpusight::cgroup
