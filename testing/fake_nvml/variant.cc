// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/variant.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>

namespace gpusight::fake {

namespace {

template <typename T>
bool Read(std::string_view image, size_t offset, T& out) {
  if (offset > image.size() || image.size() - offset < sizeof(T)) return false;
  std::memcpy(&out, image.data() + offset, sizeof(T));
  return true;
}

// Where the names of the dynamic symbols lie in the file: the string table that .dynsym links to.
bool FindDynamicNames(std::string_view image, size_t& offset, size_t& size) {
  Elf64_Ehdr header;
  if (!Read(image, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section, names;
    const auto at = [&](unsigned n) { return header.e_shoff + size_t{n} * header.e_shentsize; };
    if (!Read(image, at(i), section) || section.sh_type != SHT_DYNSYM) continue;
    if (!Read(image, at(section.sh_link), names)) return false;
    offset = names.sh_offset;
    size = names.sh_size;
    return offset <= image.size() && size <= image.size() - offset;
  }
  return false;
}

}  // namespace

Result<std::string> WithoutSymbols(std::string image, const std::vector<std::string>& names) {
  size_t offset = 0, size = 0;
  if (!FindDynamicNames(image, offset, size)) {
    return Fail(ErrorCode::kBadInput, "not a 64-bit shared library with section headers");
  }
  for (const std::string& name : names) {
    const std::string wanted = std::string(1, '\0') + name + '\0';
    const size_t found = std::string_view(image).substr(offset, size).find(wanted);
    if (found == std::string_view::npos) {
      return Fail(ErrorCode::kNotFound, fmt::format("the library does not export {}", name));
    }
    // Another first letter: the hash table still leads here, and the comparison fails.
    image[offset + found + 1] = 'x';
  }
  return image;
}

}  // namespace gpusight::fake
