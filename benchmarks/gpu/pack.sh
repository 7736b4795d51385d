#!/usr/bin/env bash
# pack.sh BUILD OUT [MATRICES [LEVELS]]: packs the GPU tests, the benchmarks, the program and libtessera_amgx.so of a build of the
# preset cuda into the folder OUT, with run.sh, two_hosts.py, torch_fem.py, the lists of xml_params, the matrices of a folder, and
# the shared libraries that a machine with a GPU has no reason to have. Left to that machine: glibc, libstdc++, its MPI (Open MPI 4),
# CUDA's run time and driver. Of a build of the preset trilinos-cuda, all tests, and the run time of its CUDA. LEVELS: what
# differential.py --record has written with another build; every level must be the same.
#
#     benchmarks/gpu/pack.sh build/cuda bundle ../shared/matrices && tar -cJf bundle.tar.xz bundle
#     (there)  tar -xJf bundle.tar.xz && bundle/run.sh results
set -euo pipefail
build=$1 out=$2 matrices=${3:-} levels=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
tests=test_*_gpu
left='/(ld-linux|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|libresolv|libmpi[a-z_]*|libopen-(pal|rte)|libhwloc|libevent[a-z_]*|libcuda|libcudart|libcusparse|libnvJitLink)[-.]'
if grep -q '^TESSERA_SHARED_PACKAGES:BOOL=ON' "$build/CMakeCache.txt"; then
  tests=test_*
  left=${left%|libcudart*}')[-.]' # the run time of Trilinos' CUDA
fi
mkdir -p "$out/bin" "$out/libexec" "$out/lib" "$out/matrices" "$out/docs" "$out/hosts"
# shellcheck disable=SC2086 # a pattern
for program in "$build"/bin/$tests "$build"/bin/libnvtx_listener.so "$build"/bin/*_benchmark "$build"/bin/weak_scaling \
  "$build"/bin/tessera "$build"/libexec/tessera-program "$build"/packages/amgx/libtessera_amgx.so; do
  [ -x "$program" ] || continue
  into=$(basename "$(dirname "$program")")
  [ "$into" != amgx ] || into=lib
  cp "$program" "$out/$into/"
  ldd "$program" | awk '$3 ~ /^\// {print $3}' | grep -vE "$left" | xargs -r cp -Ln -t "$out/lib" || true
done
strip "$out"/bin/* "$out"/libexec/* "$out"/lib/* 2>/dev/null || true
cp -r "$top/xml_params" "$here"/{figures,differential,torch_fem,two_hosts,device_peers}.py "$here/../busy.py" "$here/run.sh" "$out/"
cp "$top"/tests/hosts/{hosts,hosts_test,relay}.py "$out/hosts/"
cp "$top/docs/parameters.md" "$top/docs/translation.md" "$out/docs/"
echo "$top" > "$out/source" # tests of the lists know this folder
[ -z "$levels" ] || cp "$levels" "$out/levels.json"
git -C "$here" describe --always --dirty=-changed --abbrev=7 --exclude '*' > "$out/commit"
[ -z "$matrices" ] || cp "$matrices"/*.mtx* "$out/matrices/"
du -sh "$out"
