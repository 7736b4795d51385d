#include <gtest/gtest.h>

#include <algorithm>

#include "energy.hpp"
#include "galerkin/pair_sums.hpp"
#include "galerkin/triple_product.hpp"
#include "problem.hpp"
#include "support/device.hpp"

namespace Tessera {
namespace {

/// The three arrays, on the host.
template <class Space>
struct Listed {
  std::vector<Offset> offsets;
  std::vector<Index> column;
  std::vector<double> value;
  Listed(Space const& space, sparse::Csr<double, Space> const& A)
      : offsets(core::to_vector(space, A.offsets.view())),
        column(core::to_vector(space, A.column.view())),
        value(core::to_vector(space, A.value.view())) {}
};

template <class A, class B>
void expect_equal(Listed<A> const& a, Listed<B> const& b) {
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.value, b.value);
}

/// The Galerkin product of a problem, made on one space from arrays of the host.
template <class Space>
struct Made {
  galerkin::Tentative<Space> T;
  comm::DistCsr<double, Space> P;
  galerkin::TripleProduct<Space> product;

  Made(Space const& space, test::Problem const& p, test::Split how, comm::DistCsr<double, Space> const& A,
       std::vector<unsigned char> const& flags, double damping)
      : omega(damping) {
    auto const vertices = test::split(test::world(), how, p.A.rows / p.equations);
    auto const rows = static_cast<std::size_t>(A.local.rows);
    auto of_host = test::aggregates(vertices, p.root);
    aggregation::Aggregates<Space> const aggregates{of_host.coarse,
                                                    core::copied(Host{}, of_host.aggregate.view(), space),
                                                    core::copied(Host{}, of_host.ids.view(), space)};
    auto const B = core::to_space(space, test::part(A.rows, p.nullspace, p.vectors));
    T = galerkin::tentative_prolongator(space, aggregates, B.view(), p.equations, p.vectors);
    strong = core::to_space(space, flags);
    lumped = Array<unsigned char, Space>(space, rows);
    diagonal = Array<double, Space>(space, rows);
    bound = Array<double, Space>(space, 1);
    std::vector<double> kept;
    for (auto i = A.rows.begin(); p.equations == 1 && i < A.rows.end(); ++i) kept.push_back(p.kept(i));
    own = core::to_space(space, kept);
    ghost = Array<double, Space>(space, p.equations == 1 ? A.halo.ghost_count() : 0);
    if (p.equations == 1) A.halo.exchange(space, own.view(), ghost.span());
    galerkin::filtered_diagonal(space, A, strong.view(), p.filter, kept_vector(), diagonal.span(),
                                lumped.span(), bound.data());
    P = galerkin::prolongator(space, A, filter(), diagonal.view(), T, omega, &plan);
    product = galerkin::TripleProduct<Space>(space, A, P, sparse::SpgemmMethod::hash, p.shape(), true);
  }
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A) {
    galerkin::refresh_filtered_diagonal(space, A, strong.view(), lumped.view(), kept_vector(),
                                        diagonal.span(), bound.data());
    galerkin::refresh_prolongator(space, A, filter(), diagonal.view(), T, omega, plan, P);
    product.refresh(space, A, P);
  }

 private:
  Array<unsigned char, Space> strong, lumped;
  Array<double, Space> diagonal, bound, own, ghost;
  double omega;
  galerkin::ProlongatorPlan<Space> plan;
  galerkin::FilteredEntries filter() const { return {strong.view(), lumped.view()}; }
  galerkin::KeptVector kept_vector() const {
    return {own.data(), ghost.data(), static_cast<Index>(own.size())};
  }
};

