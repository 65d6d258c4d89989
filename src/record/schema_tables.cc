// SPDX-License-Identifier: Apache-2.0
// The tables of a recording and what their columns mean. docs/recording.md is made from this.
#include "record/schema.h"

namespace gpusight::record {
namespace {

// clang-format off
constexpr Text kT("milliseconds since the recording began, by a clock that never jumps", "自记录开始的毫秒数，使用不会跳变的时钟");
constexpr Text kWall("nanoseconds since 1970", "自 1970 年起的纳秒数");
constexpr Text kDeviceId("device.id", "device.id");
constexpr Text kProcessId("process.id", "process.id");
constexpr Text kRank("as its launcher set it; -1 when it did not", "由启动器设置；未设置时为 -1");

constexpr Column kRun[] = {
    {"id", "INTEGER PRIMARY KEY", Text("1", "1")},
    {"name", "TEXT", Text("of the run", "运行名称")},
    {"folder", "TEXT", Text("where the command was started", "启动命令时所在目录")},
    {"pid", "INTEGER", Text("of the job's first process", "作业首个进程的进程号")},
    {"watched", "INTEGER", Text("1: the job ran already when recording began", "1：开始记录时作业已在运行")},
    {"start_time", "INTEGER", kWall},
    {"gpusight", "TEXT", Text("version that wrote the file", "写入该文件的版本")},
    {"git_commit", "TEXT", Text("of the folder", "该目录的 Git 提交")},
    {"git_changed", "INTEGER", Text("1: files differed from that commit", "1：文件与该提交不一致")},
    {"end_time", "INTEGER", Text("nanoseconds since 1970; NULL: still written, or cut", "自 1970 年起的纳秒数；NULL 表示仍在写入或被中断")},
    {"end_kind", "TEXT", Text("how the job ended: exit, signal, …", "作业的结束方式：exit、signal……")},
    {"exit_code", "INTEGER", Text("of the job", "作业的退出码")},
    {"exit_signal", "INTEGER", Text("that ended the job", "终止作业的信号")},
    {"end_text", "TEXT", Text("the end in a sentence", "一句话说明结束原因")},
    {"lost_frames", "INTEGER", Text("that could not be kept while the disk was full", "磁盘写满期间未能保留的帧数")},
};
constexpr Column kRunFact[] = {
    {"kind", "TEXT", Text("argument, tag, environment, version or end",
                             "argument、tag、environment、version 或 end")},
    {"position", "INTEGER", Text("of arguments: their order", "参数的次序")},
    {"name", "TEXT", Text("of a tag, a variable, a package", "标签、变量或软件包的名称")},
    {"value", "TEXT", Text("secrets are hidden", "机密信息已隐藏")},
};
constexpr Column kMetric[] = {
    {"scope", "TEXT", Text("device, process, …: the beginning of the table's name", "device、process 等，即表名的开头")},
    {"name", "TEXT", Text("of the column", "列名")},
    {"unit", "TEXT", Text("bytes, ratio (0–1), …", "bytes、ratio（0–1）等")},
    {"kind", "TEXT", Text("gauge or counter", "gauge 或 counter")},
};
constexpr Column kMachine[] = {
    {"t", "INTEGER", kT},
    {"hostname", "TEXT", Text("name of the host", "主机名")},
    {"kernel", "TEXT", Text("version", "内核版本")},
    {"boot_id", "TEXT", Text("changes with each boot", "每次启动都会变化")},
    {"sees_all_processes", "INTEGER", Text("0: seen from inside a container", "0：从容器内部观察")},
    {"driver_state", "INTEGER", Text("0: works", "0：工作正常")},
    {"driver_code", "INTEGER", Text("of NVML", "NVML 返回码")},
    {"driver_message", "TEXT", Text("what is wrong", "异常说明")},
    {"driver_library", "TEXT", Text("that was loaded", "已加载的库")},
    {"driver_version", "TEXT", Text("of the kernel driver", "内核驱动版本")},
    {"nvml_version", "TEXT", Text("of the library", "NVML 库版本")},
    {"cuda_version", "TEXT", Text("newest that the driver supports", "驱动支持的最高 CUDA 版本")},
};
constexpr Column kDevice[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"uuid", "TEXT", Text("the identity", "设备标识")},
    {"device_index", "INTEGER", Text("as nvidia-smi counts", "与 nvidia-smi 的编号一致")},
    {"name", "TEXT", Text("model", "型号")},
    {"pci_bus_id", "TEXT", Text("place on the bus", "总线位置")},
    {"parent_uuid", "TEXT", Text("of a MIG instance: its GPU", "MIG 实例所属的 GPU")},
    {"gpu_instance", "INTEGER", Text("of a MIG instance, else -1", "MIG 实例编号，否则为 -1")},
    {"compute_instance", "INTEGER", Text("of a MIG instance, else -1", "MIG 计算实例编号，否则为 -1")},
    {"architecture", "TEXT", Text("Hopper, …", "Hopper 等")},
    {"compute_capability", "TEXT", Text("9.0, …", "9.0 等")},
    {"vbios", "TEXT", Text("version", "版本")},
    {"minor", "INTEGER", Text("of /dev/nvidia<minor>", "/dev/nvidia<minor> 的编号")},
    {"multiprocessors", "INTEGER", Text("0: not known", "0 表示未知")},
    {"unified_memory", "INTEGER", Text("1: shares the host's memory", "1：与主机共享内存")},
    {"coherent_link", "INTEGER", Text("1: linked by C2C", "1：通过 C2C 连接")},
    {"numa_node", "INTEGER", Text("-1: none", "-1 表示无")},
    {"cpu_affinity", "TEXT", Text("CPUs nearby", "邻近的 CPU")},
};
constexpr Column kContainer[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"path", "TEXT", Text("of the control group", "控制组路径")},
    {"container_id", "TEXT", Text("64 hexadecimal digits", "64 位十六进制数")},
    {"runtime", "TEXT", Text("docker, containerd, …", "docker、containerd 等")},
    {"name", "TEXT", Text("of the container", "容器名称")},
    {"pod_uid", "TEXT", Text("of Kubernetes", "Kubernetes 的 Pod UID")},
    {"pod_name", "TEXT", Text("of Kubernetes", "Kubernetes 的 Pod 名称")},
    {"pod_namespace", "TEXT", Text("of Kubernetes", "Kubernetes 的命名空间")},
    {"slurm_job", "TEXT", Text("number", "Slurm 作业号")},
    {"own", "INTEGER", Text("1: gpusight runs in it", "1：gpusight 在其中运行")},
};
constexpr Column kProcess[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"pid", "INTEGER", Text("with start_ticks the identity", "与 start_ticks 一起构成标识")},
    {"start_ticks", "INTEGER", Text("clock ticks after boot", "启动后的时钟滴答数")},
    {"start_time", "REAL", Text("seconds since 1970", "自 1970 年起的秒数")},
    {"pid_namespace", "INTEGER", Text("inode", "inode 编号")},
    {"namespace_pids", "TEXT", Text("its pids, outermost namespace first", "各层命名空间中的进程号，由外到内")},
    {"translated", "INTEGER", Text("0: the pid belongs to another namespace", "0：进程号属于其他命名空间")},
    {"ours", "INTEGER", Text("1: of the recorder's user", "1：与记录者同一用户")},
    {"in_job", "INTEGER", Text("1: belongs to the recorded job", "1：属于被记录的作业")},
    {"parent", "INTEGER", Text("its parent's pid", "父进程号")},
    {"role", "TEXT", Text("rank, loader_worker, launcher, compiler or other", "rank、loader_worker、launcher、compiler 或 other")},
    {"user", "TEXT", Text("name", "用户名")},
    {"command", "TEXT", Text("name of the program", "程序名")},
    {"command_line", "TEXT", Text("secrets are hidden", "机密信息已隐藏")},
    {"container_name", "TEXT", Text("empty: on the host", "空表示在宿主机上")},
    {"container", "INTEGER", Text("container.id", "container.id")},
    {"slurm_job", "TEXT", Text("number", "Slurm 作业号")},
    {"visible_devices", "TEXT", Text("CUDA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")},
    {"device_order", "TEXT", Text("CUDA_DEVICE_ORDER", "CUDA_DEVICE_ORDER")},
    {"container_devices", "TEXT", Text("NVIDIA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES")},
    {"rank", "INTEGER", kRank},
    {"local_rank", "INTEGER", kRank},
    {"world_size", "INTEGER", kRank},
    {"mounts", "TEXT", Text("file systems of its open files, a line each", "其打开文件所在的文件系统，每行一个")},
    {"first_t", "INTEGER", Text("first frame that had it", "首次出现的帧")},
    {"last_t", "INTEGER", Text("last frame that had it; NULL: to the end", "最后出现的帧；NULL 表示直到结束")},
};
constexpr Column kFramework[] = {
    {"process", "INTEGER PRIMARY KEY", kProcessId},
    {"framework", "TEXT", Text("PyTorch, PaddlePaddle, …", "PyTorch、PaddlePaddle 等")},
    {"version", "TEXT", Text("of the framework", "框架版本")},
    {"python", "TEXT", Text("version of Python", "Python 版本")},
    {"script", "TEXT", Text("what runs", "运行的脚本")},
    {"dtype", "TEXT", Text("of the parameters", "参数的数据类型")},
    {"settings", "TEXT", Text("of the allocator, as given", "分配器设置，按原样记录")},
    {"rank", "INTEGER", Text("-1: not known", "-1 表示未知")},
    {"local_rank", "INTEGER", Text("-1: not known", "-1 表示未知")},
    {"world_size", "INTEGER", Text("-1: not known", "-1 表示未知")},
    {"mixed_precision", "INTEGER", Text("1: automatic mixed precision", "1：自动混合精度")},
    {"compiled", "INTEGER", Text("1: by torch.compile and the like", "1：使用 torch.compile 等编译")},
};
constexpr Column kFrame[] = {
    {"t", "INTEGER PRIMARY KEY", kT},
    {"time", "INTEGER", kWall},
    {"interval_seconds", "REAL", Text("since the frame before", "距上一帧的时间")},
    {"merged", "INTEGER", Text("how many frames this stands for", "由多少帧合并而成")},
};
constexpr Column kByDevice[] = {{"t", "INTEGER", kT}, {"device", "INTEGER", kDeviceId}};
constexpr Column kDeviceFrame[] = {
    {"t", "INTEGER", kT},
    {"device", "INTEGER", kDeviceId},
    {"state", "INTEGER", Text("NULL: usable; 1 lost, 2 needs a reset, 3 not listed any more, 4 no permission, 5 asleep, 6 no answer",
                              "NULL 可用；1 丢失，2 需要复位，3 不再列出，4 无权限，5 休眠，6 无响应")},
    {"process_count", "INTEGER", Text("how many the driver listed", "驱动列出的进程数")},
};
constexpr Column kDeviceSamples[] = {
    {"t", "INTEGER", kT},
    {"device", "INTEGER", kDeviceId},
    {"utilization", "BLOB", Text("the driver's own samples, see below", "驱动自身的样本，编码见下文")},
    {"memory_activity", "BLOB", Text("the same", "同上")},
    {"power", "BLOB", Text("the same", "同上")},
};
constexpr Column kByProcess[] = {{"t", "INTEGER", kT}, {"process", "INTEGER", kProcessId}};
constexpr Column kProcessFrame[] = {
    {"t", "INTEGER", kT},
    {"process", "INTEGER", kProcessId},
    {"state", "INTEGER", Text("NULL: runs; 1: ended, but not released", "NULL 运行中；1 已结束但未释放")},
};
constexpr Column kByUse[] = {
    {"t", "INTEGER", kT}, {"process", "INTEGER", kProcessId}, {"device", "INTEGER", kDeviceId}};
