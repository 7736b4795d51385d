#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"

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

/// Levels bitwise, a cycle to within the rounding of T.
template <class T>
void expect_same(Hierarchy<T, Host>& host, Hierarchy<T, Cuda>& gpu, Cuda const& device, Vector const& b) {
  ASSERT_EQ(host.report().levels.size(), gpu.report().levels.size());
  for (std::size_t l = 0; l < host.report().levels.size(); ++l) {
    auto const& of_host = host.report().levels[l];
    auto const& of_gpu = gpu.report().levels[l];
    EXPECT_EQ(of_host.rows, of_gpu.rows) << "level " << l;
    EXPECT_EQ(of_host.nonzeros, of_gpu.nonzeros) << "level " << l;
    EXPECT_EQ(of_host.checksum, of_gpu.checksum) << "level " << l;
    EXPECT_EQ(of_host.spectral_radius, of_gpu.spectral_radius) << "level " << l;
    EXPECT_EQ(of_host.largest_aggregate, of_gpu.largest_aggregate) << "level " << l;
  }
  auto const x = test::precondition(host, b), y = precondition(gpu, device, b);
  double largest = 0;
  for (auto v : x) largest = std::max(largest, std::abs(v));
  double const bound = largest * (std::is_same_v<T, double> ? 1e-12 : 1e-5);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], bound) << "row " << i;
}

struct Case {
  char const* name;
  sparse::Csr<double, Host> matrix;
  int equations = 1;
  double drop = 0.02;
  SmootherType smoother = SmootherType::chebyshev;
  CycleType cycle = CycleType::V;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"Laplace2D", oracle::laplace(60, 50)});
  all.push_back({"Laplace3D", oracle::laplace(20, 18, 16)});
  all.push_back({"Laplace3D, l1", oracle::laplace(20, 18, 16), 1, 0.0, SmootherType::l1_jacobi});
  all.push_back({"Laplace3D, FSAI", oracle::laplace(20, 18, 16), 1, 0.02, SmootherType::fsai});
  all.push_back({"anisotropic, Jacobi, W", oracle::anisotropic_laplace(20, 14, 9, 1, 20, 3), 1, 0.05,
                 SmootherType::jacobi, CycleType::W});
  // Drop tolerance 0: with another the coarsest matrix is nearly singular, and its inverse magnifies the
  // rounding errors in which LAPACK's and the device's differ.
  all.push_back({"Neumann", oracle::neumann_laplace(30, 20), 1, 0.0});
  all.push_back({"random", oracle::random_spd(3000, 8, 7)});
  all.push_back({"random, 3 equations", oracle::random_spd(3000, 12, 8), 3});
  all.push_back({"one row", oracle::laplace(1)});
  return all;
}

template <class T>
void compare(Case const& c) {
  auto const device = test::device_of_rank();
  auto const rows = test::share(test::world(), c.matrix.rows, false, c.equations);
  auto const A = test::distribute(c.matrix, rows);
  auto const on_device = comm::copied(Host{}, A, device);
  Parameters p;
  p.coarse_max_size = 30;
  p.rows_per_rank = 200;
  p.equations = c.equations;
  p.strength.drop_tolerance = c.drop;
  p.smoother.type = c.smoother;
  p.cycle = c.cycle;
  Hierarchy<T, Host> host(Host{}, A, test::node_ids_on(Host{}, rows, c.equations), {}, p);
  Hierarchy<T, Cuda> gpu(device, on_device, test::node_ids_on(device, rows, c.equations), {}, p);
  auto const b = oracle::random_vector(rows.local_size(), 3 + rows.begin());
  expect_same(host, gpu, device, b);

  auto scaled = test::distribute(c.matrix, rows);
  for (int times = 0; times < 3; ++times) {
    for (auto& a : scaled.local.value) a *= 8;
    host.refresh(scaled);
    gpu.refresh(comm::copied(Host{}, scaled, device));
    expect_same(host, gpu, device, b);
  }
}

TEST(CudaHierarchy, IsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const& c : cases()) {
    SCOPED_TRACE(c.name);
    compare<double>(c);
    compare<float>(c);
  }
}

// Level 0 and 1 with kernels for many rows.
TEST(CudaHierarchy, OfManyRowsIsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Case large{"Laplace3D", oracle::laplace(60, 60, 50)};
  compare<float>(large);
}

TEST(CudaHierarchy, ASecondSetupIsTheFirstBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const rows = test::share(test::world(), 8000);
  auto const A = comm::copied(Host{}, test::distribute(oracle::laplace(20, 20, 20), rows), device);
  Parameters p;
  p.coarse_max_size = 50;
  Hierarchy<float, Cuda> first(device, A, test::node_ids_on(device, rows), {}, p),
      second(device, A, test::node_ids_on(device, rows), {}, p);
  ASSERT_GT(first.report().levels.size(), 1u);
  for (std::size_t l = 0; l < first.report().levels.size(); ++l) {
    EXPECT_EQ(first.report().levels[l].checksum, second.report().levels[l].checksum);
  }
}

/// What CUDA's pool has had and given out at most since this was asked last.
struct PoolPeaks {
  std::uint64_t reserved = 0, used = 0;