void expect_the_hosts(test::Problem const& p, test::Split how, Cuda const& device, double omega = 0.6) {
  Host const host;
  auto const rows = test::split(test::world(), how, p.A.rows / p.equations, p.equations);
  auto A = test::distribute(p.A, rows);
  auto A_there = comm::copied(host, A, device);
  std::vector<unsigned char> flags;
  for (double const a : A.local.value) flags.push_back(std::abs(a) > p.weak ? 1 : 0);
  Made<Host> here(host, p, how, A, flags, omega);
  Made<Cuda> there(device, p, how, A_there, flags, omega);
  auto const compare = [&] {
    expect_equal(Listed<Host>(host, here.P.local), Listed<Cuda>(device, there.P.local));
    expect_equal(Listed<Host>(host, here.product.restriction().matrix),
                 Listed<Cuda>(device, there.product.restriction().matrix));
    expect_equal(Listed<Host>(host, here.product.coarse().local),
                 Listed<Cuda>(device, there.product.coarse().local));
    EXPECT_EQ(core::to_vector(device, there.T.coarse_nullspace.view()),
              core::to_vector(host, here.T.coarse_nullspace.view()));
  };
  compare();
  for (int times = 0; times < 3; ++times) {
    for (auto& a : A.local.value) a *= a > 0 ? 1.5 : 1.25;
    A_there = comm::copied(host, A, device);
    here.refresh(host, A);
    there.refresh(device, A_there);
    compare();
  }
}

TEST(CudaGalerkin, ProlongatorsAndProductsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const& p : test::problems()) {
    for (auto const how : test::all_splits) {
      expect_the_hosts(p, how, device);
      expect_the_hosts(p, how, device, 0.0);  // unsmoothed
    }
  }
}

/// A matrix of `equations` rows per vertex in aggregates of about `size` vertices.
void expect_the_hosts(sparse::Csr<double, Host> A, int equations, int vectors, Index size, Index lonely,
                      double weak, Cuda const& device) {
  test::Problem p;
  p.equations = equations;
  p.vectors = vectors;
  p.root = test::random_roots(A.rows / equations, size, lonely, 7);
  p.nullspace = test::vectors(A.rows, vectors, 7);
  p.filter = {weak > 0, 0.3};
  p.weak = weak;
  p.A = std::move(A);
  expect_the_hosts(p, test::Split::uneven, device);
}

// Stencils of 5, 7 and about 125 entries; rows with more aggregates than a group has lanes.
TEST(CudaGalerkin, LargerOnesAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const square = [](sparse::Csr<double, Host> const& A) {
    return sparse::spgemm(Host{}, A.view(), A.view());
  };
  expect_the_hosts(oracle::laplace(120, 90), 1, 1, 7, 0, 0, device);
  expect_the_hosts(oracle::laplace(25, 22, 20), 1, 1, 20, 50, 0, device);
  expect_the_hosts(square(square(oracle::laplace(12, 12, 12))), 1, 1, 2, 0, 0.5, device);
  expect_the_hosts(oracle::random_spd(4000, 40, 3), 1, 1, 3, 30, 0.4, device);
}

// Elasticity's shapes: three unknowns per node, and six; rows whose unknowns are coupled differently.
TEST(CudaGalerkin, SeveralVectorsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  expect_the_hosts(test::blocks(oracle::laplace(9, 8, 7), 3, 5), 3, 6, 18, 0, 0.2, device);
  expect_the_hosts(test::blocks(oracle::laplace(18, 15), 6, 5), 6, 6, 9, 20, 0, device);
  expect_the_hosts(oracle::random_spd(1500, 20, 3), 3, 6, 5, 30, 0.3, device);
  expect_the_hosts(oracle::random_spd(600, 12, 9), 1, 3, 4, 0, 0, device);
}

// More sums than shared memory holds: all aggregates meet. Rows of A have one pattern, or each its own.
TEST(CudaGalerkin, RowsTooLongForSharedMemoryAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  oracle::Dense full(1200, 1200);
  for (Index i = 0; i < full.rows; ++i) {
    for (Index j = 0; j < full.columns; ++j)
      full(i, j) = i == j ? 2000.0 : core::uniform(std::min(i, j) * 2000 + std::max(i, j), 3);
  }
  expect_the_hosts(oracle::to_csr(full), 3, 6, 2, 0, 0, device);
  expect_the_hosts(oracle::random_spd(500, 400, 3), 1, 12, 2, 0, 0, device);
}

