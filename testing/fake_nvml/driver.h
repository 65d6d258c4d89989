// SPDX-License-Identifier: Apache-2.0
// The one driver of the process: the scenario, the time in it, who has initialised it, and the
// counters. A Session is one call into it: it counts, waits where the scenario says so, finds the
// device and the answer. The exported functions (nvml_*.cc) are a few lines each on top of it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "testing/fake_nvml/device_read.h"
#include "testing/fake_nvml/scenario.h"

namespace gpusight::fake {

using nvml::Return;

// Never destroyed: a thread may hang inside a call when the process ends.
class Driver {
 public:
  static Driver& Get();

  // Reads the scenario that GPUSIGHT_FAKE_SCENARIO names unless it is loaded already, counts the
  // users. Waits, fails and counts like any call.
  Return Init(Call call, unsigned flags);
  Return Shutdown();

  // For tests, through the exported functions.
  Return Reload(const char* path);
  void SetTime(double seconds);
  uint64_t Calls(Call call) const { return calls_[static_cast<size_t>(call)].load(); }
  void WriteCalls() const;  // to the file that GPUSIGHT_FAKE_CALLS names

 private:
  friend class Session;
  Driver();
  double Now() const;             // of the scenario; needs the mutex
  Return Load(const char* path);  // needs the mutex

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // time or scenario
  std::shared_ptr<const Scenario> scenario_;
  std::string loaded_path_;
  std::chrono::steady_clock::time_point loaded_at_;
  double wall_at_load_ = 0;
  std::optional<double> set_time_;
  int users_ = 0;
  int pid_ = 0;                       // of the process that initialised: a forked child has not
  bool attached_ = true;              // nvmlInitWithFlags(2) shows no devices
  std::set<nvml::Device> given_out_;  // handles, since the last init
  std::vector<uint64_t> rule_uses_;
  bool session_lost_ = false;  // an "until_init" rule has struck
  std::array<std::atomic<uint64_t>, kCallCount> calls_{};

 public:
  // State of the calls that keep some (nvml_events.cc, nvml_gpm.cc); under the session's lock.
  struct EventSetState {
    std::vector<std::pair<int, uint64_t>> registered;  // device, mask
    size_t next = 0;                                   // position in the scenario's events
  };
  std::map<uint64_t, EventSetState> event_sets;
  struct GpmSampleState {
    int device = -1;
    int gpu_instance = -1;
    double time = 0;
  };
  std::map<uint64_t, GpmSampleState> gpm_samples;
  uint64_t next_object = 1;
};

// What the driver gives out are pointers to something that nobody looks at; here they are numbers.
template <typename Pointer>
[[nodiscard]] Pointer AsPointer(uint64_t number) {
  return reinterpret_cast<Pointer>(static_cast<uintptr_t>(number));  // NOLINT(*-int-to-ptr)
}

// A handle is a number: device + 1, and for a MIG instance its position + 1 above bit 16.
[[nodiscard]] nvml::Device MakeHandle(int device, int mig = -1);

// As the driver does: kInsufficientSize, and nothing written, when it does not fit.
[[nodiscard]] Return CopyText(const std::string& from, char* text, size_t size);

// One call. Holds the driver's lock from its construction, except while it waits.
class Session {
 public:
  struct NoDevice {};
  // A call without a device.
  Session(Call call, NoDevice, uint64_t parameters = 0);
  Session(Call call, nvml::Device handle, uint64_t parameters = 0);
  // A call that looks for a device itself: Aim() at what it found, -1 for none.
  struct Unaimed {};
  Session(Call call, Unaimed);
  Return Aim(Call call, int device);

  // What stands in the way: not initialised, a bad handle, a rule's code, the recorded code, or
  // kNotSupported when nothing was recorded; kSuccess otherwise.
  Return code() const;
  // The same for calls that make their own answer and so need no record.
  Return CodeBesideRecord() const;
  bool replaced() const { return replaced_; }  // a rule gives the value

  double now() const { return now_; }
  uint64_t Wall(double time) const;  // µs since 1970, as the driver dates it now
  const Scenario& scenario() const { return *scenario_; }
  int index() const { return device_; }
  const DeviceSpec& device() const { return scenario_->devices[static_cast<size_t>(device_)]; }
  const MigInstance* mig() const {
    return mig_ < 0 ? nullptr : &device().mig[static_cast<size_t>(mig_)];
  }
  Driver& driver() { return driver_; }
  double Refresh();                // takes the time and the scenario of this moment
  void Pause(double seconds);      // lets others in, at most that long or until the time is set
  bool Present(int device) const;  // on the bus now
  void GaveOut(nvml::Device handle);

  template <typename T>
  T Get(size_t item) const {
    return entry_ == nullptr ? T{} : ItemOf<T>(*entry_, item, now_);
  }
  size_t ItemCount() const { return entry_ == nullptr ? 0 : entry_->recorded.items.size(); }
  Return Text(char* text, size_t size) const;
  // The answer to another key of the same device: one field or metric of many.
  const Entry* Find(Key key) const;

  template <typename T>
  static T ItemOf(const Entry& entry, size_t item, double now) {
    const bool recorded = item < entry.recorded.items.size();
    for (const Moving& moving : entry.moving) {
      if (moving.item != item) continue;
      if (!moving.integral) return NumberOf<T>(moving.track.At(now) * moving.scale);
      const double moved = moving.track.Integral(now) * moving.scale;
      const double base = recorded ? NumberOf<double>(entry.recorded.items[item]) : 0;
      return static_cast<T>(NumberOf<uint64_t>(base + moved));
    }
    return recorded ? NumberOf<T>(entry.recorded.items[item]) : T{};
  }

 private:
  bool Begin(Call call);  // false: something stands in the way already
  bool FindDevice(nvml::Device handle);
  void Answer(Call call, uint64_t parameters);
  bool WaitFor(const Rule& rule);
  bool Applies(const Rule& rule, size_t number, Key key) const;

  Driver& driver_;
  std::unique_lock<std::mutex> lock_;
  std::shared_ptr<const Scenario> scenario_;
  int device_ = -1, mig_ = -1;
  double now_ = 0;
  Return blocked_ = nvml::kSuccess;
  bool replaced_ = false;
  const Entry* entry_ = nullptr;
};

// The common getter: every out-parameter is one item of the answer.
template <typename... Out>
Return Answered(Call call, nvml::Device handle, uint64_t parameters, Out*... out) {
  const Session session(call, handle, parameters);
  if (session.code() != nvml::kSuccess) return session.code();
  if ((false || ... || (out == nullptr))) return nvml::kInvalidArgument;
  size_t item = 0;
  ((*out = session.Get<Out>(item++)), ...);
  return nvml::kSuccess;
}

}  // namespace gpusight::fake
