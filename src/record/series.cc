// SPDX-License-Identifier: Apache-2.0
#include "record/series.h"

#include <fmt/format.h>

#include <algorithm>

#include "record/columns.h"
#include "record/reader_impl.h"
#include "record/samples.h"
#include "record/wide_rows.h"

namespace gpusight::record {
namespace {

constexpr size_t kMostPoints = 1'000'000;

// Pieces of equal width of the recording's clock.
class Pieces {
 public:
  Pieces(int64_t begin, int64_t end, size_t points)
      : begin_(begin),
        width_(std::max<int64_t>(
            1, (end - begin + static_cast<int64_t>(points) - 1) / static_cast<int64_t>(points))),
        sums_(static_cast<size_t>((end - begin + width_ - 1) / width_)) {}

  // One value that stood for `weight`, at `t`.
  void Add(int64_t t, double value, double least, double most, double weight, bool counter) {
    if (t < begin_ || weight <= 0) return;
    const auto at = static_cast<size_t>((t - begin_) / width_);
    if (at >= sums_.size()) return;
    Sum& sum = sums_[at];
    if (sum.weight == 0) {
      sum.least = least;
      sum.most = most;
    } else if (counter) {
      sum.most = value;
    } else {
      sum.least = std::min(sum.least, least);
      sum.most = std::max(sum.most, most);
    }
    sum.total += value * weight;
    sum.weight += weight;
  }

  // One value that stood from `from` to `to`, over all pieces in between.
  void Hold(int64_t from, int64_t to, double value, bool counter) {
    from = std::max(from, begin_);
    to = std::min(to, begin_ + width_ * static_cast<int64_t>(sums_.size()));
    while (from < to) {
      const int64_t end = std::min(to, begin_ + ((from - begin_) / width_ + 1) * width_);
      Add(from, value, value, value, static_cast<double>(end - from), counter);
      from = end;
    }
  }

  Series Take(WallTime base) const {
    Series series;
    for (size_t i = 0; i < sums_.size(); ++i) {
      const Sum& sum = sums_[i];
      if (sum.weight == 0) continue;
      const WallTime time{base.ns + static_cast<int64_t>(i) * width_ * 1'000'000};
      series.push_back({time, sum.total / sum.weight, sum.least, sum.most});
    }
    return series;
  }

 private:
  struct Sum {
    double total = 0, weight = 0, least = 0, most = 0;
  };
  int64_t begin_, width_;
  std::vector<Sum> sums_;
};

struct Query {
  Database& database;
  Scope scope;
  Key key;
  int64_t begin, end;  // ms
};

std::string WhereKey(Scope scope) {
  std::string where;
  for (const std::string_view key : KeysOf(scope)) where += fmt::format(" AND {}=?", key);
  return where;
}

void BindKey(Statement& s, int at, const Query& query) {
  const size_t keys = KeysOf(query.scope).size();
  if (keys > 0) s.Bind(at, query.key.entity);
  if (keys > 1) s.Bind(at + 1, query.key.part);
}

// Rows of one table within the range, in order, for a walk beside another table.
class Walk {
 public:
  Walk(const Query& query, Part part, const std::vector<size_t>& fields) {
    std::vector<std::string_view> columns = {"t"};
    for (const size_t field : fields) columns.push_back(RowsOf(query.scope)[field].name);
    statement_ = Select(query.database, TableName(query.scope, part), columns,
                        fmt::format("WHERE t>=? AND t<?{} ORDER BY t", WhereKey(query.scope)));
    if (!statement_) return;
    statement_.Bind(1, query.begin).Bind(2, query.end);
    BindKey(statement_, 3, query);
    Next();
  }
  bool on() const { return on_; }
  int64_t t() const { return t_; }
  bool Has(size_t i) const { return !statement_.IsNull(static_cast<int>(i) + 1); }
  double Value(size_t i) const { return statement_.Real(static_cast<int>(i) + 1); }
  void Next() {
    on_ = statement_ && statement_.Row();
    if (on_) t_ = statement_.Integer(0);
  }
  // Whether there is a row at `t`; earlier ones are passed.
  bool At(int64_t t) {
    while (on_ && t_ < t) Next();
    return on_ && t_ == t;
  }

