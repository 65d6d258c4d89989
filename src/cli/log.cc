// SPDX-License-Identifier: Apache-2.0
// `gpusight log`: one line per device and interval. The loop is schedule.h's, the lines are
// export/log_line.h's, the file is line_file.h's; here they are joined.
#include "model/text/log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/text.h"
#include "cli/line_file.h"
#include "cli/nearest.h"
#include "cli/needs.h"
#include "cli/reason.h"
#include "cli/registry.h"
#include "cli/schedule.h"
#include "cli/select.h"
#include "export/log_line.h"
#include "model/driver.h"
#include "model/text/cli.h"
#include "model/text/doctor.h"
#include "model/text/system.h"

namespace gpusight::cli {
namespace {

using exporting::LogField;
using exporting::LogFormat;
using exporting::LogLayout;

constexpr std::string_view kHelpWord = "help";  // as a field
constexpr double kLeastInterval = 0.1;          // below, the driver's own windows repeat themselves
constexpr double kLeastLength = 0.001;          // 0 would be taken for "for ever" by some

// The list of fields for `--fields help`.
std::string FieldHelp(Language language) {
  std::string out;
  const auto list = [&](const Text& title, bool of_devices) {
    out += Say(language, text::kHelpHeading, Say(language, title)) + "\n";
    for (const LogField field : exporting::AllLogFields(true)) {
      if ((field.scope == LogField::Scope::kDevice) != of_devices) continue;
      const CatalogRow& row = exporting::RowOf(field);
      out += fmt::format("  {} {}\n    {}\n", Pad(exporting::ShortName(field), 22),
                         Say(language, row.label),
                         Say(language, text::kLogFieldMeaning, Say(language, row.meaning),
                             exporting::LongName(field), Say(language, UnitName(row.unit))));
    }
  };
  list(text::kLogFieldsDevice, true);
  out += '\n';
  list(text::kLogFieldsProcess, false);
  return out;
}

class LogCommand : public Command {
 public:
  std::string_view name() const override { return "log"; }
  const Text& summary() const override { return text::kLogSummary; }
  const Text& description() const override { return text::kLogDescription; }

  bool awaits_hang_up() const override { return true; }  // it may come before we are ready

  void Declare(Options& options) override {
    options.Duration("-i,--interval", text::kLogInterval, schedule_.interval, kLeastInterval);
    options.Duration("--for", text::kLogFor, schedule_.for_seconds, kLeastLength);
    options.Number("-n,--count", text::kLogCount, schedule_.count, 1, kMost);
    options.Choice("-f,--format", {"text", "logfmt", "csv", "jsonl"}, text::kLogFormat, format_);
    Option& fields = options.List("--fields", "LIST", text::kLogFields, field_names_);
    fields.offer = Offer::kFields;
    fields.check = CheckField;
    options.List("-d,--device", "DEVICE", text::kLogDevice, devices_).offer = Offer::kDevices;
    Option& pid = options.List("--pid", "PID", text::kLogPid, pid_names_);
    pid.in_config = false;
    pid.check = CheckPid;
    options.File("-o,--output", "FILE", text::kLogOutput, output_).in_config = false;
    options.Bytes("--rotate-size", text::kLogRotateSize, rotation_.size, 1);
    options.Duration("--rotate-age", text::kLogRotateAge, rotation_.age, 1);
    options.Number("--keep", text::kLogKeep, rotation_.keep, 0, kMostKept);
  }

