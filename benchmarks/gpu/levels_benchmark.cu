// What the setup and the cycle of smoothed aggregation do on each level, by itself: products with A, P and
// R = P^T, the transpose, the aggregates, A P and R (A P), in double (Bell, Dalton, Olson 2012, tables 5.3
// and 5.4, figures 5.1 and 5.3 to 5.7). Beside each time the fraction of a copy's speed: of the bytes of what
// is read and of what is made, each once.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "aggregation/aggregates.hpp"
#include "aggregation/strength.hpp"
#include "comm/dist_matrix.hpp"
#include "core/device.hpp"
#include "core/sequence.hpp"
#include "galerkin/prolongator.hpp"
#include "gpu/device_bandwidth.cuh"
#include "gpu/report.hpp"
#include "sparse/spgemm.hpp"
#include "support/box_stencils.hpp"

namespace Tessera::benchmarks {
namespace {

using Json = nlohmann::ordered_json;
using Matrix = comm::DistCsr<double, Cuda>;

double bytes_of(sparse::Csr<double, Cuda> const& A) {
  return static_cast<double>(A.offsets.bytes() + A.column.bytes() + A.value.bytes());
}

/// What one level's passes take.
class LevelTimes {
 public:
  LevelTimes(Cuda const& space, double bandwidth) : space_(space), timer_(space), bandwidth_(bandwidth) {}

  Json of(Matrix const& A, Matrix const& P) {
    Json times{{"rows", A.local.rows}, {"entries", A.local.column.size()}, {"coarse_rows", P.local.columns}};
    auto R = sparse::transpose(space_, P.local.view());
    auto const AP = sparse::spgemm(space_, A.local.view(), P.local.view());
    auto const C = sparse::spgemm(space_, R.matrix.view(), AP.view());
    auto const pattern = static_cast<double>(R.source.bytes());
    times["product"] = product(A);
    times["prolongation"] = product(P);
    times["transpose"] = timed(bytes_of(P.local) + bytes_of(R.matrix) + pattern,
                               [&] { sparse::transpose(space_, P.local.view()); });
    times["A P"] = timed(bytes_of(A.local) + bytes_of(P.local) + bytes_of(AP),
                         [&] { sparse::spgemm(space_, A.local.view(), P.local.view()); });
    times["R (A P)"] = timed(bytes_of(R.matrix) + bytes_of(AP) + bytes_of(C),
                             [&] { sparse::spgemm(space_, R.matrix.view(), AP.view()); });
    times["restriction"] = product({comm::Distribution(A.rows.comm(), R.matrix.rows),
                                    comm::HaloPlan<Cuda>(space_, A.rows, {}), std::move(R.matrix)});
    return times;
  }
  /// Work that waits for the host, too: by the host's clock, the smallest of five.
  template <class Work>
  double seconds(Work const& work) const {
    using Clock = std::chrono::steady_clock;
    double least = 1e30;
    for (int k = 0; k < 5; ++k) {
      core::synchronize(space_);
      auto const start = Clock::now();
      work();
      core::synchronize(space_);
      least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return least;
  }

 private:
  Json product(Matrix const& A) {
    comm::DistMatrix<double, Cuda> const stored(space_, A);
    Array<double, Cuda> x(space_, A.local.columns), y(space_, A.local.rows);
    core::fill(space_, x.span(), 1.0);
    auto const bytes = static_cast<double>(stored.product_bytes() + x.bytes() + y.bytes());
    auto const seconds = timer_.median([&] { comm::multiply(space_, stored, x.view(), y.span()); });
    return entry(bytes, seconds);
  }
  template <class Work>
  Json timed(double bytes, Work const& work) {
    return entry(bytes, seconds(work));
  }
  Json entry(double bytes, double seconds) const {
    return {{"us", 1e6 * seconds}, {"megabytes", 1e-6 * bytes}, {"of_copy", bytes / seconds / bandwidth_}};
  }

  Cuda space_;
  EventTimer timer_;
  double bandwidth_;
};

Matrix on_one_rank(Cuda const& space, sparse::Csr<double, Cuda> local) {
  comm::Distribution const rows(comm::Communicator{}, local.rows);
  return {rows, comm::HaloPlan<Cuda>(space, rows, {}), std::move(local)};
}

/// Levels as the paper makes them: one MIS(2), P = (I - 2/3 D^-1 A) T, as if rho(D^-1 A) were 2.
Json run(Cuda const& space, double bandwidth, char const* name, BoxStencil const& stencil) {
  constexpr double damping = 2.0 / 3;
  constexpr Index coarsest = 500;
  LevelTimes level(space, bandwidth);
  aggregation::AggregationParameters parameters;
  parameters.extra_phases = 0;
  Json levels = Json::array();
  std::printf("%s\n", name);
  auto A = on_one_rank(space, stencil_matrix(space, stencil));
  Array<double, Cuda> B(space, A.local.rows);
  core::fill(space, B.span(), 1.0);
  while (A.local.rows > coarsest) {
    auto const ids = core::arithmetic_sequence(space, 0, 1, A.local.rows);
    auto const diagonal = aggregation::checked_diagonal(space, A);
    auto const graph = aggregation::strength(space, A, diagonal.view(), {}, {});
    auto const found = aggregation::aggregate(space, graph, ids.view(), parameters);
    auto const aggregation =
        level.seconds([&] { aggregation::aggregate(space, graph, ids.view(), parameters); });
    auto T = galerkin::tentative_prolongator(space, found, B.view(), 1, 1);
    Array<unsigned char, Cuda> lumped(space, A.local.rows);
    core::fill(space, lumped.span(), 0);
    auto const P = galerkin::prolongator(space, A, {{}, lumped.view()}, diagonal.view(), T, damping);
    auto times = level.of(A, P);
    times["aggregates"] = {{"us", 1e6 * aggregation}};
    std::printf("%s\n", times.dump().c_str());
    std::fflush(stdout);
    levels.push_back(times);
    B = std::move(T.coarse_nullspace);
    auto const R = sparse::transpose(space, P.local.view());
    A = on_one_rank(space, sparse::spgemm(space, R.matrix.view(),
                                          sparse::spgemm(space, A.local.view(), P.local.view()).view()));
  }
  return {{"problem", name}, {"levels", levels}};
}

void run(std::string const& json) {
  auto const space = core::make_cuda(0);
  auto const bandwidth = measure_bandwidth(space).memcpy;
  Json problems = Json::array();
  problems.push_back(run(space, bandwidth, "Laplace2D 1024^2", {1024, 1024, 1}));
  problems.push_back(run(space, bandwidth, "Laplace3D 101^3", {101, 101, 101}));
  problems.push_back(run(space, bandwidth, "Brick3D 101^3", {101, 101, 101, 1, false}));
  write_json(json, {{"copy", bandwidth}, {"problems", problems}});
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Tessera::benchmarks::run(Tessera::benchmarks::json_file(argc, argv));
  MPI_Finalize();
}
