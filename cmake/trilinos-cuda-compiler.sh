#!/usr/bin/env bash
# trilinos-cuda-compiler.sh: the compiler of a Trilinos with CUDA. trilinos-cuda.sh installs it as three commands in PREFIX/bin:
#   nvcxx   compiles by Kokkos' nvcc_wrapper with PREFIX/cuda and g++-11, and links by g++-11;
#            with --host-only (nvcc_wrapper's own option) g++-11 does all
#   mpicxx  Open MPI's wrapper around nvcxx
#   mpicc   Open MPI's wrapper around gcc-11
# While Trilinos is built, TRILINOS_CUDA_HOST names a folder with Kokkos' configuration headers without CUDA, and two short cuts save
# time: g++-11 alone compiles CMake's checks and the sources that need no CUDA, and no object records its headers.
set -euo pipefail
bin=$(dirname "$(readlink --canonicalize "${BASH_SOURCE[0]}")") cuda=${bin%/*}/cuda
case ${0##*/} in
  mpicc) OMPI_CC=gcc-11 exec /usr/bin/mpicc "$@" ;;
  mpicxx) OMPI_CXX=$bin/nvcxx exec /usr/bin/mpicxx "$@" ;;
esac
export CUDA_ROOT=$cuda NVCC_WRAPPER_DEFAULT_COMPILER=g++-11

host=() device=() depends='' file='' compiles='' links='' source='' plain=''
while [[ $# -gt 0 ]]; do
  case $1 in
    -MD) host+=("$1") depends+=" -MD" ;;
    -MT) host+=("$1" "$2") depends+=" -MT $2" && shift ;;
    -MF) host+=("$1" "$2") depends+=" -MF $2" file=$2 && shift ;;
    --host-only) plain=1 ;;
    -expt-* | --expt-* | -extended-lambda | --extended-lambda | -Wext-lambda-captures-this | -arch=* | -Xcudafe=* | --fmad=*) device+=("$1") ;;
    *)
      case $1 in
        -c) compiles=1 ;;
        *.cpp | *.cxx | *.cc | *.cu) source=$1 ;;
        *.o | *.a | *.so) links=1 ;;
      esac
      host+=("$1") device+=("$1")
      ;;
  esac
  shift
done

if [[ -z $source && -n $links ]]; then
  exec g++-11 "${host[@]}" "$cuda/lib64/libcudart.so" "-Wl,-rpath,$cuda/lib64"
fi
[[ -z $plain ]] || exec g++-11 "${host[@]}"
if [[ -n $compiles && -n ${TRILINOS_CUDA_HOST:-} ]]; then
  depends=''
  [[ -z $file ]] || : >"$file"
  case $source in
    */CMakeCXXCompilerId.cpp | */packages/teuchos/kokkos*) ;;
    */CMakeScratch/* | */CMakeTmp/* | */packages/teuchos/* | */packages/rtop/* | */packages/thyra/core/* | */packages/common/* | */packages/belos/src/*)
      exec g++-11 "-I$TRILINOS_CUDA_HOST" "${host[@]}"
      ;;
  esac
fi
[[ -z $depends ]] || export NVCC_APPEND_FLAGS=$depends # by nvcc itself: nvcc_wrapper would preprocess once more
exec "$bin/nvcc_wrapper" "${device[@]}"