  static PoolPeaks of(Cuda const& device) {
    cudaMemPool_t pool;
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, device.device), cudaSuccess);
    PoolPeaks peaks;
    for (auto [attribute, value] : {std::pair{cudaMemPoolAttrReservedMemHigh, &peaks.reserved},
                                    {cudaMemPoolAttrUsedMemHigh, &peaks.used}}) {
      EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, value), cudaSuccess);
      std::uint64_t anew = 0;
      EXPECT_EQ(cudaMemPoolSetAttribute(pool, attribute, &anew), cudaSuccess);
    }
    return peaks;
  }
};

template <class T>
void expect_refreshes_without_allocation(Case const& c) {
  auto const device = test::device_of_rank();
  auto const rows = test::share(test::world(), c.matrix.rows, false, c.equations);
  auto const A = comm::copied(Host{}, test::distribute(c.matrix, rows), device);
  Parameters p;
  p.coarse_max_size = 30;
  p.rows_per_rank = 200;
  p.equations = c.equations;
  p.strength.drop_tolerance = c.drop;
  p.smoother.type = c.smoother;
  Hierarchy<T, Cuda> gpu(device, A, test::node_ids_on(device, rows, c.equations), {}, p);
  auto const checksum = gpu.report().levels.back().checksum;
  gpu.refresh(A);
  core::synchronize(device);
  auto const before = core::memory_use(device);
  PoolPeaks::of(device);
  auto const peaks = PoolPeaks::of(device);
  for (int refresh = 0; refresh < 2; ++refresh) {
    gpu.refresh(A);
    core::synchronize(device);
    auto const now = core::memory_use(device);
    EXPECT_EQ(now.allocations, before.allocations);
    EXPECT_EQ(now.in_use, before.in_use);
    auto const high = PoolPeaks::of(device);
    EXPECT_EQ(high.reserved, peaks.reserved);
    EXPECT_EQ(high.used, peaks.used);
  }
  EXPECT_GT(gpu.report().refresh_bytes, 0u);
  EXPECT_EQ(gpu.report().levels.back().checksum, checksum);
}

TEST(CudaHierarchy, RefreshesBehindTheFirstAllocateNothing) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto all = cases();
  all.pop_back();  // one row: a refresh there has nothing that it gives back
  all.push_back({"Laplace3D, large", oracle::laplace(60, 60, 50)});
  for (auto const& c : all) {
    SCOPED_TRACE(c.name);
    expect_refreshes_without_allocation<float>(c);
    expect_refreshes_without_allocation<double>(c);
  }
}

TEST(CudaHierarchy, GivesBackWhatItHeldForRefreshes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const rows = test::share(test::world(), 8000);
  auto const A = comm::copied(Host{}, test::distribute(oracle::laplace(20, 20, 20), rows), device);
  auto const before = core::memory_use(device).in_use;
  {
    Hierarchy<float, Cuda> gpu(device, A, test::node_ids_on(device, rows), {}, {});
    gpu.refresh(A);
  }
  EXPECT_EQ(core::memory_use(device).in_use, before);
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
  auto const device = test::device_of_rank();
  auto const rows = test::share(test::world(), 2000);
  auto const sound = test::distribute(oracle::laplace(50, 40), rows);
  Parameters p;
  p.coarse_max_size = 30;
  Hierarchy<float, Cuda> gpu(device, comm::copied(Host{}, sound, device), test::node_ids_on(device, rows), {},
                             p);
  Hierarchy<float, Host> host(Host{}, sound, test::node_ids_on(Host{}, rows), {}, p);
  for (double const wrong : {std::nan(""), -4.0, 0.0}) {
    auto bad = test::distribute(oracle::laplace(50, 40), rows);
    for (Index i = 0; i < bad.local.rows; ++i) {
      if (bad.row_name(i) != 1234) continue;
      for (auto k = bad.local.offsets[i]; k < bad.local.offsets[i + 1]; ++k) {
        if (bad.local.column[k] == i) bad.local.value[k] = wrong;
      }
    }
    auto const text = complaint(gpu, comm::copied(Host{}, bad, device));
    EXPECT_NE(text.find("level 0"), std::string::npos) << text;
    EXPECT_NE(text.find("row 1234"), std::string::npos) << text;
    EXPECT_EQ(text, complaint(host, bad));
    gpu.refresh(comm::copied(Host{}, sound, device));
    host.refresh(sound);
    expect_same(host, gpu, device, Vector(rows.local_size(), 1.0));
  }
}

TEST(CudaHierarchy, AMatrixThatCannotBeIsRefusedAndTheDeviceGoesOn) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const rows = test::share(test::world(), 400);
  auto poisoned = test::distribute(oracle::laplace(20, 20), rows);
  if (poisoned.local.value.size() > 7) poisoned.local.value[7] = std::nan("");
  EXPECT_THROW((Hierarchy<float, Cuda>(device, comm::copied(Host{}, poisoned, device),
                                       test::node_ids_on(device, rows), {}, {})),
               core::NumericalError);
  auto const sound = test::distribute(oracle::laplace(20, 20), rows);
  Hierarchy<float, Cuda> gpu(device, comm::copied(Host{}, sound, device), test::node_ids_on(device, rows), {},
                             {});
  Hierarchy<float, Host> host(Host{}, sound, test::node_ids_on(Host{}, rows), {}, {});
  expect_same(host, gpu, device, Vector(rows.local_size(), 1.0));
}

}  // namespace
}  // namespace Tessera::multigrid
