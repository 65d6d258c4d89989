// SPDX-License-Identifier: Apache-2.0
// Texts of `gpusight doctor` on the devices: modes, links, health, in both languages. {0} is
// mostly a list of devices such as "GPU 0-3".
#pragma once

#include "base/language.h"

namespace gpusight::text {

// Devices
inline constexpr Text kDevicesOk{"{} usable: {}", "{} 可用：{}"};
inline constexpr Text kDeviceLost{"{} fell off the bus", "{} 已从总线掉线"};
inline constexpr Text kDeviceLostRemedy{
    "Look at 'sudo dmesg | grep -i Xid', save your work, then 'sudo reboot'.",
    "先看 sudo dmesg | grep -i Xid，保存工作后 sudo reboot。"};
inline constexpr Text kDeviceReset{"{} needs a reset", "{} 需要复位"};
inline constexpr Text kDeviceResetRemedy{
    "End its programs, then 'sudo nvidia-smi --gpu-reset -i {}'.",
    "结束其上的程序后执行 sudo nvidia-smi --gpu-reset -i {}。"};
inline constexpr Text kDeviceDenied{"{} is listed, but may not be opened", "{} 已列出，但无权打开"};
inline constexpr Text kDeviceSilent{"{} does not answer", "{} 没有应答"};
inline constexpr Text kDeviceAsleep{"{} is asleep, and was left so", "{} 处于休眠状态，未唤醒"};

// Modes
inline constexpr Text kPersistenceOn{"persistence mode is on", "持久模式已开启"};
inline constexpr Text kPersistenceOff{
    "{}: persistence mode is off, so every first CUDA program waits seconds for the driver",
    "{}：持久模式关闭，首个启动的 CUDA 程序需等待数秒加载驱动"};
inline constexpr Text kPersistenceOffRemedy{
    "sudo systemctl enable --now nvidia-persistenced || sudo nvidia-smi -pm 1",
    "sudo systemctl enable --now nvidia-persistenced || sudo nvidia-smi -pm 1"};
inline constexpr Text kComputeDefault{"compute mode: default", "计算模式：默认"};
inline constexpr Text kComputeExclusive{"{}: compute mode lets one process in only",
                                        "{}：计算模式仅允许一个进程"};
inline constexpr Text kComputeProhibited{"{}: compute mode forbids every CUDA program",
                                         "{}：计算模式禁止所有 CUDA 程序"};
inline constexpr Text kComputeRemedy{"sudo nvidia-smi -i {} -c DEFAULT",
                                     "sudo nvidia-smi -i {} -c DEFAULT"};
inline constexpr Text kMigInstances{"{}: MIG is on, instances: {}", "{}：已开启 MIG，共 {} 个实例"};
inline constexpr Text kMigEmpty{"{}: MIG is on without an instance, so no CUDA program can use it",
                                "{}：已开启 MIG 但没有实例，CUDA 程序无法使用"};
inline constexpr Text kMigEmptyRemedy{
    "'sudo nvidia-smi mig -i {0} -lgip' lists the profiles, 'sudo nvidia-smi mig -i {0} -cgi "
    "PROFILE -C' makes an instance, 'sudo nvidia-smi -i {0} -mig 0' switches MIG off.",
    "sudo nvidia-smi mig -i {0} -lgip 列出规格，sudo nvidia-smi mig -i {0} -cgi 规格 -C "
    "创建实例，sudo nvidia-smi -i {0} -mig 0 关闭 MIG。"};

// Links
inline constexpr Text kPcieFull{"PCIe links at their maximum, gen {} x{}",
                                "PCIe 链路处于最高速率，Gen{} x{}"};
inline constexpr Text kPcieAllFull{"PCIe links at their maximum", "PCIe 链路均处于最高速率"};
inline constexpr Text kPcieBusy{"{}: busy, but PCIe at gen {} x{} of gen {} x{}",
                                "{}：正忙，但 PCIe 仅为 Gen{} x{}，最高为 Gen{} x{}"};
inline constexpr Text kPcieBusyRemedy{
    "Reseat the card or riser, choose the full-speed slot, set the link speed to Auto in the "
    "firmware; 'sudo lspci -vv -s {} | grep LnkSta' shows the link.",
    "重新插好显卡或转接卡，换用全速插槽，并在固件中将链路速率设为 Auto；用 sudo lspci -vv -s {} | "
    "grep LnkSta 查看链路。"};
inline constexpr Text kPcieIdle{
    "{}: PCIe at gen {} x{} of gen {} x{}: normal while idle, look again under load",
    "{}：PCIe 为 Gen{} x{}，最高为 Gen{} x{}；空闲时属正常，请在有负载时再看"};
inline constexpr Text kPcieNarrow{
    "{}: PCIe has {} of {} lanes; an idle link lowers its speed, but rarely its lanes",
    "{}：PCIe 仅 {} 条通道（共 {} 条）；空闲时会降速，但很少减少通道"};
inline constexpr Text kNvlinkUp{"NVLink: {1} with links up: {0}",
                                "NVLink：{1} 各有 {0} 条链路连通"};
inline constexpr Text kNvlinkFewer{"{}: NVLink links up: {}, its siblings have {}",
                                   "{}：仅 {} 条 NVLink 链路连通，同型号设备为 {}"};
inline constexpr Text kNvlinkFewerRemedy{
    "nvidia-smi nvlink -s -i {0}; sudo dmesg | grep -i nvlink",
    "nvidia-smi nvlink -s -i {0}; sudo dmesg | grep -i nvlink"};
inline constexpr Text kNumaUnknown{
    "{}: no NUMA node known on a machine of {} nodes, so a job cannot be kept near its GPU",
    "{}：机器有 {} 个 NUMA 节点，但不知道该设备属于哪个节点，任务无法就近绑定"};
inline constexpr Text kNumaUnknownRemedy{
    "Enable NUMA and ACPI SRAT in the firmware (or vNUMA of the virtual machine); 'nvidia-smi topo "
    "-m' shows what is known.",
    "在固件中启用 NUMA 与 ACPI SRAT（虚拟机则启用 vNUMA）；用 nvidia-smi topo -m 查看结果。"};

// Power and clocks
inline constexpr Text kPowerOk{"power limits at their default", "功耗上限为默认值"};
inline constexpr Text kPowerLow{"{}: power limit {:.0f} W, the default is {:.0f} W",
                                "{}：功耗上限为 {:.0f} W，默认为 {:.0f} W"};
inline constexpr Text kPowerLowRemedy{"sudo nvidia-smi -i {} -pl {:.0f}",
                                      "sudo nvidia-smi -i {} -pl {:.0f}"};
inline constexpr Text kClocksOk{"no thermal or power-brake slowdown now",
                                "当前没有过热或电源制动降频"};
inline constexpr Text kClocksHot{"{}: slowed down by heat, {:.0f} °C", "{}：因过热降频，{:.0f} °C"};
inline constexpr Text kClocksHotRemedy{
    "Check fans, air flow and dust; 'nvidia-smi -q -d TEMPERATURE -i {}' shows the limits.",
    "检查风扇、风道与积灰；用 nvidia-smi -q -d TEMPERATURE -i {} 查看温度阈值。"};
inline constexpr Text kClocksBrake{"{}: slowed down by the power supply (power brake)",
                                   "{}：因供电（电源制动）降频"};
inline constexpr Text kClocksBrakeRemedy{
    "Check power cables and the power supply; 'nvidia-smi -q -d PERFORMANCE -i {}' shows the "
    "reasons.",
    "检查供电线与电源；用 nvidia-smi -q -d PERFORMANCE -i {} 查看原因。"};
inline constexpr Text kClocksHardware{
    "{}: hardware slowdown now (it may blink when the clocks change)",
    "{}：当前硬件降频（时钟切换时可能短暂出现）"};
inline constexpr Text kClocksApplication{"{}: application clocks are set", "{}：已设置应用时钟"};
inline constexpr Text kClocksApplicationRemedy{
    "sudo nvidia-smi -i {0} -rac; sudo nvidia-smi -i {0} -rgc",
    "sudo nvidia-smi -i {0} -rac; sudo nvidia-smi -i {0} -rgc"};

// Memory errors
inline constexpr Text kEccOk{"ECC on, no uncorrected memory error", "ECC 已开启，无不可纠正错误"};
inline constexpr Text kEccOff{"{}: ECC is off", "{}：ECC 已关闭"};
inline constexpr Text kEccNow{"{}: {:.0f} uncorrected memory errors since the driver was loaded",
                              "{}：驱动加载以来有 {:.0f} 个不可纠正的显存错误"};
inline constexpr Text kEccNowRemedy{
    "End its programs, then 'sudo nvidia-smi --gpu-reset -i {}'; if the errors return, have the "
    "card replaced.",
    "结束其上的程序后执行 sudo nvidia-smi --gpu-reset -i {}；若再次出现，请更换该卡。"};
inline constexpr Text kEccLifetime{"{}: {:.0f} uncorrected memory errors in its life",
                                   "{}：累计 {:.0f} 个不可纠正的显存错误"};
inline constexpr Text kRemapOk{"no memory row waits to be replaced", "没有等待替换的显存行"};
inline constexpr Text kRemapPending{"{}: a faulty memory row is replaced at the next reset",
                                    "{}：故障显存行将在下次复位时替换"};
inline constexpr Text kRemapFailed{"{}: replacing a faulty memory row failed",
                                   "{}：替换故障显存行失败"};
inline constexpr Text kRemapFailedRemedy{
    "Stop using the card and have it replaced; 'nvidia-smi -q -d ROW_REMAPPER -i {}' shows the "
    "rows.",
    "请停用并更换该卡；用 nvidia-smi -q -d ROW_REMAPPER -i {} 查看显存行。"};
inline constexpr Text kRemapMany{"{}: memory rows replaced after uncorrected errors: {:.0f}",
                                 "{}：已有 {:.0f} 行显存因不可纠正错误被替换"};
inline constexpr Text kPagesRetired{"{}: memory pages retired: {:.0f}",
                                    "{}：已停用 {:.0f} 个显存页"};

// XID
inline constexpr Text kXidNone{"no XID error in the kernel's log", "内核日志中没有 XID 错误"};
inline constexpr Text kXidUnreadable{
    "the kernel's log may not be read, so XID errors of the past stay unseen",
    "无权读取内核日志，无法得知过去的 XID 错误"};
inline constexpr Text kXidUnreadableRemedy{"sudo gpusight doctor", "sudo gpusight doctor"};
inline constexpr Text kXidSeen{"XID {} on {}, count {}, last {} after boot: {}",
                               "XID {}（{}）共 {} 次，最近一次在启动后 {}：{}"};
inline constexpr Text kXidLast{"{}: last XID was {}: {}", "{}：最近的 XID 为 {}：{}"};
inline constexpr Text kXidProgram{
    "a fault of the program (bad address or instruction), not of the card",
    "程序错误（地址或指令非法），并非硬件故障"};
inline constexpr Text kXidProgramRemedy{
    "CUDA_LAUNCH_BLOCKING=1 or 'compute-sanitizer python train.py' names the kernel; on one card "
    "only, suspect the card.",
    "用 CUDA_LAUNCH_BLOCKING=1 或 compute-sanitizer python train.py "
    "定位出错的核函数；若只在一块卡上出现，则怀疑该卡。"};
inline constexpr Text kXidConsequence{"follows from another error", "由其他错误引起"};
inline constexpr Text kXidMemory{"a memory error of the card", "显存硬件错误"};
inline constexpr Text kXidMemoryRemedy{
    "End its programs, then 'sudo nvidia-smi --gpu-reset -i N' with the card's number; see the ECC "
    "and row lines above.",
    "结束其上的程序后执行 sudo nvidia-smi --gpu-reset -i N（N 为卡号）；参见上方 ECC 与显存行。"};
inline constexpr Text kXidLink{"an error of the NVLink fabric", "NVLink 链路错误"};
inline constexpr Text kXidLinkRemedy{
    "'nvidia-smi nvlink -s' shows the links; 'sudo nvidia-smi --gpu-reset -i N' with the card's "
    "number resets it.",
    "用 nvidia-smi nvlink -s 查看链路；用 sudo nvidia-smi --gpu-reset -i N 复位（N 为卡号）。"};
inline constexpr Text kXidOffBus{"the card fell off the bus", "显卡从总线掉线"};
inline constexpr Text kXidOffBusRemedy{"Check power and seating, then 'sudo reboot'.",
                                       "检查供电与插接，然后 sudo reboot。"};
inline constexpr Text kXidFirmware{"the card's firmware stopped", "显卡固件停止响应"};
inline constexpr Text kXidFirmwareRemedy{
    "'sudo nvidia-smi --gpu-reset -i N' with the card's number, then update the driver.",
    "执行 sudo nvidia-smi --gpu-reset -i N（N 为卡号），然后更新驱动。"};
inline constexpr Text kXidAction{"the driver asks for an action", "驱动要求处理"};
inline constexpr Text kXidActionRemedy{"nvidia-smi -q | grep -i 'recovery action'",
                                       "nvidia-smi -q | grep -i 'recovery action'"};
inline constexpr Text kXidOther{"see NVIDIA's XID catalogue", "参见 NVIDIA XID 手册"};

// Holders
inline constexpr Text kHolderZombie{"{}: process {} has ended, but {} are still listed under it",
                                    "{}：进程 {} 已结束，但仍有 {} 记在其名下"};
inline constexpr Text kHolderZombieRemedy{
    "'ps -o pid,ppid,stat,cmd -p {0}' shows its parent: end that or the remaining threads, else "
    "'sudo nvidia-smi --gpu-reset'.",
    "用 ps -o pid,ppid,stat,cmd -p {0} 查看其父进程，结束父进程或残留线程，否则执行 sudo "
    "nvidia-smi --gpu-reset。"};

}  // namespace gpusight::text
