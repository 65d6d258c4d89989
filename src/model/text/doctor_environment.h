// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight doctor` on environment variables, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// Memory settings
inline constexpr Text kFlagsNone{"no memory setting of PyTorch, Paddle, JAX or TensorFlow is set",
                                 "未设置 PyTorch、Paddle、JAX、TensorFlow 的显存参数"};
inline constexpr Text kFlagsUnreadable{"the environment of process {} may not be read",
                                       "无权读取进程 {} 的环境变量"};
inline constexpr Text kFlagsUnreadableRemedy{"sudo gpusight doctor --pid {}",
                                             "sudo gpusight doctor --pid {}"};
inline constexpr Text kFlagOk{"{}={}: {} ({})", "{}={}：{}（{}）"};
inline constexpr Text kFlagPitfall{"{}={}: {}; {}", "{}={}：{}；{}"};
inline constexpr Text kFlagUnsetRemedy{"unset {}", "unset {}"};
inline constexpr Text kFlagUnknown{"{} is in no {}: nothing reads it", "{1} 中没有 {0}，不会生效"};
inline constexpr Text kFlagMeant{"Use {}.", "请使用 {}。"};
inline constexpr Text kFlagMisspelt{"{} is read by nothing", "{} 不会被任何程序读取"};
inline constexpr Text kFlagUnfamiliar{
    "{} is known to no Paddle from 2.5 to 3.3, which pass it over",
    "Paddle 2.5 至 3.3 均无 {}，会直接忽略"};
inline constexpr Text kFlagUntil{"{} is gone since {} {}", "{} 自 {} {} 起已移除"};
inline constexpr Text kFlagRenamed{"{} is the old name", "{} 为旧名称"};
inline constexpr Text kFlagNoEffect{"{}={} has no effect with FLAGS_allocator_strategy={}",
                                    "FLAGS_allocator_strategy={2} 时 {0}={1} 无效"};
inline constexpr Text kFlagNoEffectRemedy{
    "Either 'unset {}' or 'export FLAGS_allocator_strategy={}'.",
    "执行“unset {}”，或“export FLAGS_allocator_strategy={}”。"};
inline constexpr Text kFlagTwoNames{
    "PYTORCH_ALLOC_CONF and PYTORCH_CUDA_ALLOC_CONF are both set and differ: PyTorch takes part of "
    "its "
    "settings from each",
    "PYTORCH_ALLOC_CONF 与 PYTORCH_CUDA_ALLOC_CONF 同时设置且不一致：PyTorch 会从两者各取一部分"};
inline constexpr Text kFlagJaxTwoNames{
    "XLA_CLIENT_MEM_FRACTION and XLA_PYTHON_CLIENT_MEM_FRACTION are both set: JAX refuses to start",
    "XLA_CLIENT_MEM_FRACTION 与 XLA_PYTHON_CLIENT_MEM_FRACTION 同时设置：JAX 会拒绝启动"};

// Values
inline constexpr Text kValueNotBool{"{}={} is neither true nor false to Paddle, which keeps {}",
                                    "{}={} 对 Paddle 不是布尔值，会沿用默认值 {}"};

// What a flag takes, where it is not clear what was meant
inline constexpr Text kTakesBool{"{} takes true or false.", "{} 的取值为 true 或 false。"};
inline constexpr Text kTakesBytes{"{} takes a whole number of bytes.",
                                  "{} 以字节为单位，须为整数。"};
inline constexpr Text kTakesKiB{"{} takes a whole number of KiB.", "{} 以 KiB 为单位，须为整数。"};
inline constexpr Text kTakesMiB{"{} takes a whole number of MiB.", "{} 以 MiB 为单位，须为整数。"};
inline constexpr Text kTakesRealMiB{"{} takes a number of MiB.", "{} 以 MiB 为单位，须为数字。"};
inline constexpr Text kTakesGiB{"{} takes a whole number of GiB.", "{} 以 GiB 为单位，须为整数。"};
inline constexpr Text kTakesRealGiB{"{} takes a number of GiB.", "{} 以 GiB 为单位，须为数字。"};
inline constexpr Text kTakesMilliseconds{"{} takes a whole number of milliseconds.",
                                         "{} 以毫秒为单位，须为整数。"};
