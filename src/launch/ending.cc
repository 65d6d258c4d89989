// SPDX-License-Identifier: Apache-2.0
#include "launch/ending.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <type_traits>

namespace gpusight::launch {
namespace {

constexpr size_t kMostPacked = 32;

struct PackedSignal {
  int number, sender;
  int64_t at;
  std::array<char, 16> sender_name;  // as long as the kernel's, with its end
};

struct Packed {
  int status;
  uint32_t count;
  rusage usage;
  int64_t began, ended;
  double seconds;
  std::array<PackedSignal, kMostPacked> received;
};
static_assert(std::is_trivially_copyable_v<Packed>);

}  // namespace

bool Ending::exited() const { return WIFEXITED(status); }
int Ending::code() const { return WEXITSTATUS(status); }
int Ending::signal() const { return WTERMSIG(status); }
bool Ending::core() const { return WIFSIGNALED(status) && WCOREDUMP(status); }

std::string Pack(const Ending& ending) {
  Packed packed{};
  packed.status = ending.status;
  packed.usage = ending.usage;
  packed.began = ending.began.ns;
  packed.ended = ending.ended.ns;
  packed.seconds = ending.seconds;
  const size_t count = std::min(ending.received.size(), kMostPacked);
  packed.count = static_cast<uint32_t>(count);
  for (size_t i = 0; i < count; ++i) {
    const Received& one = ending.received[ending.received.size() - count + i];
    PackedSignal& to = packed.received[i];
    to = {one.number, one.sender, one.at.ns, {}};
    std::copy_n(one.sender_name.data(), std::min(one.sender_name.size(), to.sender_name.size() - 1),
                to.sender_name.data());
  }
  std::string bytes(sizeof packed, '\0');
  std::memcpy(bytes.data(), &packed, sizeof packed);
  return bytes;
}

std::optional<Ending> Unpack(std::string_view bytes) {
  Packed packed{};
  if (bytes.size() != sizeof packed) return std::nullopt;
  std::memcpy(&packed, bytes.data(), sizeof packed);
  if (packed.count > kMostPacked) return std::nullopt;
  Ending ending{.status = packed.status,
                .usage = packed.usage,
                .began = {packed.began},
                .ended = {packed.ended},
                .seconds = packed.seconds,
                .received = {}};
  for (size_t i = 0; i < packed.count; ++i) {
    const PackedSignal& one = packed.received[i];
    const size_t length = strnlen(one.sender_name.data(), one.sender_name.size());
    ending.received.push_back(
        {one.number, one.sender, {one.at}, std::string(one.sender_name.data(), length)});
  }
  return ending;
}

int EndLike(const Ending& ending) {
  if (ending.exited()) return ending.code();
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
  const int number = ending.signal();
  ::signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
  raise(number);
  return 128 + number;
}

}  // namespace gpusight::launch
