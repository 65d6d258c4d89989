#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fails, naming file and line, where a source is not as clang-format would write it. `./test
# --format` mends it. With --self-test: proves that a badly formatted file is refused.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --self-test ]; then
  if printf 'int   a ;\n' | clang-format-19 --assume-filename=src/a.cc --dry-run -Werror 2>/dev/null; then
    echo "clang-format accepted a badly formatted file" && exit 1
  fi
  echo "a badly formatted file is refused" && exit 0
fi
git ls-files --cached --others --exclude-standard -z '*.cc' '*.h' '*.c' |
  xargs -0 -r -n 20 -P "$(nproc)" clang-format-19 --dry-run -Werror
