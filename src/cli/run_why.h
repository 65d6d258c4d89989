// SPDX-License-Identifier: Apache-2.0
// The diagnosis beside a run: every frame that is recorded is also looked at by the rules; at the
// end the findings go into the recording and the verdict under the summary. Pure. Next: why_page.h.
#pragma once

#include <string>

#include "diagnose/engine.h"
#include "export/style.h"

namespace gpusight::cli {

class RunDiagnosis {
 public:
  void Add(const Frame& frame) { diagnoser_.Add(frame); }
  // After the last frame: what is to be kept.
  const Diagnosis& Finish();

  // How many causes were found; missing when no process of the job used a device.
  [[nodiscard]] Known<double> count() const;
  // The verdict in a few lines and where there is more; "" when there is nothing to say of it.
  [[nodiscard]] std::string Text(const exporting::Style& style, const std::string& file) const;

 private:
  // Times fit for runs of a minute, so that short runs get a verdict, too.
  diagnose::Diagnoser diagnoser_{{.job_only = true}, {.time_scale = 0.125}};
  Diagnosis diagnosis_;
  bool saw_a_job_ = false;
};

}  // namespace gpusight::cli
