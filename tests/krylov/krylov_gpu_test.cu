#include <gtest/gtest.h>

#include "comm/transport/peers.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "krylov/lanczos.hpp"
#include "oracle/gauss_seidel.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Stop;

struct Scale {
  double const* by;
  double const* r;
  double* z;
  TESSERA_HD void operator()(Index i) const { z[i] = by[i] * r[i]; }
};

/// The same system on the host and on the device.
struct Twins {
  Cuda device = test::device_of_rank();
  System host;
  comm::DistMatrix<double, Cuda> A;
  krylov::Preconditioner M;
  krylov::Workspace<Cuda> workspace;
  Array<double, Cuda> b, x, by;

  Twins(sparse::Csr<double, Host> const& whole, std::vector<double> const& b_whole)
      : host(whole, b_whole),
        A(device, comm::copied(Host{}, distribute(whole, host.rows), device)),
        b(core::to_space(device, host.b)),
        x(core::to_space(device, host.x)) {}

  void precondition(std::vector<double> const& inverse_diagonal) {
    host.precondition(inverse_diagonal);
    auto const first = inverse_diagonal.begin() + host.rows.begin();
    by = core::to_space(device, std::vector<double>(first, first + host.rows.local_size()));
    M.apply = [this](Span<double const> r, Span<double> z) {
      core::for_each(device, r.size(), Scale{by.data(), r.data(), z.data()});
    };
    M.capturable = true;
  }

  /// From the host's x.
  krylov::Result solve(Parameters const& parameters = {}) {
    core::copy(Host{}, Span<double const>(host.x.data(), host.x.size()), device, x.span());
    return krylov::solve(device, A, M, b.view(), x.span(), parameters, workspace);
  }
  /// Whether iterations can be replayed.
  bool may_record() const {
    auto const& comm = host.rows.comm();
    return comm.size() == 1 || comm::ranks_reach_each_other(device, A.halo().distribution().comm());
  }
  std::vector<double> solution() const { return core::to_vector(device, x.view()); }
};

struct ScaleRows {
  double const* by;
  double const* r;
  double* z;
  int columns;
  TESSERA_HD void operator()(Index i) const { z[i] = by[i / columns] * r[i]; }
};

void expect_same(krylov::Result const& a, krylov::Result const& b) {
  EXPECT_EQ(a.converged, b.converged) << a.reason << b.reason;
  EXPECT_EQ(a.stop, b.stop);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.history, b.history);
  EXPECT_EQ(a.relative_residual, b.relative_residual);
  EXPECT_EQ(a.replacements, b.replacements);
}

std::vector<double> some_diagonal(Index n) {
  std::vector<double> inverse(n);
  for (Index i = 0; i < n; ++i) inverse[i] = 1 / (6.0 + (i * 7 % 5));
  return inverse;
}

void expect_twins(sparse::Csr<double, Host> const& A) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (bool const flexible : {false, true}) {
    for (bool const preconditioned : {false, true}) {
      Twins twins(A, oracle::random_vector(A.rows, 5));
      if (preconditioned) twins.precondition(some_diagonal(A.rows));
      Parameters parameters;
      parameters.flexible = flexible;
      parameters.max_iterations = 300;
      auto const on_device = twins.solve(parameters), on_host = twins.host.solve(parameters);
      expect_same(on_device, on_host);
      EXPECT_EQ(twins.solution(), twins.host.x);
      if (on_host.iterations > 3) {
        EXPECT_EQ(on_device.graph, twins.may_record());
      }
    }
  }
}

/// Eight columns and three more, twice, since the second time a graph is there.
void expect_columns(sparse::Csr<double, Host> const& A, bool preconditioned) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Twins twins(A, oracle::random_vector(A.rows, 5));
  if (preconditioned) {
    twins.precondition(some_diagonal(A.rows));
    twins.M.blocks.reserve = [](int) -> void const* { return nullptr; };
    twins.M.blocks.apply = [&](int columns, Span<double const> r, Span<double> z) {
      core::for_each(twins.device, r.size(), ScaleRows{twins.by.data(), r.data(), z.data(), columns});
    };
  }
  twins.M.version = 1;
  auto const first = twins.host.rows.begin();
  std::vector<Array<double, Cuda>> b, x;
  std::vector<Span<double const>> b_spans;
  std::vector<Span<double>> x_spans;
  for (int c = 0; c < 11; ++c) {
    auto const whole = c == 2 ? std::vector<double>(A.rows, 0.0) : oracle::random_vector(A.rows, 5 + c);
    b.push_back(core::to_space(
        twins.device, std::vector<double>(whole.begin() + first, whole.begin() + first + twins.x.size())));
    x.emplace_back(twins.device, twins.x.size());
  }
  for (int c = 0; c < 11; ++c) {
    b_spans.push_back(b[c].view());
    x_spans.push_back(x[c].span());
  }
  Parameters parameters;
  parameters.start_from_zero = true;
  for (int times = 0; times < 2; ++times) {
    auto const found =
        krylov::solve_columns(twins.device, twins.A, twins.M, b_spans, x_spans, parameters, twins.workspace);
    for (int c = 0; c < 11; ++c) {
      auto const alone = krylov::solve(twins.device, twins.A, twins.M, b_spans[c], twins.x.span(), parameters,
                                       twins.workspace);
      expect_same(found[c], alone);
      EXPECT_EQ(core::to_vector(twins.device, x[c].view()), twins.solution()) << "column " << c;
    }
  }
}

