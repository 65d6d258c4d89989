// SPDX-License-Identifier: Apache-2.0
// Everything that the screen depends on: the newest frame, the past of the devices, and what the
// user chose. Update() (update.h) changes it, Render() (render.h) draws it; neither knows a
// terminal, a clock or a driver. Next: layout.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/language.h"
#include "model/finding.h"
#include "model/frame.h"
#include "tui/columns.h"
#include "tui/geometry.h"
#include "tui/history.h"
#include "tui/io_rates.h"

namespace gpusight::tui {

// What cannot change while the screen runs.
struct Settings {
  Language language = Language::kEnglish;
  bool ascii = false;
  bool read_only = false;
  bool snapshot = false;             // one screen as text: nobody can press a key
  bool recorded = false;             // a recorded machine: its processes do not run here
  std::vector<std::string> devices;  // UUIDs to show; empty: all
};

enum class Mode : uint8_t {
  kMain,
  kSearch,   // typing into the last line
  kFilter,   //
  kHelp,     // pages over the whole screen
  kProcess,  //
  kDevice,   //
  kSort,     // dialogs in the middle
  kColumns,  //
  kSignal,   //
  kConfirm,  //
};
[[nodiscard]] inline bool IsPage(Mode mode) {
  return mode == Mode::kHelp || mode == Mode::kProcess || mode == Mode::kDevice;
}
[[nodiscard]] inline bool IsDialog(Mode mode) {
  return mode == Mode::kSort || mode == Mode::kColumns || mode == Mode::kSignal ||
         mode == Mode::kConfirm;
}

// A line of the process table.
struct TableRow {
  size_t process = 0;  // position in Frame::processes
  std::string branch;  // what the tree draws in front of the command
};

// Whom a signal is for. Fixed when the dialog opens, so that the list may move below it.
struct SignalTarget {
  ProcessKey key;
  std::string user, command;
};

// Where a recording stands that is played instead of a live machine.
struct Playback {
  WallTime begin, end;    // of the recording
  double speed = 1;       // seconds of the recording per second
  bool finished = false;  // its last frame is on the screen
};

struct State {
  Settings settings;
  Size size;
  WallTime now;
  MonoTime mono;
  double interval = 1;  // seconds between frames that we asked for

  // Data
  bool has_frame = false;
  Frame frame;
  MonoTime frame_arrived;
  MonoTime started;
  History history;
  IoRates io;
  std::vector<Finding> findings;  // that hold now, those to act upon first coming first
  bool paused = false;
  std::optional<Playback> playback;

  // Devices
  std::string focus;     // DeviceKey of the only one to show; empty: all
  int first_device = 0;  // of those that fit, when not all do
  size_t zoom = 0;       // position in DotSpans(); see Update(Interval)

  // Processes
  std::vector<TableRow> rows;
  int most_rows = 0;  // rows that the table was seen to need; keeps the layout from wobbling
  ProcessKey selected;
  int selected_row = 0;  // where it is, or was when it vanished
  int first_row = 0;
  int command_offset = 0;
  Column sort = Column::kMemory;
  bool falling = true;
  ColumnSet columns = DefaultColumns();
  bool tree = false;
  bool all = false;
  std::string filter, search;

  // Pages and dialogs
  Mode mode = Mode::kMain;
  std::string input;
  std::string input_before;  // what Esc brings back
  int scroll = 0;            // first line of a page
  ProcessKey opened;         // the process of the process page, also after it ended
  int choice = 0;            // selected line of a dialog
  SignalTarget target;
  int signal = 0;
  std::string message;  // in the last line, for a while
  bool message_bad = false;
  MonoTime message_until;
};

// Positions in frame.devices that are shown: --device and the focus.
[[nodiscard]] std::vector<size_t> ShownDevices(const State& state);
// The same without the focus.
[[nodiscard]] std::vector<size_t> ChosenDevices(const State& state);
[[nodiscard]] bool Shows(const State& state, size_t device);

// Null when it is not in the frame.
[[nodiscard]] const ProcessSample* FindProcess(const State& state, const ProcessKey& key);
[[nodiscard]] const ProcessSample* SelectedProcess(const State& state);

// Seconds since the process was started. On a recorded machine the clock of the recording counts.
[[nodiscard]] Known<double> AgeOf(const State& state, const ProcessSample& process);

// Seconds that the driver (or our own sampler) has been silent; 0 while all is well.
struct Silence {
  double seconds = 0;
  bool driver = false;  // the driver hangs; otherwise frames stopped coming
};
[[nodiscard]] Silence SilenceOf(const State& state);

// The spans, in seconds, that one dot of a chart can stand for.
[[nodiscard]] const std::vector<double>& DotSpans();
// The span that suits an interval between frames.
[[nodiscard]] size_t DefaultZoom(double interval);

}  // namespace gpusight::tui
