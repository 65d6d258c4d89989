// SPDX-License-Identifier: Apache-2.0
// Fuzzes the parts of a recording that are no SQL: coded samples and times, the journal of a commit
// that was cut, and what hides secrets. The first byte chooses.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "record/journal.h"
#include "record/samples.h"
#include "record/secrets.h"

namespace {

using namespace gpusight;
using namespace gpusight::record;

constexpr WallTime kFrame{1'775'383'200'123'456'789};

// What was decoded, coded again, is decoded to the same.
void Samples(std::string_view bytes) {
  std::vector<SubSample> first, second;
  DecodeSamples(bytes, kFrame, kRatioUnit, first);
  std::string coded;
  EncodeSamples(first, kFrame, kRatioUnit, coded);
  if (!DecodeSamples(coded, kFrame, kRatioUnit, second) || first.size() != second.size()) abort();
  for (size_t i = 0; i < first.size(); ++i) {
    if (first[i].time != second[i].time) abort();
  }
}

void Times(std::string_view bytes) {
  std::vector<WallTime> first, second;
  DecodeTimes(bytes, kFrame, first);
  std::string coded;
  EncodeTimes(first, kFrame, coded);
  if (!DecodeTimes(coded, kFrame, second) || first != second) abort();
}

void Journal(std::string_view bytes) {
  std::vector<unsigned char> database(size_t{16} * 1024);
  const auto size = ApplyJournal(bytes, database);
  if (size && *size > database.size()) abort();
}

// Also what was hidden already.
void Secrets(std::string_view bytes) {
  const std::string once = HideSecrets(bytes);
  (void)HideSecrets(once);
  (void)IsSecretName(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      Samples(rest);
      break;
    case 1:
      Times(rest);
      break;
    case 2:
      Journal(rest);
      break;
    default:
      Secrets(rest);
  }
  return 0;
}
