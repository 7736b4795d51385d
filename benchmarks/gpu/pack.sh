#!/usr/bin/env bash
# pack.sh BUILD OUT [MATRICES]: packs the GPU tests, the benchmarks and the program of a build of the preset cuda into the
# folder OUT, with run.sh, the lists of xml_params, the matrices of a folder, and the shared libraries that a machine with a
# GPU has no reason to have. Left to that machine: glibc, libstdc++, its MPI (Open MPI 4), CUDA's run time and driver.
#
#     benchmarks/gpu/pack.sh build/cuda bundle ../shared/matrices && tar -cJf bundle.tar.xz bundle
#     (there)  tar -xJf bundle.tar.xz && bundle/run.sh results
set -euo pipefail
build=$1 out=$2 matrices=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
left='/(ld-linux|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|libresolv|libmpi[a-z_]*|libopen-(pal|rte)|libhwloc|libevent[a-z_]*|libcuda|libcudart|libcusparse|libnvJitLink)[-.]'
mkdir -p "$out/bin" "$out/libexec" "$out/lib" "$out/matrices"
for program in "$build"/bin/test_*_gpu "$build"/bin/libnvtx_listener.so "$build"/bin/*_benchmark "$build"/bin/weak_scaling "$build"/bin/tessera "$build"/libexec/tessera-program; do
  [ -x "$program" ] || continue
  cp "$program" "$out/$(basename "$(dirname "$program")")/"
  ldd "$program" | awk '$3 ~ /^\// {print $3}' | grep -vE "$left" | xargs -r cp -Ln -t "$out/lib" || true
done
strip "$out"/bin/* "$out"/libexec/* "$out"/lib/* 2>/dev/null || true
cp -r "$here/../../xml_params" "$here/figures.py" "$here/differential.py" "$here/torch_fem.py" "$here/../busy.py" "$here/run.sh" "$out/"
git -C "$here" describe --always --dirty=-changed --abbrev=7 --exclude '*' > "$out/commit"
[ -z "$matrices" ] || cp "$matrices"/*.mtx* "$out/matrices/"
du -sh "$out"
