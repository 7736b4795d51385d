#!/usr/bin/env bash
# trilinos-cuda.sh [--work DIR] [--jobs N] [--arch NN] PREFIX
# Builds a Trilinos 13.2 whose node is Kokkos::Cuda, from Debian packages alone, and installs it in PREFIX: Teuchos, Kokkos, KokkosKernels,
# Tpetra, Belos, Thyra, Stratimikos, Ifpack2, Xpetra, Amesos2 (KLU2), Galeri and MueLu for double, int and long long, without UVM. CUDA 11.8
# is unpacked into PREFIX/cuda, not installed. Started again, it goes on where it was stopped.
#   --work DIR   sources and objects (default: PREFIX-work); may be removed afterwards
#   --jobs N     compilers at once (default: the cores)
#   --arch NN    compute capability (default: 90)
# Needs Debian 12, 20 GB of disk, 2 GB of memory a job, and about 140 core minutes.
set -euo pipefail

die() { echo "trilinos-cuda: $*" >&2 && exit 1; }
work='' jobs=$(nproc) arch=90
while [[ "${1:-}" == --* ]]; do
  case $1 in
    --work) work=$2 ;;
    --jobs) jobs=$2 ;;
    --arch) arch=$2 ;;
    *) break ;;
  esac
  shift 2
