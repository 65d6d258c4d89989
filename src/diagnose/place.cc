// SPDX-License-Identifier: Apache-2.0
// Names for places in a program, out of its stacks ("train.py:12 main;data.py:88 load").
#include <algorithm>
#include <iterator>
#include <map>

#include "diagnose/idle_attribution.h"

namespace gpusight::diagnose {
namespace {

struct Parts {
  std::string_view file, line, function;  // "data.py", "88", "load"
};

Parts PartsOf(std::string_view frame) {
  Parts parts;
  const size_t blank = frame.find(' ');
  const std::string_view where = frame.substr(0, blank);
  if (blank != std::string_view::npos) parts.function = frame.substr(blank + 1);
  const size_t colon = where.rfind(':');
  parts.file = where.substr(0, colon);
  if (colon != std::string_view::npos) parts.line = where.substr(colon + 1);
  return parts;
}

// The writer of stacks names files of libraries by their package ("torch/dataloader.py", and
// "python/queue.py" for Python's own) and those of the program by their path below its folder,
// which may look the same: so these are the packages in which programs are found.
constexpr std::string_view kPackages[] = {"PIL",
                                          "accelerate",
                                          "apex",
                                          "cv2",
                                          "datasets",
                                          "deepspeed",
                                          "diffusers",
                                          "einops",
                                          "fairscale",
                                          "flash_attn",
                                          "flax",
                                          "fsspec",
                                          "h5py",
                                          "huggingface_hub",
                                          "jax",
                                          "jaxlib",
                                          "keras",
                                          "lightning",
                                          "lightning_fabric",
                                          "matplotlib",
                                          "megatron",
                                          "mmcv",
                                          "mmengine",
                                          "multiprocess",
                                          "numpy",
                                          "nvidia",
                                          "optax",
                                          "paddle",
                                          "paddlenlp",
                                          "pandas",
                                          "peft",
                                          "pyarrow",
                                          "python",
                                          "pytorch_lightning",
                                          "ray",
                                          "safetensors",
                                          "scipy",
                                          "sklearn",
                                          "tensorflow",
                                          "timm",
                                          "tokenizers",
                                          "torch",
                                          "torchaudio",
                                          "torchdata",
                                          "torchmetrics",
                                          "torchvision",
                                          "tqdm",
                                          "transformers",
                                          "triton",
                                          "trl",
                                          "urllib3",
                                          "wandb",
                                          "webdataset",
                                          "xformers"};

bool IsLibrary(std::string_view file) {
  if (file.starts_with('<')) return true;  // "<string>"
  const auto has = [file](std::string_view word) { return file.find(word) != file.npos; };
  // Whole paths, from other writers.
  if (has("site-packages/") || has("dist-packages/") || has("/lib/python")) return true;
  const size_t slash = file.find('/');
  if (slash == file.npos) return false;
  return std::find(std::begin(kPackages), std::end(kPackages), file.substr(0, slash)) !=
         std::end(kPackages);
}

// Stands for frames that found no room.
constexpr std::string_view kLeftOut = "...";

}  // namespace

std::string_view InnermostFrame(std::string_view stack) {
  while (stack.ends_with(';')) stack.remove_suffix(1);
  return stack.substr(stack.rfind(';') + 1);
}

std::string PlaceOf(std::string_view stack) {
  std::string_view own, first_of_library;
  for (std::string_view rest = stack; !rest.empty();) {
    const std::string_view frame = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), frame.size() + 1));
    if (frame.empty() || frame == kLeftOut) continue;
    if (!IsLibrary(PartsOf(frame).file)) {
      own = frame;
      first_of_library = {};
    } else if (first_of_library.empty()) {
      first_of_library = frame;
    }
  }
  if (own.empty()) return std::string(InnermostFrame(stack));
  const Parts parts = PartsOf(own);
  std::string place(parts.file);
  if (!parts.line.empty()) place.append(":").append(parts.line);
  if (!parts.function.empty() && parts.function != "<module>") {
    place.append(" ").append(parts.function);
  }
  if (first_of_library.empty()) return place;
  const Parts library = PartsOf(first_of_library);
  place += " > ";
  place += library.function.empty() ? library.file : library.function;
  return place;
}

std::vector<PlaceTime> Places(const IdleReport& report) {
  std::map<std::string, double> idle;
  for (const StackTime& stack : report.stacks) idle[PlaceOf(stack.stack)] += stack.idle;
  std::vector<PlaceTime> places;
  places.reserve(idle.size());
  for (const auto& [place, seconds] : idle) places.push_back({place, seconds});
  std::stable_sort(places.begin(), places.end(),
                   [](const PlaceTime& a, const PlaceTime& b) { return a.idle > b.idle; });
  return places;
}

}  // namespace gpusight::diagnose