 private:
  Statement statement_;
  bool on_ = false;
  int64_t t_ = 0;
};

// Numbers with a row per frame.
void AddFrames(const Query& query, const std::vector<size_t>& fields, std::vector<Pieces>& pieces) {
  Walk rows(query, Part::kFrame, fields);
  Walk least(query, Part::kLeast, fields), most(query, Part::kMost, fields);
  Statement frames =
      Select(query.database, "frame", {"t", "merged"}, "WHERE t>=? AND t<? ORDER BY t");
  if (!frames) return;
  frames.Bind(1, query.begin).Bind(2, query.end);
  bool more = frames.Row();
  for (; rows.on(); rows.Next()) {
    while (more && frames.Integer(0) < rows.t()) more = frames.Row();
    const double weight =
        more && frames.Integer(0) == rows.t() ? std::max(1.0, frames.Real(1)) : 1.0;
    const bool extremes = least.At(rows.t()) && most.At(rows.t());
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!rows.Has(i)) continue;
      const double value = rows.Value(i);
      const bool counter = RowsOf(query.scope)[fields[i]].kind == Kind::kCounter;
      pieces[i].Add(rows.t(), value, extremes && least.Has(i) ? least.Value(i) : value,
                    extremes && most.Has(i) ? most.Value(i) : value, weight, counter);
    }
  }
}

// Numbers with a row per change: each holds until the next, or until its entity was there last.
void AddChanges(const Query& query, Part part, const std::vector<size_t>& fields,
                std::vector<Pieces>& pieces) {
  int64_t end = query.end;
  const std::string where = WhereKey(query.scope);
  if (part == Part::kSlow) {
    Statement last = query.database.Prepare(fmt::format(
        "SELECT max(t) FROM {} WHERE t<?{}", TableName(query.scope, Part::kFrame), where));
    if (!last) return;
    last.Bind(1, query.end);
    BindKey(last, 2, query);
    if (!last.Row() || last.IsNull(0)) return;
    end = std::min(end, last.Integer(0) + 1);
  }
  Query all = query;
  all.begin = INT64_MIN;
  Walk rows(all, part, fields);
  std::vector<Known<double>> values(fields.size());
  int64_t since = INT64_MIN;
  const auto hold = [&](int64_t until) {
    for (size_t i = 0; i < fields.size(); ++i) {
      const bool counter = RowsOf(query.scope)[fields[i]].kind == Kind::kCounter;
      if (values[i]) pieces[i].Hold(since, until, *values[i], counter);
    }
  };
  for (; rows.on(); rows.Next()) {
    hold(std::min(rows.t(), end));
    since = rows.t();
    for (size_t i = 0; i < fields.size(); ++i) {
      values[i] = rows.Has(i) ? Known<double>(rows.Value(i)) : Known<double>();
    }
  }
  hold(end);
}

template <typename Field>
std::vector<Series> Make(const Recording& recording, Scope scope, Key key,
                         std::span<const Field> fields, Span span, size_t points) {
  std::vector<Series> out(fields.size());
  const Recording::Impl& impl = recording.impl();
  const int64_t last = impl.database.Number("SELECT max(t) FROM frame").value_or(-1);
  const int64_t begin = impl.TimeOf(span.begin);
  const int64_t end = span.end.ns == 0 ? last : std::min(impl.TimeOf(span.end), last + 1) - 1;
  constexpr int64_t kFar = 1'000'000'000'000;
  if (points == 0 || begin < -kFar || end > kFar || begin > end) return out;
  points = std::min({points, kMostPoints, static_cast<size_t>(end - begin + 1)});
  const Query query{impl.database, scope, key, begin, end + 1};
  const WallTime base = impl.WallOf(begin);
  for (const bool fast : {true, false}) {
    std::vector<size_t> wanted, places;
    for (size_t i = 0; i < fields.size(); ++i) {
      const auto field = static_cast<size_t>(fields[i]);
      if ((PaceOf(scope, field) == Pace::kEachFrame) != fast) continue;
      wanted.push_back(field);
      places.push_back(i);
    }
    if (wanted.empty()) continue;
    std::vector<Pieces> pieces(wanted.size(), Pieces(begin, end + 1, points));
    if (scope == Scope::kUse) {
      AddChanges(query, Part::kFrame, wanted, pieces);
    } else if (fast) {
      AddFrames(query, wanted, pieces);
    } else {
      AddChanges(query, Part::kSlow, wanted, pieces);
    }
    for (size_t i = 0; i < places.size(); ++i) out[places[i]] = pieces[i].Take(base);
  }
  return out;
}

}  // namespace

