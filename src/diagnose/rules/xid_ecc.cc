// SPDX-License-Identifier: Apache-2.0
// G4: the driver reported an error of the card, or of the program's own kernel, and which of the
// two it is.
#include "diagnose/rules/rules.h"

#include <algorithm>
#include <map>

namespace gpusight::diagnose {

std::optional<Finding> XidEcc(View& view) {
  const Window& w = view.window();
  const auto is_one_of = [](int xid, std::initializer_list<int> list) {
    return std::find(list.begin(), list.end(), xid) != list.end();
  };
  std::vector<Evidence> evidence;
  bool software = false, hardware = false;
  std::map<int, int> counts;
  for (const int xid : w.xids) ++counts[xid];
  for (const auto& [xid, count] : counts) {
    if (is_one_of(xid, {43, 44, 63, 68, 92})) continue;
    const bool own = is_one_of(xid, {8, 11, 13, 25, 31, 32, 69}), follows = xid == 45;
    evidence.push_back(Fact("xid", {Count(xid), Count(count)}));
    evidence.push_back(own       ? Fact("xid_software")
                       : follows ? Fact("xid_consequence")
                                 : Fact("xid_hardware"));
    software = software || own || follows;
    hardware = hardware || (!own && !follows);
  }
  const double ecc = view.Last(Signal::kEccUncorrected) - w.first_ecc;
  if (ecc >= 1) evidence.push_back(Fact("ecc_uncorrected", {Count(ecc)}));
  if (view.Last(Signal::kRemapPending) >= 1) evidence.push_back(Fact("remap_pending"));
  if (view.Last(Signal::kRemapFailed) >= 1) evidence.push_back(Fact("remap_failed"));
  if (view.Is(view.Last(Signal::kRemappedRows), Limit::kRemappedRows))
    evidence.push_back(Fact("remapped_rows", {Count(view.Last(Signal::kRemappedRows))}));
  hardware = hardware || ecc >= 1 || view.Last(Signal::kRemapPending) >= 1 ||
             view.Last(Signal::kRemapFailed) >= 1 ||
             view.Is(view.Last(Signal::kRemappedRows), Limit::kRemappedRows);
  if (evidence.empty()) return {};
  Finding finding =
      view.Make(hardware || software ? 0.9 : 0.5, hardware ? 0.95 : 0.8, std::move(evidence));
  finding.form = hardware ? "hardware" : "software";
  finding.level = FindingLevel::kCritical;
  return finding;
}

}  // namespace gpusight::diagnose
