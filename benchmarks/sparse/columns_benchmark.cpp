// Products with blocks of k vectors compared with k = 1: Laplace3D 101^3, each format, times and bytes.
//
// Bytes are the least that a product moves: the stored matrix once, k vectors read and k written. times_one
// is the time divided by that of one vector with the same matrix. OMP_NUM_THREADS sets the number of threads.
#include <benchmark/benchmark.h>

#include <chrono>
#include <map>

#include "core/interleaved.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/formats/formats.hpp"
#include "support/stencils.hpp"

namespace Tessera::benchmarks {
namespace {

sparse::Csr<double, Host> const& problem() {
  static auto const made = laplace(101, 101, 101);
  return made;
}

/// By format.
template <class T>
std::map<int, double>& seconds_of_one() {
  static std::map<int, double> seconds;
  return seconds;
}

/// X: T, or a row of a block.
template <class X>
void product(benchmark::State& state) {
  using T = typename core::RowTraits<X>::Number;
  auto const [name, format] = sparse::matrix_formats[state.range(0)];
  constexpr int columns = core::RowTraits<X>::columns;
  Host const host{};
  sparse::SplitRows<T, Host> const S(host, problem().view(), {true, {}}, {}, {format});
  Array<X, Host> x(host, problem().view().columns), y(host, problem().view().rows);
  core::fill(host, core::numbers(x.span()), T{1});
  core::fill(host, core::numbers(y.span()), T{0});
  auto const start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    S.visit_first([&](auto const& rows) {
      sparse::row_reduce(host, rows, sparse::OneVector<X>{x.data()}, sparse::StoreProduct<X>{y.data()});
    });
    benchmark::ClobberMemory();
  }
  std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - start;
  auto const seconds = elapsed.count() / static_cast<double>(state.iterations());
  auto const bytes = static_cast<double>(S.product_bytes() + x.bytes() + y.bytes());
  state.SetLabel(name);
  state.counters["columns"] = columns;
  state.counters["MB"] = bytes * 1e-6;
  state.counters["GB/s"] = bytes / seconds * 1e-9;
  auto& of_one = seconds_of_one<T>();
  auto const key = static_cast<int>(state.range(0));
  if (columns == 1) of_one[key] = seconds;
  if (of_one.count(key) > 0) state.counters["times_one"] = seconds / of_one.at(key);
}

void formats(benchmark::internal::Benchmark* b) {
  b->UseRealTime()->Unit(benchmark::kMicrosecond)->ArgName("format");
  for (int k = 1; k < static_cast<int>(std::size(sparse::matrix_formats)); ++k) b->Arg(k);
}

BENCHMARK_TEMPLATE(product, float)->Apply(formats);
BENCHMARK_TEMPLATE(product, core::Interleaved<float, 4>)->Apply(formats);
BENCHMARK_TEMPLATE(product, core::Interleaved<float, 8>)->Apply(formats);
BENCHMARK_TEMPLATE(product, double)->Apply(formats);
BENCHMARK_TEMPLATE(product, core::Interleaved<double, 4>)->Apply(formats);
BENCHMARK_TEMPLATE(product, core::Interleaved<double, 8>)->Apply(formats);

}  // namespace
}  // namespace Tessera::benchmarks

BENCHMARK_MAIN();
