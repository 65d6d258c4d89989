// SPDX-License-Identifier: Apache-2.0
// Prints every piece of code that `gpusight explain` may propose, one a line, for the test that
// asks the frameworks whether its calls exist. Next: oom_advice_test.py.
#include <iostream>

#include "memory/oom_advice.h"

int main() {
  for (const std::string_view code : gpusight::memory::AllAdviceCode()) std::cout << code << '\n';
  return 0;
}
