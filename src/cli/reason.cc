// SPDX-License-Identifier: Apache-2.0
#include "cli/reason.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "model/text/system.h"

namespace gpusight::cli {
namespace {

constexpr std::array<std::pair<int, const Text*>, 21> kReasons = {{
    {ENOENT, &text::kEnoent},
    {EACCES, &text::kEacces},
    {EPERM, &text::kEperm},
    {EEXIST, &text::kEexist},
    {ENOTDIR, &text::kEnotdir},
    {EISDIR, &text::kEisdir},
    {ENOSPC, &text::kEnospc},
    {EDQUOT, &text::kEdquot},
    {EROFS, &text::kErofs},
    {EFBIG, &text::kEfbig},
    {EIO, &text::kEio},
    {EBADF, &text::kEbadf},
    {EMFILE, &text::kEmfile},
    {ENAMETOOLONG, &text::kEnametoolong},
    {ELOOP, &text::kEloop},
    {EINVAL, &text::kEinval},
    {ESRCH, &text::kEsrch},
    {ENXIO, &text::kEnxio},
    {ETXTBSY, &text::kEtxtbsy},
    {ESPIPE, &text::kEspipe},
    {ETIMEDOUT, &text::kEtimedout},
}};

}  // namespace

std::string SystemReason(int error_number, Language language) {
  for (const auto& [number, reason] : kReasons) {
    if (number == error_number) return Say(language, *reason);
  }
  return std::strerror(error_number);
}

std::string Reason(const Error& error, Language language) {
  std::string what = error.what;
  if (error.system == 0) return what;
  const std::string theirs = std::strerror(error.system);
  if (!what.ends_with(theirs)) return what;
  what.resize(what.size() - theirs.size());
  return what + SystemReason(error.system, language);
}

}  // namespace gpusight::cli
