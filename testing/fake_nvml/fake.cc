// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/fake.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/fd.h"
#include "testing/fake_nvml/control.h"
#include "testing/fake_nvml/variant.h"

namespace gpusight::fake {

namespace {

[[noreturn]] void Die(const std::string& why) {
  fmt::print(stderr, "fake driver: {}\n", why);
  std::abort();
}

template <typename Function>
Function* Symbol(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) Die(fmt::format("no symbol {}", name));
  return reinterpret_cast<Function*>(symbol);
}

// Folders to be removed at the end of the process.
class TempFolders {
 public:
  ~TempFolders() {
    for (const std::string& folder : folders_) {
      unlink((folder + "/libnvidia-ml.so.1").c_str());
      rmdir(folder.c_str());
    }
  }
  std::string New() {
    const char* parent = std::getenv("TMPDIR");
    std::string folder =
        fmt::format("{}/gpusight-fake-XXXXXX", parent == nullptr ? "/tmp" : parent);
    if (mkdtemp(folder.data()) == nullptr) Die(folder + " cannot be made");
    folders_.push_back(folder);
    return folder;
  }

 private:
  std::vector<std::string> folders_;
};

}  // namespace

std::string LibraryWithout(std::initializer_list<std::string_view> functions) {
  static TempFolders folders;
  auto image = ReadFile(LibraryPath(), size_t{1} << 28);
  if (!image) Die(image.error().what);
  const auto variant = WithoutSymbols(std::move(*image), {functions.begin(), functions.end()});
  if (!variant) Die(variant.error().what);
  const std::string path = folders.New() + "/libnvidia-ml.so.1";
  FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr ||
      std::fwrite(variant->data(), 1, variant->size(), file) != variant->size() ||
      std::fclose(file) != 0) {
    Die(path + " cannot be written");
  }
  return path;
}

std::string LibraryPath() { return GPUSIGHT_FAKE_NVML; }

std::string Machine(std::string_view name) {
  return fmt::format("{}/{}/scenario.json", GPUSIGHT_MACHINES, name);
}

std::string Recording(std::string_view name) {
  return fmt::format("{}/recordings/{}.json", GPUSIGHT_MACHINES, name);
}

TempScenario::TempScenario(std::string_view json) {
  const char* folder = std::getenv("TMPDIR");
  path_ = fmt::format("{}/gpusight-scenario-XXXXXX", folder == nullptr ? "/tmp" : folder);
  const int fd = mkstemp(path_.data());
  if (fd < 0 || write(fd, json.data(), json.size()) != static_cast<ssize_t>(json.size())) {
    Die(path_ + " cannot be written");
  }
  close(fd);
}

TempScenario::~TempScenario() { unlink(path_.c_str()); }

Control::Control(const std::string& scenario, const std::string& library)
    : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) Die(dlerror());
  setenv("GPUSIGHT_FAKE_SCENARIO", scenario.c_str(), 1);
  if (Symbol<decltype(gpusightFakeReload)>(library_, "gpusightFakeReload")(scenario.c_str()) != 0) {
    Die(scenario + " cannot be loaded");
  }
}

void Control::SetTime(double seconds) {
  Symbol<decltype(gpusightFakeSetTime)>(library_, "gpusightFakeSetTime")(seconds);
}

uint64_t Control::Calls(const char* function) const {
  return Symbol<decltype(gpusightFakeCalls)>(library_, "gpusightFakeCalls")(function);
}

}  // namespace gpusight::fake
