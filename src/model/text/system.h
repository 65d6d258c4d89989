// SPDX-License-Identifier: Apache-2.0
// The system's own complaints that users meet, in both languages. The English is what strerror(3)
// says (but for ESPIPE); errors that are not here keep it in both languages. Used by cli/reason.cc.
#pragma once

#include "base/language.h"

namespace gpusight::text {

inline constexpr Text kEnoent{"No such file or directory", "文件或目录不存在"};
inline constexpr Text kEacces{"Permission denied", "权限不足"};
inline constexpr Text kEperm{"Operation not permitted", "操作不被允许"};
inline constexpr Text kEexist{"File exists", "文件已存在"};
inline constexpr Text kEnotdir{"Not a directory", "不是目录"};
inline constexpr Text kEisdir{"Is a directory", "是一个目录"};
inline constexpr Text kEnospc{"No space left on device", "磁盘空间不足"};
inline constexpr Text kEdquot{"Disk quota exceeded", "超出磁盘配额"};
inline constexpr Text kErofs{"Read-only file system", "文件系统只读"};
inline constexpr Text kEfbig{"File too large", "文件过大"};
inline constexpr Text kEio{"Input/output error", "输入/输出错误"};
inline constexpr Text kEbadf{"Bad file descriptor", "文件描述符无效"};
inline constexpr Text kEmfile{"Too many open files", "打开的文件过多"};
inline constexpr Text kEnametoolong{"File name too long", "文件名过长"};
inline constexpr Text kEloop{"Too many levels of symbolic links", "符号链接层数过多"};
inline constexpr Text kEinval{"Invalid argument", "参数无效"};
inline constexpr Text kEsrch{"No such process", "进程不存在"};
inline constexpr Text kEnxio{"No such device or address", "设备或地址不存在"};
// Of a pipe; strerror(3) says "Connection timed out".
inline constexpr Text kEtimedout{"Nothing came from its writer for 5 s", "5 秒内没有收到数据"};
inline constexpr Text kEtxtbsy{"Text file busy", "文件正在执行"};
// strerror(3) says "Illegal seek": what reading a pipe or a device like a file gives.
inline constexpr Text kEspipe{"Not a regular file", "不是普通文件"};
// A whole line: nothing can be put together when there is no memory.
inline constexpr Text kNoMemory{
    "gpusight: the system gives no more memory or threads. Raise the limit (ulimit -v, ulimit -u, "
    "or the container's).\n",
    "gpusight：系统不再分配内存或线程。请调大相应限制（ulimit -v、ulimit -u 或容器的限制）。\n"};
inline constexpr Text kOutputClosed{"standard output is closed", "标准输出已关闭"};
inline constexpr Text kOutputClosedRemedy{"Send it to a file (> FILE) or into a pipe.",
                                          "请将其重定向到文件（> 文件）或管道。"};
inline constexpr Text kStandardOutput{"standard output", "标准输出"};

}  // namespace gpusight::text
