#!/usr/bin/env bash
# try-debian.sh [--keep] [--in FOLDER] [--ccache FOLDER] SUITE [MIRROR]
# The README's two commands, as they stand, on a bare Debian (bookworm, trixie, sid): a chroot that debootstrap makes, and in it make
# and a clean checkout of HEAD. Prints versions and results; fails when one of the commands fails. Needs root and 6 GB.
#   --in FOLDER      where the chroot is made, or one that --keep has left is used again (default: a new folder under TMPDIR)
#   --keep           leave the chroot
#   --ccache FOLDER  compile through a cache that is kept there
# Mounts and processes live in namespaces of their own, which end with the script, however it ends; the host is not touched.
set -euo pipefail

folder='' keep=0 cache=''
while [[ "${1:-}" == --* ]]; do
  case $1 in
    --keep) keep=1 ;;
    --in) folder=$2 && shift ;;
    --ccache) cache=$2 && shift ;;
    *) break ;;
  esac
  shift
done
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
  sed -n '2,/^set/s/^# //p' "$0" >&2
  exit 2
fi
suite=$1 mirror=${2:-}
for tool in debootstrap unshare git; do
  command -v $tool >/dev/null || { echo "try-debian: $tool is missing; apt-get install debootstrap util-linux git" >&2; exit 2; }
done
[[ $(id -u) -eq 0 ]] || { echo "try-debian: a chroot is made by root; run it through sudo." >&2; exit 2; }

inside() { chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${passed_on[@]}" "$@"; }
add() { inside DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --no-install-recommends --yes install "$@"; }

# In the namespaces: the chroot and what a running Debian has mounted.
make_chroot() {
  if [[ ! -e $folder/.tessera-$suite ]]; then
    debootstrap --variant=minbase "$suite" "$folder" ${mirror:+"$mirror"}
    touch "$folder/.tessera-$suite"
  fi
  mount --types proc proc "$folder/proc"
  mount --bind --options ro /sys "$folder/sys" # the cores, for Open MPI
  mount --types tmpfs tmpfs "$folder/dev/shm"
  mount --types devpts --options newinstance,ptmxmode=666 devpts "$folder/dev/pts"
  if command -v apt-config >/dev/null; then # how this machine reaches its mirrors
    apt-config dump | grep --extended-regexp '^Acquire::(https?|Check|Retries|ForceIPv)' >"$folder/etc/apt/apt.conf.d/host" || true
  fi
  mapfile -t passed_on < <(env | grep --extended-regexp '^(https?|no)_proxy=' || true)
  inside apt-get --quiet=2 update
  add make >/dev/null
  if [[ -n $cache ]]; then
    add ccache >/dev/null
    mkdir -p "$cache" "$folder/ccache"
    mount --bind "$cache" "$folder/ccache"
    passed_on+=(CCACHE_DIR=/ccache CCACHE_BASEDIR=/tessera CCACHE_NOHASHDIR=1 CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  rm -rf "$folder"/{tessera,results,solve.log,test.log}
  mkdir "$folder/tessera"
  git -C "$here" archive "$commit" | tar --extract --directory "$folder/tessera"
}

# as_the_readme_says WORD: make WORD in the clone; its last line says how it ended.
as_the_readme_says() {
  local status=0 start=$SECONDS
  inside make -C /tessera "$1" 2>&1 </dev/null | tee "$folder/$1.log" || status=$?
  printf 'make %-6s %s (%d min)\n' "$1" "$([[ $status -eq 0 ]] && echo works || echo "FAILS, status $status")" \
    $(((SECONDS - start + 59) / 60)) >>"$folder/results"
  [[ $status -eq 0 ]] || failed=1
}

report() {
  echo "--- $suite, commit $commit, $(date +%F)"
  sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' "$folder/etc/os-release"
  inside c++ --version | head -n 1
  inside mpiexec --version 2>&1 | head -n 1
  inside dpkg-query --show trilinos-dev libcli11-dev cmake
  cat "$folder/results"
  sed -n '/ compare /,$p' "$folder/solve.log" | sed 1,2d
  grep --extended-regexp 'tests passed|^The following tests FAILED|^[[:space:]]+[0-9]+ - ' "$folder/test.log" || true
}

here=$(cd "$(dirname "$0")/.." && pwd)
if [[ -n ${TRY_DEBIAN_INSIDE:-} ]]; then
  passed_on=() failed=0
  commit=$(git -C "$here" rev-parse --short HEAD)
  make_chroot
  as_the_readme_says solve
  as_the_readme_says test
  report
  exit $failed
fi

if [[ -z $folder ]]; then
  folder=$(mktemp --directory --tmpdir "tessera-$suite-XXXXXX")
elif [[ -e $folder && ! -e $folder/.tessera-$suite ]]; then
  echo "try-debian: $folder is there, and is no chroot of $suite that this script has left; name a new folder." >&2
  exit 2
fi
mkdir -p "$folder"
TRY_DEBIAN_INSIDE=1 unshare --mount --propagation private --pid --fork --kill-child \
  "$0" --in "$folder" ${cache:+--ccache "$cache"} "$suite" ${mirror:+"$mirror"} &
child=$!
cleanup() {
  kill -KILL $child 2>/dev/null || true
  wait $child 2>/dev/null || true
  if [[ $keep -eq 1 ]]; then echo "try-debian: the chroot is left in $folder"; else rm -rf --one-file-system "$folder"; fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP
wait $child
