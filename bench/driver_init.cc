// SPDX-License-Identifier: Apache-2.0
// The least that any program must pay to talk to the driver: load it, initialise it, get one
// handle. Prints the parts as one line of JSON; its own peak memory is what `status` is compared
// with. Includes nothing of gpusight on purpose. Usage: bench_driver_init [LIBRARY] [--wait]
// (--wait: stays until end of input, for reading its memory from outside).
#include <dlfcn.h>
#include <time.h>

#include <cstdio>
#include <cstring>

namespace {

double Now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

long StatusKib(const char* key) {
  FILE* file = fopen("/proc/self/status", "r");
  if (file == nullptr) return -1;
  char line[256];
  long value = -1;
  while (fgets(line, sizeof line, file) != nullptr) {
    if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), ": %ld", &value);
  }
  fclose(file);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const char* library = argc > 1 ? argv[1] : "libnvidia-ml.so.1";
  const double start = Now();
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fprintf(stderr, "%s\n", dlerror()), 1;
  const double loaded = Now();
  auto* init = reinterpret_cast<int (*)()>(dlsym(handle, "nvmlInit_v2"));
  auto* first =
      reinterpret_cast<int (*)(unsigned, void**)>(dlsym(handle, "nvmlDeviceGetHandleByIndex_v2"));
  if (init == nullptr || first == nullptr) return fprintf(stderr, "not NVML\n"), 1;
  const int init_code = init();
  const double initialised = Now();
  void* device = nullptr;
  const int handle_code = first(0, &device);
  const double end = Now();
  printf(
      "{\"dlopen_ms\":%.3f,\"init_ms\":%.3f,\"handle_ms\":%.3f,\"total_ms\":%.3f,\"peak_kib\":%ld,"
      "\"init_code\":%d,\"handle_code\":%d}\n",
      loaded - start, initialised - loaded, end - initialised, end - start, StatusKib("VmHWM"),
      init_code, handle_code);
  fflush(stdout);
  if (argc > 2 && strcmp(argv[2], "--wait") == 0)
    while (getchar() != EOF) {
    }
  return init_code != 0 || handle_code != 0 ? 1 : 0;
}
