// SPDX-License-Identifier: Apache-2.0
// Views over the tables of a recording, for people with sqlite3 or pandas: names instead of ids,
// wall time, and what changes seldom beside what changes often. Our own reader uses none of them.
#include <fmt/format.h>

#include "record/schema.h"

namespace gpusight::record {
namespace {

constexpr std::string_view kWhen =
    "f.time/1e9 AS time,strftime('%Y-%m-%dT%H:%M:%fZ',f.time/1e9,'unixepoch') AS at,"
    "f.interval_seconds";

// "x.a,x.b": the columns of numbers of a table under that alias.
std::string Numbers(Scope scope, Part part, std::string_view alias) {
  std::string out;
  for (const size_t field : FieldsOf(scope, part)) {
    out += fmt::format(",{}.{}", alias, RowsOf(scope)[field].name);
  }
  return out;
}

// A scope's numbers with those that change seldom as they were at that time.
std::string Joined(Scope scope, std::string_view names, std::string_view joins) {
  const std::string_view key = KeysOf(scope)[0];
  const std::string slow = TableName(scope, Part::kSlow);
  return fmt::format(
      "SELECT {},{}{}{} FROM {} x JOIN frame f USING(t) {} LEFT JOIN {} s ON s.{}=x.{} AND "
      "s.t=(SELECT max(t) FROM {} WHERE {}=x.{} AND t<=x.t)",
      kWhen, names, Numbers(scope, Part::kFrame, "x"), Numbers(scope, Part::kSlow, "s"),
      TableName(scope, Part::kFrame), joins, slow, key, key, slow, key, key);
}

std::string Simple(Scope scope, std::string_view names, std::string_view joins) {
  return fmt::format("SELECT {},{}{} FROM {} x JOIN frame f USING(t) {}", kWhen, names,
                     Numbers(scope, Part::kFrame, "x"), TableName(scope, Part::kFrame), joins);
}

}  // namespace

std::vector<View> Views() {
  constexpr std::string_view kJoinProcess = "JOIN process p ON p.id=x.process";
  std::vector<View> views;
  views.push_back(
      {"v_device",
       Text("all numbers of devices, with name and wall time", "设备的全部数值，附名称与墙钟时间"),
       Joined(Scope::kDevice, "x.t,d.device_index,d.uuid,d.name,x.state,x.process_count",
              "JOIN device d ON d.id=x.device")});
  views.push_back(
      {"v_process",
       Text("all numbers of processes, with command and wall time",
            "进程的全部数值，附命令与墙钟时间"),
       Joined(Scope::kProcess, "x.t,p.pid,p.user,p.command,p.role,p.rank", kJoinProcess)});
  views.push_back({"v_use", Text("what processes use of devices", "进程对设备的使用"),
                   Simple(Scope::kUse, "x.t,d.device_index,d.uuid,p.pid,p.command,x.types",
                          "JOIN device d ON d.id=x.device JOIN process p ON p.id=x.process")});
  views.push_back(
      {"v_host", Text("numbers of the host", "主机的数值"), Simple(Scope::kHost, "x.t", "")});
  views.push_back(
      {"v_allocator",
       Text(
           "the memory account of a process: cached is reserved less allocated, outside is what it "
           "holds on the device besides",
           "进程的显存账目：cached 为预留减已分配，outside 为其在设备上的其余显存"),
       fmt::format("SELECT {},x.t,p.pid,p.command,x.ordinal,d.device_index{},"
                   "x.reserved_bytes-x.allocated_bytes AS cached_bytes,"
                   "u.memory_bytes,u.memory_bytes-x.reserved_bytes AS outside_bytes "
                   "FROM allocator_frame x JOIN frame f USING(t) {} "
                   "LEFT JOIN device d ON d.id=x.device "
                   "LEFT JOIN use_frame u ON u.process=x.process AND u.device=x.device AND "
                   "u.t=(SELECT max(t) FROM use_frame WHERE process=x.process AND device=x.device "
                   "AND t<=x.t)",
                   kWhen, Numbers(Scope::kAllocator, Part::kFrame, "x"), kJoinProcess)});
  views.push_back({"v_step",
                   Text("steps in seconds, with wall time", "训练步（以秒计），附墙钟时间"),
                   fmt::format("SELECT r.start_time/1e9+x.t/1e3 AS time,x.t,p.pid,p.rank,x.number,"
                               "x.microseconds/1e6 AS seconds,x.data_microseconds/1e6 AS "
                               "data_seconds,coalesce(x.merged,1) AS merged,"
                               "coalesce(x.min_microseconds,x.microseconds)/1e6 AS min_seconds,"
                               "coalesce(x.max_microseconds,x.microseconds)/1e6 AS max_seconds "
                               "FROM step x {} JOIN run r",
                               kJoinProcess)});
  views.push_back({"v_idle",
                   Text("how long each device was idle, by minute", "各设备每分钟的空闲时间"),
                   "SELECT x.t/60000 AS minute,d.device_index,d.uuid,"
                   "sum(x.idle_ratio*f.interval_seconds) AS idle_seconds,"
                   "sum(CASE WHEN x.idle_ratio IS NULL THEN 0 ELSE f.interval_seconds END) AS "
                   "known_seconds FROM device_frame x JOIN frame f USING(t) "
                   "JOIN device d ON d.id=x.device GROUP BY 1,x.device"});
  views.push_back({"v_stack",
                   Text("where main threads were, most often first", "主线程所处位置，按次数排序"),
                   "SELECT p.pid,p.command,sum(x.samples) AS samples,s.text AS stack "
                   "FROM stack_sample x JOIN stack s ON s.id=x.stack "
                   "JOIN process p ON p.id=x.process GROUP BY x.process,x.stack "
                   "ORDER BY samples DESC"});
  views.push_back({"v_event", Text("events with names and wall time", "事件，附名称与墙钟时间"),
                   "SELECT x.time/1e9 AS time,strftime('%Y-%m-%dT%H:%M:%fZ',x.time/1e9,'unixepoch')"
                   " AS at,x.t,x.type,d.device_index,d.uuid,x.number FROM event x "
                   "LEFT JOIN device d ON d.id=x.device"});
  views.push_back(
      {"v_absence", Text("why numbers are missing, with names", "数值缺失的原因，附名称"),
       "SELECT x.t,x.scope,coalesce(d.uuid,p.command||' '||p.pid,c.path,'') AS entity,"
       "x.part,x.field,x.reason,x.code FROM absence x "
       "LEFT JOIN device d ON x.scope='device' AND d.id=x.entity "
       "LEFT JOIN process p ON x.scope IN('process','use','framework','allocator','identity') AND "
       "p.id=x.entity LEFT JOIN container c ON x.scope='container' AND c.id=x.entity"});
  return views;
}

}  // namespace gpusight::record
