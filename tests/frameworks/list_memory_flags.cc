// SPDX-License-Identifier: Apache-2.0
// Prints the doctor's table of Paddle's memory flags, one row a line, for the test that asks the
// real Paddle: name, first version that has it, first that lacks it, "gpu" or "any". Then every
// name read from standard input, with "known" or "unknown". Next: paddle_flags_test.py.
#include <iostream>
#include <string>

#include "cli/doctor/memory_flags.h"

int main() {
  using gpusight::doctor::MemoryFlag;
  for (const MemoryFlag& flag : gpusight::doctor::PaddleFlags()) {
    std::cout << "row\t" << flag.name << '\t' << flag.since << '\t' << flag.until << '\t'
              << (flag.gpu_only ? "gpu" : "any") << '\n';
  }
  std::string name;
  while (std::getline(std::cin, name)) {
    std::cout << (gpusight::doctor::KnownToPaddle(name) ? "known\t" : "unknown\t") << name << '\n';
  }
  return 0;
}
