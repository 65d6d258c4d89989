// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "memory/oom_account.h"
#include "model/text/oom.h"

namespace gpusight::memory {
namespace {

constexpr double kUsualOutside = 1.0 * kGiB;

std::string Who(const OomFacts& f, Language language) {
  const bool below = f.form == OomForm::kLibrary || f.form == OomForm::kCollective ||
                     f.form == OomForm::kHostAllocator;
  const bool named = below && !f.backend.empty() && f.backend != "CPU";
  if (named) return Printable(f.backend);
  const std::string name = FrameworkName(f.framework);
  return name.empty() ? Say(language, text::kOomTheProgram) : name;
}

// Two sentences become one text: with a blank between them where the language has one.
void Add(std::string& out, Language language, const std::string& sentence) {
  if (!out.empty() && language != Language::kChinese) out += ' ';
  out += sentence;
}

std::string Asked(const OomFacts& f, Language language) {
  if (!f.requested)
    return Say(language, text::kOomAskedUnknown, Who(f, language), DeviceText(f, language));
  const std::string size = SizeText(*f.requested);
  if (f.free) {
    return Say(language, text::kOomAskedFree, Who(f, language), DeviceText(f, language), size,
               SizeText(*f.free));
  }
  return Say(language, text::kOomAsked, Who(f, language), DeviceText(f, language), size);
}

std::string Holders(const OomFacts& f, Language language) {
  constexpr size_t kMost = 3;
  std::vector<OomHolder> holders = f.holders;
  std::sort(holders.begin(), holders.end(),
            [](const OomHolder& a, const OomHolder& b) { return a.memory.bytes > b.memory.bytes; });
  std::string out;
  const std::string separator = Say(language, text::kOomListSeparator);
  for (size_t i = 0; i < std::min(holders.size(), kMost); ++i) {
    out += (i == 0 ? "" : separator) +
           Say(language, text::kOomSayHolder, holders[i].pid, SizeText(holders[i].memory.bytes));
  }
  if (holders.size() > kMost) {
    out += separator + Say(language, text::kOomSayMoreHolders, holders.size() - kMost);
  }
  return out;
}

std::string Total(const OomFacts& f) {
  return SizeText(f.capacity ? *f.capacity : f.pool_limit.value_or(f.limit.value_or(0)));
}

std::string Share(double part, double whole) { return FormatRatio(whole > 0 ? part / whole : 0); }

std::string TooBig(const OomFacts& f, const OomVerdict& v, Language language) {
  const double most = f.capacity ? *f.capacity : f.pool_limit.value_or(0);
  if (f.program && (!f.requested || *f.program > *f.requested)) {
    if (most <= 0) return Say(language, text::kOomSayProgramOnly, SizeText(*f.program));
    return Say(language, text::kOomSayProgram, SizeText(*f.program), SizeText(most));
  }
  if (most <= 0) return Say(language, text::kOomSayTooBigSize);
  if (f.requested && *f.requested > most) {
    return Say(language, text::kOomSayTooBig, SizeText(most));
  }
  if (v.Has(OomNote::kFirstStep)) {
    return Say(language, text::kOomSayFirst, SizeText(f.allocated.value_or(0)), SizeText(most));
  }
  return Say(language, text::kOomSayLarge, Share(f.requested.value_or(0), most),
             SizeText(f.allocated.value_or(0)));
}

std::string Grew(const Growth& g, Language language) {
  if (g.what == GrowthOf::kOutside) {
    return Say(language, text::kOomSayOutsideGrew, SizeText(g.first), SizeText(g.last));
  }
  if (g.steps > 0) {
    return Say(language, text::kOomSayGrowthSteps, SizeText(g.per_step), g.steps, SizeText(g.first),
               SizeText(g.last));
  }
  return Say(language, text::kOomSayGrowthTime, SizeText(g.per_second * 60),
             FormatDuration(g.seconds), SizeText(g.first), SizeText(g.last));
}

std::string Neighbour(const OomFacts& f, const OomVerdict& v, Language language) {
  const auto others = v.account.Part(OomPart::kOthers);
  if (others && *others > 0 && !f.holders.empty() && !v.Has(OomNote::kUnlistedMuch)) {
    return Say(language, text::kOomSayNeighbour, Printed(v.account, OomPart::kOthers), Total(f),
               Holders(f, language));
  }
  if (const auto unlisted = v.account.Part(OomPart::kUnlisted); unlisted && *unlisted > 0) {
    return Say(language, text::kOomSayUnlisted, Printed(v.account, OomPart::kUnlisted));
  }
  if (const auto rest = v.account.Part(OomPart::kRest)) {
    return Say(language, text::kOomSayRest, Printed(v.account, OomPart::kRest), Who(f, language));
  }
  return Say(language, text::kOomSayPoolGrowth, Who(f, language));
}

std::string Outside(const OomFacts& f, const OomVerdict& v, Language language) {
  if (f.growth && f.growth->what == GrowthOf::kOutside) return Grew(*f.growth, language);
  if (f.form == OomForm::kDriverCall) return Say(language, text::kOomSayDriverCall);
  if (const auto outside = v.account.Part(OomPart::kOutside)) {
    return Say(language, text::kOomSayOutside, Printed(v.account, OomPart::kOutside),
               SizeText(kUsualOutside));
  }
  if (f.form == OomForm::kLibrary || f.form == OomForm::kCollective) {
    return Say(language, text::kOomSayLibrary, Printable(f.backend));
  }
  return Neighbour(f, v, language);
}

std::string Limit(const OomFacts& f, Language language) {
  const std::string limit = SizeText(f.limit.value_or(0));
  if (f.form == OomForm::kPaddle && f.free) {
    return Say(language, text::kOomSayLimitPaddle, limit,
               SizeText(std::max(0.0, f.limit.value_or(0) - *f.free)));
  }
  if (!f.free) return Say(language, text::kOomSayLimitSmall, limit);
  return Say(language, text::kOomSayLimit, limit, SizeText(*f.free));
}

std::string Unknown(const OomFacts& f, const OomVerdict& v, Language language) {
  if (v.Has(OomNote::kFreeEnough)) return Say(language, text::kOomSayFreeEnough);
  if (const auto used = v.account.Part(OomPart::kUsed)) {
    return Say(language, text::kOomSayUsed, Printed(v.account, OomPart::kUsed),
               SizeText(v.account.total));
  }
  if (f.form == OomForm::kDriverCall) return Say(language, text::kOomSayDriverCall);
  return Say(language, text::kOomSayNothing);
}

std::string HostSentence(const OomFacts& f, const OomVerdict& v, Language language) {
  const uint64_t victim = f.victim;
  const std::string name = Printable(f.victim_name);
  std::string out;
  switch (f.form) {
    case OomForm::kOomKiller:
      if (f.backend == "Slurm") return Say(language, text::kOomSlurm);
      if (f.backend == "container") return Say(language, text::kOomContainer);
      if (f.backend == "Ray") return Say(language, text::kOomRay);
      if (victim == 0) {
        out = Say(language, text::kOomKernel);
      } else if (f.process) {
        out = Say(language, text::kOomKernelKilledHeld, victim, name, SizeText(*f.process));
      } else {
        out = Say(language, text::kOomKernelKilled, victim, name);
      }
      if (f.in_cgroup) Add(out, language, Say(language, text::kOomGroup));
      if (f.host_limit)
        Add(out, language, Say(language, text::kOomGroupLimit, SizeText(*f.host_limit)));
      return out;
    case OomForm::kWorkerKilled:
    case OomForm::kKilled:
      out = f.form == OomForm::kKilled ? Say(language, text::kOomKilled)
                                       : Say(language, text::kOomWorkerKilled, victim);
      Add(out, language,
          Say(language, f.killer_seen ? text::kOomKillerSays : text::kOomKillerMaybe));
      return out;
    case OomForm::kBusError:
      return v.cause == OomClass::kHostMemory ? Say(language, text::kOomKillerSays)
                                              : Say(language, text::kOomBus);
    case OomForm::kSharedMemory:
      return f.requested ? Say(language, text::kOomShmFileSize, SizeText(*f.requested))
                         : Say(language, text::kOomShmFile);
    default:
      return f.requested
                 ? Say(language, text::kOomHostAsked, Who(f, language), SizeText(*f.requested))
                 : Say(language, text::kOomHostAskedUnknown, Who(f, language));
  }
}

const Text& GapText(OomGap gap) {
  switch (gap) {
    case OomGap::kNumbers:
      return text::kOomGapNumbers;
    case OomGap::kFree:
      return text::kOomGapFree;
    case OomGap::kCapacity:
      return text::kOomGapCapacity;
    case OomGap::kProcesses:
      return text::kOomGapProcesses;
    case OomGap::kAllocator:
      return text::kOomGapAllocator;
    case OomGap::kHistory:
      return text::kOomGapHistory;
    case OomGap::kKiller:
      return text::kOomGapKiller;
    case OomGap::kHost:
      break;
  }
  return text::kOomGapHost;
}

}  // namespace

std::string DeviceText(const OomFacts& f, Language language) {
  if (f.device < 0) return Say(language, text::kOomTheDevice);
  const bool own_word = f.backend == "NPU" || f.backend == "XPU" || f.backend == "npu";
  return Say(language, text::kOomDevice, own_word ? Printable(f.backend) : "GPU", f.device);
}

const Text& TitleOf(OomClass cause) {
  switch (cause) {
    case OomClass::kTooBig:
      return text::kOomTooBig;
    case OomClass::kFull:
      return text::kOomFull;
    case OomClass::kFragmentation:
      return text::kOomFragmentation;
    case OomClass::kLeak:
      return text::kOomLeak;
    case OomClass::kNeighbour:
      return text::kOomNeighbour;
    case OomClass::kEvaluation:
      return text::kOomEvaluation;
    case OomClass::kOutside:
      return text::kOomOutside;
    case OomClass::kLimit:
      return text::kOomLimit;
    case OomClass::kHostMemory:
      return text::kOomHostMemory;
    case OomClass::kSharedMemory:
      return text::kOomSharedMemory;
    case OomClass::kUnknown:
      break;
  }
  return text::kOomUnknown;
}

std::string SentenceOf(const OomFacts& f, const OomVerdict& v, Language language) {
  if (f.place != OomPlace::kDevice) return HostSentence(f, v, language);
  std::string out = Asked(f, language);
  switch (v.cause) {
    case OomClass::kTooBig:
      Add(out, language, TooBig(f, v, language));
      break;
    case OomClass::kFull:
      Add(out, language,
          Say(language, text::kOomSayFull, SizeText(f.allocated.value_or(0)), Total(f),
              Share(f.allocated.value_or(0), v.account.total)));
      break;
    case OomClass::kFragmentation:
      if (f.largest_free && f.pool_limit && f.allocated) {
        Add(out, language,
            Say(language, text::kOomSayPool, SizeText(*f.pool_limit - *f.allocated),
                Who(f, language), SizeText(*f.largest_free)));
      } else {
        Add(out, language,
            Say(language, text::kOomSayPieces,
                SizeText(f.inactive_split ? *f.inactive_split : f.cached.value_or(0)),
                Who(f, language)));
      }
      break;
    case OomClass::kLeak:
      if (f.growth) Add(out, language, Grew(*f.growth, language));
      break;
    case OomClass::kNeighbour:
      Add(out, language, Neighbour(f, v, language));
      break;
    case OomClass::kEvaluation:
      Add(out, language,
          f.evaluation ? Say(language, text::kOomSayEvaluation, SizeText(f.evaluation->evaluation),
                             SizeText(f.evaluation->training))
                       : Say(language, text::kOomSayEvaluationMaybe));
      break;
    case OomClass::kOutside:
      Add(out, language, Outside(f, v, language));
      break;
    case OomClass::kLimit:
      Add(out, language, Limit(f, language));
      break;
    default:
      Add(out, language, Unknown(f, v, language));
  }
  return out;
}

std::vector<std::string> RemarksOf(const OomFacts& f, const OomVerdict& v, Language language) {
  std::vector<std::string> out;
  const auto say = [&](const Text& text, const auto&... args) {
    out.push_back(Say(language, text, args...));
  };
  for (const OomNote note : v.notes) {
    switch (note) {
      case OomNote::kSegment:
        say(text::kOomNoteSegment, SizeText(*f.requested),
            Say(language, *f.requested < 10 * kMiB ? text::kOomUpToMiB : text::kOomUpTo10MiB));
        break;
      case OomNote::kAbsurd:
        say(text::kOomNoteAbsurd);
        break;
      case OomNote::kOwnGuessed:
        say(text::kOomNoteOwnGuessed);
        break;
      case OomNote::kOverfull:
        say(text::kOomNoteOverfull);
        break;
      case OomNote::kPrivatePools:
        say(text::kOomNotePools, SizeText(f.private_pools.value_or(0)));
        break;
      case OomNote::kLateStep:
        say(text::kOomNoteLate, f.step.value_or(0));
        break;
      case OomNote::kEvaluating:
        say(text::kOomSayEvaluationMaybe);
        break;
      case OomNote::kSmallPieces:
        say(text::kOomNoteSmallPieces, SizeText(f.cached.value_or(0)));
        break;
      case OomNote::kHintKilled:
        say(text::kOomNoteKilledNotShm);
        break;
      case OomNote::kLargeShare:    // in the sentence
      case OomNote::kFreeEnough:    //
      case OomNote::kFirstStep:     //
      case OomNote::kUnlistedMuch:  //
        break;
    }
  }
  std::string also;
  for (const OomClass cause : v.also) {
    if (cause == OomClass::kEvaluation && v.Has(OomNote::kEvaluating)) continue;
    if (cause == OomClass::kFragmentation && v.Has(OomNote::kSmallPieces)) continue;
    if (!also.empty()) also += Say(language, text::kOomListSeparator);
    also += Say(language, TitleOf(cause));
  }
  if (!also.empty()) out.push_back(Sentence(language, Say(language, text::kOomAlso, also)));
  // What grew will meet every limit in the end.
  const auto leak = std::find(v.also.begin(), v.also.end(), OomClass::kLeak);
  if (f.growth && leak != v.also.end()) out.push_back(Grew(*f.growth, language));
  return out;
}

std::vector<std::string> GapsOf(const OomVerdict& verdict, Language language) {
  std::vector<std::string> out;
  for (const OomGap gap : verdict.gaps) {
    std::string sentence = Say(language, GapText(gap));
    if (std::find(out.begin(), out.end(), sentence) == out.end()) {
      out.push_back(std::move(sentence));
    }
  }
  return out;
}

}  // namespace gpusight::memory
