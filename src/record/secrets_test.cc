// SPDX-License-Identifier: Apache-2.0
// What must not reach a recording, and what must.
#include "record/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpusight::record {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(SecretNames, AreKnownByTheirParts) {
  for (const char* name : {"AWS_SECRET_ACCESS_KEY",
                           "AWS_ACCESS_KEY_ID",
                           "HF_TOKEN",
                           "WANDB_API_KEY",
                           "DB_PASSWORD",
                           "mysql_passwd",
                           "GITHUB_TOKEN",
                           "OPENAI_API_KEY",
                           "GOOGLE_APPLICATION_CREDENTIALS",
                           "SESSION_COOKIE",
                           "NPM_CONFIG__AUTH",
                           "PGPASSWORD",
                           "REDIS_PASS",
                           "--api-key",
                           "--password",
                           "AZURE_STORAGE_SAS",
                           "SENTRY_DSN",
                           "ssh_key",
                           "SLACK_BEARER",
                           "HTTP_AUTH_HEADER"}) {
    EXPECT_TRUE(IsSecretName(name)) << name;
  }
}

TEST(SecretNames, DoNotHitWhatTrainingNeeds) {
  for (const char* name : {"PATH",
                           "PWD",
                           "OLDPWD",
                           "HOME",
                           "CUDA_VISIBLE_DEVICES",
                           "TOKENIZERS_PARALLELISM",
                           "SSH_AUTH_SOCK",
                           "PYTORCH_CUDA_ALLOC_CONF",
                           "NUM_TOKENS",
                           "MAX_TOKENS",
                           "KEYBOARD",
                           "FLAGS_fraction_of_gpu_memory_to_use",
                           "PYTHONPATH",
                           "BYPASS",
                           "COMPASS_DIR",
                           "SPINDLE",
                           "NCCL_IB_PKEY",
                           "TOKENIZER_PATH",
                           "--tokens-per-batch",
                           "CERTAIN"}) {
    EXPECT_FALSE(IsSecretName(name)) << name;
  }
}

TEST(HideSecrets, TakesCredentialsOutOfUrls) {
  EXPECT_EQ(HideSecrets("https://ada:pw@example.com/x"), "https://[hidden]@example.com/x");
  EXPECT_EQ(HideSecrets("a http://t0k@example.com b s3://k:s@example.org"),
            "a http://[hidden]@example.com b s3://[hidden]@example.org");
  EXPECT_EQ(HideSecrets("redis://:p@ss@example.com:6379/0"), "redis://[hidden]@example.com:6379/0");
  EXPECT_EQ(HideSecrets("https://example.com/path@2"), "https://example.com/path@2");
  EXPECT_EQ(HideSecrets("http://example.com:3128"), "http://example.com:3128");
}

TEST(HideSecrets, TakesSecretsOutOfAssignments) {
  EXPECT_EQ(HideSecrets("https://example.com/?token=abc&x=1"),
            "https://example.com/?token=[hidden]&x=1");
  EXPECT_EQ(HideSecrets("Server=db;Password=abc;User=x"), "Server=db;Password=[hidden];User=x");
  EXPECT_EQ(HideSecrets("max_split_size_mb:128,a=b"), "max_split_size_mb:128,a=b");
}

TEST(HideSecrets, KnowsTokensByTheirForm) {
  EXPECT_EQ(HideSecrets("use ghp_0123456789abcdefghij0123 now"), "use [hidden] now");
  EXPECT_EQ(HideSecrets("hf_abcdefghijklmnopqrstuvwx"), "[hidden]");
  EXPECT_EQ(HideSecrets("hf_hub"), "hf_hub");
  EXPECT_EQ(HideSecrets("-----BEGIN RSA PRIVATE KEY-----\nabc"), "[hidden]");
}

TEST(Environment, KeepsNamesSortedAndHidesValues) {
  const char* const environment[] = {"WANDB_API_KEY=abc",
                                     "broken",
                                     "=x",
                                     "A=1",
                                     "EMPTY_TOKEN=",
                                     "http_proxy=http://u:p@example.com:1",
                                     nullptr};

  EXPECT_THAT(
      KeepHarmless(environment),
      ElementsAre(Pair("A", "1"), Pair("EMPTY_TOKEN", ""), Pair("WANDB_API_KEY", "[hidden]"),
                  Pair("http_proxy", "http://[hidden]@example.com:1")));
}

TEST(Environment, CutsLongValues) {
  const std::string entry = "LONG=" + std::string(100'000, 'x');
  const char* const environment[] = {entry.c_str(), nullptr};

  EXPECT_LT(KeepHarmless(environment)[0].second.size(), 5000u);
}

TEST(Arguments, LoseTheWordAfterASecretOption) {
  EXPECT_THAT(KeepHarmless({"python", "train.py", "--api-key", "abc", "--lr", "0.1"}),
              ElementsAre("python", "train.py", "--api-key", "[hidden]", "--lr", "0.1"));
  EXPECT_THAT(KeepHarmless({"--token=abc", "--token", "--next", "PASSWORD=x"}),
              ElementsAre("--token=[hidden]", "--token", "--next", "PASSWORD=[hidden]"));
}

}  // namespace
}  // namespace gpusight::record