constexpr Column kUseFrame[] = {
    {"t", "INTEGER", kT},
    {"process", "INTEGER", kProcessId},
    {"device", "INTEGER", kDeviceId},
    {"types", "INTEGER", Text("1 compute + 2 graphics + 4 MPS; NULL: does not use it any more", "1 计算 + 2 图形 + 4 MPS；NULL 表示不再使用")},
};
constexpr Column kByContainer[] = {{"t", "INTEGER", kT},
                                   {"container", "INTEGER", Text("container.id", "container.id")}};
constexpr Column kByTime[] = {{"t", "INTEGER", kT}};
constexpr Column kFrameworkFrame[] = {
    {"t", "INTEGER", kT},
    {"process", "INTEGER", kProcessId},
    {"lost", "INTEGER", Text("steps, marks and samples that were overwritten unread", "未读即被覆盖的步、标记与样本数")},
};
constexpr Column kByAllocator[] = {
    {"t", "INTEGER", kT},
    {"process", "INTEGER", kProcessId},
    {"ordinal", "INTEGER", Text("the framework's number of the device", "框架中的设备编号")}};
constexpr Column kAllocatorFrame[] = {
    {"t", "INTEGER", kT},
    {"process", "INTEGER", kProcessId},
    {"ordinal", "INTEGER", Text("the framework's number of the device", "框架中的设备编号")},
    {"device", "INTEGER", kDeviceId},
    {"age_seconds", "REAL", Text("since the process wrote it", "距进程写入的时间")},
};
constexpr Column kStep[] = {
    {"t", "INTEGER", Text("end of the step", "该步结束的时刻")},
    {"process", "INTEGER", kProcessId},
    {"number", "INTEGER", Text("from 1", "从 1 开始")},
    {"microseconds", "INTEGER", Text("since the end of the step before", "距上一步结束")},
    {"data_microseconds", "INTEGER", Text("of it, waited for data", "其中等待数据的时间")},
    {"merged", "INTEGER", Text("NULL: one step; else how many: their mean, the last one's end and number", "NULL 表示单步；否则为合并步数：取均值，以及最后一步的时刻与编号")},
    {"min_microseconds", "INTEGER", Text("of merged ones: the shortest", "合并各步中的最短者")},
    {"max_microseconds", "INTEGER", Text("of merged ones: the longest", "合并各步中的最长者")},
};
constexpr Column kStack[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"text", "TEXT", Text("outermost frame first, separated by ';'", "由最外层帧开始，以“;”分隔")},
};
constexpr Column kStackSample[] = {
    {"t", "INTEGER", kT},
    {"process", "INTEGER", kProcessId},
    {"stack", "INTEGER", Text("stack.id", "stack.id")},
    {"samples", "INTEGER", Text("how often it was seen since the frame before", "自上一帧以来出现的次数")},
    {"idle_samples", "INTEGER", Text("of them, while all devices of the process were idle; NULL: not counted yet", "其中该进程所有设备均空闲时的次数；NULL 表示尚未统计")},
    {"times", "BLOB", Text("when, see below; NULL in merged frames", "各次时刻，编码见下文；合并帧中为 NULL")},
};
constexpr Column kMark[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"t", "INTEGER", kT},
    {"time", "INTEGER", kWall},
    {"process", "INTEGER", kProcessId},
    {"type", "TEXT", Text("phase, checkpoint, exception, note, metric or out_of_memory", "phase、checkpoint、exception、note、metric 或 out_of_memory")},
    {"value", "REAL", Text("of a metric; of a checkpoint: seconds", "指标值；对 checkpoint 为秒数")},
    {"text", "TEXT", Text("what the program said", "程序给出的文字")},
};
constexpr Column kOutOfMemory[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"t", "INTEGER", kT},
    {"time", "INTEGER", kWall},
    {"process", "INTEGER", kProcessId},
    {"ordinal", "INTEGER", Text("the framework's number of the device", "框架中的设备编号")},
    {"requested_bytes", "INTEGER", Text("what failed", "失败的请求")},
    {"total_bytes", "INTEGER", Text("of the device", "设备总量")},
    {"free_bytes", "INTEGER", Text("of the device", "设备空闲量")},
    {"allocated_bytes", "INTEGER", Text("of the allocator", "分配器已分配")},
    {"reserved_bytes", "INTEGER", Text("of the allocator", "分配器已预留")},
    {"active_bytes", "INTEGER", Text("of the allocator", "分配器活跃")},
    {"inactive_split_bytes", "INTEGER", Text("of the allocator", "分配器不可归还的空闲块")},
    {"stack", "TEXT", Text("innermost frame first", "由最内层帧开始")},
    {"caught", "INTEGER", Text("1: the program went on", "1：程序继续运行")},
};
constexpr Column kEvent[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"t", "INTEGER", kT},
    {"time", "INTEGER", kWall},
    {"type", "TEXT", Text("xid, device_lost, …", "xid、device_lost 等")},
    {"device", "INTEGER", kDeviceId},
    {"number", "INTEGER", Text("XID, pid or seconds", "XID、进程号或秒数")},
};
constexpr Column kProbeFrame[] = {
    {"t", "INTEGER", kT},
    {"probe", "TEXT", Text("nvml, host, …", "nvml、host 等")},
    {"duration_seconds", "REAL", Text("mean of a sample", "每次采样的平均耗时")},
    {"duration_max_seconds", "REAL", Text("of the longest", "最长一次")},
    {"lateness_seconds", "REAL", Text("of the latest", "最大的延迟")},
    {"failures", "INTEGER", Text("since its start", "自启动以来的失败次数")},
    {"rejected", "INTEGER", Text("implausible values, since its start", "自启动以来丢弃的不合理值")},
    {"calls", "INTEGER", Text("driver calls or file reads, since its start", "自启动以来的驱动调用或文件读取次数")},
};
constexpr Column kOutputTail[] = {
    {"id", "INTEGER PRIMARY KEY", Text("order", "顺序")},
    {"time", "INTEGER", kWall},
    {"stream", "INTEGER", Text("1 output, 2 errors", "1 标准输出，2 标准错误")},
    {"bytes", "BLOB", Text("as they came", "原始字节")},
};
constexpr Column kFinding[] = {
    {"id", "INTEGER PRIMARY KEY", Text("in this file", "在本文件中的编号")},
    {"opened_time", "INTEGER", kWall},
    {"updated_time", "INTEGER", kWall},
    {"closed_time", "INTEGER", Text("as updated_time; NULL: it held still at the end", "同 updated_time；NULL 表示结束时仍然成立")},
    {"rule", "TEXT", Text("its name", "规则名")},
    {"form", "TEXT", Text("which of the rule's forms; empty: it has one", "规则的哪种形式；空表示只有一种")},
    {"level", "TEXT", Text("info, warning, critical", "info、warning、critical")},
    {"severity", "REAL", Text("share of wall time lost, or how near the end of memory is: 0–1", "损失的墙钟时间占比，或距离显存耗尽的程度：0–1")},
    {"confidence", "REAL", Text("0–1; from 0.6 on it is called the cause", "0–1；不低于 0.6 时称为原因")},
    {"seconds_left", "REAL", Text("until the memory ends; NULL: does not apply", "距离显存耗尽的秒数；NULL 表示不适用")},
    {"device_uuid", "TEXT", Text("empty: none in particular", "空表示不针对特定设备")},
    {"pid", "INTEGER", Text("0: none in particular", "0 表示不针对特定进程")},
    {"start_ticks", "INTEGER", Text("of that process, as in process", "该进程的启动时刻，同 process 表")},
    {"rank", "INTEGER", Text("-1: none in particular", "-1 表示不针对特定 rank")},
    {"evidence", "TEXT", Text("JSON: [{\"key\", \"figures\": [{\"number\", \"unit\"} or {\"word\"}]}]", "JSON：[{\"key\", \"figures\": [{\"number\", \"unit\"} 或 {\"word\"}]}]")},
    {"proposal", "REAL", Text("the number that its fix needs, such as workers; NULL: none", "建议值，例如加载进程数；NULL 表示没有")},
    {"place", "TEXT", Text("where the program stood, or empty", "程序所在位置，可为空")},
    {"missing", "TEXT", Text("JSON: metrics that would have made it surer", "JSON：可提高置信度但缺失的指标")},
    {"behind", "TEXT", Text("the rule that explains this one, too, or empty", "同样能解释本条的规则，可为空")},
    {"text_en", "TEXT", Text("one sentence, English", "一句话，英文")},
    {"text_zh", "TEXT", Text("one sentence, Chinese", "一句话，中文")},
};
constexpr Column kAbsence[] = {
    {"t", "INTEGER", kT},
    {"scope", "TEXT", Text("as in metric; identity: of a process; machine", "同 metric 表；identity 表示进程身份；或 machine")},
    {"entity", "INTEGER", Text("id of the device, process or container; 0: the host", "设备、进程或容器的 id；0 表示主机")},
    {"part", "INTEGER", Text("of a use: the device; of an allocator: its ordinal; else 0", "使用关系中为设备，分配器中为编号，否则为 0")},
    {"field", "TEXT", Text("the column that is NULL from then on, as long as it is", "自此为 NULL 的列，直到有值为止")},
    {"reason", "TEXT", Text("why: not_supported, no_permission, …; a NULL without a row: not_sampled_yet", "原因：not_supported、no_permission 等；没有对应行的 NULL 表示 not_sampled_yet")},
    {"code", "INTEGER", Text("number of a driver_error or system_error", "driver_error 或 system_error 的编号")},
};

