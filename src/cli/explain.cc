// SPDX-License-Identifier: Apache-2.0
// `gpusight explain`: reads a log and says why memory ran out. The reading is
// memory/oom_scanner.h's, the verdict memory/oom_verdict.h's, the page explain_page.h's.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/text.h"
#include "base/units.h"
#include "cli/explain_page.h"
#include "cli/registry.h"
#include "memory/oom_scanner.h"
#include "model/text/oom.h"

namespace gpusight::cli {
namespace {

// How far it is, on a terminal, when it takes long.
class ProgressLine {
 public:
  ProgressLine(Context& context, double size) : context_(context), size_(size) {
    const char* type = context.env("TERM");
    const std::string_view name = type == nullptr ? "" : type;
    wanted_ = context.err_is_terminal && !name.empty() && name != "dumb";
    last_ = context.clock.Mono();
  }
  ~ProgressLine() {
    if (shown_) (void)context_.err.Write("\r\x1b[K");
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const memory::OomScanner& scanner) {
    constexpr int64_t kPause = 300'000'000;  // ns
    if (!wanted_) return;
    const MonoTime now = context_.clock.Mono();
    if (now - last_ < kPause) return;
    last_ = now;
    shown_ = true;
    const auto read = static_cast<double>(scanner.bytes());
    const std::string line =
        size_ > 0 ? context_.Say(text::kExplainReading, FormatBytes(read), FormatBytes(size_),
                                 FormatRatio(std::min(read / size_, 1.0)), scanner.found())
                  : context_.Say(text::kExplainReadingMore, FormatBytes(read), scanner.found());
    (void)context_.err.Write("\r" + Truncate(line, std::max(context_.columns - 1, 20)) + "\x1b[K");
  }

 private:
  Context& context_;
  double size_;
  bool wanted_ = false, shown_ = false;
  MonoTime last_;
};

bool IsCompressed(std::string_view head) {
  using namespace std::string_view_literals;
  for (const std::string_view magic :
       {"\x1f\x8b"sv, "\x28\xb5\x2f\xfd"sv, "\xfd\x37zXZ"sv, "BZh"sv, "PK\x03\x04"sv}) {
    if (head.starts_with(magic)) return true;
  }
  return false;
}

class Explain : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  const Text& summary() const override { return text::kExplainSummary; }
  const Text& description() const override { return text::kExplainDescription; }

  void Declare(Options& options) override {
    options.File("LOGFILE", "", text::kExplainFile, file_).in_config = false;
    options.Switch("--json", text::kExplainJson, json_);
    options.Switch("--all", text::kExplainAll, all_);
  }

  Result<ExitCode> Run(Context& context) override {
    if (file_.empty()) {
      return Fail(ErrorCode::kUsage, context.Say(text::kExplainNoFile),
                  context.Say(text::kExplainNoFileRemedy));
    }
    auto scan = Read(context);
    if (!scan) return tl::unexpected(std::move(scan.error()));
    const std::string name =
        file_ == "-" ? context.Say(text::kExplainStandardInput) : std::string(file_);
    const bool nothing = scan->texts.empty();
    std::string out;
    if (json_) {
      AppendExplainJson(out, file_, *scan, all_, context.language);
      out += '\n';
    } else if (nothing) {
      out = context.Say(text::kExplainNothing, Printable(name), ExtentOf(*scan, context.language));
      out += '\n';
    } else {
      out = ExplainPage(context.PageStyle(), name, *scan, all_);
      if (!context.unicode) out = exporting::AsciiSigns(out);
    }
    if (auto written = context.out.Write(out); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return nothing ? ExitCode::kNothing : ExitCode::kOk;
  }

 private:
  Result<memory::OomScan> Read(Context& context) const {
    UniqueFd owned;
    int fd = STDIN_FILENO;
    if (file_ != "-") {
      // Pipes too: explain <(zcat train.log.gz).
      owned = UniqueFd(open(file_.c_str(), O_RDONLY | O_CLOEXEC));
      if (!owned.valid()) return tl::unexpected(ErrnoError(errno, file_));
      fd = owned.get();
    }
    struct stat status{};
    double size = 0;
    if (fstat(fd, &status) == 0) {
      if (S_ISDIR(status.st_mode)) {
        return Fail(ErrorCode::kUsage, context.Say(text::kExplainFolder, Printable(file_)),
                    context.Say(text::kExplainFolderRemedy));
      }
      if (S_ISREG(status.st_mode)) size = static_cast<double>(status.st_size);
    }
    memory::OomScanner scanner;
    ProgressLine progress(context, size);
    std::vector<char> buffer(size_t{1} << 20);
    bool first = true;
    while (true) {
      const ssize_t n = read(fd, buffer.data(), buffer.size());
      if (n == 0) return scanner.Finish();
      if (n < 0) {
        if (errno == EINTR) continue;
        Error error = ErrnoError(errno, file_);
        error.code = ErrorCode::kIo;
        return tl::unexpected(std::move(error));
      }
      const std::string_view piece(buffer.data(), static_cast<size_t>(n));
      if (first && IsCompressed(piece)) {
        return Fail(ErrorCode::kUsage, context.Say(text::kExplainCompressed, Printable(file_)),
                    context.Say(text::kExplainCompressedRemedy));
      }
      first = false;
      scanner.Feed(piece);
      progress.Show(scanner);
    }
  }

  std::string file_;
  bool json_ = false, all_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeExplain() { return std::make_unique<Explain>(); }

}  // namespace gpusight::cli
