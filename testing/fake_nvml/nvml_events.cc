// SPDX-License-Identifier: Apache-2.0
// Exported: events. A set delivers the scenario's events from the moment of registration on.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "testing/fake_nvml/driver.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

using State = Driver::EventSetState;

uint64_t Number(EventSet set) { return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(set)); }

State* FindSet(Driver& driver, EventSet set) {
  const auto found = driver.event_sets.find(Number(set));
  return found == driver.event_sets.end() ? nullptr : &found->second;
}

bool Wanted(const State& state, const EventSpec& event) {
  return std::any_of(state.registered.begin(), state.registered.end(), [&](const auto& r) {
    return r.first == event.device && (r.second & event.type) != 0;
  });
}

// Waits for the next event; the scenario's time runs, or is moved by a test, meanwhile.
Return Wait(Call call, EventSet set, unsigned timeout_ms, EventSpec& out) {
  Session session(call, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  while (true) {
    State* state = FindSet(session.driver(), set);
    if (state == nullptr) return kInvalidArgument;
    const auto& events = session.scenario().events;
    const double now = session.Refresh();
    double next = INFINITY;
    for (; state->next < events.size(); ++state->next) {
      const EventSpec& event = events[state->next];
      if (event.at > now) {
        next = event.at - now;
        break;
      }
      if (!Wanted(*state, event)) continue;
      out = event;
      ++state->next;
      return kSuccess;
    }
    const double left =
        std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return kTimeout;
    session.Pause(std::min(left, next / session.scenario().time_speed));
  }
}

void Put(const EventSpec& event, EventData& data) {
  data.device = MakeHandle(event.device);
  data.type = event.type;
  data.data = event.data;
}

}  // namespace

extern "C" {

Return nvmlEventSetCreate(EventSet* set) {
  Session session(Call::nvmlEventSetCreate, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  if (set == nullptr) return kInvalidArgument;
  const uint64_t number = session.driver().next_object++;
  session.driver().event_sets[number] = {};
  *set = AsPointer<EventSet>(number);
  return kSuccess;
}

Return nvmlEventSetFree(EventSet set) {
  Session session(Call::nvmlEventSetFree, Session::NoDevice{});
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  return session.driver().event_sets.erase(Number(set)) == 0 ? kInvalidArgument : kSuccess;
}

Return nvmlDeviceRegisterEvents(Device h, unsigned long long mask, EventSet set) {
  Session session(Call::nvmlDeviceRegisterEvents, h);
  if (session.CodeBesideRecord() != kSuccess) return session.CodeBesideRecord();
  State* state = FindSet(session.driver(), set);
  if (state == nullptr || session.mig() != nullptr) return kInvalidArgument;
  const Entry* supported = session.Find({Call::nvmlDeviceGetSupportedEventTypes, 0});
  if (supported == nullptr || supported->recorded.code != kSuccess) return kNotSupported;
  const auto bits = Session::ItemOf<uint64_t>(*supported, 0, session.now());
  if ((mask & ~(bits | 0xffffu)) != 0) return kNotSupported;
  if (state->registered.empty()) {
    const auto& events = session.scenario().events;
    while (state->next < events.size() && events[state->next].at <= session.now()) ++state->next;
  }
  state->registered.emplace_back(session.index(), mask);
  return kSuccess;
}

Return nvmlEventSetWait_v2(EventSet set, EventData* data, unsigned timeout_ms) {
  if (data == nullptr) return kInvalidArgument;
  EventSpec event;
  const Return result = Wait(Call::nvmlEventSetWait_v2, set, timeout_ms, event);
  if (result != kSuccess) return result;
  Put(event, *data);
  data->gpu_instance = event.gpu_instance;
  data->compute_instance = event.compute_instance;
  return kSuccess;
}

// The first generation writes only what its 24-byte structure had.
Return nvmlEventSetWait(EventSet set, EventData* data, unsigned timeout_ms) {
  if (data == nullptr) return kInvalidArgument;
  EventSpec event;
  const Return result = Wait(Call::nvmlEventSetWait, set, timeout_ms, event);
  if (result == kSuccess) Put(event, *data);
  return result;
}

}  // extern "C"

}  // namespace gpusight::nvml
