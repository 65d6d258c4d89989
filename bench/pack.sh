#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gathers what bench/run.sh --pack needs on a machine without a compiler, our libraries or a network:
# the programs, the meter, the fake driver, the shared libraries that are not the C or C++ runtime,
# and the peers that are Python packages.
# Usage: bench/pack.sh DIR [PYTHON-VERSION]   for instance: bench/pack.sh build/pack 3.12
set -eu
cd "$(dirname "$0")/.."
out=${1:?usage: bench/pack.sh DIR [PYTHON-VERSION]}
python=${2:-3.12}
build=build/bench
cmake --preset bench >/dev/null
cmake --build --preset bench --target bench
rm -rf "$out"
mkdir -p "$out/bin" "$out/lib" "$out/bench" "$out/fake"
cp "$build/bin/gpusight" "$build"/bin/bench_* "$out/bin/"
cp "$build/bench/libnvidia-ml-meter.so" "$out/bench/"
cp -L "$build"/fake/libnvidia-ml.so.1 "$out/fake/"
strip "$out"/bin/*
for file in "$out"/bin/* "$out"/fake/*; do ldd "$file"; done |
  sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
  grep -vE '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so' |
  while read -r library; do cp -L "$library" "$out/lib/"; done
python3 -m pip wheel -q --no-deps -w "$out/wheels" gpustat==1.1.1 nvitop==1.7.2
python3 -m pip download -q --no-deps -d "$out/wheels" --only-binary=:all: \
  --python-version "$python" --implementation cp --platform manylinux_2_17_x86_64 \
  --platform manylinux2014_x86_64 blessed jinxed wcwidth psutil nvidia-ml-py
for wheel in "$out"/wheels/*.whl; do python3 -m zipfile -e "$wheel" "$out/site"; done
rm -r "$out/wheels"
du -sh "$out"
