// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/card_reader.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "probe/nvml/errors.h"
#include "probe/nvml/memory.h"
#include "probe/nvml/read_device.h"

namespace gpusight::nvml {
namespace {

using F = DeviceField;
constexpr size_t At(F field) { return static_cast<size_t>(field); }

constexpr double kRefreshPeriod = 10;  // seconds
constexpr double kRestWithoutGpu = 10;
// A device that was reset may come back only to a new session. That costs the healthy ones an
// interval of GPM, so it is tried rarely.
constexpr double kReconnectPeriod = 300;

// What this thread has cost so far. Not the world's time: only for deciding what is worth asking.
double ThreadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

bool Passed(MonoTime now, MonoTime since, double seconds) {
  return since == kNever || static_cast<double>(now - since) * 1e-9 >= 0.95 * seconds;
}

}  // namespace

CardReader::CardReader(ProbeOptions options, const Root& root)
    : options_(std::move(options)), connection_(options_.library), devices_(root), lists_(root) {
  auto& wanted = options_.wanted;
  wanted.set(At(F::kMigMode));  // tells which devices there are
  // Without a link its traffic is not 0 but unknown.
  if (options_.wants(F::kNvlinkReceive) || options_.wants(F::kNvlinkTransmit))
    wanted.set(At(F::kNvlinkLinks));
  reads_memory_ = options_.processes || options_.wants(F::kMemoryTotal) ||
                  options_.wants(F::kMemoryUsed) || options_.wants(F::kMemoryFree) ||
                  options_.wants(F::kMemoryDriverReserved);
}

CardReader::~CardReader() {
  if (options_.leave_open) {
    watch_.LeaveRunning();
    connection_.LeaveLoaded();
  } else {
    Disconnect();
  }
}

Pass CardReader::PassFor(Moment now) {
  const double interval =
      previous_ == kNever ? 0 : static_cast<double>(now.mono - previous_) * 1e-9;
  return {connection_.driver(), options_,      now.mono, now.wall, interval, failures_, rejected_,
          ThreadCpuSeconds,     now.everything};
}

void CardReader::Disconnect() {
  if (!watch_.Stop(connection_.driver())) connection_.LeaveLoaded();
  devices_.Release(connection_.driver());
  lists_.Forget();
}

bool CardReader::Connect(Pass& pass) {
  if (connection_.open()) return true;
  if (devices_.AllAsleep(pass.wall)) return false;
  if (!connection_.Open(pass.mono)) {
    if (connection_.info().state != DriverState::kOk) {
      devices_.LoseAll(static_cast<Return>(connection_.info().code), pass.wall);
    }
    return false;
  }
  if (std::exchange(driver_lost_, false)) {
    devices_.events().push_back({EventType::kDriverReloaded, pass.wall, {}, 0});
  }
  const Return code = devices_.Enumerate(pass);
  if (code != kSuccess) {
    Disconnect();
    const bool none = code == kNotFound;
    connection_.Fail(pass.mono, none ? DriverState::kNoDevice : DriverStateOf(code), code);
    return false;
  }
  refreshed_ = pass.mono;
  lost_since_ = kNever;
  if (options_.events) Watch(connection_.driver());
  return true;
}

void CardReader::Watch(Driver& driver) {
  for (const auto& gpu : devices_.gpus()) {
    if (gpu->handle == nullptr || gpu->sample.is_mig_instance()) continue;
    const Return code = watch_.Subscribe(driver, gpu->handle);
    gpu->watched = code == kSuccess;
    gpu->not_watched = MissingOf(code);
  }
  watch_.Start(connection_.library().calls(), options_.leave_open);
}

void CardReader::TakeEvents(Pass& pass) {
  watch_.Fetch(fetched_);
  for (const EventData& data : fetched_) {
    for (const auto& gpu : devices_.gpus()) {
      if (gpu->handle != data.device) continue;
      EventType type = EventType::kXid;
      if (data.type == kEventSingleBitEcc) type = EventType::kEccCorrected;
      if (data.type == kEventDoubleBitEcc) type = EventType::kEccUncorrected;
      if (type == EventType::kXid) {
        ++gpu->xid_count;
        gpu->last_xid = static_cast<uint32_t>(data.data);
        gpu->sample.xids.push_back(gpu->last_xid);
      }
      devices_.events().push_back(
          {type, pass.wall, gpu->sample.info.uuid, static_cast<int64_t>(data.data)});
    }
  }
}

// The driver itself has gone in the middle of a reading; the next one tries to find it again.
void CardReader::Lose(Pass& pass, Return code) {
  devices_.LoseAll(code, pass.wall);
  Disconnect();
  connection_.Fail(pass.mono, DriverStateOf(code), code);
  driver_lost_ = true;
  uses_.clear();
}

Return CardReader::ReadGpu(Pass& pass, Gpu& gpu, uint16_t position) {
  Return code = ReadFields(pass, gpu);
  if (code == kSuccess && reads_memory_) code = ReadMemory(pass, gpu);
  if (code == kSuccess && options_.rings) code = gpu.rings.Read(pass, gpu);
  if (code == kSuccess && options_.gpm) code = gpu.gpm.Read(pass, gpu);
  if (code == kSuccess) code = gpu.links.Read(pass, gpu);
  if (code == kSuccess && options_.processes) {
    if (gpu.mig_on) {
      gpu.sample.process_count = Absence::kUnderMig;  // its instances list them
    } else {
      code = lists_.Read(pass, gpu, position, uses_);
      if (code == kSuccess && options_.process_use) code = gpu.use.Read(pass, gpu);
    }
  }
  if (gpu.watched) {
    gpu.sample.fields[DeviceField::kXidErrors] = static_cast<double>(gpu.xid_count);
    gpu.sample.fields[DeviceField::kLastXid] =
        gpu.xid_count > 0 ? Known<double>(gpu.last_xid) : Known<double>(Absence::kNotApplicable);
  } else {
    gpu.sample.fields[DeviceField::kXidErrors] = gpu.not_watched;
    gpu.sample.fields[DeviceField::kLastXid] = gpu.not_watched;
  }
  NoteWhatWasLeftOut(pass, gpu);
  return code;
}

Return CardReader::ReadInstance(Pass& pass, Gpu& gpu, uint16_t position) {
  Return code = ReadMemory(pass, gpu);
  if (code == kSuccess && options_.gpm) code = gpu.gpm.Read(pass, gpu);
  if (code == kSuccess && options_.processes) code = lists_.Read(pass, gpu, position, uses_);
  return code;
}

void CardReader::ReadAll(Pass& pass) {
  auto& gpus = devices_.gpus();
  for (size_t i = 0; i < gpus.size(); ++i) {
    Gpu& gpu = *gpus[i];
    if (devices_.LeaveAsleep(pass, gpu) || gpu.handle == nullptr) continue;
    const size_t first = uses_.size();
    const auto position = static_cast<uint16_t>(i);
    const Return code = gpu.sample.is_mig_instance() ? ReadInstance(pass, gpu, position)
                                                     : ReadGpu(pass, gpu, position);
    if (code == kSuccess) continue;
    if (IsSessionLost(code)) return Lose(pass, code);
    uses_.resize(first);
    devices_.Lose(gpu, code, pass.wall);
    if (lost_since_ == kNever) lost_since_ = pass.mono;
    watch_.ExpectStop();
  }
  // Nobody answers anything and it is not a refusal: the driver is there but useless, as in a
  // container that lost its device files. A new session tells what it is.
  if (pass.answers == 0 && pass.last_failure != kSuccess) return Lose(pass, pass.last_failure);
  connection_.Praise();
  MergeUses(uses_);
  for (const Use& use : uses_) {
    Known<double>& count = gpus[use.device]->sample.process_count;
    if (count) count = *count + 1;
  }
}

// Without a device to ask, the session is closed: an open one would keep the administrator from
// resetting the card, and a reset card shows up in a new session only.
void CardReader::RestUnlessUsable(Pass& pass) {
  const bool usable = devices_.AnyUsable();
  const bool stale = lost_since_ != kNever && Passed(pass.mono, lost_since_, kReconnectPeriod);
  if (usable && !stale) return;
  Disconnect();
  connection_.Rest(pass.mono, usable ? 0 : kRestWithoutGpu);
  lost_since_ = kNever;
}

void CardReader::Read(Moment now) {
  Pass pass = PassFor(now);
  uses_.clear();
  if (Connect(pass)) {
    if (Passed(now.mono, refreshed_, kRefreshPeriod)) {
      refreshed_ = now.mono;
      const Return code = devices_.Refresh(pass);
      if (code != kSuccess && IsSessionLost(code)) Lose(pass, code);
    }
    TakeEvents(pass);
    if (now.after_silence) {
      for (const auto& gpu : devices_.gpus()) gpu->gpm.Restart();
    }
    if (connection_.open()) ReadAll(pass);
    if (connection_.open()) RestUnlessUsable(pass);
  }
  previous_ = now.mono;
}

void CardReader::Rescue(Moment now) {
  if (!connection_.open() || !options_.rings) return;
  Pass pass = PassFor(now);
  for (const auto& gpu : devices_.gpus()) {
    const bool has_rings = gpu->handle != nullptr && !gpu->sample.is_mig_instance();
    if (has_rings && !devices_.LeaveAsleep(pass, *gpu)) {
      (void)gpu->rings.Rescue(pass, *gpu);  // if it fails, the next Read() finds out
    }
  }
}

}  // namespace gpusight::nvml
