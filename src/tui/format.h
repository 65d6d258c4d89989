// SPDX-License-Identifier: Apache-2.0
// Numbers as the screen shows them. What is not known becomes the glyph for "missing"; the reason
// stands on the detail pages. Next: line.h.
#pragma once

#include <string>

#include "base/language.h"
#include "model/frame.h"
#include "tui/glyphs.h"

namespace gpusight::tui {

// Whether it is a value that this device will never have: it needs no place on the screen.
[[nodiscard]] bool Never(const Known<double>& value);

[[nodiscard]] std::string Show(const Known<double>& value, Unit unit, const Glyphs& glyphs);
// "91%"
[[nodiscard]] std::string ShowPercent(const Known<double>& ratio, const Glyphs& glyphs);
// Text from outside, made safe; the reason in words when it is missing.
[[nodiscard]] std::string ShowText(const Known<std::string>& value, Language language,
                                   const Glyphs& glyphs);
// "112.4/140.4GiB": both in the unit of the second.
[[nodiscard]] std::string ShowBytesOf(const Known<double>& part, const Known<double>& whole,
                                      const Glyphs& glyphs);

// "1s", "500ms", "1m30s".
[[nodiscard]] std::string ShowSpan(double seconds);
// "x2", "x0.25".
[[nodiscard]] std::string ShowSpeed(double speed);
// "1:02:05": hours, minutes, seconds.
[[nodiscard]] std::string ShowPosition(double seconds);

[[nodiscard]] Text StateName(DeviceState state);
[[nodiscard]] Text StateExplanation(DeviceState state);
[[nodiscard]] Text RoleName(ProcessRole role);

// Why the clocks are held down: "power cap, heat (driver)"; empty when nothing holds them (idle
// and set clocks are no throttling).
[[nodiscard]] std::string ThrottleReasons(const DeviceSample& device, Language language);

// "0", or "0/7/0" for a MIG instance: GPU, GPU instance, compute instance.
[[nodiscard]] std::string DeviceLabel(const Frame& frame, size_t device);

}  // namespace gpusight::tui