TEST(CudaConjugateGradients, ColumnsOfABlockAreBitwiseWhatTheyAreAlone) {
  for (bool const preconditioned : {false, true}) {
    for (Index const n : {2, 33, 2049}) expect_columns(oracle::laplace(n), preconditioned);
    expect_columns(oracle::laplace(45, 40), preconditioned);
    expect_columns(oracle::laplace(31, 30, 29), preconditioned);
  }
}

TEST(CudaConjugateGradients, AreTheHostsBitwise) {
  for (Index const n : {0, 1, 2, 33, 255, 257, 2049}) expect_twins(oracle::laplace(n));
  expect_twins(oracle::laplace(45, 40));
  expect_twins(oracle::laplace(31, 30, 29));
  expect_twins(oracle::random_spd(5000, 9, 3));
}

TEST(CudaConjugateGradients, NeitherLagNorGraphsChangeAnything) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const A = oracle::laplace(31, 30, 29);
  Twins twins(A, oracle::random_vector(A.rows, 5));
  twins.precondition(some_diagonal(A.rows));
  Parameters parameters;
  auto const expected = twins.solve(parameters);
  auto const solution = twins.solution();
  for (int const lag : {1, 3, 32}) {
    for (bool const graph : {false, true}) {
      parameters.check_lag = lag;
      parameters.use_graph = graph;
      for (double const tolerance : {1e-8, 1e-30}) {  // the second runs into max_iterations
        parameters.tolerance = tolerance;
        parameters.max_iterations = expected.iterations;
        auto const result = twins.solve(parameters);
        EXPECT_EQ(result.history, expected.history);
        EXPECT_EQ(result.graph, graph && twins.may_record());
        EXPECT_EQ(result.stop, tolerance == 1e-8 ? Stop::converged : Stop::max_iterations);
        EXPECT_EQ(twins.solution(), solution);
      }
    }
  }
}

TEST(CudaConjugateGradients, ASecondSolveAllocatesNothingAndKeepsItsGraph) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const A = oracle::laplace(20, 20, 20);
  Twins twins(A, oracle::random_vector(A.rows, 5));
  twins.precondition(some_diagonal(A.rows));
  twins.M.version = 3;
  auto const first = twins.solve();
  core::reset_peak(twins.device);
  auto const before = core::memory_use(twins.device).peak;
  expect_same(twins.solve(), first);
  EXPECT_EQ(core::memory_use(twins.device).peak, before);
  // Other values at the same places need no other graph.
  std::vector<double> const half(twins.by.size(), 0.05);
  core::copy(Host{}, Span<double const>(half.data(), half.size()), twins.device, twins.by.span());
  twins.host.precondition(std::vector<double>(A.rows, 0.05));
  auto const third = twins.solve();
  expect_same(third, twins.host.solve());
}

struct ScaleSingle {
  double const* by;
  float const* r;
  float* z;
  TESSERA_HD void operator()(Index i) const { z[i] = static_cast<float>(by[i]) * r[i]; }
};

struct ScaleInSingle {
  double const* by;
  double const* r;
  double* z;
  TESSERA_HD void operator()(Index i) const { z[i] = static_cast<float>(by[i]) * static_cast<float>(r[i]); }
};

TEST(CudaConjugateGradients, VectorsInSinglePrecisionAreConvertedInPassing) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const A = oracle::laplace(20, 20, 20);
  Twins twins(A, oracle::random_vector(A.rows, 5));
  twins.precondition(some_diagonal(A.rows));
  twins.M.apply = [&](Span<double const> r, Span<double> z) {
    core::for_each(twins.device, r.size(), ScaleInSingle{twins.by.data(), r.data(), z.data()});
  };
  auto const expected = twins.solve();
  auto const solution = twins.solution();
  auto const n = twins.by.size();
  Array<float, Cuda> r(twins.device, n), z(twins.device, n);
  twins.M.single = {r.span(), z.view(), [&] {
                      core::for_each(twins.device, n, ScaleSingle{twins.by.data(), r.data(), z.data()});
                    }};
  expect_same(twins.solve(), expected);
  EXPECT_EQ(twins.solution(), solution);
}