  Result<ExitCode> Run(Context& context) override {
    if (field_names_.size() == 1 && field_names_[0] == kHelpWord &&
        !context.origins.FromConfig("--fields")) {
      if (auto written = context.out.Write(FieldHelp(context.language)); !written) {
        return tl::unexpected(std::move(written.error()));
      }
      return ExitCode::kOk;
    }
    if (auto read = ReadOptions(context); !read) return tl::unexpected(std::move(read.error()));

    // Signals are blocked before the sampler starts threads, so that these never take them.
    SignalWaiter waiter(context.clock, output_.empty() ? STDOUT_FILENO : -1, HangUp::kReopens);
    SamplerOptions needs = NeedsOf(layout_.fields, layout_.processes);
    needs.nvml.log_silence = context.diary >= 0;  // elsewhere WriteFrame() says it
    needs.host.extra_pids = pids_;
    needs.host.only_extra = true;
    const auto sampler = context.MakeSampler(needs);
    sampler->Sample(frame_);
    if (auto usable = context.CheckUsable(frame_); !usable) {
      return tl::unexpected(std::move(usable.error()));
    }
    auto chosen = SelectDevices(frame_, devices_, context.language, context.origins);
    if (!chosen) return tl::unexpected(std::move(chosen.error()));
    keys_ = KeysOf(frame_, *chosen);
    if (auto found = CheckProcesses(context); !found) {
      return tl::unexpected(std::move(found.error()));
    }
    encoder_.emplace(layout_);
    auto file = OpenOutput(context);
    if (!file) return tl::unexpected(std::move(file.error()));

    bool first = true;
    const auto sample = [&](MonoTime planned, bool last) -> Result<bool> {
      if (!first) sampler->Sample(frame_, planned);
      first = false;
      return WriteFrame(context, *file, last);
    };
    const auto reopen = [&] {
      if (auto opened = file->Reopen(); !opened) {
        context.Warn(context.Say(text::kLogNotReopened, WhyNotOpen(context, opened.error())));
      }
    };
    const auto ended = RunSchedule(schedule_, context.clock, waiter, sample, reopen);
    if (!ended) return tl::unexpected(ended.error());
    if (lost_total_ > 0 && !*ended && !file->reader_gone()) {
      return Fail(ErrorCode::kIo,
                  SayCount(context.language, text::kLogSomeLost, lost_total_, lost_why_),
                  context.Say(text::kLogSomeLostRemedy));
    }
    return code_;
  }

 private:
  static constexpr uint64_t kMost = 1'000'000'000'000;
  static constexpr uint64_t kMostKept = 9999;  // each is renamed at every rotation

  Result<void> ReadOptions(const Context& context) {
    const Language language = context.language;
    static constexpr std::pair<std::string_view, LogFormat> kFormats[] = {
        {"text", LogFormat::kText},
        {"logfmt", LogFormat::kLogfmt},
        {"csv", LogFormat::kCsv},
        {"jsonl", LogFormat::kJsonl}};
    for (const auto& [word, format] : kFormats) {
      if (word == format_) layout_.format = format;
    }
    layout_.processes = !pid_names_.empty();
    layout_.milliseconds = schedule_.interval < 1;
    if (output_ == "-") output_.clear();  // standard output, as everywhere
    for (const std::string& text : pid_names_) pids_.push_back(PidOf(text).value_or(0));
    for (const auto& [option, wanted] :
         {std::pair("--rotate-size", rotation_.size > 0), {"--rotate-age", rotation_.age > 0}}) {
      // The file says it for whenever there is an output file.
      if (!wanted || !output_.empty() || context.origins.FromConfig(option)) continue;
      return Fail(ErrorCode::kUsage, Say(language, text::kLogRotateNeedsFile, option),
                  Say(language, text::kLogUseOutput));
    }
    return ReadFields(context);
  }

  static std::optional<int> PidOf(std::string_view word) {
    const auto pid = ParseNumber<int>(word);
    return pid && *pid > 0 ? pid : std::nullopt;
  }

  static Result<void> CheckPid(std::string_view word, Language language) {
    if (PidOf(word)) return {};
    return Fail(ErrorCode::kUsage, Say(language, text::kLogBadPid, Printable(word)),
                Say(language, text::kLogPidAsNumber));
  }

