#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/blocks.hpp"
#include "multigrid/fetched.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"
#include "support/short_memory.hpp"
#include "support/stored.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

template <class T>
Vector precondition(Hierarchy<T, Cuda>& M, Cuda const& device, Vector const& b) {
  auto const on_device = core::to_space(device, b);
  Array<double, Cuda> x(device, b.size());
  M.apply(on_device.view(), x.span());
  return core::to_vector(device, x.view());
}

/// Levels and a cycle, bitwise.
template <class T>
void expect_same(Hierarchy<T, Host>& host, Hierarchy<T, Cuda>& gpu, Cuda const& device, Vector const& b) {
  test::expect_same_levels(host.report(), gpu.report());
  auto const x = test::precondition(host, b), y = precondition(gpu, device, b);
  EXPECT_EQ(precondition(gpu, device, b), y) << "a recorded cycle that runs again";
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], y[i]) << "row " << i;
}

struct Case {
  char const* name;
  sparse::Csr<double, Host> matrix;
  int equations = 1;
  double drop = 0.02;
  SmootherType smoother = SmootherType::chebyshev;
  CycleType cycle = CycleType::V;
  CoarseningType coarsening = CoarseningType::smoothed;
  aggregation::AggregationParameters aggregation = {};
  MatrixFormat format = MatrixFormat::automatic;
  bool rigid_body = false;
  int applications = 1;
  int aggressive_levels = 0;
};

/// Rigid-body modes of nodes that lie anywhere, for each space to make.
NearNullspace modes_of(comm::Distribution const& rows, int equations) {
  NearNullspace B;
  B.vectors = galerkin::rigid_body_mode_count(equations);
  B.dimension = equations;
  for (auto i = rows.begin(); i < rows.end(); ++i)
    B.coordinates.push_back(std::sin(1 + 7.3 * static_cast<double>(i)));
  B.rigid_body = galerkin::rigid_body_frame(rows.comm(), B.coordinates, equations);
  return B;
}

/// Aggregates of at most 8 x 8 nodes.
aggregation::AggregationParameters two_passes_of_paa() {
  aggregation::AggregationParameters parameters;
  parameters.scheme = aggregation::AggregationScheme::paa;
  parameters.largest = 8;
  parameters.passes = 2;
  return parameters;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"Laplace2D", oracle::laplace(60, 50)});
  all.push_back({"Laplace3D", oracle::laplace(20, 18, 16)});
  all.push_back({"Laplace3D, l1", oracle::laplace(20, 18, 16), 1, 0.0, SmootherType::l1_jacobi});
  all.push_back({"Laplace3D, FSAI", oracle::laplace(20, 18, 16), 1, 0.02, SmootherType::fsai});
  all.push_back({"anisotropic, Jacobi, W", oracle::anisotropic_laplace(20, 14, 9, 1, 20, 3), 1, 0.05,
                 SmootherType::jacobi, CycleType::W});
  all.push_back({"Laplace3D, unsmoothed", oracle::laplace(20, 18, 16), 1, 0.02, SmootherType::chebyshev,
                 CycleType::W, CoarseningType::unsmoothed});
  for (auto const coarsening : {CoarseningType::smoothed, CoarseningType::unsmoothed})
    all.push_back({"Laplace3D, PAA", oracle::laplace(20, 18, 16), 1, 0.0, SmootherType::l1_jacobi,
                   CycleType::V, coarsening, two_passes_of_paa()});
  all.push_back({"random, unsmoothed, 3 equations", oracle::random_spd(3000, 12, 8), 3, 0.02,
                 SmootherType::chebyshev, CycleType::V, CoarseningType::unsmoothed});
  for (auto const cycle : {CycleType::V, CycleType::K})
    all.push_back({"random, unsmoothed, 6 equations", oracle::random_spd(3000, 12, 9), 6, 0.02,
                   SmootherType::l1_jacobi, cycle, CoarseningType::unsmoothed});
  for (auto cycle : {CycleType::F, CycleType::K}) {
    all.push_back({cycle == CycleType::F ? "Laplace2D, F" : "Laplace2D, K", oracle::laplace(60, 50), 1, 0.02,
                   SmootherType::l1_jacobi, cycle, CoarseningType::unsmoothed});
  }
  all.push_back({"anisotropic, root nodes", oracle::anisotropic_laplace(20, 14, 9, 1, 20, 3), 1, 0.05,
                 SmootherType::chebyshev, CycleType::V, CoarseningType::root_nodes});
  all.push_back({"random, root nodes, 3 equations", oracle::random_spd(3000, 12, 8), 3, 0.02,
                 SmootherType::chebyshev, CycleType::V, CoarseningType::root_nodes});
  for (auto const cycle : {CycleType::V, CycleType::K})
    all.push_back({"jumps, classical", oracle::jumping_diffusion(60, 50, 6, 1e-6, 3), 1, 0.0,
                   SmootherType::chebyshev, cycle, CoarseningType::classical});
  all.push_back({"Neumann, classical", oracle::neumann_laplace(15, 14, 13), 1, 0.0, SmootherType::l1_jacobi,
                 CycleType::V, CoarseningType::classical});
  all.push_back({"jumps, aggressive", oracle::jumping_diffusion(60, 50, 6, 1e-6, 3), 1, 0.0,
                 SmootherType::chebyshev, CycleType::V, CoarseningType::classical});
  all.back().aggressive_levels = 2;
  for (double const drop : {0.0, 0.02}) all.push_back({"Neumann", oracle::neumann_laplace(30, 20), 1, drop});
  all.push_back({"random", oracle::random_spd(3000, 8, 7)});
  all.push_back({"random, 3 equations", oracle::random_spd(3000, 12, 8), 3});
  for (int const equations : {2, 3}) {
    all.push_back({"random, rigid-body modes", oracle::random_spd(3000, 12, 8), equations});
    all.back().rigid_body = true;
  }
  all.push_back({"Laplace3D, three applications", oracle::laplace(20, 18, 16)});
  all.back().applications = 3;
  all.push_back({"one row", oracle::laplace(1)});
  return all;
}