std::vector<Series> DeviceSeries(const Recording& recording, int64_t device,
                                 std::span<const DeviceField> fields, Span span, size_t points) {
  return Make(recording, Scope::kDevice, {device, 0}, fields, span, points);
}
std::vector<Series> ProcessSeries(const Recording& recording, int64_t process,
                                  std::span<const ProcessField> fields, Span span, size_t points) {
  return Make(recording, Scope::kProcess, {process, 0}, fields, span, points);
}
std::vector<Series> UseSeries(const Recording& recording, int64_t process, int64_t device,
                              std::span<const UseField> fields, Span span, size_t points) {
  return Make(recording, Scope::kUse, {process, device}, fields, span, points);
}
std::vector<Series> ContainerSeries(const Recording& recording, int64_t container,
                                    std::span<const ContainerField> fields, Span span,
                                    size_t points) {
  return Make(recording, Scope::kContainer, {container, 0}, fields, span, points);
}
std::vector<Series> HostSeries(const Recording& recording, std::span<const HostField> fields,
                               Span span, size_t points) {
  return Make(recording, Scope::kHost, {}, fields, span, points);
}
std::vector<Series> FrameworkSeries(const Recording& recording, int64_t process,
                                    std::span<const FrameworkField> fields, Span span,
                                    size_t points) {
  return Make(recording, Scope::kFramework, {process, 0}, fields, span, points);
}
std::vector<Series> AllocatorSeries(const Recording& recording, int64_t process, int ordinal,
                                    std::span<const AllocatorField> fields, Span span,
                                    size_t points) {
  return Make(recording, Scope::kAllocator, {process, ordinal}, fields, span, points);
}

std::vector<SubSample> SubSamples(const Recording& recording, int64_t device, RingField ring,
                                  Span span) {
  constexpr std::string_view kColumns[] = {"utilization", "memory_activity", "power"};
  const Recording::Impl& impl = recording.impl();
  std::vector<SubSample> out, some;
  const int64_t begin = impl.TimeOf(span.begin);
  // Samples come with a later frame; a driver keeps them for some seconds.
  constexpr int64_t kLateMs = 30'000;
  const int64_t end = span.end.ns == 0 ? INT64_MAX : impl.TimeOf(span.end);
  Statement times = Select(impl.database, "frame", {"t", "time"}, "WHERE t=?");
  Statement rows =
      Select(impl.database, "device_samples", {"t", kColumns[static_cast<size_t>(ring)]},
             "WHERE t>=? AND t<=? AND device=? ORDER BY t");
  if (!times || !rows) return out;
  rows.Bind(1, begin).Bind(2, end > INT64_MAX - kLateMs ? end : end + kLateMs).Bind(3, device);
  const double unit = ring == RingField::kPower ? kPowerUnit : kRatioUnit;
  while (rows.Row() && out.size() < 10'000'000) {
    if (!times.Bind(1, rows.Integer(0)).Row()) {
      times.Reset();
      continue;
    }
    DecodeSamples(rows.Bytes(1), {times.Integer(1)}, unit, some);
    times.Reset();
    for (const SubSample& sample : some) {
      const bool within = sample.time >= span.begin && (span.end.ns == 0 || sample.time < span.end);
      if (within) out.push_back(sample);
    }
  }
  return out;
}

}  // namespace gpusight::record