/// Sums over pairs of aggregates, made on one space from arrays of the host.
template <class Space>
struct Pairs {
  galerkin::Tentative<Space> T;
  galerkin::AggregateMap<Space> map;
  galerkin::PairSums<Space> sums;

  Pairs(Space const& space, comm::DistCsr<double, Space> const& A, std::vector<GlobalIndex> const& root,
        bool ones) {
    auto const of_host = test::aggregates(A.rows, root);
    aggregation::Aggregates<Space> aggregates{of_host.coarse,
                                              core::copied(Host{}, of_host.aggregate.view(), space),
                                              core::copied(Host{}, of_host.ids.view(), space)};
    auto const whole = test::vectors(static_cast<Index>(root.size()), 1, 7);
    auto const B = core::to_space(space, test::part(A.rows, whole));
    T = ones ? galerkin::indicator(aggregates.coarse, std::move(aggregates.aggregate))
             : galerkin::tentative_prolongator(space, aggregates, B.view(), 1, 1);
    map = galerkin::aggregate_map(space, T);
    sums = galerkin::PairSums<Space>(space, A, T, map, true);
  }
};

// Few rows by groups of lanes, many by a thread each; long rows; vertices in no aggregate.
TEST(CudaPairSums, AreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const check = [&](sparse::Csr<double, Host> const& whole, Index size, Index lonely) {
    auto const root = test::random_roots(whole.rows, size, lonely, 7);
    auto const rows = test::split(test::world(), test::Split::uneven, whole.rows);
    auto A = test::distribute(whole, rows);
    auto A_there = comm::copied(Host{}, A, device);
    for (bool const ones : {true, false}) {
      Pairs<Host> here(Host{}, A, root, ones);
      Pairs<Cuda> there(device, A_there, root, ones);
      for (int times = 0; times < 3; ++times) {
        expect_equal(Listed<Host>(Host{}, here.sums.coarse().local),
                     Listed<Cuda>(device, there.sums.coarse().local));
        for (auto& a : A.local.value) a *= a > 0 ? 1.5 : 1.25;
        A_there = comm::copied(Host{}, A, device);
        here.sums.refresh(Host{}, A, here.T, here.map);
        there.sums.refresh(device, A_there, there.T, there.map);
      }
    }
  };
  check(oracle::laplace(30, 20), 5, 0);
  check(oracle::laplace(80, 80, 80), 3, 0);
  check(oracle::laplace(700, 700), 3, 9);
  check(oracle::random_spd(4000, 40, 3), 3, 30);
  check(oracle::random_spd(500, 300, 3), 20, 0);
}

using test::Energy;

TEST(EnergyMinimisation, IsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const& p : test::problems()) {
    for (auto const how : test::all_splits) {
      for (int const reach : {1, 2}) {
        galerkin::EnergyParameters const parameters{reach, 0.1, 4};
        bool const ones = p.equations == 1 && p.vectors == 1;
        Energy<Host> const there(Host{}, p, how, parameters, ones);
        Energy<Cuda> const here(device, p, how, parameters, ones);
        EXPECT_EQ(there.reached.foreign, here.reached.foreign);
        auto const a = there.prolongator(Host{}, 4);
        auto const b = here.prolongator(device, 4);
        EXPECT_EQ(core::to_vector(Host{}, a.local.offsets.view()),
                  core::to_vector(device, b.local.offsets.view()));
        EXPECT_EQ(core::to_vector(Host{}, a.local.column.view()),
                  core::to_vector(device, b.local.column.view()));
        EXPECT_EQ(core::to_vector(Host{}, a.local.value.view()),
                  core::to_vector(device, b.local.value.view()));
      }
    }
  }
}

}  // namespace
}  // namespace Tessera
