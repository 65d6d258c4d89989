// SPDX-License-Identifier: Apache-2.0
// `gpusight doctor`: collects the facts, runs the checks, prints the page. Exit code 4 when it
// found a problem. Next: facts.h, check.h, examine.h.
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/text.h"
#include "cli/demo.h"
#include "cli/doctor/collect.h"
#include "cli/doctor/examine.h"
#include "cli/registry.h"
#include "model/text/doctor.h"
#include "model/text/status.h"
#include "probe/nvml/capture.h"

namespace gpusight::cli {
namespace {

using doctor::State;

// Whether the counters are taken shows only in the difference of samples.
constexpr int kLooks = 3;
constexpr std::chrono::milliseconds kBetweenLooks{150};
constexpr uint64_t kMostPid = 4194304;  // the kernel's largest

// As /proc/<pid>/environ shows an environment.
std::string Joined(const char* const* variables) {
  std::string text;
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    text += *variables;
    text += '\0';
  }
  return text;
}

class Doctor : public Command {
 public:
  std::string_view name() const override { return "doctor"; }
  const Text& summary() const override { return text::kDoctorSummary; }
  const Text& description() const override { return text::kDoctorDescription; }

  void Declare(Options& options) override {
    options.Switch("--json", text::kDoctorOptJson, json_);
    options.Number("-p,--pid", text::kDoctorOptPid, pid_, 1, kMostPid).in_config = false;
    Option& capture = options.File("--capture", "DIR", text::kDoctorOptCapture, capture_);
    capture.offer = Offer::kFolder;
    capture.in_config = false;
  }

  Result<ExitCode> Run(Context& context) override {
    if (!capture_.empty()) return Capture(context);
    const std::string environment = Joined(context.variables);
    const doctor::Question question{.pid = static_cast<int>(pid_),
                                    .environment = environment,
                                    .try_nodes = context.root.live()};
    const auto facts = doctor::Collect(context.root, question, Look(context));
    if (auto absent = CheckPresence(context, facts.subject.presence); !absent) {
      return tl::unexpected(std::move(absent.error()));
    }
    const auto examination = doctor::Examine(facts, context.language);
    const doctor::PageStyle style{.language = context.language,
                                  .columns = context.columns_known ? context.columns : 100,
                                  .color = context.color,
                                  .unicode = context.unicode};
    const std::string page = json_ ? doctor::Json(examination) : doctor::Page(examination, style);
    const bool plain = !json_ && !context.unicode;
    if (auto written = context.out.Write(plain ? exporting::AsciiSigns(page) : page); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return examination.Count(State::kProblem) > 0 ? ExitCode::kProblem : ExitCode::kOk;
  }

 private:
  Result<void> CheckPresence(const Context& context, doctor::Presence presence) const {
    const auto fail = [&](const Text& what, const Text& remedy) -> Result<void> {
      return Fail(ErrorCode::kUsage, context.Say(what, pid_), context.Say(remedy, pid_));
    };
    switch (presence) {
      case doctor::Presence::kHere:
        return {};
      case doctor::Presence::kEnded:
        return fail(text::kDoctorEnded, text::kDoctorEndedRemedy);
      case doctor::Presence::kOutside:
        return fail(text::kDoctorOutside, text::kDoctorOutsideRemedy);
      case doctor::Presence::kNowhere:
        break;
    }
    return fail(text::kDoctorNoProcess, text::kDoctorNoProcessRemedy);
  }

  Result<ExitCode> Capture(Context& context) const {
    if (json_ && !context.origins.FromConfig("--json")) {
      return Fail(ErrorCode::kUsage, context.Say(text::kDoctorJsonAndCapture),
                  context.Say(text::kChooseOne));
    }
    if (access((capture_ + "/scenario.json").c_str(), F_OK) == 0) {
      return Fail(ErrorCode::kUsage, context.Say(text::kDoctorCaptureThere, Printable(capture_)),
                  context.Say(text::kDoctorCaptureThereRemedy));
    }
    // The recorder has no patience of its own: a driver that hangs is found out before. The probe
    // must be gone when it begins.
    if (auto usable = context.CheckUsable(Look(context)); !usable) {
      return tl::unexpected(std::move(usable.error()));
    }
    nvml::CaptureOptions options;
    options.library = context.options.nvml;
    options.folder = capture_;
    options.wait = [](double seconds) {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    };
    if (auto captured = nvml::Capture(options, context.clock); !captured) {
      if (captured.error().code == ErrorCode::kTimeout) {
        return Fail(ErrorCode::kTimeout, context.Say(text::kDoctorCaptureSilent, options.patience),
                    context.Say(text::kDoctorCaptureSilentRemedy));
      }
      return tl::unexpected(std::move(captured.error()));
    }
    const std::string fake = Printable(FakeFolder(context.program) + "/libnvidia-ml.so.1");
    const std::string said = context.Say(text::kDoctorCaptured, Printable(capture_), fake) + "\n";
    if (auto written = context.out.Write(said); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return ExitCode::kOk;
  }

  Frame Look(const Context& context) const {
    SamplerOptions options;
    options.nvml.events = false;
    options.nvml.log_silence = false;
    options.nvml.rings = false;
    if (pid_ != 0) options.host.extra_pids.push_back(static_cast<int>(pid_));
    const auto sampler = context.MakeSampler(options);
    Frame frame;
    sampler->Sample(frame);
    for (int i = 1; i < kLooks && frame.driver.state == DriverState::kOk; ++i) {
      std::this_thread::sleep_for(kBetweenLooks);
      sampler->Sample(frame);
    }
    return frame;
  }

  bool json_ = false;
  std::string capture_;
  uint64_t pid_ = 0;
};

}  // namespace

std::unique_ptr<Command> MakeDoctor() { return std::make_unique<Doctor>(); }

}  // namespace gpusight::cli
