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

/// Waits until all work of the space is done (nothing on the host).
inline void synchronize(Host const&) {}
void synchronize(Cuda const& space);

}  // namespace Tessera::core

namespace Tessera {
using core::Cuda;
using core::Host;
}  // namespace Tessera
