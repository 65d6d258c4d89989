// SPDX-License-Identifier: Apache-2.0
// The process whose surroundings are examined: who it is, what it may do, in what it runs.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "cli/doctor/collect.h"
#include "cli/doctor/container_signs.h"
#include "cli/doctor/parse.h"
#include "probe/cgroup/inside.h"
#include "probe/host/users.h"

namespace gpusight::doctor {
namespace {

// A process whose files are few (a recorded machine that somebody pruned) is one all the same.
Presence PresenceOf(const Root& root, const std::string& folder, int pid, const Frame& frame) {
  if (Exists(root, folder)) return Presence::kHere;
  for (const ProcessSample& process : frame.processes) {
    if (process.pid != pid || process.uses.empty()) continue;
    return process.translated ? Presence::kEnded : Presence::kOutside;
  }
  return Presence::kNowhere;
}

void FindContainer(const Root& root, const std::string& folder, Facts& facts) {
  Subject& subject = facts.subject;
  const auto& containers = facts.frame.containers;
  if (subject.self) {
    const auto own = std::find_if(containers.begin(), containers.end(),
                                  [](const ContainerSample& sample) { return sample.own; });
    if (own != containers.end()) {
      subject.container_index = static_cast<int>(own - containers.begin());
    }
  } else {
    for (const ProcessSample& process : facts.frame.processes) {
      if (process.pid == subject.pid && process.translated) {
        subject.container_index = process.container_index;
      }
    }
  }
  subject.container = JudgeContainer(CollectContainerSigns(root, folder, facts));
}

// Another process may have another /dev/shm than we.
void FindSharedMemory(const Root& root, Facts& facts) {
  Subject& subject = facts.subject;
  const std::string process = std::to_string(subject.pid);
  const auto& host = facts.frame.host.fields;
  Space shm;
  if (subject.self || !root.live()) {
    subject.shm_total = host[HostField::kShmTotal];
    subject.shm_used = host[HostField::kShmUsed];
    subject.shm_missing = root.live() && !Exists(root, "/dev/shm");
  } else if (const int error = cgroup::SpaceInside(root, process, "/dev/shm", shm); error == 0) {
    subject.shm_total = shm.total;
    subject.shm_used = shm.used;
  } else {
    subject.shm_total = subject.shm_used =
        error == EACCES || error == EPERM ? Absence::kNoPermission : Absence::kNotSupported;
    subject.shm_missing = error == ENOENT && cgroup::FindInside(root, process, "/dev") == 0;
  }
}

}  // namespace

void CollectSubject(const Root& root, const Question& question, Facts& facts) {
  Subject& subject = facts.subject;
  subject.self = question.pid == 0;
  subject.pid = question.pid;
  const std::string folder =
      subject.self ? std::string("/proc/self") : fmt::format("/proc/{}", question.pid);

  const std::string status = TextOf(root, folder + "/status");
  if (!subject.self) {
    subject.presence = PresenceOf(root, folder, subject.pid, facts.frame);
  }
  if (const auto uid = ParseStatusNumber(status, "Uid:")) {
    subject.uid = static_cast<unsigned>(*uid);
    subject.user = host::Users(root).NameOf(subject.uid);
  }
  if (const auto mask = ParseStatusMask(status, "CapEff:")) {
    subject.capabilities = *mask;
  } else {
    subject.capabilities = Absence::kNotSupported;
  }
  subject.cpus_allowed = ParseCpusAllowed(status);

  subject.pid_namespace = Absence::kNotSupported;
  if (const auto link = ReadLink(root.Path(folder + "/ns/pid"))) {
    if (const auto inode = ParseNamespaceLink(*link)) subject.pid_namespace = *inode;
  }

  const std::string limits = TextOf(root, folder + "/limits");
  subject.max_files = ParseLimitLine(limits, "Max open files");
  subject.max_locked_bytes = ParseLimitLine(limits, "Max locked memory");
  subject.max_address_bytes = ParseLimitLine(limits, "Max address space");

  FindSharedMemory(root, facts);
  if (subject.self) {
    subject.environment_known = true;
    subject.environment = ParseEnvironment(question.environment);
  } else if (const auto text = ReadFile(root.Path(folder + "/environ"))) {
    subject.environment_known = true;
    subject.environment = ParseEnvironment(*text);
  }
  FindContainer(root, folder, facts);
}

}  // namespace gpusight::doctor
