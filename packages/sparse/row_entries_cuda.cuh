#pragma once
/// \file
/// See row_entries.hpp.
#include "core/cuda_check.cuh"
#include "sparse/thread_group.cuh"

namespace Tessera::sparse {
namespace detail {

struct RowEntriesLaunch {
  static constexpr int threads = 256;
};

template <int Lanes, class Body>
__global__ void __launch_bounds__(RowEntriesLaunch::threads) count_entries_kernel(Index rows, Body body) {
  ThreadGroup<Lanes> const group;
  auto const i = static_cast<Index>(blockIdx.x * (RowEntriesLaunch::threads / Lanes) + threadIdx.x / Lanes);
  if (i >= rows) return;
  auto const end = body.end(i);
  Offset count = 0;
  for (auto k = body.begin(i) + group.lane; k < end; k += Lanes) count += body(i, k) ? 1 : 0;
  for (int distance = Lanes / 2; distance > 0; distance /= 2)
    count += __shfl_down_sync(group.mask, count, distance, Lanes);
  if (group.lane == 0) body.count(i, count);
}

template <int Lanes, class Body>
__global__ void __launch_bounds__(RowEntriesLaunch::threads) take_entries_kernel(Index rows, Body body) {
  ThreadGroup<Lanes> const group;
  auto const i = static_cast<Index>(blockIdx.x * (RowEntriesLaunch::threads / Lanes) + threadIdx.x / Lanes);
  if (i >= rows) return;
  auto const end = body.end(i);
  auto place = body.start(i);
  unsigned const before = group.mask & ((1u << (threadIdx.x % 32)) - 1u);
  for (auto first = body.begin(i); first < end; first += Lanes) {
    auto const k = first + group.lane;
    bool const yes = k < end && body(i, k);
    unsigned const all = __ballot_sync(group.mask, yes) & group.mask;
    if (yes) body.take(i, k, place + __popc(all & before));
    place += __popc(all);
  }
}

/// work(integral_constant) with the lanes for a row of average length.
template <class Work>
void with_lanes(Index rows, std::size_t entries, Work const& work) {
  auto const average = rows == 0 ? 0.0 : static_cast<double>(entries) / rows;
  if (average <= 5) {
    work(std::integral_constant<int, 4>{});
  } else if (average <= 10) {
    work(std::integral_constant<int, 8>{});
  } else if (average <= 20) {
    work(std::integral_constant<int, 16>{});
  } else {
    work(std::integral_constant<int, 32>{});
  }
}

inline unsigned row_blocks(Index rows, int lanes) {
  auto const groups = static_cast<unsigned>(RowEntriesLaunch::threads / lanes);
  return (static_cast<unsigned>(rows) + groups - 1) / groups;
}

}  // namespace detail

template <class Body>
void count_entries(Cuda const& space, Index rows, std::size_t entries, Body const& body) {
  if (rows == 0) return;
  detail::with_lanes(rows, entries, [&](auto lanes) {
    constexpr int n = decltype(lanes)::value;
    detail::count_entries_kernel<n>
        <<<detail::row_blocks(rows, n), detail::RowEntriesLaunch::threads, 0, space.stream>>>(rows, body);
  });
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

template <class Body>
void take_entries(Cuda const& space, Index rows, std::size_t entries, Body const& body) {
  if (rows == 0) return;
  detail::with_lanes(rows, entries, [&](auto lanes) {
    constexpr int n = decltype(lanes)::value;
    detail::take_entries_kernel<n>
        <<<detail::row_blocks(rows, n), detail::RowEntriesLaunch::threads, 0, space.stream>>>(rows, body);
  });
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::sparse
