// SPDX-License-Identifier: Apache-2.0
#include "export/account_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "base/text.h"
#include "base/units.h"
#include "export/wrap.h"
#include "model/text/status.h"

namespace gpusight::exporting {
namespace {

struct Term {
  const Text& name;   // in the equation
  const Text& label;  // in a note
  const Known<double>& value;
};

std::string Hundredths(int64_t value) {
  return fmt::format("{}{}.{:02}", value < 0 ? "-" : "", std::abs(value) / 100,
                     std::abs(value) % 100);
}

// "used 12.40 = processes 12.00 + residual 0.40", in hundredths of `unit`. The first `fixed` parts
// are shown rounded by themselves, the others so that the sum comes out. When the parts are not
// all known, or the driver's figures do not add up, each is shown as it is. In pieces of a line.
std::vector<std::string> Equation(const Style& style, const Term& sum, std::span<const Term> parts,
                                  size_t fixed, double unit, int width, Footnotes& notes) {
  const auto rounded = [unit](double value) { return std::llround(value / unit * 100); };
  // Parts that are already more than the sum do not add up, whatever else is missing.
  double least = 0;
  for (const Term& part : parts) least += part.value.value_or(0);
  const bool exceeds = sum.value && least > *sum.value;
  const bool known = sum.value && std::all_of(parts.begin(), parts.end(),
                                              [](const Term& t) { return t.value.known(); });
  std::vector<int64_t> shown;
  bool adds = false;
  if (known) {
    double bytes = 0;
    int64_t rest = rounded(*sum.value);
    std::vector<double> free;
    for (size_t i = 0; i < parts.size(); ++i) {
      bytes += *parts[i].value;
      if (i < fixed) {
        shown.push_back(rounded(*parts[i].value));
        rest -= shown.back();
      } else {
        free.push_back(*parts[i].value / unit * 100);
      }
    }
    adds = std::llround(bytes) == std::llround(*sum.value);
    const auto spread = RoundToSum(free, rest);
    shown.insert(shown.end(), spread.begin(), spread.end());
  }
  const auto text = [&](const Term& term) {
    if (term.value) return Hundredths(rounded(*term.value));
    return notes.Missed(style, style.Say(term.label), term.value.missing());
  };
  std::vector<std::string> out = {Pad(style.Say(sum.name), width) + " " + text(sum)};
  std::string_view sign = adds || (!known && !exceeds) ? "= " : style.unicode ? "≠ " : "!= ";
  for (size_t i = 0; i < parts.size(); ++i) {
    out.push_back(fmt::format("{}{} {}", sign, style.Say(parts[i].name),
                              adds ? Hundredths(shown[i]) : text(parts[i])));
    sign = "+ ";
  }
  return out;
}

}  // namespace

std::vector<int64_t> RoundToSum(std::span<const double> parts, int64_t total) {
  std::vector<int64_t> out;
  std::vector<std::pair<double, size_t>> lost;
  for (size_t i = 0; i < parts.size(); ++i) {
    out.push_back(static_cast<int64_t>(std::floor(parts[i])));
    lost.emplace_back(parts[i] - std::floor(parts[i]), i);
  }
  std::stable_sort(lost.begin(), lost.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  int64_t missing = total - std::accumulate(out.begin(), out.end(), int64_t{0});
  for (const auto& [fraction, i] : lost) {
    if (missing-- <= 0) break;
    ++out[i];
  }
  return out;
}

std::vector<std::string> AccountLines(const Style& style, const Account& account, int room,
                                      Footnotes& notes) {
  const bool gib = !account.total || *account.total >= kGiB;
  const double unit = gib ? kGiB : kMiB;
  const auto label = [](DeviceField field) -> const Text& { return Row(field).label; };
  const Term processes{text::kAccountProcesses, label(DeviceField::kMemoryProcesses),
                       account.processes};
  const Term residual{text::kAccountResidual, label(DeviceField::kMemoryResidual),
                      account.residual};
  const Term used{text::kAccountUsed, label(DeviceField::kMemoryUsed), account.used};
  const Term free{text::kAccountFree, label(DeviceField::kMemoryFree), account.free};
  const Term driver{text::kAccountDriver, label(DeviceField::kMemoryDriverReserved),
                    account.driver_reserved};
  const Term total{text::kAccountTotal, label(DeviceField::kMemoryTotal), account.total};
  const Term of_used[] = {processes, residual}, of_total[] = {used, free, driver};
  const int width = std::max(DisplayWidth(style.Say(text::kAccountUsed)),
                             DisplayWidth(style.Say(text::kAccountTotal)));
  std::vector<std::string> first = Equation(style, used, of_used, 0, unit, width, notes);
  first.back() += style.Say(text::kAccountUnit, gib ? "GiB" : "MiB");
  std::vector<std::string> lines = FillLines(first, room, 1);
  const auto second = Equation(style, total, of_total, 1, unit, width, notes);
  for (std::string& line : FillLines(second, room, 1)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace gpusight::exporting