constexpr Text kLeast("least of each number in a merged frame", "合并帧中各数值的最小值");
constexpr Text kMost("most of each number in a merged frame", "合并帧中各数值的最大值");

constexpr Table kTables[] = {
    {"run", "", Text("one row: the run as a whole", "仅一行：整个运行"), kRun},
    {"run_fact", "kind, position", Text("its arguments, tags, environment and versions", "参数、标签、环境变量与版本"), kRunFact},
    {"metric", "scope, name", Text("unit and kind of every column of numbers", "每个数值列的单位与类型"), kMetric},
    {"machine", "t", Text("host and driver; a row when something changed", "主机与驱动；变化时写入一行"), kMachine},
    {"device", "", Text("identity of a device", "设备身份"), kDevice},
    {"container", "", Text("identity of a container", "容器身份"), kContainer},
    {"process", "", Text("identity of a process", "进程身份"), kProcess},
    {"framework", "", Text("what a process tells of its framework", "进程报告的框架信息"), kFramework},
    {"frame", "", Text("the instants", "各采样时刻"), kFrame},
    {"device_frame", "t, device", Text("numbers of a device", "设备的数值"), kDeviceFrame, Scope::kDevice, Part::kFrame},
    {"device_slow", "t, device", Text("those that change seldom: a row when one did", "较少变化的数值：变化时写入一行"), kByDevice, Scope::kDevice, Part::kSlow},
    {"device_min", "t, device", kLeast, kByDevice, Scope::kDevice, Part::kLeast},
    {"device_max", "t, device", kMost, kByDevice, Scope::kDevice, Part::kMost},
    {"device_samples", "t, device", Text("the driver's samples between two frames", "两帧之间驱动自身的样本"), kDeviceSamples},
    {"process_frame", "t, process", Text("numbers of a process", "进程的数值"), kProcessFrame, Scope::kProcess, Part::kFrame},
    {"process_slow", "t, process", Text("those that change seldom, or matter less: a row when one did, every 10 s at most for counters", "较少变化或次要的数值：变化时写入，计数器至多每 10 秒一行"), kByProcess, Scope::kProcess, Part::kSlow},
    {"process_min", "t, process", kLeast, kByProcess, Scope::kProcess, Part::kLeast},
    {"process_max", "t, process", kMost, kByProcess, Scope::kProcess, Part::kMost},
    {"use_frame", "t, process, device", Text("a process on a device: a row when something changed", "进程对设备的使用：变化时写入一行"), kUseFrame, Scope::kUse, Part::kFrame},
    {"use_min", "t, process, device", kLeast, kByUse, Scope::kUse, Part::kLeast},
    {"use_max", "t, process, device", kMost, kByUse, Scope::kUse, Part::kMost},
    {"container_frame", "t, container", Text("numbers of a container", "容器的数值"), kByContainer, Scope::kContainer, Part::kFrame},
    {"container_slow", "t, container", Text("those that change seldom", "较少变化的数值"), kByContainer, Scope::kContainer, Part::kSlow},
    {"container_min", "t, container", kLeast, kByContainer, Scope::kContainer, Part::kLeast},
    {"container_max", "t, container", kMost, kByContainer, Scope::kContainer, Part::kMost},
    {"host_frame", "t", Text("numbers of the host", "主机的数值"), kByTime, Scope::kHost, Part::kFrame},
    {"host_slow", "t", Text("those that change seldom", "较少变化的数值"), kByTime, Scope::kHost, Part::kSlow},
    {"host_min", "t", kLeast, kByTime, Scope::kHost, Part::kLeast},
    {"host_max", "t", kMost, kByTime, Scope::kHost, Part::kMost},
    {"framework_frame", "t, process", Text("steps and waits of a process", "进程的训练步与等待"), kFrameworkFrame, Scope::kFramework, Part::kFrame},
    {"framework_min", "t, process", kLeast, kByProcess, Scope::kFramework, Part::kLeast},
    {"framework_max", "t, process", kMost, kByProcess, Scope::kFramework, Part::kMost},
    {"allocator_frame", "t, process, ordinal", Text("the framework's allocator of one device", "框架在一个设备上的分配器"), kAllocatorFrame, Scope::kAllocator, Part::kFrame},
    {"allocator_min", "t, process, ordinal", kLeast, kByAllocator, Scope::kAllocator, Part::kLeast},
    {"allocator_max", "t, process, ordinal", kMost, kByAllocator, Scope::kAllocator, Part::kMost},
    {"step", "t, process, number", Text("optimizer steps; of many within a second, several are merged", "优化器训练步；同一秒内过多时合并"), kStep},
    {"stack", "", Text("texts of stacks", "调用栈文本"), kStack},
    {"stack_sample", "t, process, stack", Text("stacks of main threads, seen since the frame before", "自上一帧以来主线程的调用栈"), kStackSample},
    {"mark", "", Text("what a process marked", "进程作出的标记"), kMark},
    {"out_of_memory", "", Text("allocations that failed", "失败的显存分配"), kOutOfMemory},
    {"event", "", Text("what happened to devices and processes", "设备与进程上发生的事件"), kEvent},
    {"probe_frame", "t, probe", Text("how the recorder's probes did, every 10 s", "采集器自身的表现，每 10 秒一行"), kProbeFrame},
    {"output_tail", "", Text("the end of what the job printed", "作业输出的末尾"), kOutputTail},
    {"finding", "", Text("diagnosed causes", "诊断结论"), kFinding},
    {"absence", "t, scope, entity, part, field", Text("why a column is NULL", "某列为 NULL 的原因"), kAbsence},
};
// clang-format on

}  // namespace

std::span<const Table> Tables() { return kTables; }

}  // namespace gpusight::record
