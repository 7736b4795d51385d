#pragma once
/// \file
/// What this machine's memory gives with the threads at hand: STREAM's copy and triad.
#include <algorithm>
#include <chrono>

#include "core/parallel.hpp"

namespace Tessera::benchmarks {

struct Bandwidth {
  double copy = 0;   ///< bytes/s of y = x, 16 bytes an element
  double triad = 0;  ///< bytes/s of y = x + 3 z, 24 bytes an element
};

/// Best of several passes over arrays of 128 MiB; write-allocate traffic is not counted, as for the kernels.
inline Bandwidth measure_bandwidth() {
  constexpr std::size_t n = std::size_t{1} << 24;
  Host const host{};
  Array<double, Host> x(host, n), y(host, n), z(host, n);
  core::fill(host, x.span(), 1.0);
  core::fill(host, y.span(), 2.0);
  core::fill(host, z.span(), 3.0);
  double *const px = x.data(), *const py = y.data(), *const pz = z.data();
  auto const seconds = [](auto const& work) {
    auto const start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double copy = 1e30, triad = 1e30;
  for (int pass = 0; pass < 10; ++pass) {
    copy = std::min(copy, seconds([&] { core::for_each(host, n, [=](Index i) { py[i] = px[i]; }); }));
    triad = std::min(
        triad, seconds([&] { core::for_each(host, n, [=](Index i) { py[i] = px[i] + 3.0 * pz[i]; }); }));
  }
  return {16.0 * n / copy, 24.0 * n / triad};
}

}  // namespace Tessera::benchmarks
