// SPDX-License-Identifier: Apache-2.0
// What to do about a finding: rows of (rule, form, framework, reason in both languages, code that
// can be pasted). Framework::kOther: the same in all. An empty form: for all forms of the rule.
// `{n}` in code is the finding's proposal (how many loader processes). Only settings and calls that
// exist. The order is the order in which they are proposed. Next: finding_text.h.
#pragma once

#include <string_view>

#include "base/language.h"
#include "model/framework.h"

namespace gpusight::text {

struct FixText {
  std::string_view rule, form;
  Framework framework;
  Text what;
  std::string_view code;
};

inline constexpr Framework kAny = Framework::kOther, kTorch = Framework::kPyTorch,
                           kPaddle = Framework::kPaddle;

// clang-format off
inline constexpr FixText kFixes[] = {
    {"input.serial_loader", "", kTorch, {"Load in processes of their own, ahead of the training.", "用独立进程提前加载数据。"}, "DataLoader(dataset, num_workers={n}, persistent_workers=True, pin_memory=True, prefetch_factor=4)"},
    {"input.serial_loader", "", kPaddle, {"Load in processes of their own, ahead of the training.", "用独立进程提前加载数据。"}, "paddle.io.DataLoader(dataset, num_workers={n}, persistent_workers=True, use_shared_memory=True)"},
    {"input.too_few_workers", "slow_sample", kTorch, {"One sample takes much longer than the others: do not let it hold up the rest, or bound its size.", "个别样本远慢于其他：不要让它阻塞其余样本，或限制其大小。"}, "DataLoader(dataset, num_workers={n}, in_order=False, prefetch_factor=8)"},
    {"input.too_few_workers", "", kTorch, {"More loader processes: cores are free.", "增加数据加载进程：CPU 尚有空闲核。"}, "DataLoader(dataset, num_workers={n}, persistent_workers=True, prefetch_factor=4)"},
    {"input.too_few_workers", "", kPaddle, {"More loader processes: cores are free.", "增加数据加载进程：CPU 尚有空闲核。"}, "paddle.io.DataLoader(dataset, num_workers={n}, persistent_workers=True)"},
    {"input.cpu_bound_preprocessing", "", kTorch, {"Decode and augment on the GPU, or keep the results of what is the same each epoch.", "在 GPU 上解码与增强，或缓存每个轮次都相同的结果。"}, "images = torchvision.transforms.v2.functional.resize(images.cuda(non_blocking=True), [224, 224])"},
    {"input.cpu_bound_preprocessing", "", kPaddle, {"Preprocess once before training, or augment on the GPU.", "训练前离线预处理，或在 GPU 上做增强。"}, "images = paddle.nn.functional.interpolate(images, size=[224, 224])"},
    {"cpu.quota_throttled", "", kAny, {"Raise the container's quota, or run no more threads than it allows.", "提高容器配额，或让线程数不超过配额。"}, "export OMP_NUM_THREADS=1"},
    {"cpu.quota_throttled", "", kTorch, {"No more loader processes and threads than the quota has cores.", "数据加载进程与线程不超过配额核数。"}, "torch.set_num_threads(1); DataLoader(dataset, num_workers={n})"},
    {"cpu.quota_throttled", "", kPaddle, {"No more loader processes and threads than the quota has cores.", "数据加载进程与线程不超过配额核数。"}, "export CPU_NUM=1"},
    {"cpu.oversubscribed", "", kTorch, {"One thread for each loader process, and fewer of them.", "每个数据加载进程只用一个线程，并减少进程数。"}, "DataLoader(dataset, num_workers={n}, worker_init_fn=lambda _: torch.set_num_threads(1))"},
    {"cpu.oversubscribed", "", kAny, {"One BLAS and OpenMP thread for each process.", "每个进程只用一个 BLAS/OpenMP 线程。"}, "export OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1"},
    {"io.local_disk_bound", "", kAny, {"Pack samples into few large files that are read in order, or keep them in memory or on a faster disk.", "将样本打包成少量顺序读取的大文件，或放入内存或更快的磁盘。"}, "tar --sort=name -cf shard-000.tar samples/"},
    {"io.local_disk_bound", "", kTorch, {"Read whole shards in order.", "按顺序整块读取分片。"}, "webdataset.WebDataset(\"shard-{000..099}.tar\").shuffle(1000)"},
    {"io.local_disk_bound", "", kPaddle, {"Read packed shards in order.", "按顺序读取打包后的分片。"}, "class Shards(paddle.io.IterableDataset): ..."},
    {"io.remote_or_small_files", "", kAny, {"Copy the data to a local disk or to memory first, in few large files.", "先把数据以少量大文件复制到本地磁盘或内存。"}, "cp -r /data/train /dev/shm/train"},
    {"io.remote_or_small_files", "", kTorch, {"More loader processes that read further ahead: each only waits.", "增加加载进程并加深预取：每个进程只是在等待。"}, "DataLoader(dataset, num_workers={n}, prefetch_factor=8, persistent_workers=True)"},
    {"io.remote_or_small_files", "", kPaddle, {"More loader processes that read further ahead: each only waits.", "增加加载进程并加深预取：每个进程只是在等待。"}, "paddle.io.DataLoader(dataset, num_workers={n}, prefetch_factor=8, persistent_workers=True)"},
    {"input.epoch_restart", "", kTorch, {"Keep the loader processes from epoch to epoch.", "跨轮次保留数据加载进程。"}, "DataLoader(dataset, num_workers={n}, persistent_workers=True)"},
    {"input.epoch_restart", "", kPaddle, {"Keep the loader processes from epoch to epoch.", "跨轮次保留数据加载进程。"}, "paddle.io.DataLoader(dataset, num_workers={n}, persistent_workers=True)"},
    {"shm.exhaustion", "", kAny, {"More shared memory for the container.", "为容器提供更大的共享内存。"}, "docker run --shm-size=8g ..."},
    {"shm.exhaustion", "", kTorch, {"Hand batches over in files, or read less far ahead.", "通过文件传递批次，或减少预取。"}, "torch.multiprocessing.set_sharing_strategy(\"file_system\")"},
    {"shm.exhaustion", "", kPaddle, {"Hand batches over without shared memory.", "不通过共享内存传递批次。"}, "paddle.io.DataLoader(dataset, use_shared_memory=False)"},
    {"h2d.pageable_or_blocking", "", kTorch, {"Copy from pinned memory and do not wait for it. Try it: for few, small copies it wins nothing.", "从锁页内存异步拷贝。请实测：少量小拷贝没有收益。"}, "DataLoader(dataset, pin_memory=True); x = x.to(\"cuda\", non_blocking=True)"},
    {"h2d.pageable_or_blocking", "", kPaddle, {"Let the loader copy ahead from pinned memory.", "让加载器从锁页内存提前拷贝。"}, "paddle.io.DataLoader(dataset, use_buffer_reader=True); x = x.pin_memory()"},
    {"h2d.link_saturated", "", kAny, {"Send fewer bytes: uint8 or bf16, converted on the GPU; or keep the data on the card.", "减少传输字节：用 uint8 或 bf16 传输并在 GPU 上转换；或将数据常驻显存。"}, "x = x.to(torch.uint8).cuda(non_blocking=True).float().div_(255)"},
    {"pcie.link_degraded", "", kAny, {"For the operator: reseat the card, look at BIOS and risers; meanwhile use another card.", "请运维检查插槽、BIOS 与转接卡；期间换用其他卡。"}, "nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.width.current --format=csv"},
    {"numa.remote_gpu", "", kAny, {"Run on the CPUs and the memory next to the GPU.", "在靠近 GPU 的 CPU 与内存上运行。"}, "numactl --cpunodebind={n} --membind={n} python train.py"},
    {"host.launch_bound", "", kTorch, {"Launch many kernels at once, by compilation or CUDA graphs; a larger batch does the same.", "通过编译或 CUDA Graph 一次下发多个内核；增大批量也有同样效果。"}, "model = torch.compile(model, mode=\"reduce-overhead\")"},
    {"host.launch_bound", "", kTorch, {"One kernel for all parameters in the optimizer.", "优化器用一个内核更新所有参数。"}, "torch.optim.AdamW(model.parameters(), fused=True)"},
    {"host.launch_bound", "", kPaddle, {"Launch many kernels at once, by a static graph.", "使用静态图一次下发多个内核。"}, "model = paddle.jit.to_static(model)"},
    {"host.sync_points", "", kTorch, {"Keep sums on the GPU and read them every N steps.", "在 GPU 上累加，每 N 步读取一次。"}, "total += loss.detach()  # loss.item() only every 50 steps"},
    {"host.sync_points", "", kTorch, {"Find every synchronising call.", "找出所有同步调用。"}, "torch.cuda.set_sync_debug_mode(\"warn\")"},
    {"host.sync_points", "", kPaddle, {"Keep sums on the GPU and read them every N steps.", "在 GPU 上累加，每 N 步读取一次。"}, "total += loss.detach()  # float(loss) only every 50 steps"},
    {"gpu.batch_too_small", "memory_limited", kTorch, {"Memory caps the batch: make room by half precision and recomputation, then raise it.", "显存限制了批量：先用半精度与重计算腾出空间，再增大批量。"}, "with torch.autocast(\"cuda\", dtype=torch.bfloat16): loss = model(x)"},
    {"gpu.batch_too_small", "memory_limited", kPaddle, {"Memory caps the batch: make room by half precision and recomputation, then raise it.", "显存限制了批量：先用半精度与重计算腾出空间，再增大批量。"}, "with paddle.amp.auto_cast(level=\"O2\", dtype=\"bfloat16\"): loss = model(x)"},
    {"gpu.batch_too_small", "", kTorch, {"A larger batch (scale the learning rate), or two jobs on one card.", "增大批量（相应调整学习率），或一张卡上跑两个作业。"}, "DataLoader(dataset, batch_size=8 * batch_size)"},
    {"gpu.batch_too_small", "", kPaddle, {"A larger batch (scale the learning rate), or two jobs on one card.", "增大批量（相应调整学习率），或一张卡上跑两个作业。"}, "paddle.io.DataLoader(dataset, batch_size=8 * batch_size)"},
    {"host.compile_stall", "", kTorch, {"Let sizes that change be sizes, or use few of them, and keep the compiled code.", "将会变化的尺寸声明为动态，或只用少数几种，并保留编译结果。"}, "torch._dynamo.mark_dynamic(x, 1)  # and TORCHINDUCTOR_CACHE_DIR=~/.cache/inductor"},
    {"host.compile_stall", "", kPaddle, {"Declare the input's shapes.", "声明输入形状。"}, "paddle.jit.to_static(model, input_spec=[paddle.static.InputSpec([None, None], \"int64\")])"},
    {"host.gil_contention", "", kTorch, {"Processes instead of threads for what runs in Python; plan garbage collection.", "Python 计算用进程代替线程；有计划地做垃圾回收。"}, "gc.freeze(); gc.disable()  # gc.collect() every 500 steps"},
    {"host.gil_contention", "", kPaddle, {"Processes instead of threads for what runs in Python; plan garbage collection.", "Python 计算用进程代替线程；有计划地做垃圾回收。"}, "gc.freeze(); gc.disable()  # gc.collect() every 500 steps"},
    {"gpu.tensor_cores_unused", "", kTorch, {"Half precision, or at least TF32.", "使用半精度，或至少 TF32。"}, "with torch.autocast(\"cuda\", dtype=torch.bfloat16): loss = model(x)  # or torch.set_float32_matmul_precision(\"high\")"},
    {"gpu.tensor_cores_unused", "", kPaddle, {"Half precision.", "使用半精度。"}, "with paddle.amp.auto_cast(level=\"O1\", dtype=\"bfloat16\"): loss = model(x)"},
    {"gpu.bound_by", "", kTorch, {"Fewer passes over memory: fused kernels, FlashAttention, bf16.", "减少显存读写：融合内核、FlashAttention、bf16。"}, "model = torch.compile(model); y = torch.nn.functional.scaled_dot_product_attention(q, k, v)"},
    {"gpu.bound_by", "", kPaddle, {"Fewer passes over memory: fused kernels, FlashAttention, bf16.", "减少显存读写：融合内核、FlashAttention、bf16。"}, "y = paddle.nn.functional.scaled_dot_product_attention(q, k, v)"},
    {"phase.checkpoint_stall", "", kTorch, {"Write checkpoints beside the training, to a fast disk, and less often.", "异步写检查点，写到快速磁盘，并降低频率。"}, "torch.distributed.checkpoint.async_save(state, checkpoint_id=path)"},
    {"phase.checkpoint_stall", "", kPaddle, {"Write checkpoints in a thread, to a fast disk, and less often.", "在线程中写检查点，写到快速磁盘，并降低频率。"}, "threading.Thread(target=paddle.save, args=(state, path)).start()"},
    {"phase.eval_or_metric_stall", "", kTorch, {"A larger batch without gradients in evaluation, and metrics on the GPU; or evaluate less often.", "评估时关闭梯度并增大批量，指标在 GPU 上计算；或降低评估频率。"}, "with torch.inference_mode(): evaluate(model, batch_size=4 * batch_size)"},
    {"phase.eval_or_metric_stall", "", kPaddle, {"A larger batch without gradients in evaluation, and metrics on the GPU; or evaluate less often.", "评估时关闭梯度并增大批量，指标在 GPU 上计算；或降低评估频率。"}, "with paddle.no_grad(): evaluate(model, batch_size=4 * batch_size)"},
    {"phase.slow_start", "", kAny, {"An image with the libraries inside, weights and file lists kept from the last run.", "镜像中预装依赖，缓存权重与文件列表。"}, "export HF_HOME=/cache/huggingface"},
    {"progress.none", "collective", kTorch, {"Find the rank that misses a call.", "找出缺少集合通信调用的 rank。"}, "export TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1"},
    {"progress.none", "finished", kAny, {"End the program: it holds memory and does nothing.", "结束该程序：它占着显存却不工作。"}, "kill {n}"},
    {"progress.none", "idle", kAny, {"End the notebook's kernel, or free its memory.", "结束 notebook 内核，或释放其显存。"}, "kill {n}"},
    {"progress.none", "loader", kTorch, {"Let a stuck loader say so, with fewer processes.", "为加载器设置超时并减少进程数。"}, "DataLoader(dataset, num_workers=2, timeout=60)"},
    {"progress.none", "loader", kPaddle, {"Let a stuck loader say so, with fewer processes.", "为加载器设置超时并减少进程数。"}, "paddle.io.DataLoader(dataset, num_workers=2, timeout=60)"},
    {"progress.none", "cpu_only", kAny, {"The program never used the GPU: see which devices it may use.", "程序从未使用 GPU：检查可见设备。"}, "echo \"$CUDA_VISIBLE_DEVICES\""},
    {"progress.none", "", kAny, {"See where it stands.", "查看它停在何处。"}, "py-spy dump --pid {n}"},
    {"multi.straggler_or_comm_bound", "comm", kTorch, {"Fewer and larger messages: accumulate without exchange, larger buckets.", "减少通信次数：累积时不同步，增大 bucket。"}, "with model.no_sync(): loss.backward()"},
    {"multi.straggler_or_comm_bound", "comm", kPaddle, {"Fewer and larger messages: merge gradients.", "减少通信次数：梯度合并。"}, "strategy.gradient_merge = True"},
    {"multi.straggler_or_comm_bound", "", kAny, {"Mend that rank's own cause first; give all ranks work of the same size.", "先解决该 rank 自身的原因，并让各 rank 负载均衡。"}, "gpusight why --all"},
    {"gpumem.leak", "eval", kTorch, {"No gradients in evaluation.", "评估时关闭梯度。"}, "with torch.inference_mode(): evaluate(model)"},
    {"gpumem.leak", "eval", kPaddle, {"No gradients in evaluation.", "评估时关闭梯度。"}, "with paddle.no_grad(): evaluate(model)"},
    {"gpumem.leak", "", kTorch, {"Keep numbers, not losses: a loss keeps its whole graph alive.", "保存数值而不是 loss：loss 会让整个计算图存活。"}, "total_loss += loss.item()  # not: total_loss += loss"},
    {"gpumem.leak", "", kTorch, {"Keep outputs detached and on the host.", "保存输出时先 detach 并移到主机。"}, "outputs.append(y.detach().cpu())"},
    {"gpumem.leak", "", kTorch, {"See who allocates: record the allocator's history.", "查看谁在分配：记录分配器历史。"}, "torch.cuda.memory._record_memory_history(); …; torch.cuda.memory._dump_snapshot(\"memory.pickle\")"},
    {"gpumem.leak", "", kPaddle, {"Keep numbers, not losses: a loss keeps its whole graph alive.", "保存数值而不是 loss：loss 会让整个计算图存活。"}, "total_loss += float(loss)  # not: total_loss += loss"},
    {"gpumem.leak", "", kPaddle, {"One loader for all epochs, not a new iterator for each step.", "所有轮次共用一个加载器，不要每步新建迭代器。"}, "loader = paddle.io.DataLoader(dataset, num_workers=4, persistent_workers=True)"},
    {"gpumem.fragmentation", "", kTorch, {"Segments that grow instead of being added.", "使用可扩展的段，而不是不断新增段。"}, "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"},
    {"gpumem.fragmentation", "", kTorch, {"Fewer different sizes: pad lengths to a few values.", "减少尺寸种类：将长度填充到少数几个值。"}, "batch = tokenizer.pad(items, pad_to_multiple_of=128)"},
    {"gpumem.fragmentation", "", kPaddle, {"Growth on virtual memory, which has no such pieces.", "使用虚拟内存增长，不产生这样的碎块。"}, "export FLAGS_use_virtual_memory_auto_growth=true"},
    {"gpumem.oom_soon", "", kTorch, {"A smaller batch, accumulated to the old size; half precision; recomputation.", "减小批量并累积梯度；半精度；重计算。"}, "y = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"},
    {"gpumem.oom_soon", "", kPaddle, {"A smaller batch, accumulated to the old size; half precision; recomputation.", "减小批量并累积梯度；半精度；重计算。"}, "y = paddle.distributed.fleet.utils.recompute(block, x)"},
    {"gpumem.oom_postmortem", "neighbour", kAny, {"Use another card, or end what holds the memory.", "换一张卡，或结束占用显存的进程。"}, "gpusight who"},
    {"gpumem.oom_postmortem", "fragmentation", kTorch, {"Segments that grow instead of being added.", "使用可扩展的段，而不是不断新增段。"}, "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"},
    {"gpumem.oom_postmortem", "fragmentation", kPaddle, {"Growth on virtual memory, which has no such pieces.", "使用虚拟内存增长，不产生这样的碎块。"}, "export FLAGS_use_virtual_memory_auto_growth=true"},
    {"gpumem.oom_postmortem", "leak", kTorch, {"Keep numbers, not losses: a loss keeps its whole graph alive.", "保存数值而不是 loss：loss 会让整个计算图存活。"}, "total_loss += loss.item()  # not: total_loss += loss"},
    {"gpumem.oom_postmortem", "leak", kPaddle, {"Keep numbers, not losses: a loss keeps its whole graph alive.", "保存数值而不是 loss：loss 会让整个计算图存活。"}, "total_loss += float(loss)  # not: total_loss += loss"},
    {"gpumem.oom_postmortem", "evaluation", kTorch, {"No gradients in evaluation.", "评估时关闭梯度。"}, "with torch.inference_mode(): evaluate(model)"},
    {"gpumem.oom_postmortem", "evaluation", kPaddle, {"No gradients in evaluation.", "评估时关闭梯度。"}, "with paddle.no_grad(): evaluate(model)"},
    {"gpumem.oom_postmortem", "limit", kAny, {"Raise the limit that the program sets itself.", "提高程序自己设置的上限。"}, "torch.cuda.set_per_process_memory_fraction(1.0)"},
    {"gpumem.oom_postmortem", "", kTorch, {"A smaller batch, accumulated to the old size; half precision; recomputation.", "减小批量并累积梯度；半精度；重计算。"}, "with torch.autocast(\"cuda\", dtype=torch.bfloat16): loss = model(x)"},
    {"gpumem.oom_postmortem", "", kPaddle, {"A smaller batch, accumulated to the old size; half precision; recomputation.", "减小批量并累积梯度；半精度；重计算。"}, "with paddle.amp.auto_cast(level=\"O2\", dtype=\"bfloat16\"): loss = model(x)"},
    {"gpumem.outside_allocator", "", kAny, {"Look for another library or a second context in the process: empty_cache() does not help here.", "检查进程中的其他库或第二个上下文：empty_cache() 对此无效。"}, "gpusight who"},
    {"gpumem.preallocated", "", kPaddle, {"Take memory on demand instead of at the start.", "按需占用显存，而不是启动时预占。"}, "export FLAGS_allocator_strategy=auto_growth"},
    {"gpumem.preallocated", "", kAny, {"Take memory on demand instead of at the start (JAX; for TensorFlow TF_FORCE_GPU_ALLOW_GROWTH=true).", "按需占用显存，而不是启动时预占（JAX；TensorFlow 用 TF_FORCE_GPU_ALLOW_GROWTH=true）。"}, "export XLA_PYTHON_CLIENT_PREALLOCATE=false"},
    {"hostmem.leak", "", kTorch, {"Keep the dataset's lists as arrays: loader processes copy every Python object that they touch.", "数据集中的列表改存为数组：加载进程会复制其访问的每个 Python 对象。"}, "self.paths = numpy.array(paths)  # not a list of str"},
    {"hostmem.leak", "", kPaddle, {"Keep the dataset's lists as arrays: loader processes copy every Python object that they touch.", "数据集中的列表改存为数组：加载进程会复制其访问的每个 Python 对象。"}, "self.paths = numpy.array(paths)  # not a list of str"},
    {"hostmem.limit_or_thrash", "", kTorch, {"Fewer loader processes that read less far ahead, or more memory.", "减少加载进程与预取，或增加内存。"}, "DataLoader(dataset, num_workers=2, prefetch_factor=2)"},
    {"hostmem.limit_or_thrash", "", kPaddle, {"Fewer loader processes that read less far ahead, or more memory.", "减少加载进程与预取，或增加内存。"}, "paddle.io.DataLoader(dataset, num_workers=2, prefetch_factor=2)"},
    {"gpu.neighbour", "", kAny, {"A card of one's own, a MIG instance, or MPS with limits; look for forgotten runs.", "独占一张卡、使用 MIG 实例，或带上限的 MPS；查找遗留的运行。"}, "gpusight who"},
    {"clock.power_cap", "lowered", kAny, {"For the operator: restore the power limit.", "请运维恢复功率上限。"}, "nvidia-smi -pl {n}"},
    {"clock.power_cap", "hardware", kAny, {"For the operator: look at power supply and cables of this card.", "请运维检查该卡的供电与线缆。"}, "nvidia-smi -q -d POWER,PERFORMANCE"},
    {"clock.thermal_or_hw_slowdown", "", kAny, {"For the operator: look at fans, air flow and power supply; meanwhile save a checkpoint and move the job.", "请运维检查风扇、风道与供电；期间保存检查点并迁移作业。"}, "nvidia-smi -q -d TEMPERATURE,PERFORMANCE"},
    {"clock.pinned_low", "", kAny, {"For the operator: unlock the clocks.", "请运维解除时钟锁定。"}, "nvidia-smi -rgc && nvidia-smi -rac"},
    {"hw.xid_ecc", "software", kTorch, {"Find the kernel that went astray: indices out of range are usual.", "定位出错的内核：常见原因是索引越界。"}, "CUDA_LAUNCH_BLOCKING=1 python train.py  # or compute-sanitizer python train.py"},
    {"hw.xid_ecc", "software", kPaddle, {"Find the kernel that went astray: indices out of range are usual.", "定位出错的内核：常见原因是索引越界。"}, "CUDA_LAUNCH_BLOCKING=1 FLAGS_check_nan_inf=1 python train.py"},
    {"hw.xid_ecc", "", kAny, {"For the operator: save a checkpoint, drain the card, reset it; where it comes back, replace it.", "请运维：保存检查点，腾空并复位该卡；若再次出现则更换。"}, "nvidia-smi -q -d ECC,ROW_REMAPPER"},
};
// clang-format on

}  // namespace gpusight::text
