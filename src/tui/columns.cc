// SPDX-License-Identifier: Apache-2.0
#include "tui/columns.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace gpusight::tui {
namespace {

constexpr int kLeastCommand = 4;  // cells; fewer say nothing

// Before the command gets less than a third of the screen, other columns are left away.
int CommandLeast(int width) { return std::clamp(width / 3, 8, 40); }

// clang-format off
// id, name, title, meaning, width, right, shown, rank, falls
constexpr ColumnRow kRows[] = {
    {Column::kPid, "pid", Text("PID", "PID"),
     Text("process number in this PID namespace", "本 PID 命名空间中的进程号"), 7, true, true, 0, false},
    {Column::kUser, "user", Text("USER", "用户"),
     Text("user who runs it", "运行该进程的用户"), 8, false, true, 4, false},
    {Column::kDevice, "gpu", Text("GPU", "GPU"),
     Text("devices it uses", "使用的设备"), 5, false, true, 2, false},
    {Column::kType, "type", Text("TYPE", "类型"),
     Text("C compute, G graphics, M through MPS", "C 计算，G 图形，M 经由 MPS"), 4, false, false, 12, false},
    {Column::kContainer, "container", Text("CONTAINER", "容器"),
     Text("container or pod that holds it", "所在的容器或 Pod"), 12, false, true, 6, false},
    {Column::kMemory, "memory", Text("GPU-MEM", "显存"),
     Text("GPU memory that it holds, all its devices", "占用的显存（所有设备合计）"), 9, true, true, 0, true},
    {Column::kMemoryShare, "memory%", Text("MEM%", "显存%"),
     Text("its part of the memory of its devices", "占其所用设备显存的比例"), 5, true, false, 9, true},
    {Column::kSm, "sm", Text("SM", "SM"),
     Text("share of time in which its kernels ran, on its busiest device", "其内核运行的时间占比（取最忙的设备）"), 5, true, true, 1, true},
    {Column::kMemoryActivity, "memctl", Text("MCTL", "显存控制"),
     Text("share of time in which it read or wrote GPU memory", "读写显存的时间占比"), 5, true, false, 10, true},
    {Column::kEncoder, "enc", Text("ENC", "编码"),
     Text("its use of the video encoder", "视频编码器使用率"), 5, true, false, 13, true},
    {Column::kDecoder, "dec", Text("DEC", "解码"),
     Text("its use of the video decoder", "视频解码器使用率"), 5, true, false, 13, true},
    {Column::kCpu, "cpu", Text("CPU", "CPU"),
     Text("CPU use, 100% is one core", "CPU 使用率，100% 为一个核"), 6, true, true, 3, true},
    {Column::kHostMemory, "rss", Text("HOST-MEM", "内存"),
     Text("host memory that it occupies", "占用的主机内存"), 9, true, true, 7, true},
    {Column::kThreads, "threads", Text("THR", "线程"),
     Text("threads", "线程数"), 4, true, false, 11, true},
    {Column::kWorkers, "workers", Text("WRK", "加载进程"),
     Text("data-loader workers below it", "其下的数据加载进程数"), 4, true, false, 11, true},
    {Column::kRead, "read", Text("READ/s", "读/秒"),
     Text("bytes fetched from storage per second", "每秒从存储读取的字节数"), 10, true, false, 11, true},
    {Column::kWritten, "written", Text("WRITE/s", "写/秒"),
     Text("bytes sent to storage per second", "每秒写入存储的字节数"), 10, true, false, 11, true},
    {Column::kAge, "age", Text("AGE", "时长"),
     Text("time since it was started", "启动至今的时间"), 7, true, true, 8, true},
    {Column::kRole, "role", Text("ROLE", "角色"),
     Text("what it is to its job", "在作业中的角色"), 13, false, false, 12, false},
    {Column::kJob, "job", Text("JOB", "作业"),
     Text("Slurm job", "Slurm 作业"), 8, false, false, 12, false},
    {Column::kCommand, "command", Text("COMMAND", "命令"),
     Text("program and arguments", "程序与参数"), 20, false, true, 0, false},
};
// clang-format on
static_assert(std::size(kRows) == kColumnCount);

constexpr bool InOrder() {
  for (size_t i = 0; i < kColumnCount; ++i) {
    if (kRows[i].id != static_cast<Column>(i)) return false;
  }
  return true;
}
static_assert(InOrder(), "one row per column, in the order of the enum");

int WidthOf(const ColumnRow& row, Language language) {
  return std::max(row.width, DisplayWidth(row.title.In(language)));
}

}  // namespace

std::span<const ColumnRow> ColumnRows() { return kRows; }
const ColumnRow& RowOf(Column column) { return kRows[static_cast<size_t>(column)]; }

std::optional<Column> FindColumn(std::string_view name) {
  for (const ColumnRow& row : kRows) {
    if (row.name == name) return row.id;
  }
  return std::nullopt;
}

ColumnSet DefaultColumns() {
  ColumnSet set;
  for (const ColumnRow& row : kRows) set[static_cast<size_t>(row.id)] = row.shown;
  return set;
}

std::vector<PlacedColumn> PlaceColumns(const ColumnSet& shown, int width, Language language) {
  const auto needed = [&](int rank) {
    int cells = 0;
    for (const ColumnRow& row : kRows) {
      if (!shown[static_cast<size_t>(row.id)] || row.rank > rank) continue;
      const bool command = row.id == Column::kCommand;
      cells += (command ? CommandLeast(width) : WidthOf(row, language)) + (cells > 0 ? 1 : 0);
    }
    return cells;
  };
  int rank = 0;
  for (const ColumnRow& row : kRows) rank = std::max(rank, row.rank);
  while (rank > 0 && needed(rank) > width) --rank;

  std::vector<PlacedColumn> placed;
  int x = 0;
  for (const ColumnRow& row : kRows) {
    if (!shown[static_cast<size_t>(row.id)] || row.rank > rank) continue;
    if (x >= width) break;
    const bool command = row.id == Column::kCommand;
    const int room = width - x;
    if (command && room < kLeastCommand && x > 0) break;
    const int cells = command ? room : std::min(WidthOf(row, language), room);
    placed.push_back({row.id, x, cells});
    x += cells + 1;
  }
  return placed;
}

}  // namespace gpusight::tui
