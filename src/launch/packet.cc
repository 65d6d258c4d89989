// SPDX-License-Identifier: Apache-2.0
#include "launch/packet.h"

#include <sys/socket.h>

#include <cerrno>

namespace gpusight::launch {

// Less than the least buffer of a socket.
constexpr size_t kMostBytes = size_t{64} << 10;

bool SendPacket(int channel, char type, std::string_view bytes) {
  std::string packet(1, type);
  packet += bytes.substr(0, kMostBytes - 1);
  const ssize_t sent = send(channel, packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent == static_cast<ssize_t>(packet.size());
}

Packet ReceivePacket(int channel) {
  std::string bytes(kMostBytes, '\0');
  ssize_t got = 0;
  do {
    got = recv(channel, bytes.data(), bytes.size(), MSG_DONTWAIT);
  } while (got == -1 && errno == EINTR);
  if (got == -1 && errno == EAGAIN) return {'?', {}};
  if (got <= 0) return {};
  bytes.resize(static_cast<size_t>(got));
  return {bytes[0], bytes.substr(1)};
}

}  // namespace gpusight::launch