  static Result<void> CheckField(std::string_view word, Language language) {
    if (word == kHelpWord || exporting::FindLogField(word)) return {};
    std::vector<std::string_view> candidates;
    for (const LogField f : exporting::AllLogFields(true)) {
      candidates.push_back(exporting::ShortName(f));
      candidates.push_back(exporting::LongName(f));
    }
    const auto near = Nearest(word, candidates);
    return Fail(
        ErrorCode::kUsage, Say(language, text::kLogUnknownField, Printable(word)),
        near ? Say(language, text::kDidYouMean, *near) : Say(language, text::kLogSeeFields));
  }

  Result<void> ReadFields(const Context& context) {
    std::vector<std::string> names = field_names_;
    if (!fields_given()) {
      names = {"util", "mem_used", "mem_total"};
      if (layout_.processes) names.insert(names.end(), {"proc_mem", "proc_sm", "proc_cpu"});
    }
    for (const std::string& name : names) {
      const auto field = exporting::FindLogField(name);
      if (!field) {
        return tl::unexpected(context.Blame(
            "--fields", name,
            {ErrorCode::kUsage,
             context.Say(context.origins.FromConfig("--fields") ? text::kLogHelpInFile
                                                                : text::kLogHelpAlone),
             context.Say(text::kLogSeeFields)}));
      }
      if (field->scope != LogField::Scope::kDevice && !layout_.processes) {
        return tl::unexpected(
            context.Blame("--fields", name,
                          {ErrorCode::kUsage, context.Say(text::kLogFieldNeedsPid, name),
                           context.Say(text::kLogNameAPid)}));
      }
      if (std::find(layout_.fields.begin(), layout_.fields.end(), *field) == layout_.fields.end()) {
        layout_.fields.push_back(*field);
      }
    }
    return {};
  }

  bool fields_given() const { return !field_names_.empty(); }

  const ProcessSample* FindProcess(int pid) const {
    for (const ProcessSample& process : frame_.processes) {
      if (process.translated && process.pid == pid) return &process;
    }
    return nullptr;
  }

  bool Outside(int pid) const {
    return std::any_of(frame_.processes.begin(), frame_.processes.end(),
                       [pid](const ProcessSample& p) { return !p.translated && p.pid == pid; });
  }

  Result<void> CheckProcesses(const Context& context) const {
    for (const int pid : pids_) {
      const ProcessSample* process = FindProcess(pid);
      if (process != nullptr && process->zombie) {
        return Fail(ErrorCode::kUsage, context.Say(text::kDoctorEnded, pid),
                    context.Say(text::kDoctorEndedRemedy));
      }
      if (process == nullptr && Outside(pid)) {
        return Fail(ErrorCode::kUsage, context.Say(text::kDoctorOutside, pid),
                    context.Say(text::kLogOutsideRemedy, pid));
      }
      if (process == nullptr) {
        return Fail(ErrorCode::kUsage, context.Say(text::kLogNoProcess, pid),
                    context.Say(text::kLogSeeWho));
      }
      if (process->uses.empty()) context.Warn(context.Say(text::kLogIdleProcess, pid));
    }
    return {};
  }

  Result<LineFile> OpenOutput(const Context& context) {
    std::string header = encoder_->Header();
    if (output_.empty()) {
      const int mode = fcntl(STDOUT_FILENO, F_GETFL);
      if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY) {
        return Fail(ErrorCode::kIo, context.Say(text::kOutputClosed),
                    context.Say(text::kLogOutputClosedRemedy));
      }
      return LineFile(STDOUT_FILENO, context.Say(text::kStandardOutput), std::move(header),
                      context.clock);
    }
    rotation_.ours = exporting::BeginsLikeLog;
    auto file = LineFile::Open(output_, std::move(header), rotation_, context.clock);
    if (file) return file;
    const std::string why = WhyNotOpen(context, file.error());
    if (file.error().code == ErrorCode::kUsage) {
      return Fail(ErrorCode::kUsage, why, context.Say(text::kLogOtherColumnsRemedy));
    }
    if (file.error().code == ErrorCode::kBadInput) {
      return Fail(ErrorCode::kUsage, why, context.Say(text::kLogForeignRemedy));
    }
    if (file.error().system == EWOULDBLOCK) {
      return Fail(ErrorCode::kIo, why, context.Say(text::kLogTakenRemedy));
    }
    return Fail(ErrorCode::kIo, context.Say(text::kLogCannotOpen, why),
                context.Say(text::kLogCannotOpenRemedy));
  }

