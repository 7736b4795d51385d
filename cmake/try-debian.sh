#!/usr/bin/env bash
# try-debian.sh [--package] [--keep] [--in FOLDER] [--ccache FOLDER] SUITE [MIRROR]
# The README's two commands, as they stand, on a bare Debian (bookworm, trixie, sid): a chroot that debootstrap makes, and in it make
# and a clean checkout of HEAD. Prints versions and results; fails when one of the commands fails. Needs root and 6 GB.
#   --package        try the Debian packages instead: make package; in a second chroot, which has nothing that the build needs, install
#                    program and documents, solve, uninstall; in the first install the libraries, build a program with them, uninstall
#   --in FOLDER      where the chroot is made, or one that --keep has left is used again (default: a new folder under TMPDIR)
#   --keep           leave the chroot
#   --ccache FOLDER  compile through a cache that is kept there
# Mounts and processes live in namespaces of their own, which end with the script, however it ends; the host is not touched.
set -euo pipefail

folder='' keep=0 cache='' package=0
while [[ "${1:-}" == --* ]]; do
  case $1 in
    --package) package=1 ;;
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

# in_root ROOT COMMAND...: in that chroot, with a clean environment.
in_root() { local root=$1 && shift && chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${passed_on[@]}" "$@"; }
inside() { in_root "$folder" "$@"; }
add() { inside DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --no-install-recommends --yes install "$@"; }

# In the namespaces: mount_system ROOT mounts what a running Debian has, and lets apt reach its mirrors as this machine does.
mount_system() {
  mount --types proc proc "$1/proc"
  mount --bind --options ro /sys "$1/sys" # the cores, for Open MPI
  mount --types tmpfs tmpfs "$1/dev/shm"
  mount --types devpts --options newinstance,ptmxmode=666 devpts "$1/dev/pts"
  if command -v apt-config >/dev/null; then
    apt-config dump | grep --extended-regexp '^Acquire::(https?|Check|Retries|ForceIPv)' >"$1/etc/apt/apt.conf.d/host" || true
  fi
  mapfile -t passed_on < <(env | grep --extended-regexp '^(https?|no)_proxy=' || true)
  in_root "$1" apt-get --quiet=2 update
}

make_chroot() {
  if [[ ! -e $folder/.tessera-$suite ]]; then
    debootstrap --variant=minbase "$suite" "$folder" ${mirror:+"$mirror"}
    touch "$folder/.tessera-$suite"
  fi
  mount_system "$folder"
  add make >/dev/null
  if [[ -n $cache ]]; then
    add ccache >/dev/null
    mkdir -p "$cache" "$folder/ccache"
    mount --bind "$cache" "$folder/ccache"
    passed_on+=(CCACHE_DIR=/ccache CCACHE_BASEDIR=/tessera CCACHE_NOHASHDIR=1 CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  rm -rf "$folder"/{tessera,results,solve.log,test.log,package.log}
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

# try_that WORDS COMMAND...: runs it, and notes whether it worked.
try_that() {
  local words=$1 status=0
  shift
  "$@" </dev/null || status=$?
  printf '%-60s %s\n' "$words" "$([[ $status -eq 0 ]] && echo works || echo "FAILS, status $status")" >>"$folder/results"
  [[ $status -eq 0 ]] || failed=1
}

# apt_in ROOT WORD...: apt-get without questions.
apt_in() { local root=$1 && shift && in_root "$root" DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --no-install-recommends --yes "$@"; }

# all_gone ROOT PACKAGE...: no file of these packages is in it, and no folder of theirs alone.
all_gone() {
  local root=$1 path left=0
  shift
  while read -r path; do
    if [[ ! -d $root$path || $path == *essera* ]] && [[ -e $root$path || -L $root$path ]]; then
      echo "try-debian: $path is left" >&2
      left=1
    fi
  done < <(for deb in "$@"; do dpkg-deb --fsys-tarfile "$deb" | tar --list | sed 's/^\.//'; done | sort --unique)
  return $left
}

# The packages where nobody has built anything, and the libraries where there is a compiler.
try_packages() {
  local bare=$folder/bare debs=$folder/tessera/build/package/packages version
  version=$(sed -n 's/^project(Tessera VERSION \([0-9.]*\).*/\1/p' "$here/CMakeLists.txt")
  rm -rf --one-file-system "$bare"
  debootstrap --variant=minbase "$suite" "$bare" ${mirror:+"$mirror"}
  mount_system "$bare"
  cp "$debs"/*.deb "$bare/srv"
  cp "$folder/tessera/cmake/open-mpi.env" "$bare/srv"
  cp "$debs"/*.deb "$folder/srv"
  try_that 'apt-get install ./tessera_*.deb ./tessera-doc_*.deb' apt_in "$bare" install $(cd "$bare" && printf '/%s ' srv/tessera_*.deb srv/tessera-doc_*.deb)
  try_that "tessera --version is $version" [ "$(in_root "$bare" tessera --version)" = "tessera $version" ]
  try_that 'tessera solve' in_root "$bare" tessera solve --problem Laplace3D --nx 30 --ny 30 --nz 30 --xml sa_amg --quiet
  try_that 'mpiexec -np 2 tessera solve' in_root "$bare" bash -c \
    'set -a && . /srv/open-mpi.env && OMP_NUM_THREADS=1 mpiexec -np 2 tessera solve --problem Laplace3D --nx 30 --ny 30 --nz 30 --xml fsai --quiet'
  try_that 'the documents are there' [ -e "$bare/usr/share/doc/Tessera/docs/building.md" ]
  try_that 'apt-get purge tessera tessera-doc' apt_in "$bare" purge tessera tessera-doc
  try_that 'no file of theirs is left' all_gone "$bare" "$debs"/tessera_*.deb "$debs"/tessera-doc_*.deb

  try_that 'apt-get install ./libtessera-dev_*.deb' apt_in "$folder" install $(cd "$folder" && printf '/%s ' srv/libtessera-dev_*.deb)
  try_that 'a program of a user with find_package(Tessera)' inside bash -c \
    'cmake -G Ninja -S /tessera/tests/install/consumer -B /srv/consumer && cmake --build /srv/consumer --parallel 1 &&
     set -a && . /tessera/cmake/open-mpi.env && OMP_NUM_THREADS=1 mpiexec -np 2 /srv/consumer/consumer'
  try_that 'apt-get purge libtessera-dev' apt_in "$folder" purge libtessera-dev
  try_that 'no file of it is left' all_gone "$folder" "$debs"/libtessera-dev_*.deb
}

report() {
  echo "--- $suite, commit $commit, $(date +%F)"
  sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' "$folder/etc/os-release"
  inside c++ --version | head -n 1
  inside mpiexec --version 2>&1 | head -n 1
  inside dpkg-query --show trilinos-dev libcli11-dev cmake
  cat "$folder/results"
  [[ $package -eq 0 ]] || return 0
  sed -n '/ compare /,$p' "$folder/solve.log" | sed 1,2d
  grep --extended-regexp 'tests passed|^The following tests FAILED|^[[:space:]]+[0-9]+ - ' "$folder/test.log" || true
}

here=$(cd "$(dirname "$0")/.." && pwd)
if [[ -n ${TRY_DEBIAN_INSIDE:-} ]]; then
  passed_on=() failed=0
  commit=$(git -C "$here" rev-parse --short HEAD)
  make_chroot
  if [[ $package -eq 1 ]]; then
    as_the_readme_says package
    [[ $failed -eq 1 ]] || try_packages
  else
    as_the_readme_says solve
    as_the_readme_says test
  fi
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
  "$0" --in "$folder" $([[ $package -eq 0 ]] || echo --package) ${cache:+--ccache "$cache"} "$suite" ${mirror:+"$mirror"} &
child=$!
cleanup() {
  kill -KILL $child 2>/dev/null || true
  wait $child 2>/dev/null || true
  if [[ $keep -eq 1 ]]; then echo "try-debian: the chroot is left in $folder"; else rm -rf --one-file-system "$folder"; fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP
wait $child
