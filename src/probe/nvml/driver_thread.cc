// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/driver_thread.h"

#include <pthread.h>

#include <chrono>
#include <utility>

namespace gpusight::nvml {
namespace {

// How long the owner, when it goes, waits for a call that has not been called hanging yet.
constexpr std::chrono::milliseconds kFarewell(500);

}  // namespace

struct DriverThread::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_ptr<CardReader> reader;
  Moment moment;
  double last_reading_seconds = 0;
  bool busy = false;      // a reading was asked for and is not finished
  bool stop = false;      // the owner goes and waits for the thread
  bool orphaned = false;  // the owner has gone: the thread frees this
};

DriverThread::DriverThread(std::unique_ptr<CardReader> reader) : state_(new State) {
  state_->reader = std::move(reader);
  thread_ = std::thread(Loop, state_.get());
  pthread_setname_np(thread_.native_handle(), "gpusight-nvml");
}

DriverThread::~DriverThread() {
  std::unique_lock lock(state_->mutex);
  const auto free = [&] { return !state_->busy; };
  if (!free() && (late_ || !state_->changed.wait_for(lock, kFarewell, free))) {
    state_->orphaned = true;
    state_->reader->Abandon();
    lock.unlock();
    thread_.detach();
    [[maybe_unused]] State* its_own = state_.release();
    return;
  }
  state_->stop = true;
  state_->changed.notify_all();
  lock.unlock();
  thread_.join();
}

CardReader& DriverThread::reader() { return *state_->reader; }

double DriverThread::last_reading_seconds() const {
  const std::lock_guard lock(state_->mutex);
  return state_->last_reading_seconds;
}

bool DriverThread::Ask(Moment now, double patience) {
  const std::chrono::duration<double> wait(patience);
  const auto free = [&] { return !state_->busy; };
  std::unique_lock lock(state_->mutex);
  if (!free()) {
    // Either an earlier reading hangs, or samples are being saved, which takes milliseconds.
    if (late_ || !state_->changed.wait_for(lock, wait, free)) {
      late_ = true;
      return false;
    }
  }
  state_->moment = now;
  state_->busy = true;
  lock.unlock();  // else the thread would wake only to wait for it
  state_->changed.notify_all();
  return true;
}

bool DriverThread::Await(double patience) {
  std::unique_lock lock(state_->mutex);
  late_ = !state_->changed.wait_for(lock, std::chrono::duration<double>(patience),
                                    [&] { return !state_->busy; });
  return !late_;
}

void DriverThread::Loop(State* state) {
  const std::chrono::duration<double> rescue_period(Rings::kRescuePeriod);
  std::unique_lock lock(state->mutex);
  Moment now{};
  bool idle = true;  // nothing was asked yet
  while (true) {
    const auto asked = [&] { return state->busy || state->stop; };
    if (idle || !state->reader->needs_rescue()) {
      state->changed.wait(lock, asked);
    } else if (!state->changed.wait_for(lock, rescue_period, asked)) {
      // This thread has no clock: it adds up how long it has waited.
      const auto waited = static_cast<int64_t>(Rings::kRescuePeriod * 1e9);
      now.mono.ns += waited;
      now.wall.ns += waited;
      state->busy = true;
      lock.unlock();
      state->reader->Rescue(now);
      lock.lock();
      state->busy = false;
      state->changed.notify_all();
      if (!state->orphaned) continue;
    }
    if (state->orphaned || state->stop) break;
    now = state->moment;
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    state->reader->Read(now);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    lock.lock();
    state->last_reading_seconds = took.count();
    state->busy = false;
    idle = false;
    if (state->orphaned) break;
    lock.unlock();  // else the owner would wake only to wait for it
    state->changed.notify_all();
    lock.lock();
  }
  const bool mine = state->orphaned;
  lock.unlock();
  if (mine) delete state;
}

}  // namespace gpusight::nvml
