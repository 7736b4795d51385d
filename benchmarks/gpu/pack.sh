#!/usr/bin/env bash
# pack.sh BUILD OUT [MATRICES]: packs the GPU tests, the benchmarks, the program and libtessera_amgx.so of a build of the preset cuda
# into the folder OUT, with run.sh, two_hosts.py, torch_fem.py, the lists of xml_params, the matrices of a folder, and the shared
# libraries that a machine with a GPU has no reason to have. Left to that machine: glibc, libstdc++, its MPI (Open MPI 4), CUDA's run
# time and driver.
#
#     benchmarks/gpu/pack.sh build/cuda bundle ../shared/matrices && tar -cJf bundle.tar.xz bundle
#     (there)  tar -xJf bundle.tar.xz && bundle/run.sh results
set -euo pipefail
build=$1 out=$2 matrices=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
left='/(ld-linux|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|libresolv|libmpi[a-z_]*|libopen-(pal|rte)|libhwloc|libevent[a-z_]*|libcuda|libcudart|libcusparse|libnvJitLink)[-.]'
mkdir -p "$out/bin" "$out/libexec" "$out/lib" "$out/matrices" "$out/hosts"
for program in "$build"/bin/test_*_gpu "$build"/bin/libnvtx_listener.so "$build"/bin/*_benchmark "$build"/bin/weak_scaling \
  "$build"/bin/tessera "$build"/libexec/tessera-program "$build"/packages/amgx/libtessera_amgx.so; do
  [ -x "$program" ] || continue
  into=$(basename "$(dirname "$program")")
  [ "$into" != amgx ] || into=lib
  cp "$program" "$out/$into/"
  ldd "$program" | awk '$3 ~ /^\// {print $3}' | grep -vE "$left" | xargs -r cp -Ln -t "$out/lib" || true
done
strip "$out"/bin/* "$out"/libexec/* "$out"/lib/* 2>/dev/null || true
cp -r "$here/../../xml_params" "$here/figures.py" "$here/differential.py" "$here/torch_fem.py" "$here/two_hosts.py" "$here/../busy.py" "$here/run.sh" "$out/"
cp "$here"/../../tests/hosts/{hosts,hosts_test,relay}.py "$out/hosts/"
git -C "$here" describe --always --dirty=-changed --abbrev=7 --exclude '*' > "$out/commit"
[ -z "$matrices" ] || cp "$matrices"/*.mtx* "$out/matrices/"
du -sh "$out"
