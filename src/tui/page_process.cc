// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "model/finding_text.h"
#include "model/text/top.h"
#include "tui/format.h"
#include "tui/pages.h"

namespace gpusight::tui {
namespace {

class Writer {
 public:
  Writer(const State& state, const ProcessSample& process, Page& page, int width)
      : state_(state),
        process_(process),
        writer_(page, width),
        language_(state.settings.language),
        glyphs_(GlyphsFor(state.settings.ascii)) {
    MeasureLabels();
  }

  void Write() {
    Who();
    Findings();
    Gpu();
    Threads();
    Host();
    Container();
    if (!process_.mounts.empty()) {
      writer_.Section(Say(language_, text::kTopSecMounts));
      for (const std::string& mount : process_.mounts) writer_.Text(Printable(mount));
    }
  }

 private:
  void Findings() {
    bool any = false;
    for (const Finding& finding : state_.findings) {
      if (finding.pid != process_.pid || finding.start_ticks != process_.start_ticks) continue;
      if (!any) writer_.Section(Say(language_, text::kTopSecFindings));
      any = true;
      writer_.Text(Printable(Tell(finding, language_, 3)));
    }
  }

  // One column for all labels of the page.
  void MeasureLabels() {
    for (const CatalogRow& row : ProcessRows()) Measure(row.label);
    for (const CatalogRow& row : ContainerRows()) Measure(row.label);
    for (const Text* label : {&text::kTopLabelCommand, &text::kTopLabelStarted,
                              &text::kTopLabelNamespace, &text::kTopLabelVisible}) {
      Measure(*label);
    }
  }
  void Measure(const Text& label) {
    label_width_ = std::max(label_width_, DisplayWidth(label.In(language_)));
  }
  void Entry(const Text& label, const std::string& value, Style style = {}) {
    writer_.Entry(Say(language_, label), label_width_, value, style);
  }
  // Numbers, or the reasons why there are none.
  template <typename Field>
  void Values(const FieldSet<Field>& fields) {
    std::vector<PageWriter::Item> items;
    for (size_t i = 0; i < fields.size(); ++i) {
      const auto field = static_cast<Field>(i);
      const CatalogRow& row = Row(field);
      const Known<double>& value = fields[field];
      std::string shown = Show(value, row.unit, glyphs_);
      if (!value) shown += ' ' + Describe(value.missing(), language_);
      items.push_back(
          {Say(language_, row.label), std::move(shown), value ? Role::kText : Role::kMuted});
    }
    writer_.Columns(items, label_width_);
  }
  std::string Shown(const Known<std::string>& value) const {
    return ShowText(value, language_, glyphs_);
  }

  void Who() {
    writer_.Section(Say(language_, text::kTopSecWho));
    if (!process_.translated) writer_.Text(Say(language_, text::kTopOutside), Role::kWarning);
    if (process_.zombie) writer_.Text(Say(language_, text::kTopZombie), Role::kWarning);
    Entry(text::kTopLabelCommand, Shown(process_.command_line));
    Entry(text::kTopLabelUser, Shown(process_.user));
    if (process_.start_time) {
      const WallTime start{static_cast<int64_t>(*process_.start_time * 1e9)};
      Entry(text::kTopLabelStarted, Say(language_, text::kTopAgo, FormatLocal(start),
                                        FormatDuration(AgeOf(state_, process_).value_or(0))));
    } else {
      Entry(
          text::kTopLabelStarted,
          fmt::format("{} {}", glyphs_.missing, Describe(process_.start_time.missing(), language_)),
          Role::kMuted);
    }
    if (process_.parent > 0) Entry(text::kTopLabelParent, Parent());
    if (process_.role != ProcessRole::kOther) {
      Entry(text::kTopLabelRole, Say(language_, RoleName(process_.role)));
    }
    if (!process_.namespace_pids.empty()) {
      Entry(text::kTopLabelNamespace, fmt::format("{}", fmt::join(process_.namespace_pids, " > ")));
    }
    if (process_.visible_devices) {
      Entry(text::kTopLabelVisible, "CUDA_VISIBLE_DEVICES=" + Printable(*process_.visible_devices));
    } else {
      Entry(text::kTopLabelVisible, Shown(process_.visible_devices), Role::kMuted);
    }
    if (!process_.slurm_job.empty()) Entry(text::kTopLabelSlurm, Printable(process_.slurm_job));
  }

