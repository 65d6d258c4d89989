// SPDX-License-Identifier: Apache-2.0
// What a program did while its GPU was idle: the driver's utilisation samples (each covers the time
// since the one before it, 200 ms or so) joined in time with looks at the main thread's stack. The
// idle part of each sample is shared out among the looks that fall into it.
//   Both sides date their samples themselves. Neither can be newer than the frame that brought it,
// and the newest is hardly older than its period, so that a clock that is off shows itself; it is
// measured anew every minute. A clock that does not keep still is said and not used.
// Pure. Next: window.h.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/frame.h"

namespace gpusight::diagnose {

// Seconds while the main thread had that stack.
struct StackTime {
  std::string stack;  // outermost frame first, separated by ';'
  double idle = 0;    // while the GPU was idle
  double busy = 0;    // while it was not
  uint64_t looks = 0;
};

// How far a source's clock was from ours, over the run.
struct ClockOffset {
  double least = 0, most = 0;  // seconds to add; 0 where it cannot be told from its period
};

struct IdleReport {
  double seconds = 0;       // that the driver's samples cover
  double idle_seconds = 0;  // of them, in which the GPU was idle
  // Of idle_seconds, those of which the stack is known: what the shares of `stacks` add up to.
  double explained_seconds = 0;
  std::vector<StackTime> stacks;  // most idle first
  ClockOffset driver_clock, program_clock;
  double unsteady_seconds = 0;  // left out because a clock did not keep still
  // Of `explained_seconds`, those of old, merged frames: their idle time is shared out by how often
  // each stack was seen while the device was wholly idle, without knowing when.
  double counted_seconds = 0;
  // Why there is nothing to say, where nothing was joined: the driver gave no samples, or there
  // were no stacks, or their times do not meet.
  enum class Why : uint8_t { kKnown, kNoSamples, kNoStacks, kUnsteadyClock, kNeverMet };
  Why why = Why::kKnown;

  double idle_share() const { return seconds > 0 ? idle_seconds / seconds : 0; }
};

class IdleAttribution {
 public:
  // In the order of frames. `ring` is the device's; `time` the frame's, `interval` its.
  void AddRing(std::span<const SubSample> ring, WallTime time, double interval);
  void AddStacks(std::span<const StackSample> samples, std::span<const std::string> stacks,
                 WallTime time, double interval);
  // Old frames that were merged have no samples: their length and utilisation; and, for all of them
  // together, how often a stack was seen while the device was idle.
  void AddMerged(double seconds, const Known<double>& utilization);
  void AddCount(const std::string& stack, uint64_t idle_looks);
  // The clock was set: what was before must not be compared with what comes.
  void ClockWasSet();
  IdleReport Finish();

 private:
  struct Window {
    int64_t begin = 0, end = 0;  // ns of the driver's clock
    double busy = 0;
  };
  struct Look {
    int64_t time = 0;  // ns of the program's clock
    uint32_t stack = 0;
  };
  // How old the newest sample was when its frame was made, of each frame.
  struct Ages {
    std::vector<double> seconds;
    double interval = 0;  // of the frames, the longest
  };
  struct Judged {
    double offset = 0;
    bool steady = true;
  };
  static Judged OffsetOf(Ages& ages, double period);
  void Join(bool all);
  uint32_t Number(const std::string& stack);

  std::vector<Window> windows_;
  std::vector<Look> looks_;
  Ages driver_ages_, program_ages_;
  int64_t last_sample_ = 0;
  int64_t began_ = 0;  // of the minute, frame time
  std::map<std::string, uint32_t, std::less<>> numbers_;
  std::vector<StackTime> stacks_;
  IdleReport report_;
  double merged_seconds_ = 0, merged_idle_ = 0;
  std::vector<std::pair<uint32_t, uint64_t>> counts_;  // stack, looks
  bool any_ring_ = false, any_stack_ = false, any_offset_ = false;
};

// "train.py:88 load" of a stack: its innermost frame.
[[nodiscard]] std::string_view InnermostFrame(std::string_view stack);

// Where the program stood, for people: the innermost frame of its own code, followed by the
// library's function that it was in: "train.py:140 train > tensor.py item".
[[nodiscard]] std::string PlaceOf(std::string_view stack);

// Places with their idle seconds, most first.
struct PlaceTime {
  std::string place;
  double idle = 0;
};
[[nodiscard]] std::vector<PlaceTime> Places(const IdleReport& report);

}  // namespace gpusight::diagnose
