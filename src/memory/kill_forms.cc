// SPDX-License-Identifier: Apache-2.0
// Ends from outside: the kernel's out-of-memory killer (its log), batch systems and orchestrators
// that report it, and SIGKILL whose sender nobody names. Next: oom_scanner.h.
#include <algorithm>

#include "base/text.h"
#include "memory/cursor.h"
#include "memory/form.h"

namespace gpusight::memory {
namespace {

void Begin(OomForm form, std::string_view backend, OomText& out) {
  out.form = form;
  out.backend = backend;
}

// "Killed process 812 (python3) total-vm:7602460kB, anon-rss:2732376kB, file-rss:9936kB,
// shmem-rss:0kB"
void TakeVictim(Cursor& c, OomText& out) {
  Cursor ahead = c;
  if (!ahead.Find("ill", 16)) return;
  const auto pid = ahead.WholeAfter("process ", 8);
  if (!pid) return;
  out.victim = *pid;
  if (ahead.Find("(", 2)) out.victim_name = Capped(ahead.Until(")", 32), 32);
  c = ahead;
  const auto anon = c.SizeAfter("anon-rss:", 80);
  const auto shared = c.SizeAfter("shmem-rss:", 80);
  if (anon) out.process = Amount{anon->bytes + (shared ? shared->bytes : 0), 0};
}

// "Memory cgroup out of memory: Killed process …", "Out of memory: Kill process 812 (python) score
// 900 or sacrifice child"
FormResult ReadKernel(const FormInput& input, OomText& out, size_t& used) {
  Begin(OomForm::kOomKiller, "kernel", out);
  if (Trim(input.before).ends_with("cgroup")) out.hints.emplace_back("cgroup");
  Cursor c(input.text);
  TakeVictim(c, out);
  if (out.victim == 0) return FormResult::kNo;
  used = std::max<size_t>(c.consumed(), 20);
  return FormResult::kDone;
}

// "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),…,oom_memcg=/docker/8580,task_memcg=/docker/
// 8580,task=python,pid=812,uid=0"
FormResult ReadSummary(const FormInput& input, OomText& out, size_t& used) {
  Begin(OomForm::kOomKiller, "kernel", out);
  Cursor c(input.text);
  if (c.Ahead("CONSTRAINT_MEMCG", 32)) out.hints.emplace_back("cgroup");
  if (c.Find(",task=", 4096)) out.victim_name = Capped(c.Until(",", 32), 32);
  if (const auto pid = c.WholeAfter("pid=", 4)) out.victim = *pid;
  used = std::max<size_t>(c.consumed(), 9);
  return FormResult::kDone;
}

// "python invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"
FormResult ReadInvoked(const FormInput&, OomText& out, size_t& used) {
  Begin(OomForm::kOomKiller, "kernel", out);
  used = 18;
  return FormResult::kDone;
}

// "memory: usage 4194304kB, limit 4194304kB, failcnt 812"
FormResult ReadLimit(const FormInput& input, OomText& out, size_t& used) {
  Begin(OomForm::kOomKiller, "kernel", out);
  Cursor c(input.text);
  const auto usage = c.SizeAfter("usage ", 10);
  const auto limit = c.SizeAfter("limit ", 4);
  if (!usage || !limit) return FormResult::kNo;
  if (limit->bytes < kMostBytes) out.host_limit = limit;
  out.hints.emplace_back("cgroup");
  used = c.consumed();
  return FormResult::kDone;
}

// "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=36358.batch. Some of your processes
// may have been killed by the cgroup out-of-memory handler." Newer: "Detected 1 oom_kill event in
// StepId=57347173.batch. Some of the step tasks have been OOM Killed."
FormResult ReadSlurm(const FormInput& input, OomText& out, size_t& used) {
  Begin(OomForm::kOomKiller, "Slurm", out);
  out.hints.emplace_back("cgroup");
  Cursor c(input.text);
  if (c.Find("OOM Killed", 160) || c.Find("out-of-memory handler", 160)) used = c.consumed();
  used = std::max<size_t>(used, 14);
  return FormResult::kDone;
}

// "srun: error: node01: task 0: Out Of Memory"
FormResult ReadSrun(const FormInput& input, OomText& out, size_t& used) {
  used = 13;
  if (input.text.substr(0, 13) != "Out Of Memory") return FormResult::kNo;
  if (input.before.find("task") == std::string_view::npos) return FormResult::kNo;
  Begin(OomForm::kOomKiller, "Slurm", out);
  out.hints.emplace_back("cgroup");
  return FormResult::kDone;
}

FormResult ReadKubernetes(const FormInput& input, OomText& out, size_t& used) {
  used = 9;
  if (input.text.substr(0, 9) != "OOMKilled") return FormResult::kNo;
  // docker inspect: "OOMKilled": false
  if (input.text.substr(9, 12).find("false") != std::string_view::npos) return FormResult::kNo;
  Begin(OomForm::kOomKiller, "container", out);
  out.hints.emplace_back("cgroup");
  return FormResult::kDone;
}

// "Task was killed due to the node running low on memory."
FormResult ReadRay(const FormInput&, OomText& out, size_t& used) {
  Begin(OomForm::kOomKiller, "Ray", out);
  used = 21;
  return FormResult::kDone;
}

bool IsBlankOrEnd(std::string_view text) { return text.empty() || text.front() == ' '; }

// A shell's report: "Killed" alone, "run.sh: line 2: 812 Killed  python train.py", "[1]+ Killed …",
// "zsh: killed     python train.py".
FormResult ReadShell(const FormInput& input, OomText& out, size_t& used) {
  Begin(OomForm::kKilled, "", out);
  constexpr std::string_view kChinese = "已杀死";
  const bool chinese = input.text.starts_with(kChinese);
  used = chinese ? kChinese.size() : 6;
  const std::string_view before = Trim(input.before);
  const std::string_view behind = input.text.substr(std::min(used, input.text.size()));
  if (!IsBlankOrEnd(behind)) return FormResult::kNo;
  const bool zsh = before.ends_with("zsh:") && input.text.starts_with("killed");
  const bool job =
      before.starts_with('[') && before.size() < 24 && before.find(']') != std::string_view::npos;
  const size_t line = before.find(": line ");
  if (line != std::string_view::npos) {
    Cursor c(before.substr(line + 7));
    if (c.Whole() && c.Skip(":")) {
      if (const auto pid = c.Whole(); pid && Trim(c.rest()).empty()) {
        out.victim = *pid;
        return FormResult::kDone;
      }
    }
    return FormResult::kNo;
  }
  const bool alone =
      before.empty() && Trim(behind).empty() && (chinese || input.text.starts_with("Killed"));
  return zsh || job || alone ? FormResult::kDone : FormResult::kNo;
}

// torchrun: "Signal 9 (SIGKILL) received by PID 812"; "failed (exitcode: -9) local_rank: 0 (pid:
// 812)"; Python: "died with <Signals.SIGKILL: 9>."; kubectl: "exit code 137".
FormResult ReadSignal(const FormInput& input, OomText& out, size_t& used) {
  Begin(OomForm::kKilled, "", out);
  Cursor c(input.text);
  used = std::min<size_t>(input.text.size(), 12);
  if (const auto pid = c.WholeAfter("PID ", 40)) {
    out.victim = *pid;
  } else if (const auto other = c.WholeAfter("pid: ", 40)) {
    out.victim = *other;
  }
  used = std::max(used, c.consumed());
  return FormResult::kDone;
}

FormResult ReadExit137(const FormInput& input, OomText& out, size_t& used) {
  Begin(OomForm::kKilled, "", out);
  const size_t at = input.text.find("137");
  used = at + 3;
  const std::string_view behind = input.text.substr(used);
  return behind.empty() || behind.front() < '0' || behind.front() > '9' ? FormResult::kDone
                                                                        : FormResult::kNo;
}

constexpr Form kForms[] = {
    {"out of memory: kill", 1, ReadKernel},
    {"oom-kill:constraint=", 1, ReadSummary},
    {"invoked oom-killer", 1, ReadInvoked},
    {"memory: usage ", 1, ReadLimit},
    {"oom-kill event", 2, ReadSlurm},
    {"oom_kill event", 2, ReadSlurm},
    {"out of memory", 1, ReadSrun},
    {"oomkilled", 1, ReadKubernetes},
    {"running low on memory", 1, ReadRay},
    {"killed", 1, ReadShell},
    {"已杀死", 1, ReadShell},
    {"signal 9 (sigkill)", 1, ReadSignal},
    {"signals.sigkill: 9", 1, ReadSignal},
    {"exitcode: -9)", 1, ReadSignal},
    {"exitcode  : -9 ", 1, ReadSignal},  // as it stands there
    {"exitcode : -9 ", 1, ReadSignal},   // and with its blanks joined
    {"exit code 137", 1, ReadExit137},
    {"exit code: 137", 1, ReadExit137},
};

}  // namespace

std::span<const Form> KillForms() { return kForms; }

}  // namespace gpusight::memory
