#pragma once
/// \file
/// The diagonal on CUDA: a group of threads takes a row, so that its entries are read together.
#include "aggregation/diagonal_body.hpp"
#include "core/cuda_check.cuh"
#include "core/group.hpp"

namespace Tessera::aggregation {
namespace detail {

/// As DiagonalBody: all but one of the numbers that are added are zeros, or one is not a number.
template <int Lanes>
__global__ void __launch_bounds__(256)
    diagonal_kernel(sparse::CsrView<double> A, Index rows, double* diagonal) {
  core::ThreadGroup<Lanes> const group;
  auto const i = static_cast<Index>(blockIdx.x * (256 / Lanes) + threadIdx.x / Lanes);
  if (i >= rows) return;
  double found = 0.0;
  for (auto k = A.offsets[i] + group.lane; k < A.offsets[i + 1]; k += Lanes)
    found += A.value[k] * (A.column[k] == i ? 1.0 : 0.0);
  for (int distance = Lanes / 2; distance > 0; distance /= 2)
    found += __shfl_down_sync(group.mask, found, distance, Lanes);
  if (group.lane == 0) diagonal[i] = found;
}

}  // namespace detail

inline void diagonal_of(Cuda const& space, std::size_t size, DiagonalBody const& body) {
  auto const rows = static_cast<Index>(size);
  if (rows == 0) return;
  core::detail::with_lanes(rows, body.A.column.size(), [&](auto lanes) {
    constexpr int width = decltype(lanes)::value;
    detail::diagonal_kernel<width>
        <<<(static_cast<unsigned>(rows) * width + 255) / 256, 256, 0, space.stream>>>(body.A, rows,
                                                                                      body.diagonal);
  });
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::aggregation
