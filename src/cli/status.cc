// SPDX-License-Identifier: Apache-2.0
// `gpusight status`: one look at every device and process.
#include "model/text/status.h"

#include <fmt/core.h>

#include "cli/registry.h"

namespace gpusight::cli {
namespace {

class Status : public Command {
 public:
  std::string_view name() const override { return "status"; }
  const Text& summary() const override { return text::kStatusSummary; }
  const Text& description() const override { return text::kStatusDescription; }
  void Declare(Options&) override {}

  Result<ExitCode> Run(Context& context) override {
    SamplerOptions options;
    options.nvml.events = false;
    const auto sampler = context.MakeSampler(options);
    Frame frame;
    sampler->Sample(frame);
    if (auto usable = context.CheckUsable(frame); !usable) {
      return tl::unexpected(std::move(usable.error()));
    }
    std::string page;
    for (const DeviceSample& device : frame.devices) {
      const auto& used = device[DeviceField::kMemoryUsed];
      page += fmt::format(
          "{} {} {}\n", device.info.index, device.info.name,
          used ? FormatValue(Unit::kBytes, *used) : Describe(used.missing(), context.language));
    }
    if (auto written = context.out.Write(page); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return ExitCode::kOk;
  }
};

}  // namespace

std::unique_ptr<Command> MakeStatus() { return std::make_unique<Status>(); }

}  // namespace gpusight::cli
