// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight doctor`, in both languages: the command, the page, and what is common to
// several checks. The checks' own: doctor_driver.h, doctor_devices.h, doctor_host.h,
// doctor_environment.h.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// The command
inline constexpr Text kDoctorSummary{
    "Check driver, container, devices and settings; say what to do",
    "检查驱动、容器、设备与设置，并给出修复方法"};
inline constexpr Text kDoctorDescription{
    "Looks at everything that decides whether a GPU job can run well here: driver and libraries, "
    "device nodes, container, limits, device health, links, other monitors, and the memory "
    "settings of PyTorch, Paddle, JAX and TensorFlow in the environment. Each line is ok, note or "
    "problem, and says what mends it. Works without a GPU and without a driver.",
    "检查决定 GPU "
    "任务能否正常运行的一切：驱动与库、设备节点、容器、资源限制、设备健康、链路、其他监控工具，"
    "以及环境变量中 PyTorch、Paddle、JAX、TensorFlow "
    "的显存设置。每一行为正常、提示或问题，并给出修复方法。"
    "没有 GPU 或驱动时也能运行。"};
inline constexpr Text kDoctorOptJson{"Print the checks as JSON", "以 JSON 输出检查结果"};
inline constexpr Text kDoctorOptPid{
    "Examine the surroundings and the environment of this process instead of our own",
    "检查该进程的运行环境与环境变量，而非 gpusight 自身的"};
inline constexpr Text kDoctorOptCapture{
    "Record the driver's answers into this folder, identifiers replaced, as a scenario for the "
    "fake driver",
    "将驱动的全部应答录制到该目录（标识符已替换），供模拟驱动重放"};
inline constexpr Text kDoctorNoProcess{"there is no process {}", "不存在进程 {}"};
inline constexpr Text kDoctorNoProcessRemedy{
    "'gpusight who' lists the processes on the devices; --pid takes a number of this PID "
    "namespace.",
    "用“gpusight who”查看设备上的进程；--pid 须为本 PID 命名空间中的进程号。"};
inline constexpr Text kDoctorEnded{
    "process {} has ended; the driver lists it because its memory is not released yet",
    "进程 {} 已结束；因显存尚未释放，驱动仍将其列出"};
inline constexpr Text kDoctorEndedRemedy{"'gpusight who' shows what it still holds.",
                                         "用“gpusight who”查看其仍占用的显存。"};
inline constexpr Text kDoctorOutside{
    "process {} is outside this container: its number is one of another PID namespace",
    "进程 {} 位于容器之外：该进程号属于其他 PID 命名空间"};
inline constexpr Text kDoctorOutsideRemedy{"Run 'gpusight doctor --pid {}' on the host.",
                                           "请在宿主机上运行“gpusight doctor --pid {}”。"};
inline constexpr Text kDoctorJsonAndCapture{"--json and --capture exclude one another",
                                            "--json 与 --capture 不能同时使用"};
inline constexpr Text kDoctorCaptureThere{"there is a recording in {} already",
                                          "{} 中已有录制内容"};
inline constexpr Text kDoctorCaptureThereRemedy{"Name another folder, or remove that one first.",
                                                "请指定其他目录，或先删除该目录。"};
inline constexpr Text kDoctorCaptureSilent{
    "the driver did not answer within {} s; nothing was recorded",
    "驱动在 {} 秒内没有应答，未录制任何内容"};
inline constexpr Text kDoctorCaptureSilentRemedy{
    "'dmesg | grep -i nvrm' may say why; a GPU that hangs needs a reset or a reboot.",
    "可用“dmesg | grep -i nvrm”查看原因；挂起的 GPU 需要重置，或重启机器。"};
inline constexpr Text kDoctorCaptured{
    "Recorded into {0}. UUIDs and process numbers are replaced; read the files before you give "
    "them away. "
    "To play it: GPUSIGHT_FAKE_SCENARIO={0}/scenario.json gpusight --nvml {1} status (the fake "
    "driver).",
    "已录制到 {0}。UUID 与进程号均已替换，对外提供前请先查看文件内容。重放（使用模拟驱动）："
    "GPUSIGHT_FAKE_SCENARIO={0}/scenario.json gpusight --nvml {1} status"};

// The page
inline constexpr Text kStateOk{"ok", "正常"};
inline constexpr Text kStateNote{"note", "提示"};
inline constexpr Text kStateProblem{"problem", "问题"};
inline constexpr Text kDoctorHead{"gpusight doctor on {} (problems: {}, notes: {}, ok: {})",
                                  "gpusight doctor：{}（问题 {}，提示 {}，正常 {}）"};
inline constexpr Text kDoctorSubject{"process {}", "进程 {}"};
inline constexpr Text kGroupDriver{"Driver", "驱动"};
inline constexpr Text kGroupContainer{"Container", "容器"};
inline constexpr Text kGroupDevices{"Devices", "设备"};
inline constexpr Text kGroupHost{"Host and limits", "主机与限制"};
inline constexpr Text kGroupProfiling{"Profiling and other monitors", "性能分析与其他监控工具"};
inline constexpr Text kGroupEnvironment{"Environment", "环境变量"};
inline constexpr Text kAsItIs{"{}", "{}"};
inline constexpr Text kSentence{"{}.", "{}。"};
inline constexpr Text kAskOperator{"Ask whoever runs the host machine.", "请联系宿主机管理员。"};

}  // namespace gpusight::text
