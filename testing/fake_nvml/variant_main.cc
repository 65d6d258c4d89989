// SPDX-License-Identifier: Apache-2.0
// gpusight_fake_variant LIBRARY LIST OUTPUT: OUTPUT becomes LIBRARY without the functions that
// the file LIST names, one a line; '#' begins a comment.
#include <fmt/format.h>

#include <cstdio>

#include "base/fd.h"
#include "base/text.h"
#include "testing/fake_nvml/variant.h"

int main(int count, char** arguments) {
  using namespace gpusight;  // NOLINT: a program of one function
  const auto fail = [](const std::string& why) {
    fmt::print(stderr, "gpusight_fake_variant: {}\n", why);
    return 1;
  };
  if (count != 4) return fail("usage: LIBRARY LIST OUTPUT");
  auto image = ReadFile(arguments[1], size_t{1} << 28);
  const auto list = ReadFile(arguments[2]);
  if (!image) return fail(image.error().what);
  if (!list) return fail(list.error().what);
  std::vector<std::string> names;
  std::string_view rest = *list;
  while (const auto line = NextLine(rest)) {
    const std::string_view name = Trim(line->substr(0, line->find('#')));
    if (!name.empty()) names.emplace_back(name);
  }
  const auto variant = fake::WithoutSymbols(std::move(*image), names);
  if (!variant) return fail(variant.error().what);
  FILE* file = std::fopen(arguments[3], "wb");
  if (file == nullptr) return fail(fmt::format("{} cannot be written", arguments[3]));
  const bool whole = std::fwrite(variant->data(), 1, variant->size(), file) == variant->size();
  if (std::fclose(file) != 0 || !whole) return fail(fmt::format("{} was cut", arguments[3]));
  return 0;
}
