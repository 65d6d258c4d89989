// SPDX-License-Identifier: Apache-2.0
#include "cli/run_tensorboard.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "cli/reason.h"
#include "model/finding_text.h"
#include "model/text/tensorboard.h"

namespace gpusight::cli {
namespace {

std::string FreeFolder(const std::string& folder) {
  constexpr int kMost = 10000;
  std::string free = folder;
  for (int i = 2; HoldsEventFiles(free) && i < kMost; ++i) free = fmt::format("{}-{}", folder, i);
  return free;
}

}  // namespace

RunTensorBoard::RunTensorBoard(const std::string& folder, const record::RunFacts& facts,
                               const Frame& first, Sayer say, Language language)
    : say_(std::move(say)), language_(language), runs_(first.time, language) {
  const std::string free = FreeFolder(folder);
  auto made = TensorBoardFolder::Create(free, first.time, first.host.hostname, language);
  if (!made) {
    Complain(made.error());
    return;
  }
  folder_ = std::move(*made);
  if (free != folder) {
    say_(Say(language, text::kTensorBoardElsewhere, Printable(folder), Printable(free)));
  }
  AddFacts(facts, {}, first);
}

void RunTensorBoard::Add(const Frame& frame) {
  if (!folder_) return;
  runs_.Add(frame);
  Write();
}

void RunTensorBoard::End(const record::RunFacts& facts, const record::RunEnd& end,
                         std::span<const Finding> findings, const Frame& last) {
  if (!folder_) return;
  AddFacts(facts, end, last);
  std::vector<std::string> lines;
  for (const Finding& finding : findings) lines.push_back(Tell(finding, language_));
  if (!lines.empty()) runs_.AddText(exporting::kFindingsTag, last.time, AsMarkdown(lines));
  Write();
}

void RunTensorBoard::AddFacts(const record::RunFacts& facts, const record::RunEnd& end,
                              const Frame& frame) {
  std::vector<DeviceInfo> devices;
  for (const DeviceSample& device : frame.devices) devices.push_back(device.info);
  runs_.AddText(exporting::kRunTag, frame.time,
                RunAsMarkdown(facts, end, frame.host.hostname, frame.driver, devices, language_));
}

void RunTensorBoard::Write() {
  if (auto written = folder_->Write(runs_); !written) Complain(written.error());
}

void RunTensorBoard::Complain(const Error& why) {
  if (std::exchange(complained_, true)) return;
  say_(Say(language_, text::kTensorBoardLost, Reason(why, language_)));
}

}  // namespace gpusight::cli
