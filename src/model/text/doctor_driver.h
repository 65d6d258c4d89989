// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight doctor` on driver, device nodes and containers, in both languages.
#pragma once

#include "base/language.h"

namespace gpusight::text {

// Cards on the PCI bus
inline constexpr Text kCardsFound{"NVIDIA cards on the PCI bus: {}", "PCI 总线上的 NVIDIA 卡：{}"};
inline constexpr Text kCardsNone{"no NVIDIA card on the PCI bus", "PCI 总线上没有 NVIDIA 卡"};
inline constexpr Text kCardsNoneRemedy{
    "Check that the card is seated and powered ('lspci -d 10de:'); in a virtual machine, that it "
    "is passed through. 'gpusight --demo' shows a recorded one.",
    "请检查卡是否插好并供电（lspci -d 10de:）；若为虚拟机，请确认已直通。可用 gpusight --demo "
    "查看演示。"};
inline constexpr Text kCardsUnknown{"the PCI bus cannot be looked at from here",
                                    "此处无法查看 PCI 总线"};
inline constexpr Text kCardsForeign{"card {} is held by the driver {}, not by nvidia",
                                    "卡 {} 由驱动 {} 占用，而非 nvidia"};
inline constexpr Text kCardsForeignRemedy{
    "Unless a virtual machine uses it: echo {0} | sudo tee /sys/bus/pci/drivers/{1}/unbind && sudo "
    "modprobe nvidia.",
    "若没有虚拟机在使用：echo {0} | sudo tee /sys/bus/pci/drivers/{1}/unbind && sudo modprobe "
    "nvidia。"};
inline constexpr Text kCardsMissing{
    "the driver lists not all cards on the PCI bus: {} missing of {}",
    "PCI 总线上有 {1} 块卡，其中 {0} 块未被驱动列出"};
inline constexpr Text kCardsMissingRemedy{"sudo dmesg | grep -i -e NVRM -e Xid",
                                          "sudo dmesg | grep -i -e NVRM -e Xid"};

// WSL
inline constexpr Text kWsl{
    "WSL 2: Windows drives the card. Utilisation per process, some health values and MIG are not "
    "to be had here",
    "WSL 2：显卡由 Windows 驱动，无法获得按进程的利用率、部分健康数据和 MIG"};
inline constexpr Text kWslNoLibrary{"WSL 2 without the driver's library in /usr/lib/wsl/lib",
                                    "WSL 2 中缺少 /usr/lib/wsl/lib 下的驱动库"};
inline constexpr Text kWslNoLibraryRemedy{
    "Install the NVIDIA driver in Windows (none in Linux), then 'wsl --update' and 'wsl "
    "--shutdown' there.",
    "请在 Windows 中安装 NVIDIA 驱动（不要装在 Linux 中），然后在 Windows 执行 wsl --update 与 wsl "
    "--shutdown。"};

// Kernel module
inline constexpr Text kModuleLoaded{"kernel module nvidia {} is loaded",
                                    "内核模块 nvidia {} 已加载"};
inline constexpr Text kModuleLoadedOpen{"kernel module nvidia {} (open) is loaded",
                                        "内核模块 nvidia {}（开源版）已加载"};
inline constexpr Text kModuleNouveau{"nouveau holds the card, so nvidia cannot be loaded",
                                     "nouveau 占用了显卡，nvidia 无法加载"};
inline constexpr Text kModuleNouveauRemedy{
    "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee "
    "/etc/modprobe.d/blacklist-nouveau.conf && sudo update-initramfs -u && sudo reboot",
    "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee "
    "/etc/modprobe.d/blacklist-nouveau.conf && sudo update-initramfs -u && sudo reboot"};
inline constexpr Text kModuleNotLoaded{"kernel module nvidia is not loaded",
                                       "内核模块 nvidia 未加载"};
inline constexpr Text kModuleNotLoadedRemedy{"sudo modprobe nvidia && sudo modprobe nvidia-uvm",
                                             "sudo modprobe nvidia && sudo modprobe nvidia-uvm"};
inline constexpr Text kModuleSecureBoot{
    "kernel module nvidia is not loaded, and secure boot is on: an unsigned module is refused",
    "内核模块 nvidia 未加载，且已启用安全启动：未签名的模块会被拒绝"};
inline constexpr Text kModuleSecureBootRemedy{
    "Run 'sudo mokutil --import /var/lib/dkms/mok.pub && sudo reboot' and choose 'Enroll MOK', or "
    "switch secure boot off in the firmware.",
    "执行 sudo mokutil --import /var/lib/dkms/mok.pub && sudo reboot，启动时选择 Enroll "
    "MOK；或在固件中关闭安全启动。"};
inline constexpr Text kModuleNotBuilt{"there is no kernel module nvidia for the running kernel {}",
                                      "当前内核 {} 没有 nvidia 内核模块"};
inline constexpr Text kModuleNotBuiltRemedy{
    "With a driver installed: sudo apt-get install linux-headers-{0} && sudo dkms autoinstall && "
    "sudo modprobe nvidia; without one: sudo apt-get install nvidia-driver.",
    "已安装驱动时：sudo apt-get install linux-headers-{0} && sudo dkms autoinstall && sudo "
    "modprobe nvidia；未安装时：sudo apt-get install nvidia-driver。"};

// Libraries
inline constexpr Text kLibraryLoaded{"management library {} (NVML {})", "管理库 {}（NVML {}）"};
inline constexpr Text kLibraryMissing{"the driver's library libnvidia-ml.so.1 was not found",
                                      "找不到驱动库 libnvidia-ml.so.1"};
inline constexpr Text kLibraryMissingRemedy{
    "Install the library in the version of the kernel module: 'sudo apt-get install "
    "libnvidia-ml1'; or name it with --nvml PATH.",
    "安装与内核模块同版本的驱动库：sudo apt-get install libnvidia-ml1，或用 --nvml PATH 指定。"};
inline constexpr Text kLibraryMissingContainerRemedy{
    "Start the container with the driver's libraries: docker run --gpus all IMAGE, and "
    "NVIDIA_DRIVER_CAPABILITIES=compute,utility.",
    "启动容器时挂载驱动库：docker run --gpus all 镜像，并设置 "
    "NVIDIA_DRIVER_CAPABILITIES=compute,utility。"};
inline constexpr Text kVersionsAgree{"libraries and kernel module are of one version, {}",
                                     "驱动库与内核模块版本一致：{}"};
inline constexpr Text kVersionsDiffer{"library {} is of version {}, the kernel module of {}",
                                      "库 {} 的版本为 {}，而内核模块为 {}"};
inline constexpr Text kVersionsRebootRemedy{
    "'sudo reboot'; or stop every GPU program, then 'sudo rmmod nvidia_uvm nvidia_drm "
    "nvidia_modeset nvidia && sudo modprobe nvidia'.",
    "执行 sudo reboot；或停止所有 GPU 程序后执行 sudo rmmod nvidia_uvm nvidia_drm nvidia_modeset "
    "nvidia && sudo modprobe nvidia。"};
inline constexpr Text kVersionsContainerRemedy{
    "Remove the driver's libraries from the image (apt-get purge 'libnvidia-*'): the container "
    "toolkit mounts the host's; then start the container anew.",
    "请从镜像中删除驱动库（apt-get purge "
    "'libnvidia-*'），由容器工具包挂载宿主机的库，然后重启容器。"};
inline constexpr Text kVersionsExtraNote{"there is also {} of version {}; the one in use is {}",
                                         "另有 {}，版本为 {}；正在使用的是 {}"};
inline constexpr Text kVersionsExtraRemedy{
    "'dpkg -S {0}' or 'rpm -qf {0}' tells whose it is; if nothing needs it: sudo rm {0}.",
    "先用 dpkg -S {0} 或 rpm -qf {0} 确认来源；若无用处：sudo rm {0}。"};
inline constexpr Text kCompat{
    "CUDA's forward-compatibility libraries stand in LD_LIBRARY_PATH ({}): with a driver that is "
    "new enough they cause error 803",
    "LD_LIBRARY_PATH 中有 CUDA 前向兼容库（{}）：驱动已足够新时会导致错误 803"};
inline constexpr Text kCompatRemedy{"Take {} out of LD_LIBRARY_PATH.",
                                    "请从 LD_LIBRARY_PATH 中去掉 {}。"};

// What the driver answers
inline constexpr Text kAnswerOk{"the driver answers: version {}, CUDA {} and older",
                                "驱动应答正常：版本 {}，支持 CUDA {} 及更早版本"};
inline constexpr Text kAnswerNoDevice{"the driver answers, but lists no device",
                                      "驱动有应答，但没有列出任何设备"};
inline constexpr Text kAnswerNoDeviceRemedy{"sudo dmesg | grep -i NVRM | tail; nvidia-smi",
                                            "sudo dmesg | grep -i NVRM | tail; nvidia-smi"};

// Fabric
inline constexpr Text kFabricOk{"{} NVSwitches, and nv-fabricmanager runs",
                                "{} 个 NVSwitch，nv-fabricmanager 正在运行"};
inline constexpr Text kFabricDown{
    "{} NVSwitches, but nv-fabricmanager does not run: CUDA fails with error 802",
    "{} 个 NVSwitch，但 nv-fabricmanager 未运行：CUDA 会报错 802"};
inline constexpr Text kFabricDownRemedy{"sudo systemctl enable --now nvidia-fabricmanager",
                                        "sudo systemctl enable --now nvidia-fabricmanager"};

// Device nodes
inline constexpr Text kNodesOk{"device nodes may be used: {}", "设备节点可用：{}"};
inline constexpr Text kNodesMissing{"{} is missing", "缺少 {}"};
inline constexpr Text kNodesMissingRemedy{"sudo nvidia-modprobe -c 0 -u",
                                          "sudo nvidia-modprobe -c 0 -u"};
inline constexpr Text kNodesMissingContainerRemedy{
    "Start the container with its devices: 'docker run --gpus all IMAGE', 'podman run --device "
    "nvidia.com/gpu=all IMAGE', or in Kubernetes resources.limits nvidia.com/gpu: 1.",
    "启动容器时加入设备：docker run --gpus all 镜像、podman run --device nvidia.com/gpu=all "
    "镜像，或在 Kubernetes 中设置 resources.limits nvidia.com/gpu: 1。"};
inline constexpr Text kNodesNotDevice{"{} is an ordinary file, not a device node",
                                      "{} 是普通文件，而非设备节点"};
inline constexpr Text kNodesNotDeviceRemedy{"sudo rm {} && sudo nvidia-modprobe -c 0 -u",
                                            "sudo rm {} && sudo nvidia-modprobe -c 0 -u"};
inline constexpr Text kNodesDenied{"{} may not be used by {}: mode {:04o}, group {}",
                                   "{1} 无权使用 {0}：权限 {2:04o}，属组 {3}"};
inline constexpr Text kNodesDeniedGroupRemedy{"Run 'sudo usermod -aG {0} {1}', then log in anew.",
                                              "执行 sudo usermod -aG {0} {1}，然后重新登录。"};
inline constexpr Text kNodesDeniedModeRemedy{
    "echo 'options nvidia NVreg_DeviceFileMode=0666' | sudo tee /etc/modprobe.d/nvidia-mode.conf; "
    "sudo chmod 0666 {}",
    "echo 'options nvidia NVreg_DeviceFileMode=0666' | sudo tee /etc/modprobe.d/nvidia-mode.conf; "
    "sudo chmod 0666 {}"};
inline constexpr Text kNodesForbidden{"{} may not be opened: the control group forbids it",
                                      "无法打开 {}：cgroup 禁止访问"};
inline constexpr Text kUvmMissing{
    "/dev/nvidia-uvm is missing: CUDA programs fail with 'unknown error'",
    "缺少 /dev/nvidia-uvm：CUDA 程序会报“unknown error”"};
inline constexpr Text kUvmMissingRemedy{"sudo modprobe nvidia-uvm && sudo nvidia-modprobe -u -c 0",
                                        "sudo modprobe nvidia-uvm && sudo nvidia-modprobe -u -c 0"};

// Container
inline constexpr Text kContainerNone{"no sign of a container", "没有运行在容器中的迹象"};
inline constexpr Text kContainerIn{"in a container: {} ({})", "运行在容器中：{}（{}）"};
inline constexpr Text kContainerNot{"in no container ({1})", "不在容器中（{1}）"};
inline constexpr Text kEvidenceControlGroup{"its control group is {}", "依据：其 cgroup 为 {}"};
inline constexpr Text kEvidenceMounts{
    "a runtime's files are mounted over /etc/hostname or the like",
    "依据：/etc/hostname 等文件由容器运行时挂载"};
inline constexpr Text kEvidenceVariable{"its environment says container={}",
                                        "依据：环境变量 container={}"};
inline constexpr Text kEvidenceMark{"{} is there, and it is apart from the host",
                                    "依据：存在 {}，且与主机隔离"};
inline constexpr Text kEvidencePod{"KUBERNETES_SERVICE_HOST is set, and it is apart from the host",
                                   "依据：设置了 KUBERNETES_SERVICE_HOST，且与主机隔离"};
inline constexpr Text kEvidenceNamespaces{"PID and control-group namespace are the machine's own",
                                          "依据：PID 与 cgroup 命名空间均为本机的初始命名空间"};
inline constexpr Text kEvidenceMarkLeft{
    "{} is there, but namespaces or root file system are those of a machine: it is left from the "
    "image",
    "虽存在 {}，但命名空间或根文件系统属于主机：该文件是镜像遗留的"};
inline constexpr Text kContainerNoGpu{
    "a container without a GPU: neither device nodes nor the driver's libraries are in it",
    "容器中没有 GPU：既没有设备节点，也没有驱动库"};
inline constexpr Text kVisibleAll{"NVIDIA_VISIBLE_DEVICES={}: the container gets its devices by it",
                                  "NVIDIA_VISIBLE_DEVICES={}：容器据此获得设备"};
inline constexpr Text kVisibleVoid{
    "NVIDIA_VISIBLE_DEVICES={}: the toolkit gives this container no device by it",
    "NVIDIA_VISIBLE_DEVICES={}：工具包不会据此给容器任何设备"};
inline constexpr Text kVisibleVoidRemedy{
    "Start the container with its devices: docker run --gpus all IMAGE, or -e "
    "NVIDIA_VISIBLE_DEVICES=all.",
    "启动容器时加入设备：docker run --gpus all 镜像，或 -e NVIDIA_VISIBLE_DEVICES=all。"};
inline constexpr Text kCapabilitiesMissing{
    "NVIDIA_DRIVER_CAPABILITIES={} lacks {}: {} is not mounted",
    "NVIDIA_DRIVER_CAPABILITIES={} 缺少 {}：不会挂载 {}"};
inline constexpr Text kCapabilitiesMissingRemedy{
    "Start the container anew: docker run -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE.",
    "重新启动容器：docker run -e NVIDIA_DRIVER_CAPABILITIES=compute,utility 镜像。"};
inline constexpr Text kReloadLost{
    "the container had its devices and lost them, as happens when the host runs 'systemctl "
    "daemon-reload': {}",
    "容器曾有设备但已丢失，宿主机执行 systemctl daemon-reload 时会发生：{}"};
inline constexpr Text kReloadLostRemedy{
    "Restart the container. For good, on the host: 'sudo nvidia-ctk system "
    "create-dev-char-symlinks --create-all'; or \"exec-opts\": [\"native.cgroupdriver=cgroupfs\"] "
    "in /etc/docker/daemon.json; or CDI.",
    "重启容器。根治（在宿主机执行）：sudo nvidia-ctk system create-dev-char-symlinks "
    "--create-all，或在 /etc/docker/daemon.json 中设置 \"exec-opts\": "
    "[\"native.cgroupdriver=cgroupfs\"]，或改用 CDI。"};
inline constexpr Text kReloadRisk{
    "/dev/char has no links to the device nodes: 'systemctl daemon-reload' takes the devices from "
    "running containers",
    "/dev/char 中没有指向设备节点的链接：执行 systemctl daemon-reload 会使运行中的容器丢失设备"};
inline constexpr Text kReloadRiskRemedy{
    "sudo nvidia-ctk system create-dev-char-symlinks --create-all",
    "sudo nvidia-ctk system create-dev-char-symlinks --create-all"};
inline constexpr Text kPidNamespaceHost{"the machine's own PID namespace: every process is visible",
                                        "位于主机 PID 命名空间：可见所有进程"};
inline constexpr Text kPidNamespaceOwn{
    "a PID namespace of its own: processes outside it hold memory without a name, and cannot be "
    "signalled",
    "位于独立的 PID 命名空间：外部进程占用的显存无法对应到名称，也不能向其发送信号"};
inline constexpr Text kPidNamespaceOwnRemedy{
    "Only if you need to see them: docker run --pid=host IMAGE, or in Kubernetes hostPID: true.",
    "仅在需要查看时：docker run --pid=host 镜像，或在 Kubernetes 中设置 hostPID: true。"};
inline constexpr Text kToolkitOk{"NVIDIA's container toolkit is installed, for {}",
                                 "已安装 NVIDIA 容器工具包，容器引擎：{}"};
inline constexpr Text kToolkitMissing{"{} is installed without NVIDIA's container toolkit",
                                      "已安装 {}，但没有 NVIDIA 容器工具包"};
inline constexpr Text kToolkitMissingRemedy{
    "sudo apt-get install nvidia-container-toolkit && sudo nvidia-ctk runtime configure "
    "--runtime=docker && sudo systemctl restart docker",
    "sudo apt-get install nvidia-container-toolkit && sudo nvidia-ctk runtime configure "
    "--runtime=docker && "
    "sudo systemctl restart docker"};
inline constexpr Text kToolkitUnconfigured{
    "NVIDIA's container toolkit is installed, but Docker knows neither its runtime nor CDI",
    "已安装 NVIDIA 容器工具包，但 Docker 既未配置其运行时，也没有 CDI"};
inline constexpr Text kToolkitUnconfiguredRemedy{
    "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker",
    "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker"};
inline constexpr Text kCdiOk{"CDI specification {} fits the driver", "CDI 规范 {} 与驱动匹配"};
inline constexpr Text kCdiStale{
    "CDI specification {} names driver {}, but {} is loaded: containers fail to start",
    "CDI 规范 {} 对应驱动 {}，而已加载的是 {}：容器将无法启动"};
inline constexpr Text kCdiStaleRemedy{"sudo nvidia-ctk cdi generate --output={}",
                                      "sudo nvidia-ctk cdi generate --output={}"};

}  // namespace gpusight::text
