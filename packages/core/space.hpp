#pragma once
/// \file
/// The two places where code runs and memory lies. A space is a value; it is chosen once, in src/.

struct CUstream_st;  // CUDA's stream, so that this header needs no CUDA

namespace Tessera::core {

/// The host: OpenMP threads and ordinary memory.
struct Host {
  static constexpr char const* name = "host";
};

/// One NVIDIA GPU and the stream that everything on it is ordered by.
struct Cuda {
  static constexpr char const* name = "cuda";
  int device = 0;
  CUstream_st* stream = nullptr;
};

/// The space that a unit of instantiations is made for. The host's compiler makes them for Host, nvcc the
/// same unit for Cuda (INSTANCES in cmake/TesseraTargets.cmake).
#ifdef TESSERA_CUDA_UNIT
using InstanceSpace = Cuda;
#else
using InstanceSpace = Host;
#endif

/// What algorithms ask of a space, rather than which it is.
template <class Space>
struct SpaceTraits;
template <>
struct SpaceTraits<Host> {
  static constexpr bool runs_ahead = false;
  static constexpr bool coalesces = false;
  static constexpr bool keeps_memory = false;
  static constexpr int rows_worth_sharing = 2000;
};
template <>
struct SpaceTraits<Cuda> {
  static constexpr bool runs_ahead = true;    ///< the host goes on while the space does what it was given
  static constexpr bool coalesces = true;     ///< thousands of threads, neighbours read neighbouring numbers
  static constexpr bool keeps_memory = true;  ///< core::KeptMemory does
  /// Below so many rows a rank, messages take longer than the work that they share out.
  static constexpr int rows_worth_sharing = 20000;
};

/// Waits until all work of the space is done (nothing on the host).
inline void synchronize(Host const&) {}
void synchronize(Cuda const& space);

}  // namespace Tessera::core

namespace Tessera {
using core::Cuda;
using core::Host;
using core::InstanceSpace;
}  // namespace Tessera
