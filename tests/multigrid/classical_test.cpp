// Hierarchies of classical coarsening; what holds for all coarsenings is tested with the others.
#include <gtest/gtest.h>

#include <cmath>

#include "multigrid/systems.hpp"
#include "support/thrown.hpp"

namespace Tessera::multigrid {
namespace {

Parameters classical() {
  Parameters p;
  p.coarsening = CoarseningType::classical;
  p.coarse_max_size = 20;
  p.rows_per_rank = 20;
  return p;
}

template <class T>
Hierarchy<T, Host> made(comm::DistCsr<double, Host> const& A, Parameters const& p,
                        NearNullspace const& near = {}) {
  return {Host{}, A, test::node_ids_on(Host{}, A.rows, p.equations), near, p};
}

comm::DistCsr<double, Host> shared(sparse::Csr<double, Host> const& A, bool even = false, int block = 1) {
  return test::distribute(A, test::share(test::world(), A.rows, even, block));
}

int iterations(sparse::Csr<double, Host> const& whole, Parameters const& p) {
  auto const A = shared(whole);
  auto M = made<float>(A, p);
  std::vector<double> const b(A.local.rows, 1.0);
  std::vector<double> x;
  return test::conjugate_gradients(A, M, b, x);
}

TEST(Classical, TakesFewIterationsHoweverFarCoefficientsJump) {
  for (double const decades : {0.0, 4.0, 8.0, 12.0})
    EXPECT_LE(iterations(oracle::jumping_diffusion(60, 50, decades, 1e-6, 7), classical()), 22)
        << decades << " decades";
  EXPECT_LE(iterations(oracle::laplace(20, 18, 16), classical()), 14);
}

TEST(Classical, AggressiveCoarseningHalvesTheComplexityOfLaplacians) {
  auto const A = shared(oracle::laplace(20, 18, 16));
  auto p = classical();
  auto const before = made<double>(A, p).report().operator_complexity;
  p.classical.aggressive_levels = 1;
  auto const after = made<double>(A, p).report().operator_complexity;
  EXPECT_LT(after, 2.0);
  EXPECT_LT(after - 1, 0.5 * (before - 1));
  EXPECT_LE(iterations(oracle::laplace(20, 18, 16), p), 20);
}

TEST(Classical, SystemsOfSeveralUnknownsANodeAreRefused) {
  auto p = classical();
  p.equations = 2;
  auto const A = shared(oracle::clamped_beam(60), false, 2);
  auto const text = test::thrown<core::InvalidInput>([&] { made<double>(A, p); });
  EXPECT_NE(text.find("classical coarsening of 2 unknowns a node"), std::string::npos) << text;
  EXPECT_NE(text.find("rootnode or sa"), std::string::npos) << text;
}

TEST(Classical, SeveralNearNullspaceVectorsAreRefused) {
  auto const A = shared(oracle::laplace(12, 11));
  NearNullspace two;
  two.vectors = 2;
  for (Index i = 0; i < A.local.rows; ++i) two.values.insert(two.values.end(), {1.0, 0.5 * i});
  auto const text = test::thrown<core::InvalidInput>([&] { made<double>(A, classical(), two); });
  EXPECT_NE(text.find("2 near-nullspace vectors"), std::string::npos) << text;
}

TEST(Classical, AVectorOfOnesChangesNothing) {
  auto const A = shared(oracle::neumann_laplace(17, 15));
  NearNullspace ones;
  ones.vectors = 1;
  ones.values.assign(A.local.rows, 1.0);
  auto M = made<double>(A, classical()), same = made<double>(A, classical(), ones);
  EXPECT_EQ(M.report().levels.back().checksum, same.report().levels.back().checksum);
}

TEST(Classical, AnotherVectorIsInjected) {
  auto const A = shared(oracle::laplace(17, 15));
  NearNullspace other;
  other.vectors = 1;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) other.values.push_back(2 + std::sin(0.1 * i));
  auto M = made<double>(A, classical()), same = made<double>(A, classical(), other);
  EXPECT_EQ(M.report().levels.back().checksum, same.report().levels.back().checksum);
}

TEST(Classical, SingularMatricesAreSingularOnTheCoarsestLevel) {
  for (auto const& whole : {oracle::neumann_laplace(24, 24), oracle::neumann_laplace(9, 8, 7)}) {
    for (int const aggressive : {0, 1}) {
      auto const A = shared(whole);
      auto p = classical();
      p.classical.aggressive_levels = aggressive;
      EXPECT_EQ(made<double>(A, p).report().levels.back().smoother,
                "dense pseudo-inverse, nullspace of dimension 1");
    }
  }
}

TEST(Classical, OneRowNoCouplingsAndEmptyRanksAreFine) {
  for (auto const& whole : {oracle::laplace(1), oracle::to_csr(oracle::identity(50)), oracle::laplace(60)}) {
    for (bool const last : {false, true}) {
      auto const comm = test::world();
      bool const has = comm.rank() == (last ? comm.size() - 1 : 0);
      auto const A = test::distribute(whole, comm::Distribution(comm, has ? whole.rows : 0));
      auto M = made<double>(A, classical());
      std::vector<double> const b(A.local.rows, 1.0);
      std::vector<double> x;
      EXPECT_LE(test::conjugate_gradients(A, M, b, x), 12);
    }
  }
}

// No room for rows of several entries: P has one in each row.
TEST(Classical, GraphsWhoseCoarseMatricesFillInGetOneEntryARow) {
  auto const A = shared(oracle::preferential_attachment(12000, 3, 5));
  auto p = classical();
  p.classical = {0.0, 0, 0};
  auto M = made<double>(A, p);
  bool said = false;
  for (auto const& warning : M.warnings()) said = said || warning.find("one entry") != std::string::npos;
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace Tessera::multigrid
