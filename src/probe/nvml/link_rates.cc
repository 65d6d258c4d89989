// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/link_rates.h"

#include "probe/nvml/chores.h"
#include "probe/nvml/errors.h"
#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

using F = DeviceField;
constexpr double kKibibyte = 1024;
constexpr uint32_t kAllLinks = 0xffffffff;

}  // namespace

Return LinkRates::Read(Pass& pass, Gpu& gpu) {
  if (!gpu.gpm.gives_links()) {
    if (const Return code = ReadPcie(pass, gpu); code != kSuccess) return code;
    if (const Return code = ReadNvlink(pass, gpu); code != kSuccess) return code;
  }
  return kSuccess;
}

Return LinkRates::ReadPcie(Pass& pass, Gpu& gpu) {
  if (pcie_refused_ || pass.first()) return kSuccess;
  if (gpu.sample.info.coherent_link) {
    gpu.sample.fields[F::kPcieReceive] = Absence::kNotSupported;
    gpu.sample.fields[F::kPcieTransmit] = Absence::kNotSupported;
    pcie_refused_ = true;
    return kSuccess;
  }
  if (!IsDue(pass, pcie_, kShareOfSlowSource, pass.options.slow_lane)) return kSuccess;
  const Timed timed(pass, pcie_);
  constexpr unsigned kTransmit = 0, kReceive = 1;
  for (const auto& [which, field] :
       {std::pair{kReceive, F::kPcieReceive}, std::pair{kTransmit, F::kPcieTransmit}}) {
    unsigned rate = 0;
    const Return code =
        pass.driver.Ask(&Calls::nvmlDeviceGetPcieThroughput, gpu.handle, which, &rate);
    if (IsDeviceGone(code) || IsSessionLost(code)) return code;
    if (code == kSuccess) {
      gpu.sample.fields[field] = Judge(pass, RowOf(field), rate * kKibibyte);
      continue;
    }
    gpu.sample.fields[field] = MissingOf(code);
    pcie_refused_ = pcie_refused_ || IsRefusal(code);
    if (!IsRefusal(code)) pass.Failed(code);
  }
  return kSuccess;
}

Return LinkRates::ReadNvlink(Pass& pass, Gpu& gpu) {
  if (nvlink_refused_ || pass.lazy()) return kSuccess;
  FieldValue values[2] = {};
  values[0].field = kFieldNvlinkDataRx;
  values[1].field = kFieldNvlinkDataTx;
  for (FieldValue& value : values) {
    value.scope = kAllLinks;
    value.result = static_cast<Return>(-1);
  }
  const Return code = pass.driver.Ask(&Calls::nvmlDeviceGetFieldValues, gpu.handle, 2,
                                      static_cast<FieldValue*>(values));
  if (IsDeviceGone(code) || IsSessionLost(code)) return code;
  Return own = code;
  if (own == kSuccess) own = values[0].result == kSuccess ? values[1].result : values[0].result;
  if (own != kSuccess) {
    const Missing missing = own < 0 ? Missing{Absence::kNotSupported, 0} : MissingOf(own);
    gpu.sample.fields[F::kNvlinkReceive] = missing;
    gpu.sample.fields[F::kNvlinkTransmit] = missing;
    nvlink_refused_ = own < 0 || IsRefusal(own);
    return kSuccess;
  }
  const double received = NumberOf(values[0].type, values[0].value);
  const double transmitted = NumberOf(values[1].type, values[1].value);
  const double elapsed = static_cast<double>(pass.mono - counted_) * 1e-9;
  if (counted_ != kNever && elapsed > 0 && received >= received_ && transmitted >= transmitted_) {
    gpu.sample.fields[F::kNvlinkReceive] =
        Judge(pass, RowOf(F::kNvlinkReceive), (received - received_) * kKibibyte / elapsed);
    gpu.sample.fields[F::kNvlinkTransmit] =
        Judge(pass, RowOf(F::kNvlinkTransmit), (transmitted - transmitted_) * kKibibyte / elapsed);
  }
  counted_ = pass.mono;
  received_ = received;
  transmitted_ = transmitted;
  return kSuccess;
}

}  // namespace gpusight::nvml
