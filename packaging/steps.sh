# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What quickstart, test and .ci/run share: visible progress with quiet logs, and the installation
# of the packages that apt-packages.txt names. Source it from the repository's root; it changes
# nothing by itself. Next: ../quickstart, ../test.

LOGS=build/logs
JOBS=$(nproc)

Say() { printf '%s\n' "$*"; }

Title() {
  if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi
}

# Step NAME COMMAND...: runs the command with its output in build/logs/NAME.log. A terminal shows
# the seconds go by and the log's last line; a failure shows the log's tail.
Step() {
  local name=$1 rc=0 start=$SECONDS log
  shift
  mkdir -p "$LOGS"
  log=$LOGS/${name//[^A-Za-z0-9.-]/_}.log
  if [ -t 1 ]; then
    "$@" >"$log" 2>&1 </dev/null &
    local pid=$! columns line
    columns=$(tput cols 2>/dev/null || echo 80)
    while kill -0 "$pid" 2>/dev/null; do
      line=$(tail -n 1 "$log" 2>/dev/null | tr -cd '[:print:]')
      # Of a build, how far it is: "[73/228] Building CXX object ..." as "73/228".
      [[ $line =~ ^\[([0-9]+/[0-9]+)\] ]] && line=${BASH_REMATCH[1]}
      line=$(printf '  ... %s (%d s) %s' "$name" $((SECONDS - start)) "$line")
      printf '\r\033[K%s' "${line:0:columns-1}"
      sleep 0.5
    done
    wait "$pid" || rc=$?
    printf '\r\033[K'
  else
    "$@" >"$log" 2>&1 </dev/null || rc=$?
  fi
  if [ "$rc" = 0 ]; then
    printf '  ok   %s (%d s)\n' "$name" $((SECONDS - start))
  else
    printf '  FAIL %s (%d s), exit %d; the end of %s:\n' "$name" $((SECONDS - start)) "$rc" "$log"
    tail -n "${STEP_TAIL:-40}" "$log" | sed 's/^/    | /'
  fi
  return "$rc"
}

# Needs SECTION...: the lines of those sections in apt-packages.txt, without comments.
Needs() {
  awk -v wanted=" $* " '
    { sub(/#.*/, ""); gsub(/[ \t]+$/, "") }
    /^\[/ { gsub(/[][]/, ""); on = index(wanted, " " $0 " "); next }
    on && NF' packaging/apt-packages.txt
}

Installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# The lines of the sections of which no alternative is installed.
Missing() {
  local line name found
  Needs "$@" | while IFS= read -r line; do
    found=
    for name in ${line//|/ }; do
      if Installed "$name"; then found=1 && break; fi
    done
    [ -n "$found" ] || printf '%s\n' "$line"
  done
}

# The first alternative of each line that apt can install; the first name when it knows none, so
# that apt's own message names it.
Choose() {
  local line name chosen
  while IFS= read -r line; do
    chosen=
    for name in ${line//|/ }; do
      if [ "$name" = - ] || apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
        chosen=$name && break
      fi
    done
    [ "$chosen" = - ] || printf '%s\n' "${chosen:-${line%% *}}"
  done
}

# InstallPackages SECTION...: installs what is missing, says what, asks for nothing. Root, or sudo
# that needs no password, serves for this step only.
InstallPackages() {
  local missing names as=()
  if ! command -v apt-get >/dev/null; then
    Say "This system has no apt. Install the equivalents of these packages, then run this again:"
    Needs "$@" | sed 's/^/  /'
    command -v cmake >/dev/null && command -v g++ >/dev/null || return 1
    Say "A compiler and cmake are here, so the build goes on."
    return 0
  fi
  missing=$(Missing "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as=(sudo -n)
    else
      names=$(Choose <<<"$missing" | tr '\n' ' ')
      Say "Some packages are missing, and installing them needs root. Run this, then start again:"
      Say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $names"
      return 1
    fi
  fi
  Step "apt-get update" "${as[@]}" apt-get update -q || return 1
  names=$(Choose <<<"$missing" | tr '\n' ' ')
  [ -n "$names" ] || return 0
  Say "  installing with apt: $names"
  # shellcheck disable=SC2086  # one word per package
  Step "apt-get install" "${as[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $names
}

# Configure PRESET [-D...], Build PRESET [TARGET...].
Configure() {
  local preset=$1
  shift
  Step "configure $preset" cmake --preset "$preset" "$@"
}
Build() {
  local preset=$1
  shift
  Step "build $preset" cmake --build --preset "$preset" --parallel "$JOBS" ${1:+--target "$@"} ||
    return 1
  # ccache replays warnings, so on a clean clone this sees those of every file.
  if grep -B 2 -A 8 'warning:' "$LOGS/build_$preset.log" >"$LOGS/warnings"; then
    Say "  the compiler warns:"
    sed 's/^/    | /' "$LOGS/warnings" | tail -n 40
    [ -z "${CI:-}" ] || FAILED=$((FAILED + 1))
  fi
}

# Venv FOLDER REQUIREMENTS [FLAG...]: a Python environment with those packages, made anew only when
# the requirements changed.
Venv() {
  local folder=$1 requirements=$2 python=/usr/bin/python3 stamp
  shift 2
  [ -x "$python" ] || python=python3
  stamp=$(cat "$requirements" - <<<"$("$python" --version) $*" | sha256sum)
  [ "$(cat "$folder/stamp" 2>/dev/null)" = "$stamp" ] && return 0
  Say "  installing with pip into $folder: $(grep -v '^#' "$requirements" | tr '\n' ' ')"
  rm -rf "$folder"
  Step "venv $folder" "$python" -m venv "$@" "$folder" || return 1
  Step "pip $folder" "$folder/bin/pip" install -q -r "$requirements" || return 1
  printf '%s\n' "$stamp" >"$folder/stamp"
}

# Tests PRESET [CTEST ARGUMENT...]: runs ctest (by way of RUN) and adds its counts to PASSED, FAILED and SKIPPED.
PASSED=0 FAILED=0 SKIPPED=0 RUN=()
Tests() {
  local preset=$1 junit rc=0 total failed skipped
  shift
  junit=$PWD/build/$preset/junit.xml
  rm -f "$junit"
  STEP_TAIL=150 Step "tests $preset" "${RUN[@]}" ctest --preset "$preset" -j "$JOBS" --no-tests=error \
    --output-junit "$junit" "$@" || rc=1
  if [ ! -s "$junit" ]; then
    FAILED=$((FAILED + 1))
    return 1
  fi
  total=$(Attribute tests "$junit")
  failed=$(Attribute failures "$junit")
  skipped=$(($(Attribute skipped "$junit") + $(Attribute disabled "$junit")))
  PASSED=$((PASSED + total - failed - skipped))
  FAILED=$((FAILED + failed))
  SKIPPED=$((SKIPPED + skipped))
  [ "$rc" = 0 ] || [ "$failed" != 0 ] || FAILED=$((FAILED + 1))
  return "$rc"
}
Attribute() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p;s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1; }

# Counted NAME COMMAND...: a step that counts as one test.
Counted() {
  if Step "$@"; then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1))
    return 1
  fi
}

# The closing line, by which people and CI count; its exit status is the verdict.
Total() {
  printf '\n%d passed, %d failed' "$PASSED" "$FAILED"
  [ "$SKIPPED" = 0 ] || printf ', %d skipped' "$SKIPPED"
  printf '\n'
  [ "$FAILED" = 0 ] && [ "$PASSED" != 0 ]
}