done
if [[ $# -ne 1 || $1 == -* ]]; then
  sed -n '2,/^set/s/^# //p' "$0" >&2
  exit 2
fi
prefix=$(realpath --canonicalize-missing "$1")
work=$(realpath --canonicalize-missing "${work:-$prefix-work}")
here=$(cd "$(dirname "$0")" && pwd)
source=$work/source build=$work/build cuda=$prefix/cuda

# once NAME COMMAND...: runs it unless an earlier run has.
once() {
  local name=$1
  shift
  [[ ! -e $work/done/$name ]] || return 0
  echo "--- $name ($(date +%T))"
  "$@"
  touch "$work/done/$name"
}

check() {
  local tool suite memory free
  suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  [[ $(dpkg --print-architecture) == amd64 && $suite == bookworm ]] ||
    die "this is $suite on $(uname -m), but CUDA 11.8 and its g++-11 are packages of Debian 12 (bookworm) on amd64; build in a chroot of it"
  "$here/install-packages.sh" <(printf '%s\n' cmake ninja-build g++ g++-11 libopenmpi-dev liblapack-dev)
  for tool in cmake ninja g++-11 gcc-11 mpicxx apt-get dpkg-deb; do
    command -v $tool >/dev/null || die "$tool is missing; install its package"
  done
  [[ $(mpicxx --showme:version 2>/dev/null) == *"Open MPI"* ]] || die "mpicxx is not Open MPI's; the compiler wrappers need Open MPI"
  mkdir -p "$work"/{apt/parts,apt/lists/partial,apt/cache/archives/partial,download,done} "$prefix/bin"
  free=$(df --output=avail --block-size=1G "$work" | tail -n 1)
  [[ -e $work/done/unpack || $free -ge 20 ]] || die "$work has $free GB free, and the build takes 20; name another folder by --work"
  memory=$(awk '/^MemTotal/ {print int($2 / 1048576)}' /proc/meminfo)
  [[ $memory -ge $((2 * jobs)) ]] || die "$memory GB of memory do for $((memory / 2)) compilers at once, not for $jobs; give fewer --jobs"
  if [[ -e $work/arch && $(<"$work/arch") != "$arch" ]]; then
    die "$work was begun for compute capability $(<"$work/arch"), not $arch; name another folder by --work"
  fi
  echo "$arch" >"$work/arch"
  echo "Trilinos 13.2 and CUDA 11.8 for sm_$arch, $jobs jobs: about $((140 / jobs)) minutes where the cores are idle ($(date +%T))"
}

# The packages of the machine's own mirror, by an apt of our own: its sources and lists stay as they are.
download() (
  local mirror options
  # shellcheck disable=SC2016 # apt's own variables
  mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' | sed -n 's/^Debian //p' | head -n 1)
  [[ -n $mirror ]] || die "apt knows no mirror of Debian; run apt-get update"
  printf 'Types: %s\nURIs: %s\nSuites: bookworm\nComponents: main contrib non-free\nSigned-By: %s\n\n' \
    deb-src "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg deb "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg \
    >"$work/apt/parts/debian.sources"
  options=(--quiet=2 -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/apt/parts" -o "Dir::State::Lists=$work/apt/lists"
    -o "Dir::Cache=$work/apt/cache" -o APT::Sandbox::User=)
  apt-get "${options[@]}" update
  cd "$work/download"
  # Some mirrors lack the .dsc, which nothing here needs.
  apt-get "${options[@]}" source --download-only trilinos=13.2.0-4 || gzip --test trilinos_13.2.0.orig.tar.gz ||
    die "the source of Trilinos 13.2 could not be downloaded from $mirror"
  apt-get "${options[@]}" download nvidia-cuda-toolkit=11.8.* nvidia-cuda-dev=11.8.* libcudart11.0=11.8.* libnvvm4=11.8.* libcu++-dev \
    libcub-dev libthrust-dev
)

# A toolkit as NVIDIA lays it out: bin, nvvm, include, lib64. Of the libraries only the run time and cusparse, for this device alone.
unpack_cuda() {
  local deb tool
  rm -rf "$cuda"
  mkdir -p "$cuda/nvvm/bin"
  for deb in "$work"/download/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar --extract --directory "$cuda" --wildcards './usr/include' './usr/bin/*' './usr/lib/*/bin/*' \
      './usr/lib/*/libdevice*' '*/libcudart*' '*/libcudadevrt.a' '*/libculibos.a' '*/libcusparse_static.a' '*/stubs/libcuda.so' 2>/dev/null ||
      [[ ${PIPESTATUS[0]} -eq 0 ]] # not every package has them all
  done
  mv "$cuda/usr/lib/nvidia-cuda-toolkit/bin" "$cuda/usr/lib/nvidia-cuda-toolkit/libdevice" "$cuda/"
  mv "$cuda/libdevice" "$cuda/bin/cicc" "$cuda/nvvm/"
  mv "$cuda/nvvm/cicc" "$cuda/nvvm/bin/"
  rm "$cuda"/bin/{g++,gcc,nvcc.profile} "$cuda/usr/bin/nvcc" # Debian's own, for its folders
  mv "$cuda"/usr/bin/* "$cuda/bin/"
  mv "$cuda/usr/include" "$cuda/include"
  mv "$cuda/usr/lib/x86_64-linux-gnu" "$cuda/lib64"
  rm -r "${cuda:?}/usr"
  # shellcheck disable=SC2016 # nvcc's own variables
  printf '%s\n' 'TOP = $(_HERE_)/..' 'NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice' 'PATH += $(TOP)/nvvm/bin:$(_HERE_):' \
    'INCLUDES += "-I$(TOP)/include" $(_SPACE_)' 'LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64/stubs" "-L$(TOP)/lib64"' >"$cuda/bin/nvcc.profile"
  "$cuda/bin/nvprune" -arch "sm_$arch" "$cuda/lib64/libcusparse_static.a" -o "$work/libcusparse.a"
  g++-11 -shared -o "$cuda/lib64/libcusparse.so" -Wl,-soname,libcusparse.so -Wl,--whole-archive "$work/libcusparse.a" -Wl,--no-whole-archive \
    "$cuda/lib64/libculibos.a" "$cuda/lib64/libcudart.so" -ldl -lpthread
  rm "$cuda/lib64/libcusparse_static.a" "$work/libcusparse.a"
}

# Kokkos 3.4 knows no Hopper: its newest architecture, Ampere, is compiled as sm_NN. CUDA's libraries are those of PREFIX/cuda.
unpack() {
  local kokkos=$source/packages/kokkos
  unpack_cuda
  rm -rf "$source" "$build"
  mkdir -p "$source" "$build"
  tar --extract --gzip --file "$work"/download/trilinos_13.2.0.orig.tar.gz --directory "$source" --strip-components 1
  sed -i "s/CHECK_CUDA_ARCH(AMPERE80 *sm_80)/CHECK_CUDA_ARCH(AMPERE80 sm_$arch)/" "$kokkos/cmake/kokkos_arch.cmake"
  sed -i 's/^      case 80:$/&\n      case 87:\n      case 89:\n      case 90:/' "$kokkos/core/src/Cuda/Kokkos_Cuda_BlockSize_Deduction.hpp"
  # shellcheck disable=SC2016 # CMake's own variables
  sed -i -e 's|global_set(TPL_CUDA_LIBRARIES.*|global_set(TPL_CUDA_LIBRARIES ${CUDA_TOOLKIT_ROOT_DIR}/lib64/libcudart.so)|' \
    -e '/CUDA_cufft_LIBRARY/d' "$source"/cmake/tribits/core/std_tpls/FindTPLCUDA.cmake "$source"/cmake/tribits/tpls/FindTPLCUDA.cmake
  sed -i "s/^default_arch=\"sm_35\"/default_arch=\"sm_$arch\"/" "$kokkos/bin/nvcc_wrapper"
  cp "$kokkos/bin/nvcc_wrapper" "$here/trilinos-cuda-compiler.sh" "$prefix/bin/"
  ln -sf trilinos-cuda-compiler.sh "$prefix/bin/nvcxx"
  ln -sf trilinos-cuda-compiler.sh "$prefix/bin/mpicxx"
  ln -sf trilinos-cuda-compiler.sh "$prefix/bin/mpicc"
}

# configure MUELU: without MueLu first, so that all else is installed early. Tpetra calls cuSPARSE with offsets of type int: without
# OFFSET_INT its library has an undefined symbol.
configure() {
  local on options=()
  for on in Trilinos_ENABLE_{EXPLICIT_INSTANTIATION,Teuchos,TeuchosKokkosCompat,TeuchosKokkosComm,Kokkos,KokkosKernels,Tpetra,Belos,Thyra} \
    Trilinos_ENABLE_{ThyraTpetraAdapters,Ifpack2,Xpetra,Galeri,TrilinosSS,Amesos2,Stratimikos} TPL_ENABLE_{MPI,CUDA,CUSPARSE,BLAS,LAPACK} \
    Kokkos_ENABLE_{SERIAL,CUDA,CUDA_LAMBDA,CUDA_CONSTEXPR} Kokkos_ARCH_AMPERE80 \
    KokkosKernels_INST_{DOUBLE,ORDINAL_INT,OFFSET_SIZE_T,OFFSET_INT,LAYOUTLEFT,EXECSPACE_CUDA} KokkosKernels_ENABLE_TPL_CUSPARSE \
    Tpetra_INST_{CUDA,DOUBLE,INT_LONG_LONG} Belos_ENABLE_{Tpetra,Thyra,Xpetra} Ifpack2_ENABLE_{ThyraTpetraAdapters,Amesos2} \
    Xpetra_ENABLE_{Tpetra,KokkosKernels,Thyra} Galeri_ENABLE_{Tpetra,Xpetra} Amesos2_ENABLE_KLU2 \
    Stratimikos_ENABLE_{Belos,ThyraTpetraAdapters} MueLu_ENABLE_{Tpetra,Amesos2,Ifpack2,Belos,Thyra,ThyraTpetraAdapters,Stratimikos} \
    BUILD_SHARED_LIBS MPI_USE_COMPILER_WRAPPERS CMAKE_INSTALL_RPATH_USE_LINK_PATH; do
    options+=(-D "$on=ON")
  done
  for on in Trilinos_ENABLE_{Fortran,TESTS,EXAMPLES,ALL_OPTIONAL_PACKAGES,SECONDARY_TESTED_CODE,Gtest,TpetraTSQR} \
    Trilinos_{ASSERT_MISSING_PACKAGES,ALLOW_NO_PACKAGES} TPL_ENABLE_{CUBLAS,CUSOLVER,Pthread,BinUtils,Matio,X11,DLlib} \
    {Kokkos,Tpetra,TpetraCore}_ENABLE_CUDA_UVM Kokkos_ENABLE_OPENMP \
    KokkosKernels_INST_{FLOAT,COMPLEX_DOUBLE,ORDINAL_INT64_T,LAYOUTRIGHT,MEMSPACE_CUDAUVMSPACE,EXECSPACE_SERIAL} \
    KokkosKernels_ENABLE_TPL_CUBLAS Tpetra_INST_{SERIAL,FLOAT,COMPLEX_DOUBLE,INT_LONG,INT_INT} Teuchos_ENABLE_{COMPLEX,FLOAT} \
    Trilinos_ENABLE_Epetra Ifpack2_ENABLE_Xpetra Stratimikos_ENABLE_Amesos2 MueLu_ENABLE_Epetra; do
    options+=(-D "$on=OFF")
  done
  cmake -G Ninja -S "$source" -B "$build" "${options[@]}" -D Trilinos_ENABLE_MueLu="$1" \
    -D CMAKE_INSTALL_PREFIX="$prefix" -D CMAKE_INSTALL_RPATH="$prefix/lib;$cuda/lib64" -D CMAKE_BUILD_TYPE=RELEASE -D CMAKE_CXX_STANDARD=17 \
    -D CMAKE_CXX_COMPILER="$prefix/bin/mpicxx" -D CMAKE_C_COMPILER="$prefix/bin/mpicc" -D CMAKE_CXX_FLAGS=-Wno-deprecated-declarations \
    -D CMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -D CMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" \
    -D MPI_CXX_COMPILER="$prefix/bin/mpicxx" -D MPI_C_COMPILER="$prefix/bin/mpicc" \
    -D CUDA_TOOLKIT_ROOT_DIR="$cuda" -D CUDA_NVCC_EXECUTABLE="$cuda/bin/nvcc" -D CUDA_cusparse_LIBRARY="$cuda/lib64/libcusparse.so" \
    -D TPL_BLAS_LIBRARIES=/usr/lib/x86_64-linux-gnu/libblas.so -D TPL_LAPACK_LIBRARIES=/usr/lib/x86_64-linux-gnu/liblapack.so \
    >"$work/configure-$1.log" 2>&1 || { tail -n 30 "$work/configure-$1.log" >&2 && die "configuring failed; see $work/configure-$1.log"; }
  mkdir -p "$work/host"
  find "$build" \( -name 'KokkosCore_[cC]onfig*.hpp' -o -name KokkosCore_config.h \) -exec cp {} "$work/host" \;
  sed -i '/^#\(define\|include\).*cuda/Id' "$work"/host/KokkosCore_*
}

compile() { ninja -C "$build" -j "$jobs" -k 0 "$@"; }

export TRILINOS_CUDA_HOST=$work/host # short cuts of trilinos-cuda-compiler.sh
check
once download download
once unpack unpack
once configure configure OFF
for part in tpetra belos kokkos-kernels ifpack2 stratimikos; do
  once "$part" compile "packages/$part/all"
done
once install compile install
once configure-muelu configure ON
once muelu compile all
once install-muelu compile install
echo "Trilinos 13.2 with CUDA is in $prefix ($(date +%T))"
