// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/events.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace gpusight::nvml {
namespace {

// A wait that ends without an event costs 40 µs of CPU, so they are long where nobody will have to
// wait for their end.
constexpr unsigned kShortMs = 500, kLongMs = 20000;
constexpr std::chrono::milliseconds kGrace(500);
constexpr std::chrono::seconds kPauseAfterError(1);
constexpr size_t kMostWaiting = 1024;  // a storm of errors must not eat the memory

}  // namespace

struct EventWatch::State {
  std::mutex mutex;
  std::condition_variable changed;
  Return (*wait)(EventSet, EventData*, unsigned) = nullptr;
  EventSet set = nullptr;
  unsigned slice_ms = kShortMs;    // of the next wait
  unsigned current_ms = kShortMs;  // of the one that is going on
  std::vector<EventData> waiting;
  bool stop = false;
  bool ended = false;
  bool orphaned = false;  // the owner has gone: the thread frees this
};

EventWatch::EventWatch() = default;

EventWatch::~EventWatch() {
  Driver nobody;
  (void)Stop(nobody);
}

Return EventWatch::Subscribe(Driver& driver, Device device) {
  if (set_ == nullptr) {
    const Return code = driver.Ask(&Calls::nvmlEventSetCreate, &set_);
    if (code != kSuccess) {
      set_ = nullptr;
      return code;
    }
  }
  unsigned long long supported = 0;
  Return code = driver.Ask(&Calls::nvmlDeviceGetSupportedEventTypes, device, &supported);
  if (code != kSuccess) return code;
  const unsigned long long wanted =
      supported & (kEventXid | kEventSingleBitEcc | kEventDoubleBitEcc);
  if ((wanted & kEventXid) == 0) return kNotSupported;
  return driver.Ask(&Calls::nvmlDeviceRegisterEvents, device, wanted, set_);
}

void EventWatch::Start(const Calls& calls, bool long_waits) {
  if (set_ == nullptr || calls.nvmlEventSetWait_v2 == nullptr || thread_.joinable()) return;
  state_ = std::make_unique<State>();
  state_->wait = calls.nvmlEventSetWait_v2;
  state_->set = set_;
  state_->slice_ms = long_waits ? kLongMs : kShortMs;
  state_->waiting.reserve(kMostWaiting);
  thread_ = std::thread(Loop, state_.get());
  pthread_setname_np(thread_.native_handle(), "gpusight-xid");
}

bool EventWatch::Stop(Driver& driver) {
  bool ended = true;
  if (thread_.joinable()) {
    std::unique_lock lock(state_->mutex);
    state_->stop = true;
    state_->changed.notify_all();
    const auto patience = std::chrono::milliseconds(state_->current_ms) + kGrace;
    ended = state_->changed.wait_for(lock, patience, [&] { return state_->ended; });
    if (ended) {
      lock.unlock();
      thread_.join();
      state_.reset();
    } else {
      lock.unlock();
      Orphan();
    }
  }
  if (set_ != nullptr) driver.Ask(&Calls::nvmlEventSetFree, set_);
  set_ = nullptr;
  return ended;
}

void EventWatch::ExpectStop() {
  if (state_ == nullptr) return;
  const std::lock_guard lock(state_->mutex);
  state_->slice_ms = kShortMs;
}

void EventWatch::LeaveRunning() {
  if (thread_.joinable()) Orphan();
}

// The thread owns its state from here on and frees it when it comes back from the driver.
void EventWatch::Orphan() {
  std::unique_lock lock(state_->mutex);
  state_->stop = true;
  if (state_->ended) {
    lock.unlock();
    thread_.join();
    state_.reset();
    return;
  }
  state_->orphaned = true;
  [[maybe_unused]] State* its_own = state_.release();
  thread_.detach();
  set_ = nullptr;
}

void EventWatch::Fetch(std::vector<EventData>& out) {
  out.clear();
  if (state_ == nullptr) return;
  const std::lock_guard lock(state_->mutex);
  out.assign(state_->waiting.begin(), state_->waiting.end());
  state_->waiting.clear();
}

void EventWatch::Loop(State* state) {
  std::unique_lock lock(state->mutex);
  while (!state->stop) {
    const unsigned ms = state->current_ms = state->slice_ms;
    lock.unlock();
    EventData data{};
    const Return code = state->wait(state->set, &data, ms);
    lock.lock();
    if (code == kSuccess) {
      if (state->waiting.size() < kMostWaiting) state->waiting.push_back(data);
    } else if (code == kUninitialized || code == kInvalidArgument) {
      break;  // the session has gone
    } else if (code != kTimeout) {
      // A lost device makes the wait fail at once, again and again.
      state->changed.wait_for(lock, kPauseAfterError, [&] { return state->stop; });
    }
  }
  state->ended = true;
  state->changed.notify_all();
  const bool mine = state->orphaned;
  lock.unlock();
  if (mine) delete state;
}

}  // namespace gpusight::nvml
