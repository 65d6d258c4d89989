// SPDX-License-Identifier: Apache-2.0
#include "cli/generate/tensorboard.h"

#include <fmt/format.h>

#include "cli/generate/table.h"
#include "export/tensorboard_tags.h"
#include "model/text/man.h"
#include "model/text/tensorboard.h"

namespace gpusight::cli {
namespace {

using exporting::TagAxis;
using exporting::TagRun;

std::string_view NameOf(TagRun run) {
  switch (run) {
    case TagRun::kDevice:
      return "gpuN";
    case TagRun::kProcess:
      return "rankN, pidN";
    case TagRun::kHost:
      break;
  }
  return "host";
}

template <typename Field>
void Rows(std::string& out, const exporting::TagList<Field>& list, Language language) {
  const Text& axis =
      list.axis == TagAxis::kSteps ? text::kTensorBoardDocsSteps : text::kTensorBoardDocsSeconds;
  for (const exporting::FieldTag<Field>& tag : list.tags) {
    out += fmt::format("| {} | `{}` | {} | {} |\n", NameOf(list.run), tag.text, Say(language, axis),
                       TableCell(Say(language, Row(tag.field).meaning)));
  }
}

}  // namespace

std::string TensorBoardCharts(Language language) {
  std::string out = TableHeader(language, {text::kTensorBoardDocsRun, text::kTensorBoardDocsCharts,
                                           text::kTensorBoardDocsStep, text::kDocsMeaning});
  Rows(out, exporting::DeviceTags(), language);
  Rows(out, exporting::FrameworkTags(), language);
  Rows(out, exporting::AllocatorTags(), language);
  Rows(out, exporting::ProcessTags(), language);
  Rows(out, exporting::UseTags(), language);
  Rows(out, exporting::FrameworkStepTags(), language);
  Rows(out, exporting::AllocatorStepTags(), language);
  Rows(out, exporting::DeviceStepTags(), language);
  Rows(out, exporting::HostTags(), language);
  return out;
}

}  // namespace gpusight::cli