inline constexpr Text kTakesShare{"{} takes a share, such as 0.5 for half.",
                                  "{} 为比例，例如 0.5 表示一半。"};
inline constexpr Text kTakesWhole{"{} takes a whole number.", "{} 须为整数。"};
inline constexpr Text kTakesNumber{"{} takes a number.", "{} 须为数字。"};

inline constexpr Text kValueNotNumber{"{}={} is no number, so the default stays: {}",
                                      "{}={} 不是数字，沿用默认值 {}"};
inline constexpr Text kValueTrailing{"{}={} is read as {}: write the number alone",
                                     "{}={} 会被读作 {}：请只写数字"};
inline constexpr Text kValueNegative{"{}={} is taken for a huge number", "{}={} 会被当作极大的数"};
inline constexpr Text kValueNotShare{"{}={} is not a share between 0 and 1",
                                     "{}={} 不是 0 到 1 之间的比例"};
inline constexpr Text kValueNotWord{"{}={} is none of {}", "{}={} 不在可选值 {} 之中"};
inline constexpr Text kValueJaxNumber{"{}={} is no number to Python, and JAX will not start",
                                      "{}={} 对 Python 不是数字，JAX 将无法启动"};
inline constexpr Text kValueJaxWhole{"{}={} is no whole number to Python, and JAX will not start",
                                     "{}={} 对 Python 不是整数，JAX 将无法启动"};
inline constexpr Text kValueJaxWord{"{}={} is none of {}, and JAX will not start",
                                    "{}={} 不在可选值 {} 之中，JAX 将无法启动"};
inline constexpr Text kValueRemedy{"export {}={}", "export {}={}"};
inline constexpr Text kValueDefault{"default {}", "默认 {}"};
inline constexpr Text kNoDefault{"not set by default", "默认未设置"};
inline constexpr Text kLaunchBlocking{
    "CUDA_LAUNCH_BLOCKING=1: the CPU waits for every kernel; for finding faults only",
    "CUDA_LAUNCH_BLOCKING=1：CPU 会等待每个核函数执行完，仅供排查错误"};
inline constexpr Text kModuleEager{
    "{}=EAGER: every kernel of every library is loaded, several hundred MiB of device memory per "
    "process",
    "{}=EAGER：会加载所有库的全部核函数，每个进程多占数百 MiB 显存"};
inline constexpr Text kPlatformAllocator{
    "XLA_PYTHON_CLIENT_ALLOCATOR=platform: every array is allocated and freed by the driver, which "
    "is "
    "very slow",
    "XLA_PYTHON_CLIENT_ALLOCATOR=platform：每个数组都直接由驱动分配和释放，非常慢"};
inline constexpr Text kFractionHigh{
    "{}={}: more than the device has; JAX then uses managed memory, slowly",
    "{}={}：超过设备显存，JAX 会改用统一内存，速度很慢"};
inline constexpr Text kXlaFlagsForm{"XLA_FLAGS: '{}' does not begin with '--', and XLA stops at it",
                                    "XLA_FLAGS：“{}”不是以 -- 开头，XLA 会报错退出"};
inline constexpr Text kXlaFlagsRemedy{
    "Write every flag as --flag=value, parted by spaces: export XLA_FLAGS='--flag=value "
    "--flag=value'.",
    "每项写成 --flag=value，用空格分隔：export XLA_FLAGS='--flag=value --flag=value'。"};
inline constexpr Text kWorkspaceForm{"CUBLAS_WORKSPACE_CONFIG={} is not of the form :KiB:count",
                                     "CUBLAS_WORKSPACE_CONFIG={} 不符合 :KiB:数量 的格式"};
inline constexpr Text kWorkspaceFormRemedy{"export CUBLAS_WORKSPACE_CONFIG=:4096:8",
                                           "export CUBLAS_WORKSPACE_CONFIG=:4096:8"};