/// A case on this rank's device.
struct System {
  Cuda device = test::device_of_rank();
  int equations;
  comm::Distribution rows;
  comm::DistCsr<double, Host> A;
  comm::DistCsr<double, Cuda> on_device;
  NearNullspace B;
  Parameters p;

  explicit System(Case const& c, RefreshPreparation preparation = RefreshPreparation::second,
                  HalfLevels half = HalfLevels::none)
      : equations(c.equations),
        rows(test::share(test::world(), c.matrix.rows, false, c.equations)),
        A(test::distribute(c.matrix, rows)),
        on_device(comm::copied(Host{}, A, device)) {
    p.coarse_max_size = 30;
    p.rows_per_rank = 200;
    p.equations = c.equations;
    p.strength.drop_tolerance = c.drop;
    p.smoother.type = c.smoother;
    p.cycle = c.cycle;
    p.applications = c.applications;
    p.coarsening = c.coarsening;
    p.classical.aggressive_levels = c.aggressive_levels;
    p.aggregation = c.aggregation;
    p.format = c.format;
    p.prepare_refresh = preparation;
    p.half = half;
    p.half_from = 500;
    if (c.rigid_body) B = modes_of(rows, equations);
  }
  template <class T>
  Hierarchy<T, Host> on_host() const {
    return {Host{}, A, test::node_ids_on(Host{}, rows, equations), B, p};
  }
  template <class T>
  Hierarchy<T, Cuda> on_gpu() const {
    return {device, on_device, test::node_ids_on(device, rows, equations), B, p};
  }
  /// New values, here and there.
  void scale(double by) {
    for (auto& a : A.local.value) a *= by;
    on_device = comm::copied(Host{}, A, device);
  }
};

template <class T>
void compare(Case const& c, RefreshPreparation preparation = RefreshPreparation::second,
             HalfLevels half = HalfLevels::none) {
  System system(c, preparation, half);
  auto host = system.on_host<T>();
  auto gpu = system.on_gpu<T>();
  auto const b = oracle::random_vector(system.rows.local_size(), 3 + system.rows.begin());
  expect_same(host, gpu, system.device, b);
  test::expect_same_fetched(host, gpu);
  for (int times = 0; times < 3; ++times) {
    system.scale(8);
    host.refresh(system.A);
    gpu.refresh(system.on_device);
    expect_same(host, gpu, system.device, b);
  }
}

