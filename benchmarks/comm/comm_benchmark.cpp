// Time of the operations of a level that communicate: mpirun -n 2 comm_benchmark. A 7-point Laplacian on 100
// x 100 x 100 points in slabs. Rank 0 prints the time of the slowest rank.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <chrono>

#include "comm/fused_product.hpp"
#include "comm/ghost_rows.hpp"
#include "krylov/lanczos.hpp"

namespace Tessera::benchmarks {
namespace {

constexpr GlobalIndex points = 100;

struct Problem {
  comm::Communicator comm{MPI_COMM_WORLD};
  comm::DistCsr<double, Host> A;
  std::vector<VertexId> ids;
  std::vector<double> diagonal;
};

Problem make_problem() {
  Problem p;
  GlobalIndex const n = points * points * points, stride[3] = {1, points, points * points};
  auto const first = [&](GlobalIndex rank) { return rank * n / p.comm.size(); };
  comm::Distribution const rows(p.comm, static_cast<Index>(first(p.comm.rank() + 1) - first(p.comm.rank())));
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    auto const entry = [&](GlobalIndex j, double a) {
      column.push_back(j);
      value.push_back(a);
    };
    for (int d = 2; d >= 0; --d) {
      if (i / stride[d] % points > 0) entry(i - stride[d], -1);
    }
    entry(i, 6);
    for (int d = 0; d < 3; ++d) {
      if (i / stride[d] % points + 1 < points) entry(i + stride[d], -1);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
    p.ids.push_back(i);
  }
  p.A = comm::from_global(rows, rows, offsets, column, value);
  p.diagonal.assign(p.ids.size(), 6.0);
  return p;
}

Problem const& problem() {
  static Problem const made = make_problem();
  return made;
}

/// All ranks must run equally often; so the number of iterations is fixed, and this function measures the
/// time.
template <class Work>
void measure(benchmark::State& state, Work const& work) {
  auto const& comm = problem().comm;
  work();
  for (auto _ : state) {
    MPI_Barrier(comm.raw());
    auto const start = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(comm.max(seconds.count()));
  }
}

template <class T>
void product(benchmark::State& state, comm::MatrixFormat format) {
  auto const& A = problem().A;
  comm::StorageParameters parameters;
  parameters.format = format;
  comm::DistMatrix<T, Host> const matrix(Host{}, A, parameters);
  std::vector<T> const x(A.rows.local_size(), T(1));
  std::vector<T> y(x.size());
  measure(state, [&] {
    comm::multiply_fused(Host{}, matrix, Span<T const>(x.data(), x.size()),
                         sparse::StoreProduct<T>{y.data()});
  });
  state.SetLabel(matrix.format());
}

void product_double(benchmark::State& state, comm::MatrixFormat format) {
  product<double>(state, format);
}
void product_float(benchmark::State& state, comm::MatrixFormat format) {
  product<float>(state, format);
}

void exchange(benchmark::State& state) {
  auto const& A = problem().A;
  std::vector<double> const x(A.rows.local_size(), 1.0);
  std::vector<double> ghosts(A.halo.ghost_count());
  measure(state, [&] {
    A.halo.exchange(Host{}, Span<double const>(x.data(), x.size()),
                    Span<double>(ghosts.data(), ghosts.size()));
  });
}

void ten_lanczos_steps(benchmark::State& state) {
  auto const& p = problem();
  measure(state, [&] {
    double estimate = 0;
    krylov::spectral_radius(Host{}, p.A, Span<double const>(p.diagonal.data(), p.diagonal.size()),
                            Span<VertexId const>(p.ids.data(), p.ids.size()), 10, {true, {}}, &estimate);
    benchmark::DoNotOptimize(estimate);
  });
}

void ghost_rows(benchmark::State& state) {
  auto const& A = problem().A;
  measure(state, [&] { benchmark::DoNotOptimize(comm::extend_rows(Host{}, A, A.halo)); });
}

void refreshed_ghost_rows(benchmark::State& state) {
  auto const& A = problem().A;
  auto extended = comm::extend_rows(Host{}, A, A.halo);
  measure(state, [&] { comm::refresh_extended_rows(Host{}, A, A.halo, extended); });
}

using comm::MatrixFormat;
BENCHMARK_CAPTURE(product_double, csr, MatrixFormat::csr)->Iterations(100)->UseManualTime();
BENCHMARK_CAPTURE(product_float, csr, MatrixFormat::csr)->Iterations(100)->UseManualTime();
BENCHMARK_CAPTURE(product_double, automatic, MatrixFormat::automatic)->Iterations(100)->UseManualTime();
BENCHMARK_CAPTURE(product_float, automatic, MatrixFormat::automatic)->Iterations(100)->UseManualTime();
BENCHMARK(exchange)->Iterations(1000)->UseManualTime();
BENCHMARK(ten_lanczos_steps)->Iterations(5)->UseManualTime();
BENCHMARK(ghost_rows)->Iterations(5)->UseManualTime();
BENCHMARK(refreshed_ghost_rows)->Iterations(20)->UseManualTime();

/// Prints nothing, for all ranks except rank 0.
class SilentReporter : public benchmark::BenchmarkReporter {
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const&) override {}
};

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  benchmark::Initialize(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Tessera::benchmarks::SilentReporter silent;
  if (rank == 0) {
    benchmark::RunSpecifiedBenchmarks();
  } else {
    benchmark::RunSpecifiedBenchmarks(&silent);
  }
  MPI_Finalize();
}
