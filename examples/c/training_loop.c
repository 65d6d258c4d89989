// SPDX-License-Identifier: Apache-2.0
// A C program that tells gpusight what it does: `training_loop [STEPS]`. Where a real program has
// an allocator, a data loader and an optimizer, this one has a few lines that stand for them.
//   cc -std=c11 -Isrc examples/c/training_loop.c src/agent/agent.c src/agent/page_file.c -lpthread
// Next: src/agent/agent.h (the contract), docs/page.md.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "agent/agent.h"

static void Sleep(long milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000};
  nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 20;
  enum gpusight_status status;
  struct gpusight_agent* agent = gpusight_open("training_loop 1.0", &status);
  // Without a page every call below does nothing, so the program need not care.
  if (agent == NULL) fprintf(stderr, "no telemetry: %s\n", gpusight_status_name(status));

  const struct gpusight_identity identity = {.framework = "PyTorch",
                                             .framework_version = "2.11.0",
                                             .dtype = "float32",
                                             .script = "training_loop",
                                             .rank = -1,
                                             .local_rank = -1,
                                             .world_size = -1};
  gpusight_identify(agent, &identity);
  gpusight_phase(agent, "train");
  for (int step = 0; step < steps; step++) {
    gpusight_wait_begin(agent);
    Sleep(2);  // next batch
    gpusight_wait_end(agent);
    Sleep(3);  // forward, backward, optimizer
    gpusight_step(agent);

    // Once a second is enough; with libtorch the numbers come from
    // c10::cuda::CUDACachingAllocator::getDeviceStats(0).
    const struct gpusight_allocator allocator = {.ordinal = 0,
                                                 .allocated = 1u << 20,
                                                 .reserved = 2u << 20,
                                                 .allocated_peak = GPUSIGHT_UNKNOWN,
                                                 .reserved_peak = GPUSIGHT_UNKNOWN,
                                                 .active = GPUSIGHT_UNKNOWN,
                                                 .inactive_split = GPUSIGHT_UNKNOWN,
                                                 .requested = GPUSIGHT_UNKNOWN,
                                                 .limit = GPUSIGHT_UNKNOWN,
                                                 .retries = 0,
                                                 .out_of_memory = 0};
    gpusight_memory(agent, &allocator);
    gpusight_metric(agent, "loss", 1.0 / (step + 1));
  }
  gpusight_phase(agent, "");
  printf("%s\n", gpusight_path(agent));
  gpusight_close(agent);
  return 0;
}
