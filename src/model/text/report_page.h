// SPDX-License-Identifier: Apache-2.0
// The words of the page that `gpusight report` makes, in both languages. The page finds them by
// their key (web/report/text.ts) and fills {0}, {1}, … itself. A test compares the keys with those
// that the page asks for.
#pragma once

#include <string_view>

#include "base/language.h"

namespace gpusight::text {

struct PageText {
  std::string_view key;
  Text text;
};

inline constexpr PageText kPageTexts[] = {
    {"title", {"gpusight run report", "gpusight 运行报告"}},
    {"all", {"all", "全部"}},
    {"all_devices", {"all GPUs", "全部 GPU"}},
    {"allocated_peak", {"allocated, peak", "已分配峰值"}},
    {"chart_activity", {"SM, tensor and memory activity", "SM、张量核心与显存活跃度"}},
    {"chart_clocks", {"Clocks", "时钟频率"}},
    {"chart_cpu", {"CPU, cores", "CPU（核）"}},
    {"chart_data_wait", {"Waiting for data, share of the step", "等待数据占每步的比例"}},
    {"chart_host_memory", {"Host memory", "主机内存"}},
    {"chart_io", {"Storage and network", "存储与网络"}},
    {"chart_links", {"PCIe and NVLink", "PCIe 与 NVLink"}},
    {"chart_memory", {"Memory account", "显存账目"}},
    {"chart_memory_used", {"Memory used", "已用显存"}},
    {"chart_power", {"Power", "功耗"}},
    {"chart_pressure", {"Pressure and busiest disk", "资源压力与最忙磁盘"}},
    {"chart_steps", {"Step time", "每步耗时"}},
    {"chart_temperature", {"Temperature", "温度"}},
    {"chart_utilization", {"Utilisation", "利用率"}},
    {"choose_device", {"choose one GPU for all its lines", "选择单个 GPU 可查看其全部曲线"}},
    {"clocks_held", {"held down: {0}", "降频累计：{0}"}},
    {"command", {"command", "命令"}},
    {"command_line", {"command line", "命令行"}},
    {"cut_above", {"cut above; the slowest took {0}", "超出部分已截断；最慢 {0}"}},
    {"cpu_mean", {"CPU, mean cores", "CPU 平均核数"}},
    {"data_wait", {"waiting for data", "等待数据"}},
    {"detail", {"detail", "详情"}},
    {"detail_hint",
     {"zoom to 10 minutes or less for the driver's 200 ms samples",
      "放大到 10 分钟以内可查看驱动的 200 毫秒样本"}},
    {"detail_hint_cut",
     {"zoom to 10 minutes or less for the driver's 200 ms samples (the newest were kept)",
      "放大到 10 分钟以内可查看驱动的 200 毫秒样本（仅保留最新部分）"}},
    {"detail_shown", {"the driver's own 200 ms samples", "驱动自身的 200 毫秒样本"}},
    {"device", {"GPU", "GPU"}},
    {"driver", {"driver", "驱动"}},
    {"duration", {"duration", "时长"}},
    {"end", {"how it ended", "结束方式"}},
    {"end_cut", {"no end recorded", "没有结束记录"}},
    {"end_exit", {"exit code {0}", "退出码 {0}"}},
    {"end_signal", {"ended by signal {0}", "被信号 {0} 终止"}},
    {"ended", {"ended", "结束时间"}},
    {"energy", {"energy", "能耗"}},
    {"environment", {"environment", "环境变量"}},
    {"event", {"event", "事件"}},
    {"events_title", {"Phases, events and marks", "阶段、事件与标记"}},
    {"evidence", {"evidence", "依据"}},
    {"finding_weight", {"{0} of the time, confidence {1}", "占时间 {0}，置信度 {1}"}},
    {"findings", {"Findings", "诊断"}},
    {"flame_hint",
     {"Each box is a line of the program, as wide as the GPU's idle time there and below. Click or "
      "press Enter to see one alone.",
      "每个方块是程序中的一行，宽度为主线程位于此处及其下层时 GPU 的空闲时间。点击或按 Enter "
      "可单独查看。"}},
    {"flame_title",
     {"Where the main thread was while the GPU was idle", "GPU 空闲时主线程所在位置（火焰图）"}},
    {"folder", {"folder", "目录"}},
    {"frames", {"samples", "采样数"}},
    {"frames_lost", {"{0} lost", "丢失 {0}"}},
    {"framework", {"framework", "框架"}},
    {"full_rate", {"kept at full rate", "保留全部采样"}},
    {"full_rate_of", {"{0} of {1}", "{1} 中的 {0}"}},
    {"git_changed", {"(with changes)", "（有未提交的修改）"}},
    {"host", {"host", "主机"}},
    {"idle", {"idle", "空闲"}},
    {"idle_clock",
     {"The driver's clock was put right by {0} to {1}.", "已校正驱动时钟：{0} 至 {1}。"}},
    {"idle_program_clock",
     {"The program's clock was put right by {0} to {1}.", "已校正程序时钟：{0} 至 {1}。"}},
    {"idle_counted",
     {"{0} of the idle time are older and shared out by how often each stack was seen in idle "
      "moments.",
      "其中 {0} 的空闲时间较早，按空闲时刻各调用栈出现的次数分摊。"}},
    {"idle_covers",
     {"This speaks of {0} of {1}: of the rest the driver's samples are no longer kept.",
      "以上结论覆盖 {1} 中的 {0}：其余时间的驱动样本未保留。"}},
    {"idle_explained",
     {"The stack is known for {0} of the idle time; for {1} of it there was none.",
      "空闲时间的 {0} 有对应的调用栈，其余 {1} 没有。"}},
    {"idle_never_met",
     {"Why cannot be known: the stacks and the driver's samples are of different times.",
      "无法判断原因：调用栈与驱动样本的时间没有重合。"}},
    {"idle_no_page",
     {"What the program did while the GPU was idle is not known: no process told of its stacks. "
      "Start it with 'gpusight run'.",
      "无法判断 GPU 空闲时程序在做什么：没有进程提供调用栈。请使用“gpusight run”启动程序。"}},
    {"idle_no_samples",
     {"Why cannot be known: the driver gave no utilisation samples.",
      "无法判断原因：驱动没有提供利用率样本。"}},
    {"idle_no_stacks",
     {"Why cannot be known: the program told of no stacks.", "无法判断原因：程序没有提供调用栈。"}},
    {"idle_place", {"{0} ({1})", "{0}（{1}）"}},
    {"idle_sentence",
     {"{0} idle {1} of the time; while idle the main thread was at {2}.",
      "{0} 有 {1} 的时间空闲；空闲时主线程位于 {2}。"}},
    {"idle_share", {"{0} idle {1} of the time.", "{0} 有 {1} 的时间空闲。"}},
    {"idle_time", {"GPU idle", "GPU 空闲时间"}},
    {"idle_title", {"What the program did while the GPU was idle", "GPU 空闲时程序在做什么"}},
    {"idle_unsteady_clock",
     {"Why cannot be known: a clock did not keep still, so that stacks and samples cannot be "
      "joined.",
      "无法判断原因：时钟不稳定，无法将调用栈与样本对应。"}},
    {"left_out", {"{0} older entries found no room.", "另有 {0} 条较早的记录未列出。"}},
    {"list_comma", {", ", "、"}},
    {"mean_devices", {"mean of {0} GPU", "{0} 个 GPU 的平均值"}},
    {"memory_at", {"when most was used, {0}", "占用最多的时刻，{0}"}},
    {"memory_incomplete",
     {"the share of some processes is not known ({0}); the residual holds it",
      "部分进程的占用未知（{0}），已计入未归属"}},
    {"memory_note",
     {"each point is the moment of most use; beside the names: at the peak",
      "每个点取占用最多的时刻；名称旁为峰值时的大小"}},
    {"memory_peak", {"memory, peak", "显存峰值"}},
    {"memory_title", {"Memory account at the peak", "峰值时的显存账目"}},
    {"memory_unbalanced",
     {"at some moments the driver's own numbers do not add up",
      "某些时刻驱动自身的数字无法相加吻合"}},
    {"no_findings", {"None were recorded.", "没有诊断记录。"}},
    {"no_steps", {"no process told of its steps", "没有进程提供训练步信息"}},
    {"none", {"none", "无"}},
    {"not_shown", {"Not known: {0}", "未知：{0}"}},
    {"of", {"of {0}", "共 {0}"}},
    {"of_the_time", {"of the time", "占时间"}},
    {"oom_detail",
     {"asked for {0}; free {1}, allocated {2}, cached {3}",
      "请求 {0}；空闲 {1}，已分配 {2}，缓存 {3}"}},
    {"other_processes_n", {"other processes ({0})", "其他进程（{0}）"}},
    {"out_of_memory", {"out of memory", "显存不足（OOM）"}},
    {"output_title", {"The end of its output", "输出末尾"}},
    {"pan_left", {"move left", "向左移动"}},
    {"pan_right", {"move right", "向右移动"}},
    {"partly_missing", {"{0} at times: {1}", "{0} 有时未知：{1}"}},
    {"phase", {"phase", "阶段"}},
    {"place", {"place", "位置"}},
    {"pointed_at", {"values at {0}", "{0} 时的数值"}},
    {"process", {"process", "进程"}},
    {"processes_cut", {"There were more processes.", "另有更多进程未列出。"}},
    {"processes_title", {"Processes", "进程"}},
    {"rank", {"rank", "rank"}},
    {"read", {"read", "读取"}},
    {"reserved_peak", {"reserved, peak", "已预留峰值"}},
    {"resident", {"host memory, most", "主机内存峰值"}},
    {"retries", {"retries", "分配重试"}},
    {"run_title", {"The run", "运行信息"}},
    {"share", {"share", "占比"}},
    {"started", {"started", "开始时间"}},
    {"step", {"step", "训练步"}},
    {"step_mean", {"mean", "平均"}},
    {"step_most", {"slowest", "最慢"}},
    {"step_outliers", {"slow ones", "慢步数"}},
    {"step_outliers_list",
     {"{0} steps took more than twice the median", "{0} 个训练步耗时超过中位数两倍"}},
    {"step_p50", {"p50", "p50"}},
    {"step_p95", {"p95", "p95"}},
    {"step_p99", {"p99", "p99"}},
    {"step_time", {"step time", "每步耗时"}},
    {"steps", {"steps", "训练步数"}},
    {"steps_done", {"median of {0} steps, p99 {1}", "{0} 步的中位数，p99 {1}"}},
    {"steps_histogram", {"Steps by duration (logarithmic)", "训练步耗时分布（对数）"}},
    {"steps_merged",
     {"Of {0} older steps only means are kept; their spread is not in the percentiles.",
      "较早的 {0} 步仅保留平均值，其离散程度未计入分位数。"}},
    {"steps_title", {"Steps", "训练步"}},
    {"theme", {"light or dark", "明暗主题"}},
    {"theme_auto", {"as the system", "跟随系统"}},
    {"theme_dark", {"dark", "深色"}},
    {"theme_light", {"light", "浅色"}},
    {"time", {"time", "时间"}},
    {"timelines", {"Timelines", "时间线"}},
    {"timelines_hint",
     {"Drag to zoom, double click to see all; with Shift or Ctrl the wheel moves or zooms. Keys: "
      "← → move, + − zoom, 0 all, [ ] point.",
      "拖动可放大，双击恢复全部；按住 Shift 或 Ctrl 滚动可平移或缩放。按键：← → 平移，+ − "
      "缩放，0 全部，[ ] 移动指示线。"}},
    {"total", {"total", "总量"}},
    {"unknown", {"not known", "未知"}},
    {"user", {"user", "用户"}},
    {"written", {"written", "写入"}},
    {"zoom_in", {"zoom in", "放大"}},
    {"zoom_out", {"zoom out", "缩小"}},
    {"zoom_reset", {"show all", "显示全部"}},
};

// Words of the data: series that are worked out, layers, events, marks, ends. Those of the
// catalogue have their labels there.
inline constexpr PageText kDataWords[] = {
    {"processes_cpu_cores", {"the job's processes", "作业进程"}},
    {"processes_read_bytes_per_second", {"processes, read", "进程读取"}},
    {"processes_written_bytes_per_second", {"processes, written", "进程写入"}},
    {"memory_used_bytes", {"host memory used", "主机已用内存"}},
    {"disk_read_bytes_per_second", {"disks, read", "磁盘读取"}},
    {"disk_written_bytes_per_second", {"disks, written", "磁盘写入"}},
    {"network_receive_bytes_per_second", {"network, received", "网络接收"}},
    {"network_transmit_bytes_per_second", {"network, sent", "网络发送"}},
    {"cpu_cores", {"whole machine", "整机"}},
    {"container_cpu_cores", {"container", "容器"}},
    {"container_throttled_seconds_per_second", {"container, throttled", "容器 CPU 限流"}},
    {"container_memory_current_bytes", {"container", "容器"}},
    {"container_memory_limit_bytes", {"container's limit", "容器上限"}},
    {"allocated", {"allocated", "已分配"}},
    {"inactive_split", {"inactive split", "不可归还的空闲块"}},
    {"other_cached", {"other cached", "其他缓存"}},
    {"cached", {"cached", "缓存"}},
    {"reserved", {"reserved", "已预留"}},
    {"outside_allocator", {"outside the allocator", "分配器之外"}},
    {"process", {"process", "进程"}},
    {"other_processes", {"other processes", "其他进程"}},
    {"residual", {"residual", "未归属"}},
    {"driver_reserved", {"driver reserved", "驱动预留"}},
    {"free", {"free", "空闲"}},
    {"power_cap", {"power cap", "功耗上限"}},
    {"sync_boost", {"sync boost", "同步加速"}},
    {"software_thermal", {"software thermal", "软件温控"}},
    {"hardware_thermal", {"hardware thermal", "硬件温控"}},
    {"power_brake", {"power brake", "电源制动"}},
    {"xid", {"XID", "XID"}},
    {"ecc_corrected", {"ECC, corrected", "ECC 已纠正"}},
    {"ecc_uncorrected", {"ECC, uncorrected", "ECC 未纠正"}},
    {"device_lost", {"device lost", "设备丢失"}},
    {"device_returned", {"device returned", "设备恢复"}},
    {"driver_reloaded", {"driver reloaded", "驱动重新加载"}},
    {"driver_silent", {"driver silent", "驱动无响应"}},
    {"driver_answered", {"driver answered", "驱动恢复响应"}},
    {"process_started", {"process started", "进程启动"}},
    {"process_ended", {"process ended", "进程结束"}},
    {"clock_jump", {"clock set", "时钟被调整"}},
    {"out_of_memory", {"out of memory", "显存不足（OOM）"}},
    {"checkpoint", {"checkpoint", "检查点"}},
    {"exception", {"exception", "异常"}},
    {"note", {"note", "备注"}},
    {"metric", {"metric", "指标"}},
    {"oom_killed", {"killed: host out of memory", "因主机内存不足被终止"}},
    {"signal", {"signal", "信号"}},
    {"exit", {"exit", "退出"}},
};

// The text of that key, for what shows the same outside of the page. A key that is not there does
// not compile.
consteval const Text& PageWord(std::string_view key) {
  for (const PageText& page : kPageTexts) {
    if (page.key == key) return page.text;
  }
  throw "there is no such text";
}

// The word for people of a word of the data; null when there is none.
constexpr const Text* DataWord(std::string_view name) {
  for (const PageText& word : kDataWords) {
    if (word.key == name) return &word.text;
  }
  return nullptr;
}

// What stands in the page until its program runs.
inline constexpr Text kPageNeedsScript{
    "This page draws with JavaScript, which is switched off here. 'gpusight report FILE "
    "--markdown' "
    "shows the same without.",
    "本页面需要 JavaScript，而此处已禁用。可使用“gpusight report FILE --markdown”查看相同内容。"};

}  // namespace gpusight::text
