#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that both commands work from a bare system: makes a minimal root of that suite in a
# temporary folder, puts a clean clone of HEAD into it and runs ./quickstart and ./test there.
# Needs root and debootstrap; packages come from the mirror that this machine's apt uses.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# = 0 ] || [ "$1" = --help ]; then
  echo "Usage: checks/bare_root.sh SUITE [COMMAND]...    (SUITE: bookworm, trixie, noble, ...)"
  echo "Each COMMAND is run by bash in the clone; without any: ./quickstart, ./test and ./test again."
  echo "KEEP=1 keeps the folder, FOLDER=... names it; MIRROR=... is another mirror."
  exit 2
fi
suite=$1
shift
[ $# != 0 ] || set -- ./quickstart ./test ./test
[ "$(id -u)" = 0 ] || { echo "This needs root: debootstrap and chroot do." >&2 && exit 1; }
command -v debootstrap >/dev/null || { echo "Run first: apt-get install -y debootstrap" >&2 && exit 1; }

mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)}
root=${FOLDER:-$(mktemp -d "${TMPDIR:-/tmp}/bare.XXXXXX")}
Clean() {
  umount -l "$root/proc" "$root/dev/pts" 2>/dev/null || true
  if [ -n "${KEEP:-}" ]; then echo "kept: $root"; else rm -rf --one-file-system "$root"; fi
}
trap Clean EXIT

if [ ! -e "$root/etc/debian_version" ]; then
  echo "== $suite in $root"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log" >&2 && exit 1; }
  rm -f "$root.log"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Certificates that this machine's administrator added are this machine's ordinary configuration.
if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
fi
mount -t proc proc "$root/proc"
# Its own terminals, as any Debian has them: the live view is tested in one.
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"
rm -rf "$root/opt/gpusight"
git clone -q --no-local . "$root/opt/gpusight"

pip=()
while IFS= read -r setting; do pip+=("$setting"); done < <(env | grep '^PIP_' || true)
for command in "$@"; do
  start=$SECONDS rc=0
  echo "== $suite: $command"
  chroot "$root" env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin "${pip[@]}" \
    bash -c "cd /opt/gpusight && $command" </dev/null || rc=$?
  echo "== $suite: $command: exit $rc after $((SECONDS - start)) s"
  [ "$rc" = 0 ] || exit "$rc"
done
