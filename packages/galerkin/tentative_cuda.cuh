#pragma once
/// \file
/// The tentative prolongator on CUDA: a warp takes an aggregate.
#include "core/cuda_check.cuh"
#include "galerkin/members_cuda.cuh"
#include "galerkin/tentative_body.hpp"

namespace Tessera::galerkin {
namespace detail {

struct OrthonormaliseLaunch {
  static constexpr int threads = 128;
};

struct Warp {
  static constexpr int size = 32;
  int lane = static_cast<int>(threadIdx.x) % size;
  __device__ void sync() const { __syncwarp(); }
};

__global__ void __launch_bounds__(OrthonormaliseLaunch::threads)
    orthonormalise_kernel(Index aggregates, OrthonormaliseBody body) {
  auto const a = static_cast<Index>(blockIdx.x * (OrthonormaliseLaunch::threads / Warp::size) +
                                    threadIdx.x / Warp::size);
  if (a < aggregates) body.work(Warp{}, a);
}

}  // namespace detail

inline void orthonormalise(Cuda const& space, Index aggregates, OrthonormaliseBody const& body) {
  if (aggregates == 0) return;
  constexpr Index groups = detail::OrthonormaliseLaunch::threads / detail::Warp::size;
  detail::orthonormalise_kernel<<<static_cast<unsigned>((aggregates + groups - 1) / groups),
                                  detail::OrthonormaliseLaunch::threads, 0, space.stream>>>(aggregates, body);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::galerkin