inline constexpr Text kWorkspaceSize{
    "CUBLAS_WORKSPACE_CONFIG={}: {} for each cuBLAS handle and stream",
    "CUBLAS_WORKSPACE_CONFIG={}：每个 cuBLAS 句柄与流占用 {}"};

// PyTorch's allocator settings: {0} is the variable, then key, value, detail
inline constexpr Text kConfOk{"{}: {}={}, {}", "{}：{}={}，{}"};
inline constexpr Text kConfSince{"{0}: {1}={2}, {3} (PyTorch before {4} refuses this key)",
                                 "{0}：{1}={2}，{3}（{4} 之前的 PyTorch 会拒绝该键）"};
inline constexpr Text kConfUnknownKey{"{0}: PyTorch knows no '{1}' and refuses to start",
                                      "{0}：PyTorch 没有“{1}”这个键，会拒绝启动"};
inline constexpr Text kConfEqualsSign{
    "{0}: write '{3}:VALUE', with ':' instead of '=': PyTorch refuses to start with '{1}'",
    "{0}：应写作“{3}:值”，用“:”而不是“=”；写成“{1}”时 PyTorch 会拒绝启动"};
inline constexpr Text kConfNoSeparator{"{0}: '{3}' is missing after '{1}', there is '{2}'",
                                       "{0}：“{1}”之后应为“{3}”，实为“{2}”"};
inline constexpr Text kConfNoValue{"{0}: '{1}' has no value", "{0}：“{1}”没有值"};
inline constexpr Text kConfNotBool{"{0}: {1} must be True or False, not '{2}'",
                                   "{0}：{1} 只能是 True 或 False，不能是“{2}”"};
inline constexpr Text kConfNotNumber{"{0}: {1} must be a number, not '{2}'",
                                     "{0}：{1} 必须是数字，不能是“{2}”"};
inline constexpr Text kConfTooSmall{"{0}: {1} must be at least {3}, not {2}",
                                    "{0}：{1} 至少为 {3}，不能是 {2}"};
inline constexpr Text kConfNotInRange{"{0}: {1} must be in {3}, not {2}",
                                      "{0}：{1} 必须在 {3} 之内，不能是 {2}"};
inline constexpr Text kConfNotPowerOfTwo{"{0}: {1} takes powers of two, not '{2}'",
                                         "{0}：{1} 只能用 2 的幂，不能是“{2}”"};
inline constexpr Text kConfUnclosed{"{0}: the list of {1} is not closed by ]",
                                    "{0}：{1} 的列表缺少 ]"};
inline constexpr Text kConfNotList{"{0}: {1} takes a list in [], not '{2}'",
                                   "{0}：{1} 需要写成 [] 列表，不能是“{2}”"};
inline constexpr Text kConfBackend{"{0}: {1} is native or cudaMallocAsync, not '{2}'",
                                   "{0}：{1} 只能是 native 或 cudaMallocAsync，不能是“{2}”"};
inline constexpr Text kConfTrailing{"{0}: {1}:{2} is read as {3}", "{0}：{1}:{2} 会被读作 {3}"};
inline constexpr Text kConfNegative{"{0}: {1}:{2} is taken for a huge number",
                                    "{0}：{1}:{2} 会被当作极大的数"};
inline constexpr Text kConfRepeated{"{0}: {1} is given twice, the last one counts",
                                    "{0}：{1} 出现两次，以最后一个为准"};
inline constexpr Text kConfIgnored{"{0}: {1} has no effect with backend:cudaMallocAsync",
                                   "{0}：使用 backend:cudaMallocAsync 时 {1} 无效"};
inline constexpr Text kConfReserve{
    "{0}: {1}:{2} is neither a fraction (0.5) nor a size (40G), and ignored",
    "{0}：{1}:{2} 既不是比例（0.5）也不是大小（40G），会被忽略"};
inline constexpr Text kConfNeedsFraction{
    "{0}: {1} works only when a memory fraction is set, here or by "
    "set_per_process_memory_fraction()",
    "{0}：{1} 仅在设置了显存比例时有效（在此处或用 set_per_process_memory_fraction()）"};
inline constexpr Text kConfRemedy{
    "Write pairs of key:value parted by commas, such as {}=expandable_segments:True.",
    "格式为 键:值，用逗号分隔，例如 {}=expandable_segments:True。"};

