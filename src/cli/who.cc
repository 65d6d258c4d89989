// SPDX-License-Identifier: Apache-2.0
// `gpusight who`: who holds the memory of each device.
#include "model/text/who.h"

#include "cli/registry.h"
#include "cli/select.h"
#include "export/json_who.h"
#include "export/who_text.h"
#include "model/text/status.h"

namespace gpusight::cli {
namespace {

class Who : public Command {
 public:
  std::string_view name() const override { return "who"; }
  const Text& summary() const override { return text::kWhoSummary; }
  const Text& description() const override { return text::kWhoDescription; }

  void Declare(Options& options) override {
    options.Switch("--json", text::kWhoJson, json_);
    options.List("-d,--device", "DEVICE", text::kStatusDevice, device_names_).offer =
        Offer::kDevices;
  }

  Result<ExitCode> Run(Context& context) override {
    SamplerOptions options;
    options.nvml.gpm = false;
    options.nvml.rings = false;
    options.nvml.events = false;
    options.nvml.log_silence = false;
    options.nvml.wanted.reset();  // the memory is read for the processes
    options.nvml.process_use = false;
    options.host.relatives = options.host.container_facts = options.host.machine = false;
    options.host.open_files = false;
    const auto sampler = context.MakeSampler(options);
    Frame frame;
    sampler->Sample(frame);
    if (auto usable = context.CheckUsable(frame); !usable) {
      if (json_) {
        const auto append = [&frame](std::string& to, std::span<const size_t> shown) {
          exporting::AppendWhoJson(to, frame, shown);
        };
        if (auto written = context.WriteUnusable(frame, append); !written) {
          return tl::unexpected(std::move(written.error()));
        }
      }
      return tl::unexpected(std::move(usable.error()));
    }
    const auto devices = SelectDevices(frame, device_names_, context.language, context.origins);
    if (!devices) return tl::unexpected(devices.error());
    std::string out;
    if (json_) {
      exporting::AppendWhoJson(out, frame, *devices);
      out += '\n';
    } else {
      out = exporting::WhoPage(context.PageStyle(), frame, *devices);
    }
    if (auto written = context.out.Write(out); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return ExitCode::kOk;
  }

 private:
  bool json_ = false;
  std::vector<std::string> device_names_;
};

}  // namespace

std::unique_ptr<Command> MakeWho() { return std::make_unique<Who>(); }

}  // namespace gpusight::cli