TEST(CudaHierarchy, IsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const& c : cases()) {
    SCOPED_TRACE(c.name);
    compare<double>(c);
    compare<float>(c);
    for (auto const half : {HalfLevels::none, HalfLevels::all, HalfLevels::automatic})
      compare<float>(c, RefreshPreparation::first, half);
  }
}

// Coordinates, with rigid-body modes that are made of them or given.
TEST(CudaHierarchy, OfColumnsInItsMemoryIsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Case c{"random", oracle::random_spd(3000, 12, 8), 2};
  c.rigid_body = true;
  for (bool const given : {false, true}) {
    System system(c);
    auto& B = system.B;
    if (given) {
      B.values = galerkin::rigid_body_modes(system.rows.comm(), B.coordinates, 2);
      B.rigid_body = {};
    }
    auto host = system.on_host<float>();
    std::vector<Array<double, Cuda>> owned;
    auto const move_to_columns = [&](Vector& numbers, int count, std::vector<double const*>& columns) {
      auto const whole = std::exchange(numbers, {});
      for (int k = 0; k < count; ++k) {
        Vector column;
        for (auto i = static_cast<std::size_t>(k); i < whole.size(); i += count) column.push_back(whole[i]);
        owned.push_back(core::to_space(system.device, column));
        columns.push_back(owned.back().data());
      }
    };
    move_to_columns(B.coordinates, B.dimension, B.coordinate_columns);
    if (given) move_to_columns(B.values, B.vectors, B.value_columns);
    auto gpu = system.on_gpu<float>();
    expect_same(host, gpu, system.device,
                oracle::random_vector(system.rows.local_size(), 3 + system.rows.begin()));
  }
}

TEST(CudaHierarchy, ColumnsOfABlockAreBitwiseWhatTheyAreAlone) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const expect = [](auto M, System const& system, auto number) {
    using T = decltype(number);
    if (!M.takes_blocks()) return;
    auto const n = static_cast<std::size_t>(system.rows.local_size());
    test::expect_columns_as_alone<T>(M, system.device, n, 7 + system.rows.begin());
    M.refresh(system.on_device);
    test::expect_columns_as_alone<T>(M, system.device, n, 7 + system.rows.begin());
  };
  for (auto const& c : cases()) {
    SCOPED_TRACE(c.name);
    System const system(c), in_half(c, RefreshPreparation::second, HalfLevels::all);
    expect(system.on_gpu<float>(), system, 0.0F);
    expect(in_half.on_gpu<float>(), in_half, 0.0F);
    expect(system.on_gpu<double>(), system, 0.0);
  }
}

/// Flexible conjugate gradients where the cycle runs, with b = 1.
template <class T, class Space>
krylov::Result solved(Space const& space, comm::DistCsr<double, Space> const& A, Hierarchy<T, Space>& M) {
  krylov::Workspace<Space> workspace;
  krylov::Preconditioner preconditioner;
  preconditioner.apply = [&](Span<double const> r, Span<double> z) { M.apply(r, z); };
  preconditioner.symmetric = false;
  preconditioner.capturable = M.enqueues_only();
  auto const b = core::to_space(space, Vector(A.local.rows, 1.0));
  Array<double, Space> x(space, A.local.rows);
  krylov::Parameters parameters;
  parameters.start_from_zero = true;
  return krylov::solve(space, comm::DistMatrix<double, Space>(space, A), preconditioner, b.view(), x.span(),
                       parameters, workspace);
}

// Second steps that are not wanted are a part of the graph, and change nothing.
TEST(CudaHierarchy, AKCycleIsPartOfARecordedIterationAndTakesTheHostsIterations) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto smoother : {SmootherType::l1_jacobi, SmootherType::chebyshev}) {
    System const system({"Laplace2D, K", oracle::laplace(120, 110), 1, 0.02, smoother, CycleType::K,
                         CoarseningType::unsmoothed});
    auto host = system.on_host<float>();
    auto gpu = system.on_gpu<float>();
    auto const there = solved(system.device, system.on_device, gpu);
    auto const here = solved(Host{}, system.A, host);
    EXPECT_TRUE(there.converged) << there.reason;
    EXPECT_NEAR(there.iterations, here.iterations, 1);
    if (test::world().size() == 1) {
      EXPECT_TRUE(gpu.enqueues_only());
      EXPECT_TRUE(there.graph);
    }
  }
}

