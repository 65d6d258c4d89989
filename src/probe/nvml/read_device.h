// SPDX-License-Identifier: Apache-2.0
// Walks the table of fields.h for one device. Next: memory.h, processes.h, rings.h and gpm.h for
// what is more than one call and one number.
#pragma once

#include <string>
#include <string_view>

#include "probe/nvml/fields.h"
#include "probe/nvml/gpu.h"
#include "probe/nvml/pass.h"

namespace gpusight::nvml {

// Reads who and what the device is (gpu.sample.info) and Lane::kOnce. Same answer as ReadFields().
Return ReadIdentity(Pass& pass, Gpu& gpu);  // identity.cc
Return ReadOnce(Pass& pass, Gpu& gpu);

// The rest of who it is, which costs half a millisecond, so it goes with Lane::kStill.
void ReadStillFacts(Pass& pass, Gpu& gpu);  // identity.cc

// Reads Lane::kFast and what is due of the others into gpu.sample.fields. The answer is kSuccess,
// or the code by which the device or the driver said good-bye in the middle.
Return ReadFields(Pass& pass, Gpu& gpu);

// Gives what was not asked, because the look is quick or nobody wants it, that reason.
void NoteWhatWasLeftOut(const Pass& pass, Gpu& gpu);

// `raw` in the unit and range of `row`: known, or kImplausible (and counted).
[[nodiscard]] Known<double> Judge(Pass& pass, const FieldRow& row, double value);

// A part that has no memory of its own: Jetson, GB10.
[[nodiscard]] bool IsIntegratedPart(std::string_view name);

// Cores in one multiprocessor of that compute capability; 0 for an unknown one.
[[nodiscard]] unsigned CoresPerMultiprocessor(std::string_view compute_capability);

// A part joined to its CPU by NVLink-C2C: its PCIe figures are placeholders.
[[nodiscard]] bool IsCoherentPart(std::string_view name);

}  // namespace gpusight::nvml