TEST(CudaConjugateGradients, RoundedPreconditionersCostNoIterations) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  // 182 with (p, A p) from conjugacy alone
  auto const A = oracle::jumping_diffusion(30, 30, 3, 1e-5, 3);
  auto const b = oracle::product(A.view(), std::vector<double>(A.rows, 1.0));
  Twins twins(A, b);
  auto const rows = twins.host.rows;
  auto const precondition = [&](auto const& r) { return oracle::gauss_seidel<float>(A.view(), r); };
  twins.host.precondition_whole(precondition);
  twins.M.apply = [&](Span<double const> r, Span<double> z) {
    auto const whole = precondition(rows.comm().all_gather(core::to_vector(twins.device, r)));
    core::copy(Host{}, Span<double const>(whole.data() + rows.begin(), r.size()), twins.device, z);
  };
  auto const result = twins.solve();
  expect_same(result, twins.host.solve());
  EXPECT_NEAR(result.iterations, 139, 1.5);
}

TEST(CudaConjugateGradients, PreconditionersThatWaitAreServedWithoutGraphs) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const A = oracle::laplace(20, 20, 20);
  Twins twins(A, oracle::random_vector(A.rows, 5));
  twins.precondition(some_diagonal(A.rows));
  auto const apply = twins.M.apply;
  twins.M.capturable = false;
  twins.M.apply = [&](Span<double const> r, Span<double> z) {
    apply(r, z);
    core::synchronize(twins.device);
  };
  auto const result = twins.solve();
  EXPECT_FALSE(result.graph);
  expect_same(result, twins.host.solve());
}

TEST(CudaConjugateGradients, TheRoundingLevelIsTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const& A : {oracle::laplace(31, 30, 29), oracle::random_spd(5000, 9, 3)}) {
    Twins twins(A, oracle::random_vector(A.rows, 5));
    auto const& host = twins.host;
    auto const expected =
        krylov::rounding_scale(Host{}, host.A, Span<double const>(host.b.data(), host.b.size()),
                               Span<double const>(host.b.data(), host.b.size()), twins.host.workspace);
    auto const found =
        krylov::rounding_scale(twins.device, twins.A, twins.b.view(), twins.b.view(), twins.workspace);
    EXPECT_EQ(found.norm, expected.norm);
    EXPECT_EQ(found.energy, expected.energy);
    Parameters parameters;
    parameters.tolerance = 1e-18;
    parameters.max_iterations = 5000;
    for (int const lag : {1, 32}) {
      parameters.check_lag = lag;
      auto const on_device = twins.solve(parameters), on_host = twins.host.solve(parameters);
      EXPECT_EQ(on_host.stop, Stop::rounding_level);
      expect_same(on_device, on_host);
      EXPECT_EQ(on_device.rounding_level, on_host.rounding_level);
      EXPECT_EQ(on_device.backward_error, on_host.backward_error);
      for (auto& x : twins.host.x) x = 0;
    }
  }
}

TEST(CudaConjugateGradients, TheRowWiseTestIsTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto A = oracle::laplace(60, 50);
  auto b = oracle::random_vector(A.rows, 5);
  std::vector<double> inverse(A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    double const penalty = i % 70 == 0 ? 1e20 : 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] != i) continue;
      A.value[k] += penalty;
      inverse[i] = 1 / A.value[k];
    }
    if (penalty != 0) b[i] *= penalty;
  }
  Twins twins(A, b);
  twins.precondition(inverse);
  Parameters parameters;
  parameters.test = krylov::Test::row_wise;
  auto const on_device = twins.solve(parameters), on_host = twins.host.solve(parameters);
  EXPECT_TRUE(on_host.converged) << on_host.reason;
  EXPECT_GT(on_host.refinements, 0);
  expect_same(on_device, on_host);
  EXPECT_EQ(on_device.row_error, on_host.row_error);
  EXPECT_EQ(on_device.refinements, on_host.refinements);
}

