#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# generate.sh PROGRAM FOLDER: writes the manual pages of all commands below the folder.
set -eu
program=$1 folder=$2
for lang in en zh; do
  case $lang in en) out=$folder/man1 ;; zh) out=$folder/zh_CN/man1 ;; esac
  rm -rf "$out"
  mkdir -p "$out"
  "$program" __man gpusight --lang $lang --config /dev/null >"$out/gpusight.1"
  for command in $("$program" __complete commands --config /dev/null); do
    "$program" __man "$command" --lang $lang --config /dev/null >"$out/gpusight-$command.1"
  done
done