// CUDA_VISIBLE_DEVICES
inline constexpr Text kVisibleUnset{"CUDA_VISIBLE_DEVICES is not set: a job sees every device",
                                    "未设置 CUDA_VISIBLE_DEVICES：任务可见所有设备"};
inline constexpr Text kVisibleSet{"CUDA_VISIBLE_DEVICES={}: a job's cuda:0.. are {}",
                                  "CUDA_VISIBLE_DEVICES={}：任务的 cuda:0.. 依次为 {}"};
inline constexpr Text kVisibleEmpty{
    "CUDA_VISIBLE_DEVICES is set to nothing: hides every device from a job",
    "CUDA_VISIBLE_DEVICES 为空：对任务隐藏所有设备"};
inline constexpr Text kVisibleEmptyRemedy{"unset CUDA_VISIBLE_DEVICES",
                                          "unset CUDA_VISIBLE_DEVICES"};
inline constexpr Text kVisibleNone{"CUDA_VISIBLE_DEVICES={}: hides every device from a job",
                                   "CUDA_VISIBLE_DEVICES={}：对任务隐藏所有设备"};
inline constexpr Text kVisibleEndedHere{
    "CUDA_VISIBLE_DEVICES={}: '{}' ends the list; devices before it, which a job sees: {}",
    "CUDA_VISIBLE_DEVICES={}：“{}”终止列表，任务可见其前的 {} 个设备"};
inline constexpr Text kVisibleNoDevice{
    "CUDA_VISIBLE_DEVICES={}: '{}' names no device and ends the list; devices before it: {}",
    "CUDA_VISIBLE_DEVICES={}：“{}”不对应任何设备，只有之前的 {} 个设备有效"};
inline constexpr Text kVisibleAmbiguous{
    "CUDA_VISIBLE_DEVICES={}: '{}' begins the UUID of more than one device",
    "CUDA_VISIBLE_DEVICES={}：“{}”匹配多个设备的 UUID"};
inline constexpr Text kVisibleWrongKind{
    "CUDA_VISIBLE_DEVICES={}: '{}' is of another kind than the first entry, and ends the list",
    "CUDA_VISIBLE_DEVICES={}：“{}”与首项类型不同，列表到此为止"};
inline constexpr Text kVisibleRepeated{
    "CUDA_VISIBLE_DEVICES={}: '{}' is named twice, so a job sees no device at all",
    "CUDA_VISIBLE_DEVICES={}：“{}”重复，任务将看不到任何设备"};
inline constexpr Text kVisibleMigUnset{
    "CUDA_VISIBLE_DEVICES is not set: with MIG a job sees the first instance only, {}",
    "未设置 CUDA_VISIBLE_DEVICES：MIG 模式下任务只能看到第一个实例 {}"};
inline constexpr Text kVisibleMigRemedy{
    "Give each job an instance of its own, as 'nvidia-smi -L' names them: export "
    "CUDA_VISIBLE_DEVICES=MIG-UUID.",
    "为每个任务指定一个实例（名称见 nvidia-smi -L）：export CUDA_VISIBLE_DEVICES=MIG-UUID。"};
inline constexpr Text kVisibleMigOnly{
    "CUDA_VISIBLE_DEVICES={}: with MIG a job sees only the first instance",
    "CUDA_VISIBLE_DEVICES={}：MIG 模式下任务只能看到第一个实例"};
inline constexpr Text kVisibleRemedy{"export CUDA_VISIBLE_DEVICES={}",
                                     "export CUDA_VISIBLE_DEVICES={}"};
inline constexpr Text kVisibleOrder{
    "the devices differ, and CUDA counts them by speed: its numbers may not be those of nvidia-smi",
    "设备型号不同，而 CUDA 按速度编号，可能与 nvidia-smi 的编号不一致"};
inline constexpr Text kVisibleOrderRemedy{"export CUDA_DEVICE_ORDER=PCI_BUS_ID",
                                          "export CUDA_DEVICE_ORDER=PCI_BUS_ID"};

}  // namespace gpusight::text