TEST(CudaConjugateGradients, StopsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  double const nan = std::nan("");
  auto const same = [](sparse::Csr<double, Host> const& A, std::vector<double> const& b, double start,
                       Stop stop, Parameters const& parameters = {}) {
    Twins twins(A, b);
    for (auto& x : twins.host.x) x = start;
    auto const on_device = twins.solve(parameters), on_host = twins.host.solve(parameters);
    EXPECT_EQ(on_device.stop, stop) << krylov::name(on_device.stop);
    EXPECT_EQ(on_device.stop, on_host.stop);
    EXPECT_EQ(on_device.iterations, on_host.iterations);
    EXPECT_EQ(on_device.reason, on_host.reason);
    if (std::isfinite(start)) {
      EXPECT_EQ(twins.solution(), twins.host.x);
    }
  };
  auto const laplace = oracle::laplace(40, 40);
  auto const ones = std::vector<double>(1600, 1.0);
  same(laplace, std::vector<double>(1600, 0.0), 3.0, Stop::converged);
  same(laplace, ones, nan, Stop::not_finite);
  auto b = ones;
  b[77] = nan;
  same(laplace, b, 0.0, Stop::not_finite);
  auto indefinite = oracle::laplace(40, 40);
  for (auto& a : indefinite.value) a -= a > 0 ? 0.3 : 0;
  same(indefinite, ones, 0.0, Stop::indefinite_matrix);
  Parameters beyond;
  beyond.tolerance = 1e-19;
  same(laplace, ones, 0.0, Stop::rounding_level, beyond);
  auto const neumann = oracle::neumann_laplace(40, 40);
  auto out_of_range = oracle::random_vector(1600, 5);
  for (auto& b_i : out_of_range) b_i += 0.5;
  same(neumann, out_of_range, 0.0, Stop::singular);
  same(neumann, ones, 0.0, Stop::singular);
  same(laplace, oracle::product(oracle::to_dense(laplace.view()), ones), 1.0, Stop::converged);
}

/// Short rows, long ones, and rows in chunks; ranks that reach each other and others.
TEST(CudaLanczos, RadiiAreBitwiseTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const& whole :
       {oracle::laplace(40, 30, 20), oracle::random_spd(12000, 30, 5), oracle::laplace(1),
        oracle::laplace(1050, 1000)}) {  // the last is large enough to be looked at on up to four ranks
    System const system(whole, std::vector<double>(whole.rows, 1.0));
    auto const A = distribute(whole, system.rows);
    auto const there = comm::copied(Host{}, A, device);
    std::vector<VertexId> ids;
    for (auto i = system.rows.begin(); i < system.rows.end(); ++i) ids.push_back(7 * i);
    std::vector<double> d(A.local.rows);
    sparse::extract_diagonal(Host{}, A.local.view(), Span<double>(d.data(), d.size()));
    auto const ids_there = core::to_space(device, ids);
    auto const d_there = core::to_space(device, d);
    for (bool const in_float : {false, true}) {
      double expected = -1;
      krylov::spectral_radius(Host{}, A, Span<double const>(d.data(), d.size()),
                              Span<VertexId const>(ids.data(), ids.size()), 10, {in_float, nullptr},
                              &expected);
      Array<double, Cuda> found(device, 1);
      krylov::spectral_radius(device, there, d_there.view(), ids_there.view(), 10, {in_float, nullptr},
                              found.data());
      EXPECT_EQ(core::to_vector(device, found.view()).front(), expected) << whole.rows << " rows";
      for (auto const& [name, format] : sparse::matrix_formats) {
        if (!in_float) continue;
        auto const with_rows = [&, kind = format](bool half) {
          comm::StorageParameters how{kind};
          how.half = how.row_sums = half;
          comm::DistMatrix<float, Cuda> const stored(device, there, how);
          krylov::spectral_radius(device, there, d_there.view(), ids_there.view(), 10,
                                  {true, &stored.stored()}, found.data());
          return core::to_vector(device, found.view()).front();
        };
        EXPECT_EQ(with_rows(false), expected) << whole.rows << " rows, " << name;
        comm::StorageParameters how;
        how.half = how.row_sums = true;
        comm::DistMatrix<float, Host> const half(Host{}, A, how);
        double expected_in_half = -1;
        krylov::spectral_radius(Host{}, A, Span<double const>(d.data(), d.size()),
                                Span<VertexId const>(ids.data(), ids.size()), 10, {true, &half.stored()},
                                &expected_in_half);
        EXPECT_EQ(with_rows(true), expected_in_half) << whole.rows << " rows, " << name;
      }
      // A bound that is reached, and one that is not.
      for (double const factor : {1.05, 1.2}) {
        auto const bound = core::to_space(device, std::vector<double>{factor * expected});
        bool const reached = factor < 1.1;
        bool const large = whole.rows > 1000000;
        for (int const before : {0, 4, krylov::GershgorinBound::never_check}) {  // what runs before have left
          int step = before;
          krylov::spectral_radius(device, there, d_there.view(), ids_there.view(), 10, {in_float, nullptr},
                                  found.data(), {{}, bound.data(), 1.1, &step});
          EXPECT_EQ(core::to_vector(device, found.view()).front(), reached ? factor * expected : expected)
              << whole.rows << " rows";
          if (!large || before < 0) EXPECT_EQ(step, before);
          if (large && before == 0 && reached) EXPECT_TRUE(step >= 4 && step <= 8) << step;
          if (large && before >= 0 && !reached) EXPECT_EQ(step, krylov::GershgorinBound::never_check);
        }
      }
    }
  }
}

}  // namespace
}  // namespace Tessera::test