  std::string Parent() const {
    for (const ProcessSample& other : state_.frame.processes) {
      if (other.pid == process_.parent && other.translated && other.command) {
        return fmt::format("{} {}", other.pid, Printable(*other.command));
      }
    }
    return std::to_string(process_.parent);
  }

  void Gpu() {
    writer_.Section(Say(language_, text::kTopSecGpu));
    for (const GpuUse& use : process_.uses) {
      const auto device = static_cast<size_t>(use.device);
      if (device >= state_.frame.devices.size()) continue;
      const DeviceInfo& info = state_.frame.devices[device].info;
      writer_.Text(
          fmt::format("GPU {} {}", DeviceLabel(state_.frame, device), Printable(info.name)),
          Role::kTitle);
      Values(use.fields);
    }
  }

  void Container() {
    writer_.Section(Say(language_, text::kTopSecContainer));
    const bool none = process_.container && process_.container->empty();
    Entry(text::kTopLabelContainer,
          none ? Say(language_, text::kTopOnHost) : Shown(process_.container));
    const auto index = static_cast<size_t>(process_.container_index);
    if (process_.container_index < 0 || index >= state_.frame.containers.size()) return;
    const ContainerSample& container = state_.frame.containers[index];
    if (!container.runtime.empty()) {
      Entry(text::kTopLabelRuntime, Printable(container.runtime + ' ' + container.id));
    }
    if (!container.pod_uid.empty() || !container.pod_name.empty()) {
      Entry(text::kTopLabelPod,
            Printable(container.pod_namespace + (container.pod_namespace.empty() ? "" : "/") +
                      container.pod_name + ' ' + container.pod_uid));
    }
    Entry(text::kTopLabelPath, Printable(container.path));
    Values(container.fields);
  }

  void Host() {
    writer_.Section(Say(language_, text::kTopSecHost));
    Values(process_.fields);
  }

  void Threads() {
    writer_.Section(Say(language_, text::kTopSecThreads));
    if (process_.threads.empty()) {
      writer_.Text(Say(language_, text::kTopThreadsMissing), Role::kMuted);
    }
    constexpr size_t kMostThreads = 16;
    const size_t count = std::min(kMostThreads, process_.threads.size());
    for (size_t i = 0; i < count; ++i) {
      const ThreadSample& thread = process_.threads[i];
      const std::string cpu =
          thread.cpu_cores ? FormatRatio(*thread.cpu_cores) : std::string(glyphs_.missing);
      writer_.Text(fmt::format("{:>8} {} {} {}", thread.tid, thread.state, Pad(cpu, 6, true),
                               Printable(thread.name)));
    }
    if (count < process_.threads.size()) {
      writer_.Text(Say(language_, text::kTopMore, process_.threads.size() - count), Role::kMuted);
    }
  }

  const State& state_;
  const ProcessSample& process_;
  PageWriter writer_;
  Language language_;
  const Glyphs& glyphs_;
  int label_width_ = 0;
};

}  // namespace

Page ProcessPage(const State& state, int width) {
  const Language language = state.settings.language;
  Page page;
  page.title = Say(language, text::kTopProcessTitle, state.opened.pid);
  const ProcessSample* process = FindProcess(state, state.opened);
  if (process == nullptr) {
    PageWriter(page, width).Text(Say(language, text::kTopProcessEnded), Role::kWarning);
    return page;
  }
  Writer(state, *process, page, width).Write();
  return page;
}

}  // namespace gpusight::tui
