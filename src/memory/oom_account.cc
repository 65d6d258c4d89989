// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/units.h"
#include "model/text/oom.h"

namespace gpusight::memory {
namespace {

// Hundredths of `unit` that add up to those of the sum: what rounding leaves over goes to the parts
// that lost most by it.
std::vector<int64_t> Hundredths(const std::vector<OomAccount::Row>& rows, double unit) {
  std::vector<int64_t> out;
  std::vector<std::pair<double, size_t>> lost;
  double sum = 0;
  int64_t whole = 0;
  for (const OomAccount::Row& row : rows) {
    const double exact = row.bytes / unit * 100;
    out.push_back(static_cast<int64_t>(std::floor(exact)));
    lost.emplace_back(std::floor(exact) - exact, out.size() - 1);
    sum += exact;
    whole += out.back();
  }
  std::stable_sort(lost.begin(), lost.end());
  int64_t left = std::llround(sum) - whole;
  for (size_t i = 0; i < lost.size() && left > 0; ++i, --left) ++out[lost[i].second];
  return out;
}

std::string Hundredth(int64_t value) {
  return fmt::format("{}{}.{:02}", value < 0 ? "-" : "", std::abs(value) / 100,
                     std::abs(value) % 100);
}

double UnitOf(const OomAccount& account) { return account.total >= kGiB ? kGiB : kMiB; }

const Text& LabelOf(const OomFacts& f, OomPart part) {
  switch (part) {
    case OomPart::kAllocated:
      return text::kOomPartAllocated;
    case OomPart::kPools:
      return text::kOomPartPools;
    case OomPart::kCached:
      return text::kOomPartCached;
    case OomPart::kOutside:
      return text::kOomPartOutside;
    case OomPart::kOthers:
      return text::kOomPartOthers;
    case OomPart::kUnlisted:
      return text::kOomPartUnlisted;
    case OomPart::kRest:
      return text::kOomPartRest;
    case OomPart::kUsed:
      return f.limit ? text::kOomPartUsedLimited : text::kOomPartUsed;
    case OomPart::kFree:
      break;
  }
  return text::kOomPartFree;
}

}  // namespace

std::string Printed(const OomAccount& account, OomPart part) {
  const double unit = UnitOf(account);
  const std::vector<int64_t> numbers = Hundredths(account.rows, unit);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (account.rows[i].part != part) continue;
    const bool other_unit = std::abs(account.rows[i].bytes) < unit || account.overfull;
    if (other_unit) return SizeText(account.rows[i].bytes);
    return fmt::format("{} {}", Hundredth(numbers[i]), unit == kGiB ? "GiB" : "MiB");
  }
  return SizeText(0);
}

std::string SizeText(double bytes) {
  const double size = std::abs(bytes);
  if (size >= kTiB * 1024 * 1024) return fmt::format("{:.2f} EiB", bytes / kTiB / 1048576);
  if (size >= kTiB) return fmt::format("{:.2f} TiB", bytes / kTiB);
  if (size >= kGiB) return fmt::format("{:.2f} GiB", bytes / kGiB);
  if (size >= kMiB) return fmt::format("{:.2f} MiB", bytes / kMiB);
  if (size >= kKiB) return fmt::format("{:.2f} KiB", bytes / kKiB);
  return fmt::format("{:.0f} bytes", bytes);
}

AccountTable TableOf(const OomFacts& f, const OomVerdict& v, Language language) {
  AccountTable out;
  const OomAccount& account = v.account;
  if (account.rows.empty() || account.overfull) return out;
  const double unit = UnitOf(account);
  out.unit = unit == kGiB ? "GiB" : "MiB";
  const std::vector<int64_t> numbers = Hundredths(account.rows, unit);
  int64_t free = -1;
  for (size_t i = 0; i < account.rows.size(); ++i) {
    out.parts.push_back({Say(language, LabelOf(f, account.rows[i].part)), Hundredth(numbers[i])});
    if (account.rows[i].part == OomPart::kFree) free = numbers[i];
  }
  const Text& total = account.of == OomTotal::kPool    ? text::kOomTotalPool
                      : account.of == OomTotal::kLimit ? text::kOomTotalLimit
                                                       : text::kOomTotalCapacity;
  out.total = {Say(language, total),
               Hundredth(std::accumulate(numbers.begin(), numbers.end(), int64_t{0}))};
  if (!f.requested || *f.requested > 1e6 * unit) return out;
  const int64_t requested = std::llround(*f.requested / unit * 100);
  out.request.push_back({Say(language, text::kOomRowRequested), Hundredth(requested)});
  if (free >= 0 && requested > free) {
    out.request.push_back({Say(language, text::kOomRowMissing), Hundredth(requested - free)});
  }
  if (f.limit && account.of == OomTotal::kCapacity) {
    out.request.push_back(
        {Say(language, text::kOomRowLimit), Hundredth(std::llround(*f.limit / unit * 100))});
  }
  return out;
}

}  // namespace gpusight::memory
