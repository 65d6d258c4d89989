// SPDX-License-Identifier: Apache-2.0
#include "launch/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "launch/packet.h"
#include "launch/tail.h"

namespace gpusight::launch {
namespace {

constexpr int kMostStarts = 100;  // of the copying process; then something is wrong with us
// What is written to a pseudo terminal appears at its other end a moment later.
constexpr int kTerminalMilliseconds = 20;

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done == -1 && errno == EAGAIN) {
      // Somebody made the reader's end non-blocking for all of us.
      pollfd wait{fd, POLLOUT, 0};
      poll(&wait, 1, -1);
      continue;
    }
    if (done == -1 && errno == EINTR) continue;
    if (done == -1) return false;
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}

// The copying process: from the job to where it would have written itself.
class Copier {
 public:
  Copier(int from, int to, KeptBytes& kept, bool terminal, int channel)
      : from_(from), to_(to), kept_(kept), terminal_(terminal), channel_(channel) {}

  int Run() {
    while (true) {
      // Nobody to copy for: a reader that left is told to the job at its next write, as ever.
      pollfd fds[] = {{from_, POLLIN, 0}, {channel_, POLLIN, 0}};
      const int patience = flush_ && terminal_ ? kTerminalMilliseconds : flush_ ? 0 : -1;
      const int ready = poll(fds, 2, patience);
      if (ready == -1 && errno != EINTR) return End();
      if (ready == 0) {  // all that was printed is through
        flush_ = false;
        SendPacket(channel_, 'f', "");
        continue;
      }
      if (fds[1].revents != 0) Listen();
      if (fds[0].revents != 0 && !Copy()) return End();
    }
  }

 private:
  void Listen() {
    const Packet packet = ReceivePacket(channel_);
    if (packet.type == 'f') flush_ = true;
    if (packet.type == 0) channel_ = -1;  // the launcher was killed; the job goes on
  }

  // False when nobody writes any more, or nobody reads.
  bool Copy() {
    const ssize_t got = read(from_, buffer_.data(), buffer_.size());
    if (got == -1) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    const std::string_view bytes(buffer_.data(), static_cast<size_t>(got));
    kept_.Append(bytes);
    return WriteAll(to_, bytes);
  }

  int End() const {
    SendPacket(channel_, 'x', "");
    return 0;
  }

  int from_, to_;
  KeptBytes& kept_;
  bool terminal_;
  int channel_;
  bool flush_ = false;
  std::array<char, 64 * 1024> buffer_{};
};

// The settings of the terminal that stands behind it; but the bytes are to come through as they
// are, since that one will treat them.
bool MakeTerminal(int like, UniqueFd& main, UniqueFd& side) {
  main = UniqueFd(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!main.valid() || grantpt(main.get()) != 0 || unlockpt(main.get()) != 0) return false;
  std::array<char, 64> name{};
  if (ptsname_r(main.get(), name.data(), name.size()) != 0) return false;
  side = UniqueFd(open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios mode{};
  if (!side.valid() || tcgetattr(like, &mode) != 0) return false;
  mode.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  return tcsetattr(side.get(), TCSANOW, &mode) == 0;
}

}  // namespace

KeptBytes::KeptBytes() : memory_(memfd_create("gpusight-tail", MFD_CLOEXEC)) {}

// The number of all bytes so far, then a ring of the last ones.
void KeptBytes::Append(std::string_view bytes) {
  uint64_t total = 0;
  if (pread(memory_.get(), &total, sizeof total, 0) != sizeof total) total = 0;
  if (bytes.size() > kMost) {
    total += bytes.size() - kMost;
    bytes.remove_prefix(bytes.size() - kMost);
  }
  while (!bytes.empty()) {
    const uint64_t at = total % kMost;
    const std::string_view part = bytes.substr(0, kMost - at);
    const auto place = static_cast<off_t>(sizeof total + at);
    if (pwrite(memory_.get(), part.data(), part.size(), place) != std::ssize(part)) return;
    total += part.size();
    bytes.remove_prefix(part.size());
  }
  (void)!pwrite(memory_.get(), &total, sizeof total, 0);
}

