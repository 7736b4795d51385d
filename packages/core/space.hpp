#pragma once
/// \file
/// The two spaces: where code runs and memory lies. A space is a value; src/ chooses it once.

struct CUstream_st;  // CUDA's stream, so that this header needs no CUDA

namespace Tessera::core {

/// The host: OpenMP threads and ordinary memory.
struct Host {
  static constexpr char const* name = "host";
};

/// One NVIDIA GPU, and the stream that orders all work on it.
struct Cuda {
  static constexpr char const* name = "cuda";
  int device = 0;
  CUstream_st* stream = nullptr;
};

/// The space of a unit of instantiations: Host for the host's compiler, and Cuda for nvcc, which compiles the
/// same unit (INSTANCES in cmake/TesseraTargets.cmake).
#ifdef TESSERA_CUDA_UNIT
using InstanceSpace = Cuda;
#else
using InstanceSpace = Host;
#endif

/// Properties of a space on which algorithms depend, instead of its name.
template <class Space>
struct SpaceTraits;
template <>
struct SpaceTraits<Host> {
  static constexpr bool asynchronous = false;
  static constexpr bool coalesces = false;
  static constexpr int min_rows_per_rank = 2000;
};
template <>
struct SpaceTraits<Cuda> {
  static constexpr bool asynchronous = true;  ///< the host continues while the space works
  static constexpr bool coalesces = true;     ///< thousands of threads; neighbours read neighbouring numbers
  /// With fewer rows on each rank, messages take longer than the work that they distribute.
  static constexpr int min_rows_per_rank = 20000;
};

/// Waits until all work of the space is complete (returns at once on the host).
inline void synchronize(Host const&) {}
void synchronize(Cuda const& space);

}  // namespace Tessera::core

namespace Tessera {
using core::Cuda;
using core::Host;
using core::InstanceSpace;
}  // namespace Tessera
