// SPDX-License-Identifier: Apache-2.0
// `gpusight status`: one look at every device and process, as a page, JSON or CSV. The encoders
// are export/'s; here is when to look and where to write.
#include "model/text/status.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "cli/registry.h"
#include "cli/schedule.h"
#include "cli/select.h"
#include "cli/version.h"
#include "export/csv_status.h"
#include "export/json_status.h"
#include "export/status_text.h"
#include "model/device_key.h"

namespace gpusight::cli {
namespace {

constexpr double kTerminalSample = 0.2;  // seconds; a person does not notice, GPM is content

// The driver hands over each of its own samples once, so the first look took them. They are put
// in front of those of the second, and the figures made from them are made anew.
void PrependRings(const Frame& before, Frame& now) {
  const auto join = [](DeviceSample& device, std::vector<SubSample>& ring,
                       const std::vector<SubSample>& older, DeviceField mean, DeviceField max) {
    ring.insert(ring.begin(), older.begin(), older.end());
    if (ring.empty()) return;
    double sum = 0, most = ring.front().value;
    for (const SubSample& sample : ring) {
      sum += sample.value;
      most = std::max(most, sample.value);
    }
    device.fields[mean] = sum / static_cast<double>(ring.size());
    device.fields[max] = most;
  };
  for (DeviceSample& d : now.devices) {
    const auto old =
        std::find_if(before.devices.begin(), before.devices.end(),
                     [&](const DeviceSample& o) { return SameDevice(o.info, d.info); });
    if (old == before.devices.end()) continue;
    join(d, d.utilization_ring, old->utilization_ring, DeviceField::kUtilizationMean,
         DeviceField::kUtilizationMax);
    join(d, d.power_ring, old->power_ring, DeviceField::kPowerMean, DeviceField::kPowerMax);
    d.memory_activity_ring.insert(d.memory_activity_ring.begin(), old->memory_activity_ring.begin(),
                                  old->memory_activity_ring.end());
    if (d.utilization_ring.empty()) continue;
    const auto idle = std::count_if(d.utilization_ring.begin(), d.utilization_ring.end(),
                                    [](const SubSample& s) { return s.value <= 0; });
    d.fields[DeviceField::kIdleShare] =
        static_cast<double>(idle) / static_cast<double>(d.utilization_ring.size());
  }
}

class Status : public Command {
 public:
  std::string_view name() const override { return "status"; }
  const Text& summary() const override { return text::kStatusSummary; }
  const Text& description() const override { return text::kStatusDescription; }

  void Declare(Options& options) override {
    options.Switch("--json", text::kStatusJson, json_);
    options.Switch("--csv", text::kStatusCsv, csv_);
    options.List("-d,--device", "DEVICE", text::kStatusDevice, device_names_).offer =
        Offer::kDevices;
    options.Duration("-w,--watch", text::kStatusWatch, watch_, 0.1).in_config = false;
    options.Duration("--sample", text::kStatusSample, sample_, 0);
  }

  Result<ExitCode> Run(Context& context) override {
    if (json_ && csv_) {
      // The one on the command line comes before the file's.
      const bool json = context.origins.FromConfig("--json"),
                 csv = context.origins.FromConfig("--csv");
      if (json == csv) {
        return tl::unexpected(context.Blame(
            "--csv", "true",
            {ErrorCode::kUsage, context.Say(text::kJsonAndCsv), context.Say(text::kChooseOne)}));
      }
      (json ? json_ : csv_) = false;
    }
    const bool page = !json_ && !csv_;
    if (sample_ < 0) sample_ = page && context.out_is_terminal ? kTerminalSample : 0;
    // One look has nothing to finish: a signal does to it what it does to any program.
    std::optional<SignalWaiter> waiter;
    if (watch_ > 0) waiter.emplace(context.clock, STDOUT_FILENO, HangUp::kEnds);
    SamplerOptions options;
    // One look cannot see an event, and a first look at rates sees nothing.
    options.nvml.events = watch_ > 0;
    options.nvml.log_silence = watch_ > 0 && context.diary >= 0;  // the page says it
    options.nvml.gpm = watch_ > 0 || sample_ > 0;
    // A page in a pipe is for a script that asks often: it does without what costs the driver
    // milliseconds a call. On a terminal, with --sample, and for machines, everything is asked.
    options.nvml.first_slow_lane = !page || watch_ > 0 || sample_ > 0;
    options.nvml.memory_ring = json_;
    if (page) {
      options.host.relatives = options.host.container_facts = options.host.open_files = false;
    }
    const auto sampler = context.MakeSampler(options);
    sampler->Sample(frame_);
    if (auto usable = context.CheckUsable(frame_); !usable) {
      if (json_) {
        const auto append = [this](std::string& to, std::span<const size_t> devices) {
          exporting::AppendStatusJson(to, frame_, devices);
        };
        if (auto written = context.WriteUnusable(frame_, append); !written) {
          return tl::unexpected(std::move(written.error()));
        }
      }
      return tl::unexpected(std::move(usable.error()));
    }
    const auto chosen = SelectDevices(frame_, device_names_, context.language, context.origins);
    if (!chosen) return tl::unexpected(chosen.error());
    keys_ = KeysOf(frame_, *chosen);

    if (sample_ > 0) {
      if (!Pause(context.clock, waiter)) return ExitCode::kOk;
      const Frame before = frame_;
      sampler->Sample(frame_);
      PrependRings(before, frame_);
    }
    if (watch_ <= 0) return Show(context, true);
    bool first = true;
    const auto look = [&](MonoTime planned, bool) -> Result<bool> {
      if (!first) sampler->Sample(frame_, planned);
      const auto shown = Show(context, first);
      first = false;
      if (!shown) return tl::unexpected(shown.error());
      return true;
    };
    const auto ended = RunSchedule({.interval = watch_}, context.clock, *waiter, look, nullptr);
    if (!ended) return tl::unexpected(ended.error());
    return ExitCode::kOk;
  }

 private:
  // The time between two looks. False when a signal ended it.
  bool Pause(const Clock& clock, std::optional<SignalWaiter>& waiter) const {
    if (!waiter) {
      std::this_thread::sleep_for(std::chrono::duration<double>(sample_));
      return true;
    }
    const MonoTime next{clock.Mono().ns + static_cast<int64_t>(sample_ * 1e9)};
    return waiter->WaitUntil(next) == Wake::kDeadline;
  }

  Result<ExitCode> Show(const Context& context, bool first) {
    FindPositions(frame_, keys_, devices_);
    out_.clear();
    if (json_) {
      exporting::AppendStatusJson(out_, frame_, devices_);
      out_ += '\n';
    } else if (csv_) {
      if (first) out_ = exporting::StatusCsvHeader();
      exporting::AppendStatusCsv(out_, frame_, devices_);
    } else {
      const bool redraw = watch_ > 0 && context.out_is_terminal;
      if (redraw) out_ = "\x1b[H\x1b[2J";
      if (!redraw && !first) out_ = "\n";
      out_ += exporting::StatusPage(context.PageStyle(), frame_, devices_,
                                    "gpusight " + std::string(kVersion));
    }
    if (auto written = context.out.Write(out_); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return context.CodeOf(frame_);
  }

  bool json_ = false, csv_ = false;
  double watch_ = 0, sample_ = -1;
  std::vector<std::string> device_names_;

  Frame frame_;
  std::vector<std::string> keys_;
  std::vector<size_t> devices_;  // their positions in frame_
  std::string out_;
};

}  // namespace

std::unique_ptr<Command> MakeStatus() { return std::make_unique<Status>(); }

}  // namespace gpusight::cli