std::string KeptBytes::Read() const {
  uint64_t total = 0;
  if (pread(memory_.get(), &total, sizeof total, 0) != sizeof total) return "";
  std::string ring(std::min(total, kMost), '\0');
  if (pread(memory_.get(), ring.data(), ring.size(), sizeof total) != std::ssize(ring)) return "";
  if (total > kMost) {
    const auto oldest = static_cast<ptrdiff_t>(total % kMost);
    std::rotate(ring.begin(), ring.begin() + oldest, ring.end());
  }
  return ring;
}

std::unique_ptr<Relay> Relay::Make(int stream, bool both) {
  auto relay = std::make_unique<Relay>();
  relay->stream_ = stream;
  relay->both_ = both;
  relay->target_ = UniqueFd(fcntl(stream, F_DUPFD_CLOEXEC, 3));
  if (!relay->target_.valid() || !relay->kept_.valid()) return nullptr;
  relay->terminal_ = KindOf(stream) == StreamKind::kTerminal;
  if (relay->terminal_) {
    if (!MakeTerminal(stream, relay->from_job_, relay->for_job_)) return nullptr;
    relay->Resize();
  } else {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
    relay->from_job_ = UniqueFd(ends[0]);
    relay->for_job_ = UniqueFd(ends[1]);
    // As much room as there was, so that the job waits no earlier.
    const int room = fcntl(stream, F_GETPIPE_SZ);
    if (room > 0) fcntl(ends[1], F_SETPIPE_SZ, room);
    fcntl(ends[1], F_SETFL, fcntl(stream, F_GETFL) & (O_NONBLOCK | O_APPEND));
  }
  // Ours alone: the job has the other end.
  fcntl(relay->from_job_.get(), F_SETFL, fcntl(relay->from_job_.get(), F_GETFL) | O_NONBLOCK);
  return relay;
}

void Relay::Start() {
  ++starts_;
  const std::vector<int> keep{from_job_.get(), target_.get(), kept_.fd()};
  process_ = StartOwn(Where::kOwnSession, "gpusight-tail", keep, [this](int channel) {
    return Copier(from_job_.get(), target_.get(), kept_, terminal_, channel).Run();
  });
}

std::vector<int> Relay::descriptors() const {
  return {from_job_.get(), target_.get(), kept_.fd(), process_.channel.get()};
}

void Relay::Attend() {
  const Packet packet = ReceivePacket(process_.channel.get());
  if (packet.type == 'f') flushed_ = true;
  if (packet.type == 'x') {
    // The job must see its reader leave, and our copy would be one.
    over_ = flushed_ = true;
    from_job_.Reset();
    target_.Reset();
  }
  if (packet.type != 0) return;
  process_.channel.Reset();
  if (over_ || starts_ == kMostStarts) {
    flushed_ = true;
    return;
  }
  Start();
  if (asked_ && !flushed_) Flush();
}

bool Relay::Resize() const {
  winsize now{}, before{};
  if (!terminal_ || !from_job_.valid() || ioctl(target_.get(), TIOCGWINSZ, &now) != 0) return false;
  if (ioctl(from_job_.get(), TIOCGWINSZ, &before) == 0 &&
      std::memcmp(&now, &before, sizeof now) == 0) {
    return false;
  }
  return ioctl(from_job_.get(), TIOCSWINSZ, &now) == 0;
}

void Relay::Flush() {
  asked_ = true;
  if (over_) return;
  flushed_ = !SendPacket(process_.channel.get(), 'f', "");
}

std::vector<std::unique_ptr<Relay>> MakeRelays() {
  std::vector<std::unique_ptr<Relay>> out;
  std::array<struct stat, 2> info{};
  const auto wanted = [&info](int fd) {
    const StreamKind kind = KindOf(fd);
    return (kind == StreamKind::kTerminal || kind == StreamKind::kPipe) &&
           fstat(fd, &info[static_cast<size_t>(fd) - 1]) == 0 &&
           (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
  };
  const bool output = wanted(STDOUT_FILENO), error = wanted(STDERR_FILENO);
  const bool same = output && error && info[0].st_dev == info[1].st_dev &&
                    info[0].st_ino == info[1].st_ino && info[0].st_rdev == info[1].st_rdev;
  if (output) out.push_back(Relay::Make(STDOUT_FILENO, same));
  if (error && !same) out.push_back(Relay::Make(STDERR_FILENO, false));
  std::erase(out, nullptr);
  return out;
}

}  // namespace gpusight::launch
