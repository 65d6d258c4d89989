// SPDX-License-Identifier: Apache-2.0
// Writes a case of testdata/diagnose/ from a recording: make_case RECORDING VERDICT > NAME.case.
// Only signals are kept, as numbers of four digits; names, paths and identifiers are not. The first
// process that tells its steps is taken.
#include <cmath>
#include <cstdio>
#include <map>

#include "diagnose/engine.h"
#include "record/reader.h"

namespace {

using namespace gpusight;
using namespace gpusight::diagnose;

const char* WordFor(StallKind kind) {
  switch (kind) {
    case StallKind::kCheckpoint:
      return "checkpoint";
    case StallKind::kCompile:
      return "compile";
    case StallKind::kRestart:
      return "restart";
    case StallKind::kEvaluation:
      return "evaluation";
    case StallKind::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const auto recording = record::Recording::Open(arguments[1], Language::kEnglish);
  if (!recording) return 1;
  const record::Summary summary = recording->Read();
  const double scale = TimeScaleFor(summary.span.seconds());
  Collector collector({.job_only = recording->KnowsItsJob()}, scale);
  std::printf("# Made from a recording by testing/make_case.cc\nverdict %s\nscale %.3f\npage\n",
              arguments[2], scale);
  auto frames = recording->Frames();
  Frame frame;
  std::map<size_t, double> last;
  const Window* chosen = nullptr;
  size_t stalls = 0;
  while (frames.Next(frame)) {
    collector.Add(frame);
    for (Window* window : collector.present()) {
      if (chosen == nullptr && window->subject.has_page) {
        chosen = window;
        if (window->subject.rank >= 0) std::printf("rank %d\n", window->subject.rank);
      }
      if (window != chosen || window->ticks().empty()) continue;
      const Tick& tick = window->ticks().back();
      const Features features = FeaturesOf(*window);
      for (size_t i = 0; i < kSignals; ++i) {
        const auto signal = static_cast<Signal>(i);
        // Stacks and gaps are known of a while only.
        const bool of_a_while = signal == Signal::kGapShare ||
                                (signal >= Signal::kStackData && signal <= Signal::kStackTop);
        const double value = of_a_while ? features.now[i] : tick.values[i];
        const auto before = last.find(i);
        if (std::isnan(value)) {
          if (before != last.end()) {
            std::printf("%s -\n", std::string(Row(signal).name).c_str());
            last.erase(before);
          }
          continue;
        }
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", value);
        const double rounded = std::strtod(text, nullptr);
        if (before != last.end() && before->second == rounded) continue;
        last[i] = rounded;
        std::printf("%s %s\n", std::string(Row(signal).name).c_str(), text);
      }
      for (; stalls < window->stalls.size(); ++stalls) {
        std::printf("stall %s %.2f\n", WordFor(window->stalls[stalls].kind),
                    window->stalls[stalls].seconds);
      }
      std::printf("for %.3f\n", tick.seconds);
    }
  }
  return 0;
}
