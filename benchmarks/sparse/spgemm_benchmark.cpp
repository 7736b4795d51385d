// C = A P, the product of a Galerkin setup: hash compared with expand-sort-compress.
#include <benchmark/benchmark.h>

#include "sparse/spgemm.hpp"
#include "sparse/transpose.hpp"
#include "support/stencils.hpp"

namespace Tessera::benchmarks {
namespace {

using sparse::SpgemmMethod;

struct Operands {
  sparse::Csr<double, Host> A, P;
};

Operands const& operands() {
  static Operands const made{laplace(101, 101, 101), brick_prolongator(101, 101, 101)};
  return made;
}

void product(benchmark::State& state, SpgemmMethod method) {
  auto const& [A, P] = operands();
  for (auto _ : state) {
    auto const C = sparse::spgemm(Host{}, A.view(), P.view(), method);
    benchmark::DoNotOptimize(C.value.data());
  }
}

void triple(benchmark::State& state, SpgemmMethod method) {
  auto const& [A, P] = operands();
  auto const R = sparse::transpose(Host{}, P.view());
  auto const AP = sparse::spgemm(Host{}, A.view(), P.view(), method);
  for (auto _ : state) {
    auto const C = sparse::spgemm(Host{}, R.matrix.view(), AP.view(), method);
    benchmark::DoNotOptimize(C.value.data());
  }
}

void transpose(benchmark::State& state) {
  auto const& P = operands().P;
  for (auto _ : state) {
    auto const R = sparse::transpose(Host{}, P.view());
    benchmark::DoNotOptimize(R.matrix.value.data());
  }
}

BENCHMARK_CAPTURE(product, AP_hash, SpgemmMethod::hash)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(product, AP_esc, SpgemmMethod::esc)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(triple, R_AP_hash, SpgemmMethod::hash)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(transpose)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace Tessera::benchmarks

BENCHMARK_MAIN();
