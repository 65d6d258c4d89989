// SPDX-License-Identifier: Apache-2.0
#include "tui/terminal_ncurses.h"

// ncurses' wide interface; its macros stay in this file.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cwchar>

#include "base/text.h"
#include "model/text/top.h"
#include "tui/terminal_guard.h"
#include "tui/terminal_rescue.h"

namespace gpusight::tui {
namespace {

constexpr int64_t kDoubleClickNs = 400'000'000;
constexpr int kEscapeDelayMs = 25;  // an Esc that is followed by nothing is the key

attr_t AttributesOf(uint8_t bits) {
  attr_t attributes = A_NORMAL;
  if (bits & kBold) attributes |= A_BOLD;
  if (bits & kUnderline) attributes |= A_UNDERLINE;
  if (bits & kReverse) attributes |= A_REVERSE;
  return attributes;
}

short PairOf(Role role) { return static_cast<short>(static_cast<int>(role) + 1); }

ColorDepth StartColors() {
  if (!has_colors() || start_color() == ERR) return ColorDepth::kNone;
  use_default_colors();
  const ColorDepth depth = COLORS >= 256 ? ColorDepth::k256 : ColorDepth::k8;
  for (int i = 0; i < static_cast<int>(Role::kCount); ++i) {
    const Ink ink = InkFor(static_cast<Role>(i), depth);
    init_pair(PairOf(static_cast<Role>(i)), static_cast<short>(ink.foreground),
              static_cast<short>(ink.background));
  }
  return depth;
}

std::optional<Key> KeyOfCode(wint_t code) {
  switch (code) {
    case KEY_UP:
      return Key{KeyCode::kUp, 0, 0};
    case KEY_DOWN:
      return Key{KeyCode::kDown, 0, 0};
    case KEY_LEFT:
      return Key{KeyCode::kLeft, 0, 0};
    case KEY_RIGHT:
      return Key{KeyCode::kRight, 0, 0};
    case KEY_PPAGE:
      return Key{KeyCode::kPageUp, 0, 0};
    case KEY_NPAGE:
      return Key{KeyCode::kPageDown, 0, 0};
    case KEY_HOME:
    case KEY_A1:
      return Key{KeyCode::kHome, 0, 0};
    case KEY_END:
    case KEY_C1:
      return Key{KeyCode::kEnd, 0, 0};
    case KEY_ENTER:
      return Key{KeyCode::kEnter, 0, 0};
    case KEY_BACKSPACE:
      return Key{KeyCode::kBackspace, 0, 0};
    case KEY_DC:
      return Key{KeyCode::kDelete, 0, 0};
    default:
      if (code >= KEY_F(1) && code <= KEY_F(12)) {
        return Key{KeyCode::kFunction, 0, static_cast<int>(code) - KEY_F0};
      }
      return std::nullopt;
  }
}

Key KeyOfCharacter(wint_t c) {
  switch (c) {
    case L'\r':
    case L'\n':
      return {KeyCode::kEnter, 0, 0};
    case L'\t':
      return {KeyCode::kTab, 0, 0};
    case 27:
      return {KeyCode::kEscape, 0, 0};
    case 8:
    case 127:
      return {KeyCode::kBackspace, 0, 0};
    default:
      if (c > 0 && c < 27) {
        return {KeyCode::kControl, static_cast<char32_t>(c - 1 + U'a'), 0};
      }
      return {KeyCode::kCharacter, static_cast<char32_t>(c), 0};
  }
}

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::Open(const TerminalOptions& options) {
  PrepareRescue();
  // The terminal itself knows its size; COLUMNS=1e9 would be one that has no room in memory.
  use_env(FALSE);
  use_tioctl(TRUE);
  const std::string type = options.type.empty() ? "dumb" : options.type;
  int found = 0;
  bool has_cursor = true;  // if curses does not know the type, it says so below
  if (setupterm(type.c_str(), STDOUT_FILENO, &found) == OK) {
    has_cursor = cursor_address != nullptr;
    del_curterm(cur_term);
  }
  if (!has_cursor) {
    return Fail(ErrorCode::kUsage, Say(options.language, text::kTopDumbTerminal, Printable(type)),
                Say(options.language, text::kTopDumbTerminalRemedy));
  }
  if (newterm(type.c_str(), stdout, stdin) == nullptr) {
    return Fail(ErrorCode::kUsage,
                Say(options.language, text::kTopUnknownTerminal, Printable(type)),
                Say(options.language, text::kTopUnknownTerminalRemedy));
  }
  std::unique_ptr<Terminal> terminal(new Terminal());
  // From here on every ERR is about looks only.
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(kEscapeDelayMs);
  curs_set(0);
  leaveok(stdscr, TRUE);
  mouseinterval(0);  // clicks are told from presses here, without waiting
  mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
  if (options.color) terminal->depth_ = StartColors();
  ArmRescue();
  ArmGuard();
  return terminal;
}

Terminal::~Terminal() {
  DisarmRescue();
  mousemask(0, nullptr);
  endwin();
  DisarmGuard();
}

Size Terminal::MeasureSize() {
  winsize measured{};
  Size size{80, 24};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &measured) == 0 && measured.ws_col > 0 &&
      measured.ws_row > 0) {
    size = {measured.ws_col, measured.ws_row};
  }
  if (size.width != getmaxx(stdscr) || size.height != getmaxy(stdscr)) {
    resizeterm(size.height, size.width);
    Redraw();
  }
  return size;
}

