// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_scanner.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpusight::memory {
namespace {

constexpr size_t kOverlap = 4096;      // of two pieces of an endless line
constexpr size_t kMostStreams = 1024;  // writers that are told apart
constexpr size_t kMostTrace = 64;
constexpr size_t kMostProgress = 512;
constexpr size_t kMostUndecided = 64;
constexpr size_t kMostSettings = 32;
constexpr size_t kMostText = size_t{48} << 10;  // of one message
constexpr size_t kExcerpt = 600;

// Words that are no messages but tell what was going on. They follow the forms' anchors.
enum Signal : size_t { kTraceHead, kTraceLine, kRichLine, kStep, kIter, kEpoch, kBar, kSettings };
constexpr std::array<std::string_view, kSettings> kSignals = {
    "traceback (most recent call last)", "file \"", ".py:", "step", "iter", "epoch", "%|"};
constexpr std::string_view kSettingNames[] = {
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_HIP_ALLOC_CONF",
    "FLAGS_gpu_memory_limit_mb",
    "FLAGS_fraction_of_gpu_memory_to_use",
    "FLAGS_allocator_strategy",
    "FLAGS_use_virtual_memory_auto_growth",
    "XLA_PYTHON_CLIENT_PREALLOCATE",
    "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "XLA_CLIENT_MEM_FRACTION",
    "XLA_PYTHON_CLIENT_ALLOCATOR",
    "TF_FORCE_GPU_ALLOW_GROWTH",
    "TF_GPU_ALLOCATOR",
};

std::vector<const Form*> CollectForms() {
  std::vector<const Form*> out;
  for (const auto forms : {JaxForms(), TensorFlowForms(), PoolForms(), CudaForms(), TorchForms(),
                           PaddleForms(), HostForms(), KillForms()}) {
    for (const Form& form : forms) out.push_back(&form);
  }
  return out;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return out;
}

// Kinds of keywords.
constexpr uint8_t kProgressWord = 1, kOtherWord = 2;

const std::vector<const Form*>& AllForms() {
  static const std::vector<const Form*> kForms = CollectForms();
  return kForms;
}

Keywords MakeKeywords() {
  std::vector<Keywords::Word> words;
  for (const Form* form : AllForms()) words.push_back({form->anchor, kOtherWord});
  for (size_t i = 0; i < kSignals.size(); ++i) {
    words.push_back({kSignals[i], i >= kStep ? kProgressWord : kOtherWord});
  }
  static const std::vector<std::string> kLower = [] {
    std::vector<std::string> names;
    for (const std::string_view name : kSettingNames) names.push_back(Lower(name));
    return names;
  }();
  for (const std::string& name : kLower) words.push_back({name, kOtherWord});
  return Keywords(words);
}

// Made once; it costs some milliseconds.
const Keywords& AllKeywords() {
  static const Keywords kKeywords = MakeKeywords();
  return kKeywords;
}

// "rank 3", "Rank: 3" in what stands before a message.
int RankIn(std::string_view before) {
  const std::string lower = Lower(before.substr(0, 256));
  const size_t at = lower.find("rank");
  if (at == std::string::npos) return -1;
  std::string_view rest = std::string_view(lower).substr(at + 4);
  while (!rest.empty() && std::string_view(" :=_").find(rest.front()) != std::string_view::npos) {
    rest.remove_prefix(1);
  }
  const auto rank = TakeWhole(rest);
  return rank && *rank < 10'000'000 ? static_cast<int>(*rank) : -1;
}

bool Ends(const OomText& text) { return !text.trace.empty() || text.place() == OomPlace::kHost; }

}  // namespace

void OomScanner::Feed(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const size_t newline = bytes.find('\n');
    std::string_view region = bytes.substr(0, newline);
    // A progress bar writes its states over one another.
    for (size_t cr = region.find('\r'); cr != std::string_view::npos; cr = region.find('\r')) {
      Segment(region.substr(0, cr));
      region.remove_prefix(cr + 1);
    }
    if (newline == std::string_view::npos) {
      Append(region);
      return;
    }
    Segment(region);
    ++lines_;
    bytes.remove_prefix(newline + 1);
  }
}

void OomScanner::Segment(std::string_view part) {
  if (pending_.empty() && part.size() <= kLongestLine) {
    Line(part, 0);
    return;
  }
  Append(part);
  FlushPending();
}

void OomScanner::Append(std::string_view part) {
  while (pending_.size() + part.size() > kLongestLine) {
    const size_t taken = kLongestLine - pending_.size();
    pending_ += part.substr(0, taken);
    part.remove_prefix(taken);
    Line(pending_, known_);
    pending_.erase(0, pending_.size() - kOverlap);
    known_ = kOverlap;
  }
  pending_ += part;
}

void OomScanner::FlushPending() {
  if (pending_.size() > known_) Line(pending_, known_);
  pending_.clear();
  known_ = 0;
}

OomScanner::Stream& OomScanner::StreamOf(const Label& label) {
  const auto found = streams_.find(label.source);
  if (found != streams_.end()) return found->second;
  return streams_[streams_.size() < kMostStreams ? label.source : 0];
}

