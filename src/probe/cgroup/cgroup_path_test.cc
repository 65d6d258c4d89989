// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/cgroup_path.h"

#include <gtest/gtest.h>

namespace gpusight::cgroup {
namespace {

const std::string kId = "3f4e8c9d01b2a7566f1e0d9c8b7a695847362514031f2e1d0c9b8a7968574635";
const std::string kOther = "aa11bb22cc33dd44ee55ff66aa11bb22cc33dd44ee55ff66aa11bb22cc33dd44";
const std::string kUid = "7b1f0c2e-93d4-4e61-a0b5-6c7d8e9fa0b1";
const std::string kUidUnderscored = "7b1f0c2e_93d4_4e61_a0b5_6c7d8e9fa0b1";

struct Case {
  std::string path;
  std::string runtime;
  std::string id;
  std::string pod_uid = {};
  std::string slurm_job = {};
  std::string rest = {};  // what follows the container's part
};

class PathOf : public testing::TestWithParam<Case> {};

TEST_P(PathOf, TellsTheContainer) {
  const Case& want = GetParam();
  const Identity got = Identify(want.path);
  EXPECT_EQ(got.runtime, want.runtime) << want.path;
  EXPECT_EQ(got.id, want.id) << want.path;
  EXPECT_EQ(got.pod_uid, want.pod_uid) << want.path;
  EXPECT_EQ(got.slurm_job, want.slurm_job) << want.path;
  EXPECT_EQ(want.path.substr(got.length), want.rest) << want.path;
}

INSTANTIATE_TEST_SUITE_P(
    Docker, PathOf,
    testing::Values(
        Case{"/docker/" + kId, "docker", kId},
        Case{"/system.slice/docker-" + kId + ".scope", "docker", kId},
        Case{"/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" + kId + ".scope",
             "docker", kId},
        Case{"/docker/" + kId + "/init.scope", "docker", kId, "", "", "/init.scope"},
        Case{"/system.slice/docker-" + kId + ".scope/docker/" + kOther, "docker", kOther},
        Case{"/ecs/3c1a2b/" + kId, "kubernetes", kId}));

INSTANTIATE_TEST_SUITE_P(
    Podman, PathOf,
    testing::Values(Case{"/machine.slice/libpod-" + kId + ".scope", "podman", kId},
                    Case{"/machine.slice/libpod-" + kId + ".scope/container", "podman", kId, "", "",
                         "/container"},
                    Case{"/libpod_parent/libpod-" + kId, "podman", kId},
                    Case{"/user.slice/user-1001.slice/user@1001.service/user.slice/libpod-" + kId +
                             ".scope",
                         "podman", kId},
                    // the monitor beside the container is not in it
                    Case{"/machine.slice/libpod-conmon-" + kId + ".scope", "", ""}));

INSTANTIATE_TEST_SUITE_P(
    Kubernetes, PathOf,
    testing::Values(Case{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
                             kUidUnderscored + ".slice/cri-containerd-" + kId + ".scope",
                         "containerd", kId, kUid},
                    Case{"/kubepods.slice/kubepods-pod" + kUidUnderscored + ".slice/crio-" + kId +
                             ".scope",
                         "cri-o", kId, kUid},
                    Case{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" +
                             kUidUnderscored + ".slice/docker-" + kId + ".scope",
                         "docker", kId, kUid},
                    Case{"/kubepods/burstable/pod" + kUid + "/" + kId, "kubernetes", kId, kUid},
                    Case{"/kubepods/pod" + kUid + "/" + kId, "kubernetes", kId, kUid},
                    Case{"/kubepods/besteffort/pod0123456789abcdef0123456789abcdef/" + kId,
                         "kubernetes", kId, "0123456789abcdef0123456789abcdef"},
                    Case{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
                             kUidUnderscored + ".slice",
                         "kubernetes", "", kUid},
                    // kubelet and containerd set up for different drivers
                    Case{"/system.slice/containerd.service/kubepods-burstable-pod" +
                             kUidUnderscored + ".slice:cri-containerd:" + kId,
                         "containerd", kId, kUid},
                    Case{"/system.slice:docker:" + kId, "docker", kId},
                    // kind: a node that is a container itself
                    Case{"/docker/" + kOther + "/kubelet/kubepods/pod" + kUid + "/" + kId,
                         "kubernetes", kId, kUid},
                    Case{"/system.slice/docker-" + kOther +
                             ".scope/kubelet.slice/kubelet-kubepods.slice/"
                             "kubelet-kubepods-pod" +
                             kUidUnderscored + ".slice/cri-containerd-" + kId + ".scope",
                         "containerd", kId, kUid},
                    Case{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
                             kUidUnderscored + ".slice/cri-containerd-" + kId + ".scope/workers/a",
                         "containerd", kId, kUid, "", "/workers/a"},
                    Case{"/kubepods.slice/kubepods-podnot_a_uid.slice/x", "", ""}));

INSTANTIATE_TEST_SUITE_P(
    Others, PathOf,
    testing::Values(Case{"/default/" + kId, "containerd", kId},
                    Case{"/k8s.io/" + kId, "containerd", kId},
                    Case{"/system.slice/nerdctl-" + kId + ".scope", "containerd", kId},
                    Case{"/lxc/web01", "lxc", "web01"}, Case{"/lxc.payload.web01", "lxc", "web01"},
                    Case{"/lxc.payload/web01/system.slice/ssh.service", "lxc", "web01", "", "",
                         "/system.slice/ssh.service"},
                    Case{"/lxc.monitor.web01", "", ""},
                    Case{"/machine.slice/machine-my\\x2dbox.scope", "systemd-nspawn", "my-box"},
                    Case{"/machine.slice/machine-qemu\\x2d1\\x2dvm.scope", "", ""}));

INSTANTIATE_TEST_SUITE_P(
    Slurm, PathOf,
    testing::Values(Case{"/slurm/uid_1001/job_42/step_0/task_3", "", "", "", "42",
                         "/step_0/task_3"},
                    Case{"/slurm_node7/uid_1001/job_42/step_batch/task_0", "", "", "", "42",
                         "/step_batch/task_0"},
                    Case{"/system.slice/slurmstepd.scope/job_881234/step_0/user/task_0", "", "", "",
                         "881234", "/step_0/user/task_0"},
                    Case{"/system.slice/node7_slurmstepd.scope/job_5/step_extern", "", "", "", "5",
                         "/step_extern"},
                    Case{"/user.slice/job_5", "", ""}));

INSTANTIATE_TEST_SUITE_P(
    Host, PathOf,
    testing::Values(
        Case{"/", "", ""}, Case{"", "", ""}, Case{"/init.scope", "", ""},
        Case{"/user.slice/user-1000.slice/session-3.scope", "", ""},
        Case{"/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope", "", ""},
        Case{"/system.slice/train.service", "systemd", ""},
        Case{"/system.slice/system-getty.slice/getty@tty1.service", "systemd", ""},
        Case{"/../..", "", ""}, Case{"//", "", ""}, Case{"/docker/short", "", ""}));

TEST(Identify, NamesTheSystemdService) {
  EXPECT_EQ(Identify("/system.slice/my\\x2dtrain.service").unit, "my-train.service");
  EXPECT_EQ(Identify("/system.slice/docker-" + kId + ".scope").unit, "");
}

TEST(Identify, TakesTheHierarchyThatSaysMost) {
  // Docker on cgroup v1 beside systemd's own tree: the unified path is the runtime's service.
  const Membership membership =
      ParseMembership("12:pids:/docker/" + kId + "\n1:name=systemd:/docker/" + kId +
                      "\n0::/system.slice/containerd.service\n");
  EXPECT_EQ(Identify(membership).id, kId);
}

TEST(Identify, FindsAJobAroundAContainer) {
  const Membership membership = ParseMembership(
      "4:memory:/slurm/uid_1001/job_42/step_0\n0::/machine.slice/libpod-" + kId + ".scope\n");
  const Identity identity = Identify(membership);
  EXPECT_EQ(identity.id, kId);
  EXPECT_EQ(identity.slurm_job, "42");
}

TEST(ParseMembership, ReadsV2) {
  const Membership membership = ParseMembership("0::/user.slice/a:b\n");
  EXPECT_EQ(membership[Controller::kUnified], "/user.slice/a:b");
  EXPECT_EQ(membership[Controller::kMemory], "");
}

TEST(ParseMembership, ReadsJoinedAndNamedControllersOfV1) {
  const Membership membership = ParseMembership(
      "7:cpu,cpuacct:/a\n10:memory:/b\n5:cpuset:/c\n12:pids:/d\n1:name=systemd:/e\n0::/f\n"
      "3:cpuset,clone_children:/g\n");
  EXPECT_EQ(membership[Controller::kCpu], "/a");
  EXPECT_EQ(membership[Controller::kCpuAcct], "/a");
  EXPECT_EQ(membership[Controller::kMemory], "/b");
  EXPECT_EQ(membership[Controller::kPids], "/d");
  EXPECT_EQ(membership[Controller::kNamed], "/e");
  EXPECT_EQ(membership[Controller::kUnified], "/f");
}

TEST(ParseMembership, PassesOverWhatIsMalformed) {
  const Membership membership = ParseMembership("nonsense\n::\n4:memory\n5:cpu:relative\n0::/ok\n");
  EXPECT_EQ(membership[Controller::kCpu], "");
  EXPECT_EQ(membership[Controller::kUnified], "/ok");
}

TEST(IdentifyFromMount, FindsTheIdWhereThePathSaysNothing) {
  const auto docker =
      IdentifyFromMount("/var/lib/docker/containers/" + kId + "/hostname", "/etc/hostname");
  EXPECT_EQ(docker.id, kId);
  EXPECT_EQ(docker.runtime, "docker");
  const auto podman =
      IdentifyFromMount("/containers/storage/overlay-containers/" + kId + "/userdata/.containerenv",
                        "/run/.containerenv");
  EXPECT_EQ(podman.id, kId);
  EXPECT_EQ(podman.runtime, "podman");
  const auto pod = IdentifyFromMount("/var/lib/kubelet/pods/" + kUid + "/etc-hosts", "/etc/hosts");
  EXPECT_EQ(pod.pod_uid, kUid);
  EXPECT_EQ(pod.runtime, "kubernetes");
}

TEST(IdentifyFromMount, DoesNotTakeAPodsSandboxForTheContainer) {
  const auto found = IdentifyFromMount(
      "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/" + kId + "/hostname",
      "/etc/hostname");
  EXPECT_EQ(found.id, "");
  EXPECT_EQ(found.runtime, "containerd");
}

TEST(IdentifyFromMount, PassesOverOtherMounts) {
  EXPECT_EQ(IdentifyFromMount("/var/lib/docker/containers/" + kId + "/x", "/data").id, "");
  EXPECT_EQ(IdentifyFromMount("/", "/etc/hostname").id, "");
}

}  // namespace
}  // namespace gpusight::cgroup
