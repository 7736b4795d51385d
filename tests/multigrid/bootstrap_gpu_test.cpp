#include <gtest/gtest.h>

#include <vector>

#include "comm/transport/peers.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/levels/bootstrap.hpp"
#include "multigrid/systems.hpp"
#include "support/device.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

Parameters of_two() {
  Parameters p;
  p.aggregation.scheme = aggregation::AggregationScheme::matching;
  p.coarse_max_size = 30;
  p.bootstrap = {2, 1e-3, 10};
  return p;
}

template <class T, class Space>
Bootstrap<T, Space> made(Space const& space, comm::DistCsr<double, Space> const& A) {
  return {space, A, test::node_ids_on(space, A.rows), {}, of_two()};
}

template <class T>
Vector precondition(Bootstrap<T, Cuda>& M, Cuda const& device, Vector const& b) {
  auto const on_device = core::to_space(device, b);
  Array<double, Cuda> x(device, b.size());
  M.apply(on_device.view(), x.span());
  return core::to_vector(device, x.view());
}

comm::DistCsr<double, Host> shared(sparse::Csr<double, Host> const& whole) {
  return test::distribute(whole, test::share(test::world(), whole.rows, false));
}
comm::DistCsr<double, Host> anisotropic(double factor) {
  auto whole = oracle::anisotropic_laplace(20, 14, 9, 1, 20, 3);
  for (auto& a : whole.value) a *= factor;
  return shared(whole);
}

/// Two components, whose second follows what the first one's cycles leave, and a refresh.
template <class T>
void expect_the_hosts(sparse::Csr<double, Host> const& whole) {
  auto const A = shared(whole);
  auto const device = test::device_of_rank();
  auto const on_device = comm::copied(Host{}, A, device);
  auto host = made<T>(Host{}, A);
  auto gpu = made<T>(device, on_device);
  Vector const b(A.local.rows, 1.0);
  for (int times = 0; times < 2; ++times) {
    auto const &wanted = host.report(), &found = gpu.report();
    test::expect_same_levels(wanted, found);
    ASSERT_EQ(found.components.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_EQ(found.components[k].convergence_rate, wanted.components[k].convergence_rate);
    EXPECT_TRUE(oracle::same_bits(precondition(gpu, device, b), test::precondition(host, b)));
    host.refresh(A);
    gpu.refresh(on_device);
  }
}

// Regular matrices, and one whose coarsest matrix has a pseudo-inverse.
TEST(CudaBootstrap, IsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const expect = [](sparse::Csr<double, Host> const& whole) {
    expect_the_hosts<double>(whole);
    expect_the_hosts<float>(whole);
  };
  expect(oracle::anisotropic_laplace(20, 14, 9, 1, 20, 3));
  expect(oracle::laplace(60, 50));
  expect(oracle::neumann_laplace(40, 30));
}

TEST(CudaBootstrap, ARefreshIsASetupBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const before = comm::copied(Host{}, anisotropic(1), device),
             after = comm::copied(Host{}, anisotropic(2), device);
  auto M = made<float>(device, before), fresh = made<float>(device, after);
  Vector const b(before.local.rows, 1.0);
  for (int times = 0; times < 3; ++times) {
    M.refresh(after);
    EXPECT_TRUE(oracle::same_bits(precondition(M, device, b), precondition(fresh, device, b)));
  }
}

TEST(CudaBootstrap, IsAPartOfAGraph) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const A = comm::copied(Host{}, anisotropic(1), device);
  auto M = made<float>(device, A);
  auto const b = core::to_space(device, Vector(A.local.rows, 1.0));
  krylov::Preconditioner preconditioner;
  preconditioner.apply = [&](Span<double const> r, Span<double> z) { M.apply(r, z); };
  // Ranks that share a device may not reach each other's memory; then the solver's own sums wait for the
  // host.
  auto const comm = test::world();
  bool const sums_enqueue = comm.size() == 1 || comm::ranks_reach_each_other(device, comm);
  std::vector<int> iterations;
  for (bool const graph : {false, true}) {
    preconditioner.capturable = graph && M.enqueues_only() && sums_enqueue;
    auto x = core::to_space(device, Vector(A.local.rows, 0.0));
    krylov::Workspace<Cuda> workspace;
    auto const result = krylov::solve(device, comm::DistMatrix<double, Cuda>(device, A), preconditioner,
                                      b.view(), x.span(), {}, workspace);
    EXPECT_TRUE(result.converged) << result.reason;
    EXPECT_EQ(result.graph, preconditioner.capturable);
    iterations.push_back(result.iterations);
  }
  EXPECT_EQ(iterations[0], iterations[1]);
  EXPECT_TRUE(preconditioner.capturable || test::world().size() > 1);
}

}  // namespace
}  // namespace Tessera::multigrid