// A zero right-hand side, and constants in the nullspace of A.
TEST(CudaHierarchy, AKCycleGivesNumbersWhereStepsHaveNoLength) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  std::vector<Case> all;
  all.push_back({"Neumann", oracle::neumann_laplace(30, 20)});
  all.push_back({"Laplace2D", oracle::laplace(30, 20)});
  all.push_back({"one row", oracle::laplace(1)});
  for (auto& c : all) {
    SCOPED_TRACE(c.name);
    c.drop = 0;
    c.cycle = CycleType::K;
    c.coarsening = CoarseningType::unsmoothed;
    System const system(c);
    auto gpu = system.on_gpu<float>();
    for (double const value : {0.0, 1.0}) {
      for (double x : precondition(gpu, system.device, Vector(system.rows.local_size(), value))) {
        EXPECT_TRUE(std::isfinite(x));
        if (value == 0) {
          EXPECT_EQ(x, 0);
        }
      }
    }
  }
}

TEST(CudaHierarchy, IsTheHostsBitwiseInEveryFormat) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Case c{"Laplace3D", oracle::laplace(20, 18, 16)};
  for (auto const& [name, format] : test::formats()) {
    SCOPED_TRACE(name);
    c.format = format;
    compare<double>(c);
    compare<float>(c);
  }
}

TEST(CudaHierarchy, WhatIsBeyondFloatTakesFewIterationsInFloatToo) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const& whole : test::beyond_float()) {
    auto const device = test::device_of_rank();
    auto const A = test::distribute(whole, test::share(test::world(), whole.rows, false));
    auto const on_device = comm::copied(Host{}, A, device);
    Hierarchy<float, Cuda> M(device, on_device, test::node_ids_on(device, A.rows), {}, {});
    auto const b = test::times(A, oracle::random_vector(A.local.rows, 3 + A.rows.begin()));
    auto const solved = oracle::conjugate_gradients(
        [&](auto const& v) { return test::times(A, v); },
        [&](auto const& r) { return precondition(M, device, r); },
        [&](auto const& v, auto const& w) { return test::dot(A.rows.comm(), v, w); }, b, 1e-8, 18);
    EXPECT_TRUE(solved.converged) << whole.rows << " rows";
  }
}

// Level 0 and 1 with kernels for many rows.
TEST(CudaHierarchy, OfManyRowsIsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Case const large{"Laplace3D", oracle::laplace(60, 60, 50)};
  compare<float>(large);
  compare<float>(large, RefreshPreparation::first);
  compare<float>({"Laplace3D, PAA", oracle::laplace(80, 80, 70), 1, 0.0, SmootherType::l1_jacobi,
                  CycleType::V, CoarseningType::unsmoothed, two_passes_of_paa()});
}

TEST(CudaHierarchy, ASecondSetupIsTheFirstBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  System const system({"Laplace3D", oracle::laplace(20, 20, 20)});
  auto first = system.on_gpu<float>(), second = system.on_gpu<float>();
  ASSERT_GT(first.report().levels.size(), 1u);
  test::expect_same_levels(first.report(), second.report());
}

/// Bytes that CUDA's pool has had at most since the last call.
std::uint64_t pool_peak(Cuda const& device) {
  cudaMemPool_t pool;
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, device.device), cudaSuccess);
  std::uint64_t peak = 0, anew = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &peak), cudaSuccess);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &anew), cudaSuccess);
  return peak;
}

/// Refreshes leave as much memory in use as they find, and the pool does not grow.
template <class T>
void expect_refreshes_without_growth(System const& system, Hierarchy<T, Cuda>& gpu, int refreshes) {
  auto const& device = system.device;
  core::synchronize(device);
  auto const before = core::memory_use(device);
  pool_peak(device);
  auto const peak = pool_peak(device);
  for (int refresh = 0; refresh < refreshes; ++refresh) {
    gpu.refresh(system.on_device);
    core::synchronize(device);
    EXPECT_EQ(core::memory_use(device).in_use, before.in_use);
    EXPECT_EQ(pool_peak(device), peak);
  }
}

