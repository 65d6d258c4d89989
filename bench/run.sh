#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures gpusight: beside its peers on a real card where there is one, else on the fake driver.
#   bench/run.sh [--out DIR] [--quick] [--pack DIR] …     (bench/run.sh --help for the rest)
# Builds what it needs unless --pack names a folder made by bench/pack.sh on another machine.
# Writes DIR/results.json and DIR/results.md; bench/report.py puts them into docs/performance.md.
set -eu
cd "$(dirname "$0")/.."
case " $* " in
*" --pack "* | *" --help "* | *" -h "*) ;;
*)
  cmake --preset bench >/dev/null
  cmake --build --preset bench --target bench
  ;;
esac
PYTHONPATH="$PWD/bench${PYTHONPATH:+:$PYTHONPATH}" exec python3 bench/run.py "$@"
