// SPDX-License-Identifier: Apache-2.0
// The two processes of `gpusight run`. The launcher is the job's parent and stays small: it starts
// the job, passes signals on, and ends as the job ends. The recorder is a child of it in a session
// of its own: it has the driver, the threads and the file, and whatever happens to it (a crash, a
// driver that hangs, kill -9) the job does not notice; nor does the recorder end when somebody
// kills the launcher or the job's whole process group. Next: run_recorder.h, ../launch/launcher.h.
#pragma once

#include <string>

#include "cli/context.h"
#include "cli/run_pages.h"
#include "cli/run_recorder.h"
#include "launch/ending.h"
#include "launch/spawn.h"

namespace gpusight::cli {

// Where the end of the job's output is kept from.
enum class TailMode { kNever, kFiles, kAlways };

struct RunPlan {
  launch::Program program;
  RecorderPlan recorder;  // its job, pages, tails and say() are filled in here
  PageFolder pages;       // removed at the end
  TailMode tail = TailMode::kFiles;
  bool show_summary = false;
};

// Runs the job to its end; returns the exit code, unless this program must die as the job did.
[[nodiscard]] ExitCode RunJob(Context& context, RunPlan plan);

// The body of the recorder: until the job, whose pid it is, has ended.
int RecordJob(const Context& context, RecorderPlan plan, int channel);

// What the launcher saw, as facts.
[[nodiscard]] ExitFacts FactsOf(const launch::Ending& ending);

}  // namespace gpusight::cli
