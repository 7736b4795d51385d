#pragma once
/// \file
/// What a device's memory gives.
#include "core/parallel.hpp"
#include "gpu/event_timer.cuh"

namespace Tessera::benchmarks {

template <class T>
struct CopyBody {
  T const* from;
  T* to;
  TESSERA_HD void operator()(Index i) const { to[i] = from[i]; }
};

struct DeviceBandwidth {
  double memcpy = 0;  ///< bytes/s read and written by cudaMemcpyAsync of 1 GiB
  double kernel = 0;  ///< the same by a kernel that copies a double a thread
};

inline DeviceBandwidth measure_bandwidth(Cuda const& space) {
  constexpr std::size_t n = std::size_t{1} << 27;
  Array<double, Cuda> from(space, n), to(space, n);
  core::fill(space, from.span(), 1.0);
  core::fill(space, to.span(), 0.0);
  EventTimer timer(space);
  auto const memcpy = timer.median([&] { core::copy(space, from.view(), space, to.span()); });
  auto const kernel = timer.median([&] {
    core::for_each(space, n, CopyBody<double>{from.data(), to.data()});
  });
  return {16.0 * n / memcpy, 16.0 * n / kernel};
}

}  // namespace Tessera::benchmarks
