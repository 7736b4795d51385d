// Parts that are tied to nothing, and shrink to one coarse node, whose diagonal is a rounding error.
#include <gtest/gtest.h>

#include <cmath>

#include "core/hash.hpp"
#include "multigrid/coarsenings.hpp"
#include "multigrid/systems.hpp"

namespace Tessera::multigrid {
namespace {

/// A held path beside paths of three, with weights that do not cancel.
sparse::Csr<double, Host> held_path_and_triples(Index nodes, Index triples) {
  oracle::Dense A(nodes + 3 * triples, nodes + 3 * triples);
  auto const tie = [&](Index i, Index j, double weight) {
    A(i, i) += weight, A(j, j) += weight;
    A(i, j) -= weight, A(j, i) -= weight;
  };
  for (Index i = 0; i + 1 < nodes; ++i) tie(i, i + 1, 1);
  if (nodes > 0) A(0, 0) += 1;
  for (Index k = 0; k < triples; ++k) {
    Index const first = nodes + 3 * k;
    tie(first, first + 1, 0.1 * (1 + k % 7));
    tie(first + 1, first + 2, 0.1 * (2 + k % 5));
  }
  return oracle::to_csr(A);
}

/// A 7 x 6 grid of uneven weights without a boundary.
sparse::Csr<double, Host> uneven_neumann() {
  auto A = oracle::to_dense(oracle::neumann_laplace(7, 6).view());
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < i; ++j) {
      double const weight = 1.5 + core::uniform(i * A.rows + j, 3);
      if (A(i, j) != 0) A(i, j) = A(j, i) = -weight;
    }
  }
  for (Index i = 0; i < A.rows; ++i) {
    A(i, i) = 0;
    double sum = 0;
    for (Index j = 0; j < A.rows; ++j) sum -= A(i, j);
    A(i, i) = sum;
  }
  return oracle::to_csr(A);
}

template <class T>
void solves_all(Parameters const& p, char const* name) {
  for (auto const& whole : {held_path_and_triples(40, 9), held_path_and_triples(0, 7), uneven_neumann()}) {
    auto const A = test::distribute(whole, test::share(test::world(), whole.rows, false));
    Hierarchy<T, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p);
    std::vector<double> ramp, x;
    for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ramp.push_back(std::sin(static_cast<double>(i)));
    auto const b = test::times(A, ramp);
    EXPECT_LE(test::conjugate_gradients(A, M, b, x), 60) << name << ", " << whole.rows << " rows";
    auto const before = test::precondition(M, b);
    for (int times = 0; times < 2; ++times) {
      M.refresh(A);
      EXPECT_TRUE(oracle::same_bits(test::precondition(M, b), before)) << name;
    }
  }
}

TEST(LooseParts, AreSolvedOnLevelsDownToOneUnknown) {
  for (auto const& way : test::ways_to_coarsen()) {
    for (auto const cycle : {CycleType::V, CycleType::K}) {
      Parameters p;
      way.choose(p);
      p.cycle = cycle;
      p.coarse_max_size = 1;
      p.rows_per_rank = 20;
      solves_all<double>(p, way.name);
      solves_all<float>(p, way.name);
    }
  }
}

// What is singular to rounding in one matrix need not be so in the next, and the other way about.
TEST(LooseParts, MayAppearAndGoInRefreshes) {
  auto const loose = held_path_and_triples(40, 9);
  auto held = oracle::to_dense(loose.view());
  for (Index k = 0; k < 9; ++k) held(40 + 3 * k, 40 + 3 * k) += 0.5;
  auto const whole = oracle::to_csr(held);
  for (auto const& way : test::ways_to_coarsen()) {
    Parameters p;
    way.choose(p);
    p.coarse_max_size = 1;
    auto const rows = test::share(test::world(), whole.rows);
    auto const one = test::distribute(loose, rows), other = test::distribute(whole, rows);
    for (auto const& [first, second] : {std::pair(&one, &other), std::pair(&other, &one)}) {
      Hierarchy<double, Host> M(Host{}, *first, test::node_ids_on(Host{}, rows), {}, p);
      std::vector<double> ramp, x;
      for (auto i = rows.begin(); i < rows.end(); ++i) ramp.push_back(std::sin(static_cast<double>(i)));
      for (auto const* A : {second, first, second}) {
        M.refresh(*A);
        EXPECT_LE(test::conjugate_gradients(*A, M, test::times(*A, ramp), x), 80) << way.name;
      }
    }
  }
}

}  // namespace
}  // namespace Tessera::multigrid
