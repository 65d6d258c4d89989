// SPDX-License-Identifier: Apache-2.0
#include "memory/oom_advice.h"

#include <algorithm>

#include "model/text/oom_advice.h"

namespace gpusight::memory {
namespace {

using C = OomClass;
using F = Framework;

// When a row fits.
enum class If : uint8_t {
  kAlways,
  kCuda,       // NVIDIA's devices
  kHip,        // AMD's
  kMps,        // Apple's
  kNotMps,     //
  kNccl,       // NCCL is what failed
  kCublas,     // cuBLAS is
  kCudnn,      // cuDNN is
  kLate,       // it ran many steps before
  kAbsurd,     // the size is wrong
  kRequest,    // an allocation of host memory failed
  kKilled,     // something was killed
  kLoader,     // in a data loader
  kGroup,      // a control group's limit
  kNoHistory,  // how it went before is not known
};

struct Row {
  C cause;
  F framework;
  If when;
  const Text* what;
  std::string_view code;
};

// clang-format off
constexpr Row kRows[] = {
    {C::kTooBig, F::kOther, If::kAbsurd, &text::kTryWrongSize, "print({k: v.shape for k, v in batch.items()})"},

    {C::kFull, F::kPyTorch, If::kLate, &text::kTryNumberNotGraph, "total_loss += loss.item()  # not: total_loss += loss"},
    {C::kFull, F::kPyTorch, If::kAlways, &text::kTrySmallerBatch, "(loss / 4).backward()  # optimizer.step() after every 4th batch of a quarter the size"},
    {C::kFull, F::kPyTorch, If::kAlways, &text::kTryHalf, "with torch.autocast(\"cuda\", dtype=torch.bfloat16): loss = model(x)"},
    {C::kFull, F::kPyTorch, If::kAlways, &text::kTryRecompute, "y = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"},
    {C::kFull, F::kPyTorch, If::kAlways, &text::kTryShard, "model = torch.distributed.fsdp.FullyShardedDataParallel(model)"},
    {C::kFull, F::kPaddle, If::kLate, &text::kTryNumberNotGraph, "total_loss += float(loss)  # not: total_loss += loss"},
    {C::kFull, F::kPaddle, If::kAlways, &text::kTrySmallerBatch, "(loss / 4).backward()  # optimizer.step() after every 4th batch of a quarter the size"},
    {C::kFull, F::kPaddle, If::kAlways, &text::kTryHalf, "with paddle.amp.auto_cast(level=\"O2\", dtype=\"bfloat16\"): loss = model(x)"},
    {C::kFull, F::kPaddle, If::kAlways, &text::kTryRecompute, "y = paddle.distributed.fleet.utils.recompute(block, x)"},
    {C::kFull, F::kPaddle, If::kAlways, &text::kTryShard, "model, optimizer, scaler = paddle.distributed.sharding.group_sharded_parallel(model, optimizer, \"p_g_os\")"},
    {C::kFull, F::kJax, If::kAlways, &text::kTryRecompute, "f = jax.checkpoint(f)"},
    {C::kFull, F::kJax, If::kAlways, &text::kTryDonate, "step = jax.jit(step, donate_argnums=0)"},
    {C::kFull, F::kTensorFlow, If::kAlways, &text::kTryHalf, "tf.keras.mixed_precision.set_global_policy(\"mixed_bfloat16\")"},
    {C::kFull, F::kTensorFlow, If::kAlways, &text::kTryRecompute, "block = tf.recompute_grad(block)"},
    {C::kFull, F::kPyTorch, If::kMps, &text::kTryWatermark, "export PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0"},

    {C::kFragmentation, F::kPyTorch, If::kCuda, &text::kTryExpandable, "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"},
    {C::kFragmentation, F::kPyTorch, If::kHip, &text::kTryExpandable, "export PYTORCH_HIP_ALLOC_CONF=expandable_segments:True"},
    {C::kFragmentation, F::kPyTorch, If::kAlways, &text::kTryFewSizes, "batch = tokenizer.pad(items, pad_to_multiple_of=128)"},
    {C::kFragmentation, F::kPyTorch, If::kCuda, &text::kTryNoSplit, "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:512"},
    {C::kFragmentation, F::kPyTorch, If::kCuda, &text::kTryEmptyCache, "torch.cuda.empty_cache()"},
    {C::kFragmentation, F::kPaddle, If::kAlways, &text::kTryVirtualMemory, "export FLAGS_use_virtual_memory_auto_growth=true"},
    {C::kFragmentation, F::kPaddle, If::kAlways, &text::kTryFreeIdle, "export FLAGS_free_when_no_cache_hit=true"},
    {C::kFragmentation, F::kPaddle, If::kAlways, &text::kTryEmptyCache, "paddle.device.cuda.empty_cache()"},
    {C::kFragmentation, F::kJax, If::kAlways, &text::kTryAsyncAllocator, "export XLA_PYTHON_CLIENT_ALLOCATOR=cuda_async"},
    {C::kFragmentation, F::kTensorFlow, If::kAlways, &text::kTryAsyncAllocator, "export TF_GPU_ALLOCATOR=cuda_malloc_async"},

    {C::kLeak, F::kPyTorch, If::kAlways, &text::kTryNumberNotGraph, "total_loss += loss.item()  # not: total_loss += loss"},
    {C::kLeak, F::kPyTorch, If::kAlways, &text::kTryDetach, "outputs.append(y.detach().cpu())"},
    {C::kLeak, F::kPyTorch, If::kCuda, &text::kTryRecord, "torch.cuda.memory._record_memory_history(); …; torch.cuda.memory._dump_snapshot(\"memory.pickle\")"},
    {C::kLeak, F::kPaddle, If::kAlways, &text::kTryNumberNotGraph, "total_loss += float(loss)  # not: total_loss += loss"},
    {C::kLeak, F::kPaddle, If::kAlways, &text::kTryDetach, "outputs.append(y.detach().cpu())"},
    {C::kLeak, F::kPaddle, If::kAlways, &text::kTryPersistentWorkers, "loader = paddle.io.DataLoader(dataset, num_workers=4, persistent_workers=True)"},
    {C::kLeak, F::kJax, If::kAlways, &text::kTryNumberNotGraph, "losses.append(float(loss))"},
    {C::kLeak, F::kJax, If::kAlways, &text::kTryRecord, "jax.profiler.save_device_memory_profile(\"memory.prof\")"},
    {C::kLeak, F::kTensorFlow, If::kAlways, &text::kTryNumberNotGraph, "total_loss += float(loss)"},

    {C::kNeighbour, F::kOther, If::kAlways, &text::kTryWho, "gpusight who"},
    {C::kNeighbour, F::kOther, If::kAlways, &text::kTryOtherDevice, "export CUDA_VISIBLE_DEVICES=1"},
    {C::kNeighbour, F::kPyTorch, If::kAlways, &text::kTryShare, "torch.cuda.set_per_process_memory_fraction(0.5)"},
    {C::kNeighbour, F::kPaddle, If::kAlways, &text::kTryShare, "export FLAGS_gpu_memory_limit_mb=40960"},
    {C::kNeighbour, F::kJax, If::kAlways, &text::kTryOnDemand, "export XLA_PYTHON_CLIENT_PREALLOCATE=false"},
    {C::kNeighbour, F::kJax, If::kAlways, &text::kTryShare, "export XLA_PYTHON_CLIENT_MEM_FRACTION=.40"},
    {C::kNeighbour, F::kTensorFlow, If::kAlways, &text::kTryOnDemand, "export TF_FORCE_GPU_ALLOW_GROWTH=true"},

    {C::kEvaluation, F::kPyTorch, If::kAlways, &text::kTryNoGrad, "with torch.inference_mode(): y = model(x)"},
    {C::kEvaluation, F::kPyTorch, If::kAlways, &text::kTryDetach, "outputs.append(y.detach().cpu())"},
    {C::kEvaluation, F::kPaddle, If::kAlways, &text::kTryNoGrad, "with paddle.no_grad(): y = model(x)"},
    {C::kEvaluation, F::kPaddle, If::kAlways, &text::kTryDetach, "outputs.append(y.detach().cpu())"},

    {C::kOutside, F::kOther, If::kNccl, &text::kTryFewerChannels, "export NCCL_MAX_NCHANNELS=8 NCCL_BUFFSIZE=2097152"},
    {C::kOutside, F::kPyTorch, If::kCublas, &text::kTrySmallWorkspace, "export CUBLAS_WORKSPACE_CONFIG=:16:8"},
    {C::kOutside, F::kPyTorch, If::kNotMps, &text::kTryLeaveRoom, "torch.cuda.set_per_process_memory_fraction(0.9)"},
    {C::kOutside, F::kPyTorch, If::kNotMps, &text::kTryGiveBack, "torch.cuda.empty_cache()"},
    {C::kOutside, F::kPaddle, If::kCudnn, &text::kTrySmallConv, "export FLAGS_conv_workspace_size_limit=256"},
    {C::kOutside, F::kPaddle, If::kAlways, &text::kTryLeaveRoom, "export FLAGS_gpu_memory_limit_mb=73728"},
    {C::kOutside, F::kPaddle, If::kAlways, &text::kTryGiveBack, "paddle.device.cuda.empty_cache()"},
    {C::kOutside, F::kJax, If::kAlways, &text::kTryLeaveRoom, "export XLA_PYTHON_CLIENT_MEM_FRACTION=.65"},
    {C::kOutside, F::kTensorFlow, If::kAlways, &text::kTryOnDemand, "export TF_FORCE_GPU_ALLOW_GROWTH=true"},
    {C::kOutside, F::kOther, If::kCuda, &text::kTryLazyModules, "export CUDA_MODULE_LOADING=LAZY"},
    {C::kOutside, F::kOther, If::kNotMps, &text::kTryWho, "gpusight who"},

    {C::kLimit, F::kPyTorch, If::kAlways, &text::kTryRaiseLimit, "torch.cuda.set_per_process_memory_fraction(1.0)"},
    {C::kLimit, F::kPaddle, If::kAlways, &text::kTryRaiseLimit, "export FLAGS_gpu_memory_limit_mb=0"},
    {C::kLimit, F::kJax, If::kAlways, &text::kTryRaiseLimit, "export XLA_PYTHON_CLIENT_MEM_FRACTION=.90"},

    {C::kHostMemory, F::kOther, If::kAbsurd, &text::kTryWrongSize, "print({k: v.shape for k, v in batch.items()})"},
    {C::kHostMemory, F::kOther, If::kKilled, &text::kTryDmesg, "sudo dmesg -T | grep -i 'killed process'"},
    {C::kHostMemory, F::kOther, If::kGroup, &text::kTryGroup, "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory.events"},
    {C::kHostMemory, F::kOther, If::kGroup, &text::kTryMoreMemory, "docker run --memory=64g …   # Slurm: sbatch --mem=64G …"},
    {C::kHostMemory, F::kPyTorch, If::kLoader, &text::kTryFewerWorkers, "loader = torch.utils.data.DataLoader(dataset, num_workers=2, prefetch_factor=2)"},
    {C::kHostMemory, F::kPyTorch, If::kLoader, &text::kTryArrays, "self.paths = numpy.array(paths)"},
    {C::kHostMemory, F::kPaddle, If::kLoader, &text::kTryFewerWorkers, "loader = paddle.io.DataLoader(dataset, num_workers=2, prefetch_factor=2)"},
    {C::kHostMemory, F::kPaddle, If::kLoader, &text::kTryArrays, "self.paths = numpy.array(paths)"},
    {C::kHostMemory, F::kOther, If::kRequest, &text::kTryMap, "data = numpy.memmap(path, dtype=\"float32\", mode=\"r\")"},

    {C::kSharedMemory, F::kOther, If::kAlways, &text::kTryShmSee, "df -h /dev/shm"},
    {C::kSharedMemory, F::kOther, If::kAlways, &text::kTryShmSize, "docker run --shm-size=16g …   # or --ipc=host"},
    {C::kSharedMemory, F::kOther, If::kNccl, &text::kTryNcclShm, "export NCCL_SHM_DISABLE=1"},
    {C::kSharedMemory, F::kPyTorch, If::kAlways, &text::kTryFewerWorkers, "loader = torch.utils.data.DataLoader(dataset, num_workers=2, prefetch_factor=2)"},
    {C::kSharedMemory, F::kPyTorch, If::kAlways, &text::kTryShmFiles, "torch.multiprocessing.set_sharing_strategy(\"file_system\")"},
    {C::kSharedMemory, F::kPaddle, If::kAlways, &text::kTryShmOff, "loader = paddle.io.DataLoader(dataset, num_workers=2, use_shared_memory=False)"},

    {C::kUnknown, F::kOther, If::kAlways, &text::kTryWho, "gpusight who"},
};
// What helps whatever the cause, when the course before it would tell more.
constexpr Row kRecord = {C::kUnknown, F::kOther, If::kNoHistory, &text::kTryRun, "gpusight run -- python train.py"};
// clang-format on

// Whose table holds for a cause: what is too big, and what fills a device, is cured in one way.
C TableFor(C cause) { return cause == C::kTooBig ? C::kFull : cause; }

bool Fits(const Row& row, const OomFacts& f, const OomVerdict& v) {
  const bool mps = f.form == OomForm::kTorchMps;
  const bool killed = f.form == OomForm::kKilled || f.form == OomForm::kWorkerKilled ||
                      f.form == OomForm::kBusError || f.form == OomForm::kOomKiller;
  switch (row.when) {
    case If::kAlways:
      return true;
    case If::kCuda:
      return !mps && f.backend != "HIP" && f.backend != "XPU" && f.backend != "NPU";
    case If::kHip:
      return f.backend == "HIP";
    case If::kMps:
      return mps;
    case If::kNotMps:
      return !mps;
    case If::kNccl:
      return f.backend == "NCCL";
    case If::kCublas:
      return f.backend == "cuBLAS";
    case If::kCudnn:
      return f.backend == "cuDNN";
    case If::kLate:
      return v.Has(OomNote::kLateStep);
    case If::kAbsurd:
      return v.Has(OomNote::kAbsurd);
    case If::kRequest:
      return !killed;
    case If::kKilled:
      return killed && f.victim_name.empty();
    case If::kLoader:
      return killed && f.form != OomForm::kKilled;
    case If::kGroup:
      return killed;
    case If::kNoHistory:
      return std::find(v.gaps.begin(), v.gaps.end(), OomGap::kHistory) != v.gaps.end();
  }
  return false;
}

// Whether the log has that setting already: "export NAME=VALUE".
bool IsSet(std::string_view code, std::span<const OomSetting> settings) {
  return std::any_of(settings.begin(), settings.end(), [code](const OomSetting& setting) {
    const size_t name = code.find(setting.name + "=");
    if (name == std::string_view::npos || setting.value.empty()) return false;
    const std::string_view value = code.substr(name + setting.name.size() + 1);
    return setting.value.find(value) != std::string::npos;
  });
}

}  // namespace

std::vector<Advice> AdviceFor(const OomFacts& f, const OomVerdict& v,
                              std::span<const OomSetting> settings, Language language) {
  std::vector<Advice> out;
  const auto add = [&](const Row& row) {
    if (!Fits(row, f, v) || IsSet(row.code, settings)) return;
    const bool known = std::any_of(out.begin(), out.end(), [&row](const Advice& a) {
      return a.framework == row.framework && a.code == row.code;
    });
    if (!known) out.push_back({row.framework, Say(language, *row.what), std::string(row.code)});
  };
  const auto table = [&](C cause, F framework) {
    for (const Row& row : kRows) {
      if (row.cause == cause && row.framework == framework) add(row);
    }
  };
  if (v.Has(OomNote::kAbsurd)) {  // nothing else helps
    table(v.cause, F::kOther);
    return out;
  }
  std::vector<F> order = {F::kOther};
  const bool of_xla = f.framework == F::kJax || f.framework == F::kTensorFlow;
  if (of_xla) {
    order.push_back(f.framework);
  } else {
    const bool paddle = f.framework == F::kPaddle;
    order.push_back(paddle ? F::kPaddle : F::kPyTorch);
    // Apple's and the like have no twin there.
    if (f.form != OomForm::kTorchMps) order.push_back(paddle ? F::kPyTorch : F::kPaddle);
  }
  for (const F framework : order) {
    if (framework == order.back() && order.size() > 2) add(kRecord);
    table(TableFor(v.cause), framework);
    for (const C cause : v.also) {
      const bool told = cause == C::kFragmentation || cause == C::kEvaluation;
      if (told || cause == C::kLeak) table(cause, framework);
    }
  }
  if (order.size() <= 2) add(kRecord);
  // Where the cause is not known, what fits the numbers that there are.
  if (v.cause == C::kUnknown && v.account.Part(OomPart::kUsed)) {
    for (const F framework : order) table(C::kFull, framework);
  }
  return out;
}

std::vector<std::string_view> AllAdviceCode() {
  std::vector<std::string_view> out;
  for (const Row& row : kRows) out.push_back(row.code);
  return out;
}

}  // namespace gpusight::memory