  std::string WhyNotOpen(const Context& context, const Error& error) const {
    if (error.code == ErrorCode::kUsage) {
      return context.Say(text::kLogOtherColumns, Printable(output_));
    }
    if (error.code == ErrorCode::kBadInput) {
      return context.Say(text::kLogForeign, Printable(error.what));
    }
    if (error.system == EWOULDBLOCK) return context.Say(text::kLogTaken, Printable(output_));
    return Reason(error, context.language);
  }

  // Returns how many lines were added to lines_.
  uint64_t FormatFrame() {
    uint64_t count = 0;
    lines_.clear();
    FindPositions(frame_, keys_, positions_);
    for (const size_t i : positions_) {
      if (!layout_.processes) {
        encoder_->Append(lines_, {frame_, i});
        ++count;
        continue;
      }
      for (const int pid : pids_) {
        const ProcessSample* process = FindProcess(pid);
        if (process == nullptr) continue;
        for (const GpuUse& use : process->uses) {
          if (use.device != static_cast<int>(i)) continue;
          encoder_->Append(lines_, {frame_, i, process, &use});
          ++count;
        }
      }
    }
    return count;
  }

  bool AllEnded() const {
    return !pids_.empty() && std::none_of(pids_.begin(), pids_.end(), [this](int pid) {
      const ProcessSample* process = FindProcess(pid);
      return process != nullptr && !process->zombie;
    });
  }

  // False ends the command.
  bool WriteFrame(const Context& context, LineFile& file, bool last) {
    // One sample with a usable device, and the log is of use.
    if (code_ != ExitCode::kOk) code_ = context.CodeOf(frame_);
    const bool silent = frame_.driver.state == DriverState::kNoAnswer;
    if (silent && !std::exchange(silent_, silent)) {
      context.Warn(Sentence(context.language, Describe(frame_.driver, context.language)));
    }
    silent_ = silent;
    if (AllEnded()) return false;
    const uint64_t count = FormatFrame();
    if (count == 0) return true;
    const auto written = file.Write(lines_);
    if (file.reader_gone()) return false;
    if (const auto problem = file.TakeRotationError()) {
      context.Warn(context.Say(text::kLogNotRotated, WhyNotOpen(context, *problem)));
    }
    if (!written) {
      lost_why_ = Reason(written.error(), context.language);
      // At the last sample nothing goes on, and the command's own error says it all.
      if (lost_ == 0 && !last) context.Warn(context.Say(text::kLogLost, lost_why_));
      lost_ += count;
      lost_total_ += count;
    } else if (lost_ > 0) {
      context.Warn(SayCount(context.language, text::kLogResumed, lost_));
      lost_ = 0;
    }
    return true;
  }

  Schedule schedule_;
  std::string format_ = "text";
  std::vector<std::string> field_names_, devices_, pid_names_;
  std::string output_;
  Rotation rotation_;

  LogLayout layout_;
  std::vector<int> pids_;
  std::vector<std::string> keys_;
  std::vector<size_t> positions_;  // of these, in frame_
  std::optional<exporting::LogEncoder> encoder_;
  Frame frame_;
  std::string lines_;
  ExitCode code_ = ExitCode::kNoGpu;
  bool silent_ = false;      // the driver, and that was said
  uint64_t lost_ = 0;        // since writing last worked
  uint64_t lost_total_ = 0;  // of the whole run
  std::string lost_why_;     // the last time
};

}  // namespace

std::unique_ptr<Command> MakeLog() { return std::make_unique<LogCommand>(); }

}  // namespace gpusight::cli
