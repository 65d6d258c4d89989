// SPDX-License-Identifier: Apache-2.0
// Checks of the driver: cards, kernel module, libraries, their versions, what the driver answers.
#include <fmt/format.h>

#include <algorithm>

#include "cli/doctor/check.h"
#include "model/driver.h"
#include "model/text/doctor.h"
#include "model/text/doctor_driver.h"

namespace gpusight::doctor {
namespace {

bool MissingLibrary(const Facts& facts) {
  return facts.frame.driver.state == DriverState::kNoLibrary;
}

std::vector<const PciCard*> Cards(const Facts& facts) {
  std::vector<const PciCard*> cards;
  for (const PciCard& card : facts.cards) {
    if (!card.is_switch) cards.push_back(&card);
  }
  return cards;
}

// Devices of the driver that are whole cards.
size_t ListedCards(const Facts& facts) {
  return static_cast<size_t>(
      std::count_if(facts.frame.devices.begin(), facts.frame.devices.end(),
                    [](const DeviceSample& device) { return !device.is_mig_instance(); }));
}

}  // namespace

void CheckCards(const Facts& facts, Report& report) {
  if (facts.machine.wsl) {
    report.Note("driver.wsl", text::kWsl);
    return;
  }
  if (!facts.pci_known) {
    report.Note("driver.cards", text::kCardsUnknown);
    return;
  }
  const auto cards = Cards(facts);
  if (cards.empty()) {
    // An integrated GPU (Grace, Jetson) is on no bus; then the driver knows better.
    if (!facts.WithoutCard()) return;
    report.Problem("driver.cards", text::kCardsNone).Remedy(text::kCardsNoneRemedy);
    return;
  }
  for (const PciCard* card : cards) {
    const bool foreign = !card->driver.empty() && card->driver != "nvidia";
    if (!foreign || card->driver == "nouveau") continue;  // CheckModule speaks of nouveau
    report.Note("driver.cards", text::kCardsForeign, card->bus_id, card->driver)
        .Remedy(text::kCardsForeignRemedy, card->bus_id, card->driver);
  }
  const size_t ours = static_cast<size_t>(std::count_if(
      cards.begin(), cards.end(), [](const PciCard* card) { return card->driver == "nvidia"; }));
  const size_t listed = ListedCards(facts);
  // A container sees the whole bus and only its own share of the cards.
  const bool may_count =
      !facts.subject.container.in && facts.frame.driver.state == DriverState::kOk;
  if (may_count && listed < ours) {
    report.Problem("driver.cards", text::kCardsMissing, ours - listed, ours)
        .Remedy(text::kCardsMissingRemedy);
    return;
  }
  std::vector<std::string_view> names;
  names.reserve(cards.size());
  for (const PciCard* card : cards) names.push_back(card->bus_id);
  report.Ok("driver.cards", text::kCardsFound, fmt::format("{}", fmt::join(names, ", ")));
}

void CheckModule(const Facts& facts, Report& report) {
  if (facts.machine.wsl) return;
  const KernelDriver& driver = facts.driver;
  if (driver.nvidia_loaded) {
    report.Ok("driver.module", driver.open_source ? text::kModuleLoadedOpen : text::kModuleLoaded,
              driver.version);
    return;
  }
  // Jetson's driver is no such module, and what answers needs no advice.
  if (facts.frame.driver.state == DriverState::kOk || facts.WithoutCard()) return;
  const bool nouveau_card =
      std::any_of(facts.cards.begin(), facts.cards.end(),
                  [](const PciCard& card) { return card.driver == "nouveau"; });
  if (driver.nouveau_loaded || nouveau_card) {
    report.Problem("driver.module", text::kModuleNouveau).Remedy(text::kModuleNouveauRemedy);
  } else if (driver.on_disk_known && !driver.on_disk) {
    report.Problem("driver.module", text::kModuleNotBuilt, facts.machine.kernel)
        .Remedy(text::kModuleNotBuiltRemedy, facts.machine.kernel);
  } else if (facts.machine.secure_boot.value_or(false)) {
    report.Problem("driver.module", text::kModuleSecureBoot).Remedy(text::kModuleSecureBootRemedy);
  } else {
    report.Problem("driver.module", text::kModuleNotLoaded).Remedy(text::kModuleNotLoadedRemedy);
  }
}

void CheckLibrary(const Facts& facts, Report& report) {
  const DriverInfo& driver = facts.frame.driver;
  if (MissingLibrary(facts)) {
    if (facts.WithoutCard() || facts.WithoutAccess()) return;
    if (facts.machine.wsl) {
      report.Problem("driver.library", text::kWslNoLibrary).Remedy(text::kWslNoLibraryRemedy);
      return;
    }
    report.Problem("driver.library", text::kLibraryMissing)
        .Remedy(facts.subject.container.in ? text::kLibraryMissingContainerRemedy
                                           : text::kLibraryMissingRemedy);
  } else if (!driver.library.empty()) {
    const std::string version = driver.nvml_version.empty() ? "?" : driver.nvml_version;
    report.Ok("driver.library", text::kLibraryLoaded, driver.library, version);
  }
  const auto path = facts.subject.Variable("LD_LIBRARY_PATH");
  for (const std::string_view folder : path ? Split(*path, ':') : std::vector<std::string_view>()) {
    if (folder.find("/compat") == std::string_view::npos) continue;
    report.Note("driver.compat", text::kCompat, folder).Remedy(text::kCompatRemedy, folder);
  }
}

void CheckVersions(const Facts& facts, Report& report) {
  if (facts.machine.wsl) return;
  const std::string& kernel = facts.driver.version;
  if (kernel.empty()) return;
  const auto other = [&](const LibraryFile& file) { return file.version != kernel; };
  const auto same = [&](const LibraryFile& file) { return file.version == kernel; };
  bool differ = facts.frame.driver.state == DriverState::kMismatch;
  for (const auto* files : {&facts.management_libraries, &facts.cuda_libraries}) {
    const bool has_right = std::any_of(files->begin(), files->end(), same);
    const auto wrong = std::find_if(files->begin(), files->end(), other);
    if (wrong == files->end()) continue;
    if (has_right && facts.frame.driver.state != DriverState::kMismatch) {
      report.Note("driver.versions", text::kVersionsExtraNote, wrong->path, wrong->version, kernel)
          .Remedy(text::kVersionsExtraRemedy, wrong->path);
      differ = true;
      continue;
    }
    differ = true;
    report.Problem("driver.versions", text::kVersionsDiffer, wrong->path, wrong->version, kernel)
        .Remedy(facts.subject.container.in ? text::kVersionsContainerRemedy
                                           : text::kVersionsRebootRemedy);
  }
  const bool seen = !facts.management_libraries.empty() || !facts.cuda_libraries.empty();
  if (!differ && seen) report.Ok("driver.versions", text::kVersionsAgree, kernel);
}

void CheckDriverAnswer(const Facts& facts, Report& report) {
  const DriverInfo& driver = facts.frame.driver;
  constexpr std::string_view kId = "driver.answer";
  if (driver.state == DriverState::kNoLibrary) return;  // CheckLibrary
  if (driver.state == DriverState::kOk && facts.frame.devices.empty()) {
    report.Problem(kId, text::kAnswerNoDevice).Remedy(text::kAnswerNoDeviceRemedy);
  } else if (driver.state == DriverState::kOk) {
    report.Ok(kId, text::kAnswerOk, driver.version, driver.cuda_version);
  } else {
    report.Problem(kId, text::kAsItIs, Describe(driver, report.language()))
        .Remedy(text::kSentence, RemedyFor(driver, report.language()));
  }
}

void CheckFabric(const Facts& facts, Report& report) {
  const auto switches = std::count_if(facts.cards.begin(), facts.cards.end(),
                                      [](const PciCard& card) { return card.is_switch; });
  // In a container its process is not to be seen.
  if (switches == 0 || facts.subject.container.in) return;
  if (facts.Runs("nv-fabricmanager")) {
    report.Ok("driver.fabric", text::kFabricOk, switches);
  } else {
    report.Problem("driver.fabric", text::kFabricDown, switches).Remedy(text::kFabricDownRemedy);
  }
}

}  // namespace gpusight::doctor
