// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/driver.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace gpusight::fake {

namespace {

using Steady = std::chrono::steady_clock;

double WallNow() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

// Calls that the driver refuses on a GPU whose MIG mode is on.
bool NotUnderMig(Call call, uint64_t parameters) {
  switch (call) {
    case Call::nvmlDeviceGetUtilizationRates:
    case Call::nvmlDeviceGetDynamicPstatesInfo:  // supposed, not seen
    case Call::nvmlDeviceGetEncoderUtilization:
    case Call::nvmlDeviceGetDecoderUtilization:
    case Call::nvmlDeviceGetJpgUtilization:
    case Call::nvmlDeviceGetOfaUtilization:
    case Call::nvmlDeviceGetProcessUtilization:
    case Call::nvmlDeviceGetProcessesUtilizationInfo:
      return true;
    case Call::nvmlDeviceGetSamples:
      return parameters != nvml::kTotalPowerSamples;
    default:
      return false;
  }
}

bool IsLifeCycle(Call call) {
  return call == Call::nvmlInit || call == Call::nvmlInit_v2 || call == Call::nvmlInitWithFlags;
}

// The driver waits in the kernel with the processor busy, so the fake does.
void Spin(double seconds) {
  const auto end = Steady::now() + std::chrono::duration<double>(seconds);
  while (Steady::now() < end) {
  }
}

}  // namespace

Driver::Driver() = default;

Driver& Driver::Get() {
  static Driver* driver = new Driver;
  return *driver;
}

double Driver::Now() const {
  if (set_time_) return *set_time_;
  const double real = std::chrono::duration<double>(Steady::now() - loaded_at_).count();
  return scenario_->time_offset + real * scenario_->time_speed;
}

Return Driver::Load(const char* path) {
  if (path == nullptr || *path == '\0') {
    fmt::print(stderr,
               "fake libnvidia-ml: GPUSIGHT_FAKE_SCENARIO is not set; name a scenario file, for "
               "instance testdata/machines/h200-two-jobs/scenario.json\n");
    return nvml::kDriverNotLoaded;
  }
  std::string file = path;
  struct stat status{};
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) file += "/scenario.json";
  auto scenario = LoadScenario(file);
  if (!scenario) {
    fmt::print(stderr, "fake libnvidia-ml: {}\n", scenario.error().what);
    return nvml::kDriverNotLoaded;
  }
  scenario_ = std::make_shared<const Scenario>(std::move(*scenario));
  loaded_path_ = path;
  loaded_at_ = Steady::now();
  wall_at_load_ = WallNow();
  set_time_.reset();
  rule_uses_.assign(scenario_->rules.size(), 0);
  session_lost_ = false;
  event_sets.clear();
  gpm_samples.clear();
  changed_.notify_all();
  return nvml::kSuccess;
}

Return Driver::Init(Call call, unsigned flags) {
  {
    const std::lock_guard lock(mutex_);
    const char* path = std::getenv("GPUSIGHT_FAKE_SCENARIO");
    if (scenario_ == nullptr || (path != nullptr && users_ == 0 && loaded_path_ != path)) {
      const Return result = Load(path);
      if (result != nvml::kSuccess) return result;
    }
  }
  Session session(call, Session::NoDevice{});
  if (const Return result = session.CodeBesideRecord(); result != nvml::kSuccess) return result;
  if (pid_ != getpid() || session_lost_) users_ = 0;  // a forked child begins anew
  session_lost_ = false;
  if (users_++ == 0) {
    pid_ = getpid();
    attached_ = (flags & 2u) == 0;
    given_out_.clear();
  }
  return nvml::kSuccess;
}

Return Driver::Shutdown() {
  {
    Session session(Call::nvmlShutdown, Session::NoDevice{});
    if (const Return result = session.CodeBesideRecord(); result != nvml::kSuccess) return result;
    if (--users_ > 0) return nvml::kSuccess;
    given_out_.clear();
    event_sets.clear();
    gpm_samples.clear();
  }
  WriteCalls();
  return nvml::kSuccess;
}

