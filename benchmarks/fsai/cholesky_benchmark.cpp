// Table 3 of Bernaschi, Bisson, Fantozzi, Janna 2016 on one core of a host, in double: cholesky_benchmark
//
// The time of 13000 factorisations of each size by the host's kernels of fsai/batch, scaled from the number
// in half a second. Times are processor times, so other work on the machine does not lengthen them. Systems
// are in the cache, as in a setup, which gathers them there; the time includes a copy of their values.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "core/hash.hpp"
#include "fsai/batch/cholesky_host.hpp"

namespace Tessera::benchmarks {
namespace {

using namespace fsai;  // NOLINT: kernels, not an interface

constexpr double matrices = 13000, enough_seconds = 0.5;
constexpr Index sizes[] = {16, 32, 64, 96, 128, 160, 192, 224, 256};

/// Symmetric, strictly diagonally dominant.
double entry(Index a, Index b, Index m) {
  return a == b ? m : core::uniform(static_cast<VertexId>(a) * m + b, 3);
}

/// Processor time in seconds per matrix; factorise() treats `at_once` matrices.
template <class Factorise>
double seconds_of_one(int at_once, Factorise const& factorise) {
  factorise();  // fills the cache
  auto const start = std::clock();
  double taken = 0, count = 0;
  for (; taken < enough_seconds; count += 16.0 * at_once) {
    for (int k = 0; k < 16; ++k) factorise();
    taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  return taken / count;
}

/// Seconds per system of a batch of eight.
double batch_seconds(Index m, bool& sound) {
  std::vector<Lanes> given(triangle(m)), A(given), reciprocal(m);
  for (Index a = 0; a < m; ++a) {
    for (Index b = 0; b <= a; ++b) std::fill_n(given[triangle(a) + b].value, lanes, entry(a, b, m));
  }
  BadPivots pivots;
  double const seconds = seconds_of_one(lanes, [&] {
    std::copy(given.begin(), given.end(), A.begin());
    factorise_batch(m, A.data(), reciprocal.data(), pivots);
  });
  sound = std::none_of(pivots.bad, pivots.bad + lanes, [](bool bad) { return bad; });
  return seconds;
}

double single_seconds(Index m, bool& sound) {
  auto const panels = (m + lanes - 1) / lanes, rows = panels * lanes;
  std::vector<Lanes> given(PanelTriangle::count(panels)), A(given), L(rows);
  std::vector<double> D(rows), reciprocal(rows);
  PanelTriangle const values{given.data()};
  for (Index a = 0; a < rows; ++a) {
    for (Index b = 0; b <= a; ++b) values.at(a, b) = a < m ? entry(a, b, m) : a == b ? 1 : 0;
  }
  sound = true;
  return seconds_of_one(1, [&] {
    std::copy(given.begin(), given.end(), A.begin());
    sound = factorise_single(panels, {A.data()}, D.data(), reciprocal.data(), L.data()) && sound;
  });
}

int run() {
  for (Index const m : sizes) {
    bool sound = false;
    double const seconds =
        matrices * (m <= largest_batched ? batch_seconds(m, sound) : single_seconds(m, sound));
    if (!sound) {
      std::fprintf(stderr, "size %d: a pivot is not a positive number\n", m);
      return 1;
    }
    std::printf("size %3d  %9.2f ms  %6.2f GFlop/s\n", m, 1e3 * seconds,
                1e-9 * matrices * m * m * m / 3.0 / seconds);
  }
  return 0;
}

}  // namespace
}  // namespace Tessera::benchmarks

int main() {
  return Tessera::benchmarks::run();
}
