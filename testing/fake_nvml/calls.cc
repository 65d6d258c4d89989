// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpusight::fake {

namespace {

constexpr std::array<const char*, kCallCount> kNames = {
#define GPUSIGHT_FAKE_NAME(name, parameters) #name,
    GPUSIGHT_NVML_CALLS(GPUSIGHT_FAKE_NAME) GPUSIGHT_FAKE_EXTRA_CALLS(GPUSIGHT_FAKE_NAME)
#undef GPUSIGHT_FAKE_NAME
};

// As driver 580.159.04 says them.
constexpr std::pair<int, const char*> kCodes[] = {
    {0, "Success"},
    {1, "Uninitialized"},
    {2, "Invalid Argument"},
    {3, "Not Supported"},
    {4, "Insufficient Permissions"},
    {5, "Already Initialized"},
    {6, "Not Found"},
    {7, "Insufficient Size"},
    {8, "Insufficient External Power"},
    {9, "Driver Not Loaded"},
    {10, "Timeout"},
    {11, "Interrupt Request Issue"},
    {12, "NVML Shared Library Not Found"},
    {13, "Function Not Found"},
    {14, "Corrupted infoROM"},
    {15, "GPU is lost"},
    {16, "GPU requires reset"},
    {17, "GPU access blocked by the operating system"},
    {18, "Driver/library version mismatch"},
    {19, "In use by another client"},
    {20, "Insufficient Memory"},
    {21, "No data"},
    {22, "vGPU ECC not supported"},
    {23, "Insufficient Resources"},
    {24, "Invalid Frequency"},
    {25, "Argument version mismatch"},
    {26, "Requested functionality has been deprecated"},
    {27, "System is not in ready state"},
    {28, "No supported GPUs were found"},
    {29, "Resource not in correct state to perform requested operation"},
    {30, "Reset type is not supported for given device"},
    {999, "Unknown Error"},
};

}  // namespace

const char* CallName(Call call) { return kNames[static_cast<size_t>(call)]; }

std::optional<Call> CallNamed(std::string_view name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Call>(found - kNames.begin());
}

const char* CodeText(int code) {
  for (const auto& [number, text] : kCodes) {
    if (number == code) return text;
  }
  return "Unknown Error";
}

std::optional<int> CodeNamed(std::string_view text) {
  for (const auto& [number, sentence] : kCodes) {
    if (text == sentence) return number;
  }
  return std::nullopt;
}

}  // namespace gpusight::fake