bool OomScanner::IsRecent(const Stream& stream, uint64_t line) {
  constexpr uint64_t kNear = 60;
  return !stream.trace.empty() && line <= stream.trace_line + kNear;
}

// `known`: bytes at its front that were read before, as the end of the last piece.
void OomScanner::Line(std::string_view raw, size_t known) {
  uint8_t kinds = AllKeywords().Kinds(raw);
  const bool escapes = raw.find('\x1b') != std::string_view::npos;
  if (kinds == 0 && open_ == 0 && !escapes) return;
  if (kinds == kProgressWord && open_ == 0 && !escapes) {
    // Most lines of a training log: kept as they are, in case they turn out to be the last.
    const Label label = LabelOf(raw);
    Stream& stream = StreamOf(label);
    if (stream.undecided.empty()) {
      stream.progress.assign(raw, label.length, kMostProgress);
      return;
    }
  }
  CleanLine(raw, clean_);
  if (kinds == 0 && escapes) kinds = AllKeywords().Kinds(clean_);
  const bool any = kinds != 0;
  if (!any && open_ == 0) return;
  const Label label = LabelOf(clean_);
  Stream& stream = StreamOf(label);
  if (!any && stream.open == nullptr) return;
  size_t known_words = 0;
  if (known > 0) {
    std::string head;
    CleanLine(raw.substr(0, known), head);
    line_.clear();
    AppendWords(line_, head);
    known_words = line_.size();
    line_.clear();
    AppendWords(line_, clean_);
  } else {
    line_.clear();
    AppendWords(line_, Unboxed(std::string_view(clean_).substr(label.length)));
  }
  AllKeywords().Find(line_, hits_);
  std::sort(hits_.begin(), hits_.end(), [](const Keywords::Hit& a, const Keywords::Hit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.word < b.word;
  });
  Note(stream);
  Forms(stream, label, known_words);
}

// Takes notice of tracebacks and progress.
void OomScanner::Note(Stream& stream) {
  bool trace = false, progress = false;
  for (const Keywords::Hit& hit : hits_) {
    if (hit.word < AllForms().size()) continue;
    const size_t signal = hit.word - AllForms().size();
    // Paddle shows the C++ side below Python's.
    if (signal == kTraceHead && line_.find("C++ Traceback") == std::string::npos) {
      stream.trace.clear();
    }
    trace = trace || signal == kTraceLine || signal == kRichLine;
    progress = progress || (signal >= kStep && signal <= kBar);
  }
  if (trace) {
    if (auto line = TraceLineOf(line_)) {
      if (stream.trace.size() >= kMostTrace) stream.trace.erase(stream.trace.begin());
      stream.trace.push_back(std::move(*line));
      stream.trace_line = lines_ + 1;
      return;
    }
  }
  if (!progress) return;
  if (stream.undecided.empty()) {
    stream.progress.assign(line_, 0, kMostProgress);
    return;
  }
  const Progress now = ProgressOf(std::string_view(line_).substr(0, kMostProgress));
  if (!now.step && !now.epoch) return;
  stream.progress.assign(line_, 0, kMostProgress);
  WentOn(stream, now);
}

void OomScanner::WentOn(Stream& stream, const Progress& progress) {
  std::erase_if(stream.undecided, [&](const auto& entry) {
    OomText* text = keeper_.Get(entry.first);
    if (text == nullptr) return true;
    if (text->last_line > lines_ || !IsLater(entry.second, progress)) return false;
    text->after = OomAfter::kWentOn;
    return true;
  });
}

OomScanner::Found OomScanner::Read(const Stream& stream, const Form& form, std::string_view text,
                                   std::string_view before, int lines) const {
  Found found;
  FormInput input{text, before, Framework::kOther, lines, form.backend};
  if (IsRecent(stream, lines_ + 1)) input.around = FrameworkOf(stream.trace);
  found.result = form.read(input, found.text, found.used);
  found.used = std::min(std::max(found.used, form.anchor.size()), text.size());
  return found;
}

// Of which the open message was joined.
int OomScanner::LinesOf(const Stream& stream) { return stream.open->lines - stream.lines_left; }

// Gives the line to the open message. Returns how much of it belongs to that.
size_t OomScanner::Continue(Stream& stream, const Label& label) {
  const size_t base = stream.text.size() + 1;
  if (stream.text.size() + line_.size() < kMostText) {
    stream.text += ' ';
    stream.text += line_;
  } else {
    stream.lines_left = 1;
  }
  --stream.lines_left;
  const Found found = Read(stream, *stream.open, stream.text, stream.before, LinesOf(stream));
  const size_t covered = found.used > base ? found.used - base : 0;
  bool next = found.result != FormResult::kMore || stream.lines_left <= 0;
  for (const Keywords::Hit& hit : hits_) {
    if (next) break;
    if (hit.word >= AllForms().size() || hit.begin < covered) continue;
    const std::string_view rest = std::string_view(line_).substr(hit.begin);
    const std::string_view before = std::string_view(line_).substr(covered, hit.begin - covered);
    next = Read(stream, *AllForms()[hit.word], rest, before).result != FormResult::kNo;
    if (next) stream.text.resize(std::min(stream.text.size(), base + covered));
  }
  if (next) Close(stream, label);
  return covered;
}

