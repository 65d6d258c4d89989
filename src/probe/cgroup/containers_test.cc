// SPDX-License-Identifier: Apache-2.0
// On the recorded hosts of testdata/hosts.
#include "probe/cgroup/containers.h"

#include <gtest/gtest.h>

namespace gpusight::cgroup {
namespace {

using F = ContainerField;
constexpr double kGiB = 1024.0 * 1024 * 1024;

class OnHost {
 public:
  explicit OnHost(const std::string& name)
      : root_(std::string(GPUSIGHT_TESTDATA) + "/hosts/" + name), containers_(root_) {}

  // The container of a process.
  ContainerSample Of(int pid) {
    const std::string process = std::to_string(pid);
    const auto text = ReadFile(root_.Path("/proc/" + process + "/cgroup"));
    const int handle = containers_.Find(text.value_or(""), process);
    containers_.Use(handle, pid);
    label_ = containers_.Label(handle);
    std::vector<ContainerSample> out;
    containers_.Fill(Facts::kLimits, out);
    return out.at(static_cast<size_t>(containers_.Position(handle)));
  }
  const std::string& label() const { return label_; }
  Containers& containers() { return containers_; }
  const Root& root() const { return root_; }

 private:
  Root root_;
  Containers containers_;
  std::string label_;
};

TEST(ContainersOfDocker, ReadV1) {
  OnHost host("docker-v1");
  const auto sample = host.Of(2240);
  EXPECT_EQ(sample.runtime, "docker");
  EXPECT_EQ(sample.id.substr(0, 12), "3f4e8c9d01b2");
  EXPECT_EQ(sample.name, "lab_trainer_1");
  EXPECT_EQ(host.label(), "lab_trainer_1");
  EXPECT_EQ(sample.fields[F::kCpuQuota], 4.0);
  EXPECT_EQ(sample.fields[F::kPeriods], 9123.0);
  EXPECT_EQ(sample.fields[F::kThrottledPeriods], 4561.0);
  EXPECT_DOUBLE_EQ(*sample.fields[F::kThrottledTime], 812.345678901);
  EXPECT_DOUBLE_EQ(*sample.fields[F::kCpuUsage], 81234.567890123);
  EXPECT_EQ(sample.fields[F::kMemoryLimit], 32 * kGiB);
  EXPECT_EQ(sample.fields[F::kMemoryCurrent], 20 * kGiB);
  EXPECT_EQ(sample.fields[F::kMemoryPeak], 21 * kGiB);
  EXPECT_EQ(sample.fields[F::kMemorySwap], 12.0 * 1024 * 1024);
  EXPECT_EQ(sample.fields[F::kOomKills], 2.0);
  EXPECT_EQ(sample.fields[F::kCpusetCores], 5.0);
  EXPECT_EQ(sample.fields[F::kPidsCurrent], 31.0);
  EXPECT_EQ(sample.fields[F::kPidsLimit], Absence::kNoLimit);
  // v1 has no pressure of a group.
  EXPECT_EQ(sample.fields[F::kCpuPressure], Absence::kNotSupported);
}

TEST(ContainersOfKubernetes, ReadV2WithThePodsLimits) {
  OnHost host("k8s-v2");
  const auto sample = host.Of(5020);
  EXPECT_EQ(sample.runtime, "containerd");
  EXPECT_EQ(sample.pod_uid, "7b1f0c2e-93d4-4e61-a0b5-6c7d8e9fa0b1");
  EXPECT_EQ(sample.pod_name, "bert-large-0");
  EXPECT_EQ(sample.pod_namespace, "ml");
  EXPECT_EQ(sample.name, "trainer");
  EXPECT_EQ(host.label(), "bert-large-0/trainer");
  // The quota, and with it the throttling, is the pod's; the container itself has none.
  EXPECT_EQ(sample.fields[F::kCpuQuota], 3.5);
  EXPECT_EQ(sample.fields[F::kThrottledPeriods], 9123.0);
  EXPECT_DOUBLE_EQ(*sample.fields[F::kThrottledTime], 4123.456789);
  EXPECT_EQ(sample.fields[F::kMemoryLimit], 64 * kGiB);
  EXPECT_EQ(sample.fields[F::kMemoryCurrent], 61 * kGiB);
  EXPECT_EQ(sample.fields[F::kMemoryPeak], 64 * kGiB);
  EXPECT_EQ(sample.fields[F::kOomKills], 3.0);
  EXPECT_EQ(sample.fields[F::kPidsLimit], 4096.0);
  EXPECT_EQ(sample.fields[F::kCpusetCores], 8.0);
  EXPECT_DOUBLE_EQ(*sample.fields[F::kCpuPressure], 0.042);
}

TEST(ContainersOfKubernetes, TakeGroupsMadeInsideForTheContainer) {
  OnHost host("k8s-v2");
  EXPECT_EQ(host.Of(5030).path, host.Of(5020).path);
  const auto text = ReadFile(host.root().Path("/proc/5020/cgroup"));
  const auto inner = ReadFile(host.root().Path("/proc/5030/cgroup"));
  EXPECT_EQ(host.containers().Find(*text, "5020"), host.containers().Find(*inner, "5030"));
}

TEST(ContainersOfSlurm, AreTheJob) {
  OnHost host("slurm");
  const auto sample = host.Of(7010);
  EXPECT_EQ(sample.slurm_job, "881234");
  EXPECT_EQ(sample.path, "/system.slice/slurmstepd.scope/job_881234");
  EXPECT_EQ(sample.fields[F::kMemoryLimit], 120 * kGiB);
  EXPECT_EQ(sample.fields[F::kOomKills], 1.0);
  EXPECT_EQ(sample.fields[F::kCpusetCores], 4.0);
  EXPECT_EQ(host.label(), "");  // a job is no container
}

TEST(ContainersOfOneself, AreFoundByTheirMounts) {
  OnHost host("inside");
  const auto sample = host.Of(17);
  EXPECT_EQ(sample.runtime, "docker");
  EXPECT_EQ(sample.id.substr(0, 8), "aa11bb22");
  EXPECT_EQ(sample.path, "/");
  EXPECT_EQ(sample.fields[F::kCpuQuota], 8.0);
  EXPECT_EQ(sample.fields[F::kMemoryLimit], 32 * kGiB);
}

TEST(ContainersOfTheHost, HaveNoName) {
  OnHost host("bare");
  const auto sample = host.Of(1010);
  EXPECT_EQ(sample.id, "");
  EXPECT_EQ(sample.runtime, "");
  EXPECT_EQ(host.label(), "");
  EXPECT_EQ(sample.fields[F::kCpuQuota], Absence::kNoLimit);
  EXPECT_EQ(sample.fields[F::kMemoryPeak], Absence::kNotSupported);  // before Linux 5.19
  EXPECT_EQ(sample.fields[F::kCpusetCores], 8.0);  // the nearest group that has the file
}

TEST(ContainersOfOneself, TellTheSizeOfTheirSharedMemory) {
  OnHost host("inside");
  const auto sample = host.Of(17);
  EXPECT_EQ(sample.fields[F::kShmTotal], 65912848.0 * 1024);
  EXPECT_EQ(sample.fields[F::kShmUsed], Absence::kNotSupported) << "a recording does not say";
}

TEST(Containers, MarkOurOwn) {
  OnHost host("inside");
  const int own = host.containers().FindOwn();
  ASSERT_GE(own, 0);
  host.containers().Use(own, 0);
  std::vector<ContainerSample> out;
  host.containers().Fill(Facts::kLimits, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_TRUE(out[0].own);
}

TEST(Containers, ForgetWhatAFrameDoesNotUse) {
  OnHost host("k8s-v2");
  (void)host.Of(5020);
  std::vector<ContainerSample> out;
  host.containers().Fill(Facts::kUse, out);
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(host.Of(5020).name, "trainer");  // and find it again
}

TEST(Containers, SayThatAGroupCannotBeSeen) {
  OnHost host("bare");
  const int handle = host.containers().Find("0::/../../other\n", "1");
  host.containers().Use(handle, 1);
  std::vector<ContainerSample> out;
  host.containers().Fill(Facts::kLimits, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_FALSE(out[0].fields[F::kMemoryCurrent]);
  EXPECT_FALSE(out[0].fields[F::kCpuQuota]);
}

}  // namespace
}  // namespace gpusight::cgroup
