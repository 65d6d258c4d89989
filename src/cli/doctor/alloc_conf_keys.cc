// SPDX-License-Identifier: Apache-2.0
// The keys of PYTORCH_ALLOC_CONF, as PyTorch 2.15 knows them. Older versions refuse the newer ones.
#include <algorithm>
#include <iterator>

#include "cli/doctor/alloc_conf.h"

namespace gpusight::doctor {
namespace {

// clang-format off
// name, rule, least, since, native, meaning
constexpr ConfKey kKeys[] = {
    {"expandable_segments", ConfRule::kBool, 0, "2.1", true,
     Text("segments grow instead of being added: less fragmentation",
          "显存段可原地增长，减少碎片")},
    {"max_split_size_mb", ConfRule::kSegment, 0, "", true,
     Text("blocks of that size and above are never split: less fragmentation of large blocks",
          "不小于该大小的块不再切分，减少大块碎片")},
    {"garbage_collection_threshold", ConfRule::kOpenFraction, 0, "", true,
     Text("old cached blocks are given back above this share of the allowed memory",
          "占用超过允许显存的该比例时，归还较旧的缓存块")},
    {"roundup_power2_divisions", ConfRule::kDivisions, 0, "", true,
     Text("sizes are rounded up to steps between powers of two: more reuse, more waste",
          "将申请大小向上取整到 2 的幂之间的分档，复用更多，浪费也更多")},
    {"backend", ConfRule::kBackend, 0, "2.1", false,
     Text("which allocator is used", "使用哪种分配器")},
    {"max_non_split_rounding_mb", ConfRule::kSegment, 0, "2.8", true,
     Text("how much larger than the request an unsplit block may be",
          "不切分的块最多可比申请大多少")},
    {"large_segment_size_mb", ConfRule::kMegabytes, 11, "2.11", true,
     Text("segment size for requests of 1 to 10 MiB (20 by default)",
          "1～10 MiB 申请所用的段大小（默认 20）")},
    {"per_process_memory_fraction", ConfRule::kFraction, 0, "2.11", true,
     Text("the process may use this share of the device's memory",
          "本进程可使用的显存比例")},
    {"throw_on_cudamalloc_oom", ConfRule::kBool, 0, "2.15", true,
     Text("raise before asking the driver when over the fraction",
          "超出比例时，在向驱动申请之前就报错")},
    {"graph_capture_record_stream_reuse", ConfRule::kBool, 0, "2.11", true,
     Text("reuse blocks of other streams inside a graph capture",
          "在 CUDA graph 捕获期间复用其他流的块")},
    {"expandable_segments_reserve", ConfRule::kReserve, 0, "2.15", true,
     Text("address space that an expandable segment reserves", "可扩展段预留的地址空间")},
    {"expandable_segments_reserve_by_class", ConfRule::kReserveByClass, 0, "2.15", true,
     Text("the same, by size class", "同上，按大小类别分别设置")},
    {"release_lock_on_cudamalloc", ConfRule::kBool, 0, "2.4", true,
     Text("other threads may allocate while the driver is asked", "向驱动申请期间允许其他线程分配")},
    {"release_lock_on_hipmalloc", ConfRule::kBool, 0, "2.4", true,
     Text("other threads may allocate while the driver is asked", "向驱动申请期间允许其他线程分配")},
    {"pinned_use_cuda_host_register", ConfRule::kBool, 0, "2.4", false,
     Text("pinned host memory is registered rather than allocated",
          "锁页内存改用注册方式而非直接申请")},
    {"pinned_use_hip_host_register", ConfRule::kBool, 0, "2.4", false,
     Text("pinned host memory is registered rather than allocated",
          "锁页内存改用注册方式而非直接申请")},
    {"pinned_num_register_threads", ConfRule::kThreads, 0, "2.4", false,
     Text("threads that register pinned host memory", "注册锁页内存的线程数")},
    {"pinned_use_background_threads", ConfRule::kBool, 0, "2.8", false,
     Text("a background thread collects freed pinned memory", "由后台线程回收已释放的锁页内存")},
    {"pinned_reserve_segment_size_mb", ConfRule::kMegabytes, 1, "2.11", false,
     Text("pinned host memory set aside at the start", "启动时预留的锁页内存")},
    {"pinned_max_round_threshold_mb", ConfRule::kMegabytes, 0, "2.15", false,
     Text("pinned sizes above it are not rounded up to a power of two",
          "大于该值的锁页申请不再向上取整到 2 的幂")},
    {"pinned_max_cached_size_mb", ConfRule::kMegabytes, 0, "2.15", false,
     Text("pinned blocks above it are not cached", "大于该值的锁页块不缓存")},
    {"pinned_free_catch_all", ConfRule::kBool, 0, "2.15", false,
     Text("pinned memory of unknown origin is freed without an error",
          "释放来源未知的锁页内存时不报错")},
};
// clang-format on

}  // namespace

std::span<const ConfKey> ConfKeys() { return kKeys; }

const ConfKey* FindConfKey(std::string_view name) {
  const auto* row = std::find_if(std::begin(kKeys), std::end(kKeys),
                                 [name](const ConfKey& key) { return key.name == name; });
  return row == std::end(kKeys) ? nullptr : row;
}

}  // namespace gpusight::doctor