void OomScanner::Close(Stream& stream, const Label& label) {
  if (stream.open == nullptr) return;
  const Form& form = *stream.open;
  const int lines = LinesOf(stream);
  stream.open = nullptr;
  --open_;
  Found found = Read(stream, form, stream.text, stream.before, lines);
  if (found.result == FormResult::kNo) return;
  Record(stream, label, std::move(found.text), stream.before,
         std::string_view(stream.text).substr(0, found.used), stream.open_line);
}

void OomScanner::Forms(Stream& stream, const Label& label, size_t known) {
  size_t covered = 0;
  if (stream.open != nullptr && known == 0) covered = Continue(stream, label);
  const std::string_view line = line_;
  for (const Keywords::Hit& hit : hits_) {
    if (hit.begin < covered || hit.end <= known) continue;
    if (hit.word >= AllForms().size()) {
      if (hit.word >= AllForms().size() + kSettings) NoteSetting(hit.begin, hit.end);
      continue;
    }
    const Form& form = *AllForms()[hit.word];
    const std::string_view text = line.substr(hit.begin);
    const std::string_view before = line.substr(covered, hit.begin - covered);
    Found found = Read(stream, form, text, before);
    if (found.result == FormResult::kNo) continue;
    covered = hit.begin + std::max(found.used, hit.end - hit.begin);
    Close(stream, label);
    if (found.result == FormResult::kDone || form.lines <= 1) {
      Record(stream, label, std::move(found.text), before, text.substr(0, found.used), lines_ + 1);
      continue;
    }
    stream.open = &form;
    ++open_;
    stream.text = text.substr(0, kMostText);
    stream.before = before.substr(before.size() - std::min<size_t>(before.size(), 1024));
    stream.open_line = lines_ + 1;
    stream.lines_left = form.lines - 1;
  }
}

// NAME=VALUE, 'NAME': 'VALUE', NAME: VALUE.
void OomScanner::NoteSetting(size_t begin, size_t end) {
  std::string_view rest = std::string_view(line_).substr(end);
  const size_t gap = rest.find_first_not_of("=:'\" ");
  if (gap == 0 || gap > 6 || rest.substr(0, gap).find_first_of("=:") == std::string_view::npos) {
    return;
  }
  rest.remove_prefix(gap);
  OomSetting setting{std::string(line_, begin, end - begin),
                     Capped(rest.substr(0, rest.find_first_of(" '\";`)")), 128)};
  while (!setting.value.empty() && setting.value.back() == ',') setting.value.pop_back();
  for (OomSetting& known : settings_) {
    if (known.name != setting.name) continue;
    known.value = std::move(setting.value);
    return;
  }
  if (!setting.value.empty() && settings_.size() < kMostSettings) {
    settings_.push_back(std::move(setting));
  }
}

void OomScanner::Record(Stream& stream, const Label& label, OomText text, std::string_view before,
                        std::string_view words, uint64_t line) {
  text.rank = label.rank >= 0 ? label.rank : RankIn(before);
  text.first_line = text.last_line = line;
  constexpr size_t kBefore = 160;
  before.remove_prefix(before.size() - std::min(before.size(), kBefore));
  text.excerpt = before;
  text.excerpt += words;
  text.excerpt = Capped(Trim(text.excerpt), kExcerpt);
  if (IsRecent(stream, line)) {
    text.trace = stream.trace;
    ReadTrace(text.trace, text);
  }
  CleanLine(stream.progress, clean_);
  const Progress progress = ProgressOf(clean_);
  text.step = progress.step;
  text.epoch = progress.epoch;
  // An earlier one in the same program that has come further since.
  WentOn(stream, progress);
  bool fresh = false;
  stream.last = keeper_.Add(std::move(text), stream.last, fresh);
  if (!fresh) return;
  if (stream.undecided.size() >= kMostUndecided) stream.undecided.erase(stream.undecided.begin());
  stream.undecided.emplace_back(stream.last, progress);
}

OomScan OomScanner::Finish() {
  const bool unended = !pending_.empty();
  FlushPending();
  if (unended) ++lines_;
  for (auto& [source, stream] : streams_) {
    Label label;
    label.source = source;
    if (source >= 2 && source < 10'000'002) label.rank = static_cast<int>(source - 2);
    Close(stream, label);
  }
  OomScan scan;
  scan.lines = lines_;
  scan.bytes = bytes_;
  scan.left_out = keeper_.left_out();
  scan.settings = std::move(settings_);
  scan.texts = keeper_.TakeAll();
  for (OomText& text : scan.texts) {
    if (text.after == OomAfter::kUnknown && Ends(text)) text.after = OomAfter::kEnded;
  }
  return scan;
}

}  // namespace gpusight::memory
