// SPDX-License-Identifier: Apache-2.0
// The terminal, driven by ncurses: takes canvases and sends the cells that changed, gives keys and
// mouse. Everything cosmetic that a terminal refuses is ignored. The terminal is put back when the
// object goes, and also by a handler when the program crashes. Only one can exist at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/clock.h"
#include "base/language.h"
#include "base/result.h"
#include "tui/canvas.h"
#include "tui/keys.h"
#include "tui/palette.h"

namespace gpusight::tui {

struct TerminalOptions {
  std::string type;  // $TERM
  bool color = true;
  Language language = Language::kEnglish;  // of its complaints
};

using Input = std::variant<Key, Mouse>;

// Not thread-safe. Uses standard input and output, which must be a terminal. The caller sets the
// locale before and keeps the signals SIGINT, SIGTSTP, SIGWINCH and so on for itself.
class Terminal {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Terminal>> Open(const TerminalOptions& options);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // As the kernel says now; call again after SIGWINCH. 80x24 when it does not know.
  Size MeasureSize();

  // Returns how many cells were sent.
  size_t Show(const Canvas& canvas);

  // Forget what is on the screen: the next Show() draws all of it.
  void Redraw();

  // The next key or mouse action that has arrived; nullopt when there is none. `now` tells a
  // double click from two.
  std::optional<Input> Read(MonoTime now);

  // Gives the terminal back to the shell, and takes it again.
  void Leave();
  void Return();

  ColorDepth depth() const { return depth_; }

 private:
  Terminal() = default;
  std::optional<Input> ReadMouse(MonoTime now);
  void Put(const Canvas& canvas, int column, int row);

  ColorDepth depth_ = ColorDepth::kNone;
  Canvas shown_;
  bool stale_ = true;
  MonoTime last_click_;
  int last_column_ = -1, last_row_ = -1;
};

}  // namespace gpusight::tui
