// SPDX-License-Identifier: Apache-2.0
// What is the matter with the driver, and what to do about it, in both languages (model/driver.h).
// Each pair: the state in one sentence, the remedy in one sentence.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kDriverOk{"The driver answers", "驱动应答正常"};

inline constexpr Text kDriverNoLibrary{
    "NVIDIA's management library (libnvidia-ml.so.1) was not found",
    "找不到 NVIDIA 管理库（libnvidia-ml.so.1）"};
inline constexpr Text kDriverNoLibraryRemedy{
    "Install the NVIDIA driver, start the container with GPU access (docker run --gpus all), or "
    "name the library with --nvml PATH",
    "请安装 NVIDIA 驱动，或在启动容器时启用 GPU（docker run --gpus all），或用 --nvml PATH "
    "指定该库"};

inline constexpr Text kDriverNotLoaded{"The NVIDIA kernel driver is not loaded",
                                       "NVIDIA 内核驱动未加载"};
inline constexpr Text kDriverNotLoadedRemedy{
    "Load it with `sudo modprobe nvidia`; if that fails, see `dmesg | grep -i nvidia` (after a "
    "kernel update the module must be built again)",
    "请执行 `sudo modprobe nvidia` 加载；若失败，请查看 `dmesg | grep -i "
    "nvidia`（内核升级后需要重新编译该模块）"};

inline constexpr Text kDriverMismatch{
    "The driver in the kernel and its library have different versions: the driver was updated "
    "while it was loaded",
    "内核中的驱动与管理库版本不一致：驱动在使用期间被升级"};
inline constexpr Text kDriverMismatchRemedy{
    "Reboot, or stop every GPU process and reload the modules (`sudo rmmod nvidia_uvm "
    "nvidia_drm nvidia_modeset nvidia && sudo modprobe nvidia`); in a container, restart it",
    "请重启机器，或停止所有 GPU 进程后重新加载模块（`sudo rmmod nvidia_uvm nvidia_drm "
    "nvidia_modeset nvidia && sudo modprobe nvidia`）；若在容器内，请重启容器"};

inline constexpr Text kDriverNoPermission{"The GPU's device files may not be opened by this user",
                                          "当前用户无权打开 GPU 设备文件"};
inline constexpr Text kDriverNoPermissionRemedy{
    "Check `ls -l /dev/nvidia*`: the user needs read and write access to nvidiactl and nvidia0, "
    "often through the group video",
    "请检查 `ls -l /dev/nvidia*`：用户需要对 nvidiactl 和 nvidia0 "
    "有读写权限，通常通过加入 video 组获得"};

inline constexpr Text kDriverNoDevice{"The driver works but finds no GPU",
                                      "驱动工作正常，但未找到任何 GPU"};
inline constexpr Text kDriverNoDeviceRemedy{
    "Check `lspci | grep -i nvidia`; in a container, check NVIDIA_VISIBLE_DEVICES and the --gpus "
    "option",
    "请检查 `lspci | grep -i nvidia`；容器内请检查 NVIDIA_VISIBLE_DEVICES 与 --gpus 选项"};

inline constexpr Text kDriverUnknown{
    "The driver answers only 'unknown error' (999): the GPU's device files cannot be opened, "
    "which in a container happens after `systemctl daemon-reload` on its host",
    "驱动只返回“未知错误”（999）：无法打开 GPU "
    "设备文件；在容器中，宿主机执行 `systemctl daemon-reload` 后会出现此情况"};
inline constexpr Text kDriverUnknownRemedy{
    "In a container: restart it, and on the host use CDI or `\"exec-opts\": "
    "[\"native.cgroupdriver=cgroupfs\"]` so that it does not come back; on a bare host see "
    "`dmesg | grep -iE 'nvrm|xid'`",
    "容器内：请重启容器，并在宿主机改用 CDI 或 `\"exec-opts\": "
    "[\"native.cgroupdriver=cgroupfs\"]` 以防复发；物理机请查看 `dmesg | grep -iE 'nvrm|xid'`"};

inline constexpr Text kDriverNoDescriptors{
    "The driver cannot be opened: too many open files, this process may have too few more",
    "无法打开驱动：打开的文件过多，本进程剩余的文件描述符不足"};
inline constexpr Text kDriverNoDescriptorsRemedy{
    "Raise the limit, for instance `ulimit -n 1024`; for a container docker run --ulimit "
    "nofile=1024",
    "请调大限制，例如 `ulimit -n 1024`；容器则用 docker run --ulimit nofile=1024"};

inline constexpr Text kDriverLost{"The driver says that a GPU has fallen off the bus",
                                  "驱动报告 GPU 已从总线掉线"};
inline constexpr Text kDriverLostRemedy{
    "See `dmesg | grep -i xid`; power-cycle the machine if a reset (`sudo nvidia-smi "
    "--gpu-reset`) does not bring it back",
    "请查看 `dmesg | grep -i xid`；若复位（`sudo nvidia-smi --gpu-reset`）无效，请断电重启机器"};

inline constexpr Text kDriverInitError{"The driver answered error {} when it was initialised",
                                       "驱动初始化返回错误 {}"};
inline constexpr Text kDriverInitErrorRemedy{
    "Run nvidia-smi: if it fails in the same way, see `dmesg | grep -i nvrm`",
    "请运行 nvidia-smi：若同样失败，请查看 `dmesg | grep -i nvrm`"};

inline constexpr Text kDriverNoAnswer{"The driver has not answered for {:.0f} s",
                                      "驱动已 {:.0f} 秒无响应"};
inline constexpr Text kDriverNoAnswerRemedy{
    "A call into it hangs; see `dmesg | grep -iE 'nvrm|xid'` and whether nvidia-smi hangs too",
    "对驱动的调用卡住了；请查看 `dmesg | grep -iE 'nvrm|xid'`，并确认 nvidia-smi 是否同样卡住"};

// The first answer is still to come.
inline constexpr Text kDriverNotYet{
    "The driver is there but has not answered yet, after {:.0f} s: it loads slowly, or it hangs",
    "驱动存在，但 {:.0f} 秒后仍未应答：加载缓慢，或已卡住"};
inline constexpr Text kDriverNotYetRemedy{
    "Try again; `sudo nvidia-smi -pm 1` keeps it loaded between programs, so that the first answer "
    "comes at once. If it never comes, see `dmesg | grep -iE 'nvrm|xid'`",
    "请重试；`sudo nvidia-smi -pm 1` "
    "可使驱动保持加载，这样首次应答会立即返回。若始终没有应答，请查看 "
    "`dmesg | grep -iE 'nvrm|xid'`"};

}  // namespace gpusight::text
