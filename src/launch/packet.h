// SPDX-License-Identifier: Apache-2.0
// What the launcher and the recorder say to each other: a letter and some bytes, in one packet of
// their SOCK_SEQPACKET. Neither ever waits for the other.
#pragma once

#include <string>
#include <string_view>

namespace gpusight::launch {

struct Packet {
  char type = 0;  // 0: the other end is gone; '?': nothing is there just now
  std::string bytes;
};

// False when it cannot be sent at once.
bool SendPacket(int channel, char type, std::string_view bytes);
[[nodiscard]] Packet ReceivePacket(int channel);

}  // namespace gpusight::launch
