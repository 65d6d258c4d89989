// SPDX-License-Identifier: Apache-2.0
// The commands that print what is made from the declarations: `completion` for users, and three
// hidden ones for the build, for the tests and for the completion scripts themselves.
#include <fmt/format.h>

#include <iterator>

#include "cli/generate/completion.h"
#include "cli/generate/man.h"
#include "cli/generate/markdown.h"
#include "cli/registry.h"
#include "export/device_label.h"
#include "model/text/cli.h"
#include "model/text/man.h"

namespace gpusight::cli {
namespace {

Result<ExitCode> Print(const Context& context, const std::string& text) {
  if (auto written = context.out.Write(text); !written) {
    return tl::unexpected(std::move(written.error()));
  }
  return ExitCode::kOk;
}

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

class Completion : public Command {
 public:
  std::string_view name() const override { return "completion"; }
  const Text& summary() const override { return text::kCompletionSummary; }
  const Text& description() const override { return text::kCompletionDescription; }
  void Declare(Options& options) override {
    options.Word("SHELL", {std::begin(kShells), std::end(kShells)}, text::kCompletionShell, shell_);
  }
  Result<ExitCode> Run(Context& context) override {
    if (shell_ == "bash") return Print(context, BashCompletion(*context.surface));
    if (shell_ == "zsh") {
      return Print(context, ZshCompletion(*context.surface, context.language));
    }
    if (shell_ == "fish") {
      return Print(context, FishCompletion(*context.surface, context.language));
    }
    const std::string shells =
        fmt::format("{}", fmt::join(kShells, context.Say(text::kBetweenWords)));
    return Fail(ErrorCode::kUsage, context.Say(text::kCompletionWhich),
                context.Say(text::kUseOneOf, shells));
  }

 private:
  std::string shell_;
};

class Hidden : public Command {
 public:
  const Text& summary() const override { return text::kHiddenSummary; }
  const Text& description() const override { return text::kHiddenSummary; }
  bool hidden() const override { return true; }
  void Declare(Options& options) override {
    Option& option = options.String("TOPIC", "", text::kHiddenTopic, topic_);
    option.in_config = false;
  }

 protected:
  std::string topic_;
};

class Man : public Hidden {
 public:
  std::string_view name() const override { return "__man"; }
  Result<ExitCode> Run(Context& context) override {
    if (topic_ == "gpusight") {
      return Print(context, ProgramMan(*context.surface, context.language));
    }
    if (const SurfaceCommand* c = context.surface->Find(topic_)) {
      return Print(context, CommandMan(*context.surface, *c, context.language));
    }
    return Fail(ErrorCode::kUsage, context.Say(text::kUnknownCommand, topic_));
  }
};

class Docs : public Hidden {
 public:
  std::string_view name() const override { return "__docs"; }
  Result<ExitCode> Run(Context& context) override {
    const auto text = Markdown(topic_, *context.surface, context.language);
    if (!text) return tl::unexpected(text.error());
    return Print(context, *text);
  }
};

// `__complete devices`: the labels and UUIDs of the devices; `__complete commands`: the names of
// the commands. One a line; nothing on any trouble, since a shell is waiting for it.
class Complete : public Hidden {
 public:
  std::string_view name() const override { return "__complete"; }
  Result<ExitCode> Run(Context& context) override {
    std::string out;
    if (topic_ == "devices") {
      SamplerOptions options;
      options.host_facts = false;
      options.nvml.processes = options.nvml.gpm = options.nvml.rings = options.nvml.events = false;
      options.nvml.first_slow_lane = false;
      options.nvml.patience = options.nvml.first_patience = 0.5;
      Frame frame;
      context.MakeSampler(options)->Sample(frame);
      for (size_t i = 0; i < frame.devices.size(); ++i) {
        out +=
            fmt::format("{}\n{}\n", exporting::DeviceLabel(frame, i), frame.devices[i].info.uuid);
      }
    } else if (topic_ == "commands") {
      for (const SurfaceCommand& c : context.surface->commands) {
        if (!c.command->hidden()) out += fmt::format("{}\n", c.command->name());
      }
    }
    return Print(context, out);
  }
};

}  // namespace

std::unique_ptr<Command> MakeCompletion() { return std::make_unique<Completion>(); }
std::unique_ptr<Command> MakeMan() { return std::make_unique<Man>(); }
std::unique_ptr<Command> MakeDocs() { return std::make_unique<Docs>(); }
std::unique_ptr<Command> MakeComplete() { return std::make_unique<Complete>(); }

}  // namespace gpusight::cli
