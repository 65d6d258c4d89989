// SPDX-License-Identifier: Apache-2.0
#include "diagnose/collector.h"

#include <algorithm>
#include <cmath>

#include "diagnose/looks.h"
#include "diagnose/statistics.h"
#include "memory/oom_facts.h"
#include "model/sane_time.h"

namespace gpusight::diagnose {
namespace {

double Value(const Known<double>& known) { return known ? *known : kNotKnown; }

// Not known where either is.
double Least(double a, double b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : std::min(a, b);
}

void AddTo(double& sum, double value) {
  if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
}

const FrameworkSample* PageOf(const Frame& frame, const ProcessSample& process) {
  for (const FrameworkSample& framework : frame.frameworks) {
    if (framework.pid == process.pid) return &framework;
  }
  return nullptr;
}

const GpuUse* MainUse(const ProcessSample& process) {
  const GpuUse* best = nullptr;
  for (const GpuUse& use : process.uses) {
    if (use.device < 0) continue;
    if (best == nullptr ||
        use.fields[UseField::kMemory].value_or(0) > best->fields[UseField::kMemory].value_or(0)) {
      best = &use;
    }
  }
  return best;
}

bool IsRemote(std::string_view mount) {
  const std::string_view type = mount.substr(0, mount.find(' '));
  for (const std::string_view remote : {"nfs", "nfs4", "ceph", "lustre", "9p", "cifs", "smb3",
                                        "glusterfs", "gpfs", "beegfs", "virtiofs"}) {
    if (type == remote) return true;
  }
  return type.starts_with("fuse.") && type != "fuse.lxcfs" && type != "fuse.portal";
}

bool DescendsFrom(const Frame& frame, const ProcessSample& process, int ancestor) {
  int parent = process.pid;
  for (int depth = 0; depth < 64 && parent > 0; ++depth) {
    if (parent == ancestor) return true;
    const auto found = std::find_if(frame.processes.begin(), frame.processes.end(),
                                    [&](const ProcessSample& p) { return p.pid == parent; });
    if (found == frame.processes.end() || found->parent == parent) return false;
    parent = found->parent;
  }
  return false;
}

// Numbers for counters that are no ProcessField.
enum : int { kPeriods = 1000, kThrottledPeriods, kThrottledSeconds, kNetwork, kFirstDevice = 2000 };

}  // namespace

double Collector::Rate(Key key, int field, const Known<double>& value) {
  if (!value) return kNotKnown;
  const auto [place, fresh] = counters_.try_emplace({key, field}, *value, time_);
  if (fresh) return kNotKnown;
  const auto [before, then] = place->second;
  place->second = {*value, time_};
  if (*value < before || time_ <= then) return kNotKnown;
  return (*value - before) / (time_ - then);
}

bool Collector::Wanted(const Frame& frame, const ProcessSample& process) const {
  if (which_.pid != 0) return DescendsFrom(frame, process, which_.pid);
  return !which_.job_only || process.in_job;
}

void Collector::Add(const Frame& frame) {
  // A clock that jumps cannot disturb: the frame's own interval counts, or the steady clock.
  double dt = frame.interval_seconds;
  if (began_ && frame.mono.ns != 0 && last_mono_.ns != 0) {
    const double by_mono = static_cast<double>(frame.mono - last_mono_) * 1e-9;
    if (by_mono > 0 && by_mono < 86400) dt = by_mono;
  }
  last_mono_ = frame.mono;
  if (!(dt > 0) || dt > 86400) {
    if (began_) return;
    dt = 1;
  }
  if (began_) time_ += dt;
  began_ = true;
  last_time_ = time_;
  offset_ = frame.time.seconds() - time_;
  present_.clear();
  Forget();
  for (const ProcessSample& process : frame.processes) {
    const FrameworkSample* page = PageOf(frame, process);
    const bool works =
        !process.uses.empty() || (page != nullptr && process.role != ProcessRole::kLoaderWorker);
    if (works && !process.zombie && Wanted(frame, process)) AddSubject(frame, process, dt);
  }
}

// A screen may run for weeks: what is long gone must not pile up.
void Collector::Forget() {
  constexpr double kEvery = 60, kGone = 900;  // seconds
  constexpr size_t kMostSubjects = 256;
  if (time_ - forgot_ < kEvery) return;
  forgot_ = time_;
  std::erase_if(counters_, [&](const auto& entry) { return time_ - entry.second.second > kGone; });
  if (kept_.size() <= kMostSubjects) return;
  std::erase_if(kept_,
                [&](const auto& entry) { return time_ - entry.second->window.now() > kGone; });
}

void Collector::AddSubject(const Frame& frame, const ProcessSample& process, double dt) {
  std::unique_ptr<Kept>& slot = kept_[{process.pid, process.start_ticks}];
  if (!slot) {
    slot = std::make_unique<Kept>(scale_);
    slot->window.subject.pid = process.pid;
    slot->window.subject.start_ticks = process.start_ticks;
    if (process.start_time) {
      const double began = *process.start_time - offset_;
      if (std::isfinite(began) && began <= time_ && began > time_ - 365.0 * 86400) {
        slot->window.began = began;
      }
    }
  }
  Kept& kept = *slot;
  Window& window = kept.window;
  window.subject.rank = process.rank;
  Tick tick;
  tick.time = time_;
  tick.seconds = dt;
  const GpuUse* use = MainUse(process);
  int device = use != nullptr ? use->device : -1;
  const FrameworkSample* page = PageOf(frame, process);
  if (device < 0 && page != nullptr) {
    for (const AllocatorSample& allocator : page->allocators)
      device = std::max(device, allocator.device);
  }
  if (device >= static_cast<int>(frame.devices.size())) device = -1;
  if (device >= 0) Card(frame, process, device, dt, tick, kept);
  Tree(frame, process, tick, kept);
  Container(frame, process, tick);
  Pages(frame, process, device, tick, kept);
  window.Add(tick);
  present_.push_back(&window);
}

void Collector::Card(const Frame& frame, const ProcessSample& process, int number, double dt,
                     Tick& tick, Kept& kept) {
  using F = DeviceField;
  const DeviceSample& device = frame.devices[static_cast<size_t>(number)];
  kept.window.subject.device_uuid = device.info.uuid;
  const auto get = [&](F field) { return Value(device[field]); };
  // Of each process: two on one device both need the time since they were last looked at.
  const Key key{-1 - number, static_cast<uint64_t>(process.pid)};
  // The driver's samples come up to 14 s after their time; its own last word is of now. Measured on
  // an H200, it follows the SMs within a second.
  double busy = get(F::kUtilization);
  if (std::isnan(busy)) busy = get(F::kUtilizationMean);
  // Known in the few frames for which it was read.
  if (const double graphics = get(F::kGraphicsActivity);
      std::isnan(busy) && graphics > 0 && graphics <= 1) {
    busy = graphics;
  }
  tick[Signal::kIdle] = 1 - busy;
  tick[Signal::kSmActive] = get(F::kSmActivity);
  tick[Signal::kOccupancy] = get(F::kSmOccupancy);
  tick[Signal::kTensor] = get(F::kTensorActivity);
  tick[Signal::kFp32] = get(F::kFp32Activity);
  tick[Signal::kFp64] = get(F::kFp64Activity);
  tick[Signal::kDram] = get(F::kDramActivity);
  tick[Signal::kPcieReceive] = get(F::kPcieReceive);
  tick[Signal::kPcieTransmit] = get(F::kPcieTransmit);
  AddTo(tick[Signal::kNvlink], get(F::kNvlinkReceive));
  AddTo(tick[Signal::kNvlink], get(F::kNvlinkTransmit));
  const double mean_power = get(F::kPowerMean);
  tick[Signal::kPower] = std::isnan(mean_power) ? get(F::kPower) : mean_power;
  tick[Signal::kPowerLimit] = get(F::kPowerLimit);
  tick[Signal::kPowerLimitDefault] = get(F::kPowerLimitDefault);
  tick[Signal::kSmClock] = get(F::kSmClock);
  tick[Signal::kSmClockMax] = get(F::kSmClockMax);
  tick[Signal::kTemperature] = get(F::kTemperature);
  tick[Signal::kTemperatureSlowdown] = get(F::kTemperatureSlowdown);
  tick[Signal::kLinkGeneration] = get(F::kPcieGeneration);
  tick[Signal::kLinkGenerationMax] = get(F::kPcieGenerationMax);
  tick[Signal::kLinkWidth] = get(F::kPcieWidth);
  tick[Signal::kLinkWidthMax] = get(F::kPcieWidthMax);
  const double mask = get(F::kClockEventReasons);
  const auto bits = [&](unsigned wanted) {
    if (!(mask >= 0) || mask > 4e9) return kNotKnown;
    return (static_cast<uint64_t>(mask) & wanted) != 0 ? 1.0 : 0.0;
  };
  // Counters of time see what lies between two looks at the bits; some drivers hardly move them.
  const auto counted = [&](F field, unsigned mask_bits) {
    const double rate = Rate(key, kFirstDevice + static_cast<int>(field), device[field]);
    const double seen = bits(mask_bits);
    if (std::isnan(rate)) return seen;
    return std::max(std::min(rate, 1.0), std::isnan(seen) ? 0.0 : seen);
  };
  tick[Signal::kPowerCap] = counted(F::kClockEventPowerCap, 0x4);
  double slow = bits(0x8);
  for (const auto& [field, bit] : {std::pair{F::kClockEventSoftwareThermal, 0x20U},
                                   std::pair{F::kClockEventHardwareThermal, 0x40U},
                                   std::pair{F::kClockEventPowerBrake, 0x80U}}) {
    const double share = counted(field, bit);
    if (std::isnan(slow) || share > slow) slow = share;
  }
  tick[Signal::kSlowdown] = slow;
  tick[Signal::kClockLocked] = bits(0x2);
  tick[Signal::kEccUncorrected] = get(F::kEccUncorrected);
  tick[Signal::kRemapPending] = get(F::kRemapPending);
  tick[Signal::kRemapFailed] = get(F::kRemapFailed);
  tick[Signal::kRemappedRows] = get(F::kRemappedUncorrectable);
  for (const uint32_t xid : device.xids) {
    tick[Signal::kXid] = xid;
    if (kept.window.xids.size() < 1000) kept.window.xids.push_back(static_cast<int>(xid));
  }
  for (const Event& event : frame.events) {
    if (event.type != EventType::kXid || event.device_uuid != device.info.uuid ||
        !device.xids.empty()) {
      continue;
    }
    tick[Signal::kXid] = static_cast<double>(event.number);
    if (kept.window.xids.size() < 1000) kept.window.xids.push_back(static_cast<int>(event.number));
  }
  const double total = get(F::kMemoryTotal);
  tick[Signal::kMemoryTotal] = total;
  tick[Signal::kMemoryUsed] = get(F::kMemoryUsed);
  tick[Signal::kMemoryHidden] = get(F::kMemoryResidual);
  double others = 0, others_sm = 0;
  Neighbour most;
  for (const ProcessSample& other : frame.processes) {
    for (const GpuUse& use : other.uses) {
      if (use.device != number) continue;
      const double memory = Value(use.fields[UseField::kMemory]);
      const double sm = Value(use.fields[UseField::kSm]);
      if (other.pid == process.pid) {
        tick[Signal::kMemoryOwn] = memory;
        tick[Signal::kSmOwn] = sm;
      } else if (!DescendsFrom(frame, other, process.pid) && !(process.in_job && other.in_job)) {
        if (memory > 0) others += memory;
        if (sm > 0) others_sm += sm;
        if (memory >= most.memory) most = {other.pid, memory, sm > 0 ? sm : 0};
      }
    }
  }
  if (device.process_count) {
    tick[Signal::kMemoryOthers] = others;
    tick[Signal::kSmOthers] = std::min(1.0, others_sm);
  }
  if (most.pid != 0) kept.window.neighbour = most;
  for (const SubSample& sample : device.utilization_ring) {
    if (IsSane(sample.time)) kept.window.AddRing(sample.time.seconds() - offset_, sample.value);
  }
  if (!device.utilization_ring.empty()) {
    kept.idle.AddRing(device.utilization_ring, frame.time, dt);
  }
}

void Collector::Tree(const Frame& frame, const ProcessSample& process, Tick& tick, Kept& kept) {
  using F = ProcessField;
  const Key key{process.pid, process.start_ticks};
  const auto rate = [&](const ProcessSample& p, F field) {
    return Rate({p.pid, p.start_ticks}, static_cast<int>(field), p.fields[field]);
  };
  tick[Signal::kMainCpu] = Value(process.fields[F::kCpu]);
  tick[Signal::kMainRunning] = Value(process.fields[F::kRunningThreads]);
  tick[Signal::kMainBlocked] = Value(process.fields[F::kBlockedThreads]);
  tick[Signal::kThreads] = Value(process.fields[F::kThreads]);
  tick[Signal::kMainInvoluntary] = rate(process, F::kInvoluntarySwitches);
  // What is private is asked for seldom; what is resident is known in every frame.
  tick[Signal::kMainPrivate] = Value(process.fields[F::kResident]);
  if (std::isnan(tick[Signal::kMainPrivate])) {
    tick[Signal::kMainPrivate] = Value(process.fields[F::kPrivate]);
  }
  double cores = Value(process.fields[F::kAllowedCpus]);
  cores = Least(cores, Value(frame.host.fields[HostField::kCpus]));
  tick[Signal::kCoresVisible] = cores;
  tick[Signal::kCores] = cores;
  std::vector<double> workers;
  std::set<int> pids;
  double blocked = 0, blocked_known = 0, others_private = 0, private_known = 0;
  const auto sum = [&](const ProcessSample& p) {
    AddTo(tick[Signal::kTreeCpu], Value(p.fields[F::kCpu]));
    AddTo(tick[Signal::kTreeRunning], Value(p.fields[F::kRunningThreads]));
    AddTo(tick[Signal::kReadRate], rate(p, F::kReadBytes));
    AddTo(tick[Signal::kReadCallRate], rate(p, F::kReadCallBytes));
    AddTo(tick[Signal::kReadCalls], rate(p, F::kReadCalls));
    AddTo(tick[Signal::kWriteRate], rate(p, F::kWrittenCallBytes));
    AddTo(tick[Signal::kMajorFaults], rate(p, F::kMajorFaults));
    for (const std::string& mount : p.mounts) {
      if (IsRemote(mount)) kept.window.mount = mount;
    }
  };
  sum(process);
  double compilers = 0;
  for (const ProcessSample& child : frame.processes) {
    if (child.pid == process.pid || child.zombie) continue;
    if (child.parent != process.pid && !DescendsFrom(frame, child, process.pid)) continue;
    if (!child.uses.empty() && child.role == ProcessRole::kRank) continue;
    sum(child);
    if (child.role == ProcessRole::kCompiler) {
      ++compilers;
      if (child.command) kept.window.compiler = *child.command;
    }
    if (child.role != ProcessRole::kLoaderWorker) continue;
    pids.insert(child.pid);
    if (child.fields[F::kCpu]) workers.push_back(*child.fields[F::kCpu]);
    if (child.fields[F::kBlockedThreads]) {
      ++blocked_known;
      if (*child.fields[F::kBlockedThreads] > 0) ++blocked;
    }
    if (child.fields[F::kPrivate]) {
      others_private += *child.fields[F::kPrivate];
      ++private_known;
    }
  }
  // Where children are seen their absence is, too: the host's side of the process is known.
  if (process.fields[F::kCpu]) {
    tick[Signal::kWorkers] = static_cast<double>(pids.size());
    tick[Signal::kCompilers] = compilers;
    // It is asked for seldom: a sum over some of them would seem to grow.
    if (private_known == static_cast<double>(pids.size())) {
      tick[Signal::kWorkerPrivate] = others_private;
    }
    tick[Signal::kRemoteMount] = kept.window.mount.empty() ? 0 : 1;
  }
  if (pids.empty() && process.fields[F::kCpu]) {
    // Nobody there uses nothing.
    tick[Signal::kWorkerCpu] = tick[Signal::kWorkerCpuMost] = 0;
  }
  if (!workers.empty()) {
    tick[Signal::kWorkerCpuMost] = *std::max_element(workers.begin(), workers.end());
    tick[Signal::kWorkerCpu] = Median(workers).value_or(kNotKnown);
  }
  if (blocked_known > 0) tick[Signal::kWorkerBlocked] = blocked / blocked_known;
  double replaced = 0;
  for (const int pid : pids) {
    if (!kept.workers.empty() && !kept.workers.contains(pid)) ++replaced;
  }
  const bool all_new = replaced > 0 && replaced == static_cast<double>(pids.size());
  if (all_new) ++kept.window.worker_generations;
  tick[Signal::kWorkersReplaced] = all_new ? replaced : 0;
  // Between two generations there may be none for a moment.
  if (!pids.empty()) kept.workers = pids;
  tick[Signal::kHostMemory] = tick[Signal::kMainPrivate] + tick[Signal::kWorkerPrivate];
  tick[Signal::kNetworkReceive] =
      Rate(key, kNetwork, frame.host.fields[HostField::kNetworkReceive]);
}

void Collector::Container(const Frame& frame, const ProcessSample& process, Tick& tick) {
  using F = ContainerField;
  const auto& host = frame.host.fields;
  tick[Signal::kCpuPressure] = Value(host[HostField::kCpuPressure]);
  tick[Signal::kIoPressure] = Value(host[HostField::kIoPressure]);
  tick[Signal::kMemoryPressure] = Value(host[HostField::kMemoryPressure]);
  tick[Signal::kShmTotal] = Value(host[HostField::kShmTotal]);
  tick[Signal::kShmUsed] = Value(host[HostField::kShmUsed]);
  tick[Signal::kHostLimit] = Value(host[HostField::kMemoryTotal]);
  const int index = process.container_index;
  if (index >= 0 && index < static_cast<int>(frame.containers.size())) {
    const ContainerSample& container = frame.containers[static_cast<size_t>(index)];
    const auto get = [&](F field) { return Value(container.fields[field]); };
    const auto better = [&](Signal signal, F field) {
      if (const double value = get(field); !std::isnan(value)) tick[signal] = value;
    };
    better(Signal::kCpuPressure, F::kCpuPressure);
    better(Signal::kIoPressure, F::kIoPressure);
    better(Signal::kMemoryPressure, F::kMemoryPressure);
    better(Signal::kShmTotal, F::kShmTotal);
    better(Signal::kShmUsed, F::kShmUsed);
    if (const double limit = get(F::kMemoryLimit); limit > 0) {
      tick[Signal::kHostLimit] = Least(tick[Signal::kHostLimit], limit);
    }
    tick[Signal::kOomKills] = get(F::kOomKills);
    const Key key{process.pid, process.start_ticks};
    const double periods = Rate(key, kPeriods, container.fields[F::kPeriods]);
    const double throttled = Rate(key, kThrottledPeriods, container.fields[F::kThrottledPeriods]);
    if (periods > 0) tick[Signal::kThrottled] = throttled / periods;
    tick[Signal::kThrottledTime] =
        Rate(key, kThrottledSeconds, container.fields[F::kThrottledTime]);
    const Known<double>& quota = container.fields[F::kCpuQuota];
    tick[Signal::kQuota] = Value(quota);
    tick[Signal::kCores] =
        Least(tick[Signal::kCores], Least(get(F::kCpuQuota), get(F::kCpusetCores)));
    // Without a quota nobody is throttled.
    if (!quota && quota.missing().why == Absence::kNoLimit) {
      tick[Signal::kThrottled] = 0;
      tick[Signal::kThrottledTime] = 0;
    }
  }
}

void Collector::Pages(const Frame& frame, const ProcessSample& process, int device, Tick& tick,
                      Kept& kept) {
  const FrameworkSample* page = PageOf(frame, process);
  if (page == nullptr) return;
  Window& window = kept.window;
  window.subject.has_page = true;
  window.subject.framework = page->framework;
  if (page->rank >= 0) window.subject.rank = page->rank;
  const Key key{process.pid, process.start_ticks};
  const double step_rate = Rate(key, kFirstDevice + 500, page->fields[FrameworkField::kSteps]);
  tick[Signal::kSteps] = step_rate * tick.seconds;
  tick[Signal::kStepTime] = Value(page->fields[FrameworkField::kStepTime]);
  tick[Signal::kDataWait] = Value(page->fields[FrameworkField::kDataWaitRatio]);
  const auto at = [&](WallTime time) { return time.seconds() - offset_; };
  for (const StepSample& step : page->steps) {
    if (IsSane(step.end)) window.AddStep(at(step.end), step.number, step.seconds);
  }
  for (const Mark& mark : page->marks) {
    if (mark.type == MarkType::kPhase) kept.phase = memory::PhaseOf(mark.text);
  }
  for (size_t i = 0; i < page->stacks.size(); ++i) {
    const std::string& text = page->stacks[i];
    if (i < kept.stacks.size() && kept.stacks[i].text == text) continue;
    kept.stacks.resize(std::max(kept.stacks.size(), i + 1));
    kept.stacks[i] = {text, PlaceOf(text), DoingOf(text)};
  }
  for (const StackSample& sample : page->stack_samples) {
    if (sample.stack >= page->stacks.size() || !IsSane(sample.time)) continue;
    const Kept::KnownStack& stack = kept.stacks[sample.stack];
    uint8_t doing = stack.doing;
    if (kept.phase == memory::OomPhase::kEvaluation)
      doing |= static_cast<uint8_t>(Doing::kEvaluation);
    window.AddLook(at(sample.time), doing, stack.place);
  }
  kept.idle.AddStacks(page->stack_samples, page->stacks, frame.time, tick.seconds);

  for (const AllocatorSample& allocator : page->allocators) {
    if (allocator.device != device && page->allocators.size() > 1) continue;
    using F = AllocatorField;
    const auto get = [&](F field) { return Value(allocator.fields[field]); };
    tick[Signal::kAllocated] = get(F::kAllocated);
    tick[Signal::kAllocatedPeak] = get(F::kAllocatedPeak);
    tick[Signal::kReserved] = get(F::kReserved);
    tick[Signal::kInactiveSplit] = get(F::kInactiveSplit);
    tick[Signal::kRetries] = get(F::kRetries);
    tick[Signal::kAllocatorLimit] = get(F::kLimit);
    memory::MemoryPoint point;
    point.seconds = time_;
    point.phase = kept.phase;
    const auto put = [](std::optional<double>& to, double value) {
      if (!std::isnan(value)) to = value;
    };
    if (const double steps = Value(page->fields[FrameworkField::kSteps]);
        steps >= 0 && steps < 1e15) {
      point.step = static_cast<uint64_t>(steps);
    }
    put(point.allocated, tick[Signal::kAllocated]);
    put(point.allocated_peak, tick[Signal::kAllocatedPeak]);
    put(point.reserved, tick[Signal::kReserved]);
    put(point.process, tick[Signal::kMemoryOwn]);
    window.AddMemory(point);
    break;
  }
  for (const OutOfMemory& event : page->out_of_memory) {
    memory::OomFacts facts = memory::FactsOf(event, *page, &frame);
    memory::AddHistory(facts, window.memory);
    Failure failure;
    failure.verdict = memory::Judge(facts);
    failure.requested = static_cast<double>(event.requested);
    failure.free = static_cast<double>(event.free);
    failure.allocated = static_cast<double>(event.allocated);
    failure.reserved = static_cast<double>(event.reserved);
    failure.total = static_cast<double>(event.total);
    failure.others = facts.others.value_or(0);
    window.failure = failure;
  }
}

std::vector<Window*> Collector::all() {
  std::vector<Window*> out;
  for (const auto& [key, kept] : kept_) out.push_back(&kept->window);
  return out;
}

void Collector::Finish() {
  for (const auto& [key, kept] : kept_) {
    const IdleReport idle = kept->idle.Finish();
    const std::vector<PlaceTime> places = Places(idle);
    if (places.empty() || !(idle.explained_seconds > 0)) continue;
    kept->window.idle_place = places.front().place;
    kept->window.idle_place_share = places.front().idle / idle.explained_seconds;
  }
}

}  // namespace gpusight::diagnose