Return Driver::Reload(const char* path) {
  const std::lock_guard lock(mutex_);
  return Load(path != nullptr ? path : std::getenv("GPUSIGHT_FAKE_SCENARIO"));
}

void Driver::SetTime(double seconds) {
  const std::lock_guard lock(mutex_);
  set_time_ = seconds;
  changed_.notify_all();
}

void Driver::WriteCalls() const {
  const char* path = std::getenv("GPUSIGHT_FAKE_CALLS");
  if (path == nullptr || *path == '\0') return;
  std::string text = "{";
  for (size_t i = 0; i < kCallCount; ++i) {
    const uint64_t count = calls_[i].load();
    if (count == 0) continue;
    text += fmt::format("{}\"{}\": {}", text.size() > 1 ? ",\n " : "",
                        CallName(static_cast<Call>(i)), count);
  }
  text += "}\n";
  FILE* file = std::fopen(path, "we");
  if (file == nullptr) {
    fmt::print(stderr, "fake libnvidia-ml: {}: cannot be written\n", path);
    return;
  }
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

nvml::Device MakeHandle(int device, int mig) {
  return AsPointer<nvml::Device>(static_cast<uint64_t>(device + 1) | static_cast<uint64_t>(mig + 1)
                                                                         << 16);
}

Session::Session(Call call, NoDevice, uint64_t parameters)
    : driver_(Driver::Get()), lock_(driver_.mutex_) {
  if (Begin(call)) Answer(call, parameters);
}

Session::Session(Call call, nvml::Device handle, uint64_t parameters)
    : driver_(Driver::Get()), lock_(driver_.mutex_) {
  if (Begin(call) && FindDevice(handle)) Answer(call, parameters);
}

Session::Session(Call call, Unaimed) : driver_(Driver::Get()), lock_(driver_.mutex_) {
  Begin(call);
}

Return Session::Aim(Call call, int device) {
  if (blocked_ != nvml::kSuccess) return blocked_;
  device_ = device;
  Answer(call, 0);
  return CodeBesideRecord();
}

bool Session::Begin(Call call) {
  ++driver_.calls_[static_cast<size_t>(call)];
  scenario_ = driver_.scenario_;
  const bool usable = driver_.users_ > 0 && driver_.pid_ == getpid();
  if (scenario_ == nullptr || (!usable && !IsLifeCycle(call))) {
    blocked_ = nvml::kUninitialized;
    return false;
  }
  now_ = driver_.Now();
  return true;
}

bool Session::FindDevice(nvml::Device handle) {
  const auto number = reinterpret_cast<uintptr_t>(handle);
  device_ = static_cast<int>(number & 0xffff) - 1;
  mig_ = static_cast<int>(number >> 16) - 1;
  const bool known = driver_.given_out_.count(handle) != 0 && device_ >= 0 &&
                     static_cast<size_t>(device_) < scenario_->devices.size() &&
                     (mig_ < 0 || static_cast<size_t>(mig_) < device().mig.size());
  if (!known) {
    device_ = mig_ = -1;
    blocked_ = nvml::kInvalidArgument;
  }
  return known;
}

bool Session::Present(int device) const {
  if (!driver_.attached_) return false;
  for (const Window& window : scenario_->devices[static_cast<size_t>(device)].absent) {
    if (window.Has(now_)) return false;
  }
  return true;
}

void Session::GaveOut(nvml::Device handle) { driver_.given_out_.insert(handle); }

bool Session::Applies(const Rule& rule, size_t number, Key key) const {
  const bool stuck = rule.until_init && driver_.session_lost_ && !IsLifeCycle(key.call);
  return (rule.calls[static_cast<size_t>(key.call)] ||
          std::find(rule.exact.begin(), rule.exact.end(), key) != rule.exact.end()) &&
         (stuck || rule.window.Has(now_)) && (rule.device < 0 || rule.device == device_) &&
         (rule.times == 0 || driver_.rule_uses_[number] < rule.times);
}

// False when another scenario was loaded meanwhile.
bool Session::WaitFor(const Rule& rule) {
  if (rule.delay > 0) {
    lock_.unlock();
    usleep(static_cast<useconds_t>(rule.delay * 1e6));
    lock_.lock();
  }
  const auto same = [&] { return driver_.scenario_ == scenario_; };
  while (rule.hang && same() && rule.window.Has(now_ = driver_.Now())) {
    const double left = (rule.window.until - now_) / scenario_->time_speed;
    if (driver_.set_time_ || !std::isfinite(left) || left > 1e6) {
      driver_.changed_.wait(lock_);
    } else {
      driver_.changed_.wait_for(lock_, std::chrono::duration<double>(left));
    }
  }
  return same();
}

double Session::Refresh() {
  scenario_ = driver_.scenario_;
  return now_ = driver_.Now();
}

void Session::Pause(double seconds) {
  driver_.changed_.wait_for(lock_, std::chrono::duration<double>(std::min(seconds, 1e6)));
}

void Session::Answer(Call call, uint64_t parameters) {
  if (device_ >= 0 && mig_ < 0) entry_ = device().Find({call, parameters});
  if (scenario_->quirks.recorded_latency && entry_ != nullptr && entry_->recorded.seconds > 0) {
    lock_.unlock();
    Spin(entry_->recorded.seconds);
    lock_.lock();
  }
  for (size_t i = 0; i < scenario_->rules.size(); ++i) {
    const Rule& rule = scenario_->rules[i];
    if (!Applies(rule, i, {call, parameters})) continue;
    ++driver_.rule_uses_[i];
    driver_.session_lost_ |= rule.until_init;
    if (!WaitFor(rule)) {
      blocked_ = nvml::kUninitialized;
      return;
    }
    if (!rule.answer) continue;
    blocked_ = static_cast<Return>(rule.answer->recorded.code);
    entry_ = &*rule.answer;
    replaced_ = true;
    break;
  }
  now_ = driver_.Now();
  if (replaced_ || device_ < 0) return;
  if (!Present(device_)) {
    blocked_ = nvml::kGpuIsLost;
  } else if (device().mig_mode && NotUnderMig(call, parameters)) {
    blocked_ = nvml::kNotSupported;
  }
}

Return Session::code() const {
  if (blocked_ != nvml::kSuccess) return blocked_;
  return entry_ == nullptr ? nvml::kNotSupported : static_cast<Return>(entry_->recorded.code);
}

Return Session::CodeBesideRecord() const {
  if (blocked_ != nvml::kSuccess || entry_ == nullptr) return blocked_;
  return static_cast<Return>(entry_->recorded.code);
}

const Entry* Session::Find(Key key) const {
  for (size_t i = 0; i < scenario_->rules.size(); ++i) {
    const Rule& rule = scenario_->rules[i];
    if (rule.answer && !rule.exact.empty() && Applies(rule, i, key)) return &*rule.answer;
  }
  return device().Find(key);
}

uint64_t Session::Wall(double time) const {
  const double start = scenario_->wall_start ? *scenario_->wall_start
                                             : driver_.wall_at_load_ - scenario_->time_offset;
  // Whole seconds apart from the rest, so that microseconds stay exact.
  const double whole = std::floor(start);
  int64_t us = static_cast<int64_t>(whole) * 1'000'000 + std::llround((start - whole) * 1e6) +
               std::llround(time * 1e6);
  for (const auto& [at, by_us] : scenario_->quirks.clock_steps) {
    if (now_ >= at) us += by_us;
  }
  return static_cast<uint64_t>(us);
}

Return CopyText(const std::string& from, char* text, size_t size) {
  if (text == nullptr) return nvml::kInvalidArgument;
  if (from.size() + 1 > size) return nvml::kInsufficientSize;
  std::memcpy(text, from.c_str(), from.size() + 1);
  return nvml::kSuccess;
}

Return Session::Text(char* text, size_t size) const {
  if (code() != nvml::kSuccess) return code();
  const auto& items = entry_->recorded.items;
  const auto* recorded = items.empty() ? nullptr : std::get_if<std::string>(&items.front());
  return recorded == nullptr ? nvml::kUnknown : CopyText(*recorded, text, size);
}

}  // namespace gpusight::fake
