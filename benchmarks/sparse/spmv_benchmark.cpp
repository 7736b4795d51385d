// Bytes/s of SpMV compared with a copy on the same machine and threads (OMP_NUM_THREADS).
//
// Bytes are the least that a product moves: every stored entry (value and column), the row or chunk offsets,
// x once, y once.
#include <benchmark/benchmark.h>
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <map>

#include "sparse/engine/row_reduce.hpp"
#include "sparse/formats/formats.hpp"
#include "support/bandwidth.hpp"
#include "support/stencils.hpp"

namespace Tessera::benchmarks {
namespace {

enum Problem { laplace3d, laplace2d };

sparse::Csr<double, Host> const& problem(int which) {
  static std::map<int, sparse::Csr<double, Host>> made;
  if (made.count(which) == 0) {
    made.emplace(which, which == laplace3d ? laplace(101, 101, 101) : laplace(1024, 1024, 1));
  }
  return made.at(which);
}

Bandwidth const& bandwidth() {
  static Bandwidth const measured = measure_bandwidth();
  return measured;
}

/// All problems are square.
template <class T, class View>
void run(benchmark::State& state, View A, double matrix_bytes) {
  Host const host{};
  Array<T, Host> x(host, A.rows), y(host, A.rows);
  core::fill(host, x.span(), T{1});
  core::fill(host, y.span(), T{0});
  auto const start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    sparse::row_reduce(host, A, sparse::OneVector<T>{x.data()}, sparse::StoreProduct<T>{y.data()});
    benchmark::ClobberMemory();
  }
  std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - start;
  auto const bytes = matrix_bytes + sizeof(T) * 2.0 * A.rows;
  auto const rate = bytes * state.iterations() / elapsed.count();
  state.counters["GB/s"] = rate * 1e-9;
  state.counters["of_copy"] = rate / bandwidth().copy;
}

template <class T>
void csr(benchmark::State& state) {
  auto const A = sparse::copied<T>(Host{}, problem(state.range(0)), Host{});
  run<T>(state, A.view(), A.bytes());
}

template <class T>
void sell(benchmark::State& state) {
  sparse::SellShape const shape{static_cast<int>(state.range(1)), static_cast<int>(state.range(2))};
  auto const S = sparse::to_sell<T>(Host{}, problem(state.range(0)).view(), shape);
  double bytes = S.offsets.bytes() + S.column.bytes() + S.value.bytes();
  if (!S.view().in_order()) bytes += S.row.bytes();
  run<T>(state, S.view(), bytes);
}

/// With the default parameters of formats.
template <class T>
void stored(benchmark::State& state) {
  auto const [name, format] = sparse::matrix_formats[state.range(1)];
  state.SetLabel(name);
  sparse::SplitRows<T, Host> const S(Host{}, problem(state.range(0)).view(), {true, {}}, {}, {format});
  S.visit_first([&](auto const& view) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(view)>, sparse::CsrRows<T>>)
      run<T>(state, view, static_cast<double>(S.product_bytes()));
  });
}

template <class T>
void conversion(benchmark::State& state) {
  sparse::SellShape const shape{static_cast<int>(state.range(1)), static_cast<int>(state.range(2))};
  for (auto _ : state) {
    auto const S = sparse::to_sell<T>(Host{}, problem(state.range(0)).view(), shape);
    benchmark::DoNotOptimize(S.value.data());
  }
}

void shapes(benchmark::internal::Benchmark* b) {
  b->UseRealTime()->Unit(benchmark::kMicrosecond)->ArgNames({"2d", "C", "sigma"});
  for (int which : {laplace3d, laplace2d}) {
    for (int C : {4, 8, 16, 32}) b->Args({which, C, 1});
    b->Args({which, 8, 256});
    b->Args({which, 32, 256});
  }
}

void formats(benchmark::internal::Benchmark* b) {
  b->UseRealTime()->Unit(benchmark::kMicrosecond)->ArgNames({"2d", "format"});
  for (int which : {laplace3d, laplace2d}) {
    for (std::size_t k = 2; k < std::size(sparse::matrix_formats); ++k) b->Args({which, static_cast<int>(k)});
  }
}

BENCHMARK_TEMPLATE(csr, double)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond)
    ->ArgName("2d")
    ->Arg(laplace3d)
    ->Arg(laplace2d);
BENCHMARK_TEMPLATE(csr, float)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond)
    ->ArgName("2d")
    ->Arg(laplace3d)
    ->Arg(laplace2d);
BENCHMARK_TEMPLATE(sell, double)->Apply(shapes);
BENCHMARK_TEMPLATE(sell, float)->Apply(shapes);
BENCHMARK_TEMPLATE(stored, double)->Apply(formats);
BENCHMARK_TEMPLATE(stored, float)->Apply(formats);
BENCHMARK_TEMPLATE(conversion, float)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"2d", "C", "sigma"})
    ->Args({laplace3d, 8, 1})
    ->Args({laplace3d, 8, 256});

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  auto const& measured = Tessera::benchmarks::bandwidth();
  std::printf("threads %d, copy %.2f GB/s, triad %.2f GB/s; of_copy is bytes/s over copy's\n",
              omp_get_max_threads(), measured.copy * 1e-9, measured.triad * 1e-9);
  benchmark::RunSpecifiedBenchmarks();
}