void Terminal::Redraw() { stale_ = true; }

void Terminal::Put(const Canvas& canvas, int column, int row) {
  const Cell& cell = canvas.at(column, row);
  if (cell.width == 0) return;  // written with its left half
  const Ink ink = InkFor(cell.style.role, depth_);
  const attr_t attributes =
      AttributesOf(static_cast<uint8_t>(ink.attributes | cell.style.attributes));
  const short pair = depth_ == ColorDepth::kNone ? short{0} : PairOf(cell.style.role);
  wchar_t text[4] = {};
  for (size_t i = 0; i < cell.points.size(); ++i) text[i] = static_cast<wchar_t>(cell.points[i]);
  // A character that this locale cannot print, or of another width than we counted with, would
  // shift the rest of the line.
  if (wcwidth(text[0]) != cell.width) {
    text[0] = L'?';
    text[1] = 0;
  }
  cchar_t out;
  if (setcchar(&out, text, attributes, pair, nullptr) == ERR) {
    wchar_t plain[2] = {text[0], 0};
    setcchar(&out, plain, attributes, pair, nullptr);
  }
  mvadd_wch(row, column, &out);
  if (cell.width == 2 && text[0] == L'?') mvaddch(row, column + 1, ' ');
}

size_t Terminal::Show(const Canvas& canvas) {
  if (stale_) {
    shown_ = Canvas();
    erase();
    clearok(stdscr, TRUE);
    stale_ = false;
  }
  size_t sent = 0;
  for (const CellRun& run : Changes(shown_, canvas)) {
    for (int i = 0; i < run.length; ++i) Put(canvas, run.column + i, run.row);
    sent += static_cast<size_t>(run.length);
  }
  if (sent > 0) refresh();
  shown_ = canvas;
  return sent;
}

std::optional<Input> Terminal::Read(MonoTime now) {
  for (;;) {
    wint_t code = 0;
    const int kind = get_wch(&code);
    if (kind == OK) return KeyOfCharacter(code);
    if (kind != KEY_CODE_YES) return std::nullopt;
    if (code == KEY_MOUSE) {
      if (auto mouse = ReadMouse(now)) return mouse;
      continue;
    }
    if (auto key = KeyOfCode(code)) return *key;
    // A key without a meaning here: look at the next.
  }
}

std::optional<Input> Terminal::ReadMouse(MonoTime now) {
  MEVENT event{};
  if (getmouse(&event) != OK) return std::nullopt;
  Mouse mouse{MouseAction::kClick, event.x, event.y};
  if (event.bstate & BUTTON4_PRESSED) {
    mouse.action = MouseAction::kWheelUp;
  } else if (event.bstate & BUTTON5_PRESSED) {
    mouse.action = MouseAction::kWheelDown;
  } else if (event.bstate & BUTTON1_PRESSED) {
    const bool again =
        event.x == last_column_ && event.y == last_row_ && now - last_click_ < kDoubleClickNs;
    if (again) mouse.action = MouseAction::kDoubleClick;
    last_column_ = again ? -1 : event.x;
    last_row_ = event.y;
    last_click_ = now;
  } else {
    return std::nullopt;
  }
  return mouse;
}

void Terminal::Leave() {
  def_prog_mode();
  endwin();
  DisarmGuard();
}

void Terminal::Return() {
  reset_prog_mode();
  ArmGuard();
  Redraw();
}

}  // namespace gpusight::tui