TEST(CudaHierarchy, PreparedRefreshesNeedNoFurtherMemory) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto all = cases();
  all.push_back({"Laplace3D, large", oracle::laplace(60, 60, 50)});
  for (auto const& c : all) {
    SCOPED_TRACE(c.name);
    for (auto const preparation : {RefreshPreparation::second, RefreshPreparation::first}) {
      System const system(c, preparation);
      auto gpu = system.on_gpu<float>();
      auto const checksum = gpu.report().levels.back().checksum;
      gpu.refresh(system.on_device);
      expect_refreshes_without_growth(system, gpu, 2);
      EXPECT_EQ(gpu.report().levels.back().checksum, checksum);
    }
  }
}

// Values times an even power of two: strength, aggregates and prolongators are the same bits.
TEST(CudaHierarchy, AFirstRefreshThatIsPreparedIsBitwiseAFreshSetup) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const& c : cases()) {
    SCOPED_TRACE(c.name);
    System system(c, RefreshPreparation::first);
    auto refreshed = system.on_gpu<float>();
    system.scale(16);
    refreshed.refresh(system.on_device);
    system.p.prepare_refresh = RefreshPreparation::second;
    auto fresh = system.on_gpu<float>();
    test::expect_same_levels(refreshed.report(), fresh.report());
    auto const b = oracle::random_vector(system.rows.local_size(), 3 + system.rows.begin());
    EXPECT_TRUE(
        oracle::same_bits(precondition(refreshed, system.device, b), precondition(fresh, system.device, b)));
  }
}

TEST(CudaHierarchy, GivesBackWhatItHeldForRefreshes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const preparation : {RefreshPreparation::second, RefreshPreparation::first}) {
    System const system({"Laplace3D", oracle::laplace(20, 20, 20)}, preparation);
    auto const before = core::memory_use(system.device).in_use;
    {
      auto gpu = system.on_gpu<float>();
      gpu.refresh(system.on_device);
    }
    EXPECT_EQ(core::memory_use(system.device).in_use, before);
  }
}

template <class Hierarchy, class Matrix>
std::string complaint(Hierarchy& hierarchy, Matrix const& A) {
  try {
    hierarchy.refresh(A);
  } catch (core::NumericalError const& error) {
    return error.what();
  }
  return "none";
}

// A refresh on one GPU looks at its numbers at the end only.
TEST(CudaHierarchy, ARefreshNamesWhatIsWrongAsTheHostDoesAndTheNextOneIsSound) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  System const system({"Laplace2D", oracle::laplace(50, 40)});
  auto gpu = system.on_gpu<float>();
  auto host = system.on_host<float>();
  for (double const wrong : {std::nan(""), -4.0, 0.0, 1e-50}) {
    auto bad = test::distribute(oracle::laplace(50, 40), system.rows);
    for (Index i = 0; i < bad.local.rows; ++i) {
      if (bad.row_name(i) != 1234) continue;
      for (auto k = bad.local.offsets[i]; k < bad.local.offsets[i + 1]; ++k) {
        if (bad.local.column[k] == i) bad.local.value[k] = wrong;
      }
    }
    auto const text = complaint(gpu, comm::copied(Host{}, bad, system.device));
    EXPECT_NE(text.find("level 0"), std::string::npos) << text;
    EXPECT_NE(text.find("row 1234"), std::string::npos) << text;
    EXPECT_EQ(text, complaint(host, bad));
    gpu.refresh(system.on_device);
    host.refresh(system.A);
    expect_same(host, gpu, system.device, Vector(system.rows.local_size(), 1.0));
  }
}

TEST(CudaHierarchy, AMatrixThatCannotBeIsRefusedAndTheDeviceGoesOn) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  System const sound({"Laplace2D", oracle::laplace(20, 20)});
  System poisoned({"Laplace2D", oracle::laplace(20, 20)});
  if (poisoned.A.local.value.size() > 7) poisoned.A.local.value[7] = std::nan("");
  poisoned.scale(1);
  EXPECT_THROW(poisoned.on_gpu<float>(), core::NumericalError);
  auto gpu = sound.on_gpu<float>();
  auto host = sound.on_host<float>();
  expect_same(host, gpu, sound.device, Vector(sound.rows.local_size(), 1.0));
}

}  // namespace
}  // namespace Tessera::multigrid
