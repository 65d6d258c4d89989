// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/state_files.h"

#include <gtest/gtest.h>

namespace gpusight::cgroup {
namespace {

TEST(StateFiles, ReadTheNameThatDockerGave) {
  EXPECT_EQ(
      DockerName(R"({"ID":"ab","Config":{"Name":"no","Env":["Name=no"]},"Name":"/lab_trainer_1"})"),
      "lab_trainer_1");
  EXPECT_EQ(DockerName(R"({"ID":"ab"})"), "");
}

TEST(StateFiles, ReadTheAnnotationsOfContainerdAndCriO) {
  const auto containerd = OciNames(
      R"({"ociVersion":"1.1.0","process":{"args":["io.kubernetes.cri.container-name"]},"annotations":{)"
      R"("io.kubernetes.cri.container-name":"trainer","io.kubernetes.cri.sandbox-name":"bert-0",)"
      R"("io.kubernetes.cri.sandbox-namespace":"ml"}})");
  EXPECT_EQ(containerd.container, "trainer");
  EXPECT_EQ(containerd.pod, "bert-0");
  EXPECT_EQ(containerd.pod_namespace, "ml");
  const auto crio =
      OciNames(R"({"annotations":{"io.kubernetes.container.name":"c","io.kubernetes.pod.name":"p",)"
               R"("io.kubernetes.pod.namespace":"n"}})");
  EXPECT_EQ(crio.container, "c");
  EXPECT_EQ(crio.pod, "p");
  EXPECT_EQ(crio.pod_namespace, "n");
}

TEST(StateFiles, ReadTheFirstNameOfAPodmanContainer) {
  const char* text =
      R"([{"id":"aa","names":["one","more"],"image":"x"},{"id":"bb","names":["two"],"metadata":"{\"name\":\"z\"}"}])";
  EXPECT_EQ(StorageName(text, "aa"), "one");
  EXPECT_EQ(StorageName(text, "bb"), "two");
  EXPECT_EQ(StorageName(text, "cc"), "");
}

TEST(StateFiles, SayNothingWhenTheTextIsCut) {
  EXPECT_EQ(DockerName(R"({"Name":"/half")"), "");
  EXPECT_EQ(DockerName(""), "");
  EXPECT_EQ(OciNames(R"({"annotations":{"io.kubernetes.pod.name":"p")").pod, "");
  EXPECT_EQ(StorageName(R"([{"id":"aa","names":["one")", "aa"), "");
  EXPECT_EQ(StorageName("]]]]", "aa"), "");
}

}  // namespace
}  // namespace gpusight::cgroup
