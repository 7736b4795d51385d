#include "krylov/lanczos.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <vector>

#include "comm/cases.hpp"
#include "comm/dist_matrix.hpp"
#include "oracle/lapack.hpp"
#include "sparse/formats/unpacked.hpp"

namespace Tessera {
namespace {

using test::Share;

/// Symmetric, strictly diagonally dominant, all over the ranks.
test::Dense random_spd(GlobalIndex n) {
  auto A = test::random_dense(n, n, 12);
  for (GlobalIndex i = 0; i < n; ++i) {
    for (GlobalIndex j = 0; j < i; ++j) A.value[i * n + j] = A(j, i);
  }
  for (GlobalIndex i = 0; i < n; ++i) {
    double sum = 0.5 + 0.01 * i;
    for (GlobalIndex j = 0; j < n; ++j) sum += j == i ? 0 : std::abs(A(i, j));
    A.value[i * n + i] = sum;
  }
  return A;
}

std::vector<double> diagonal_of(test::Dense const& A, comm::Distribution const& rows) {
  std::vector<double> d;
  for (auto i = rows.begin(); i < rows.end(); ++i) d.push_back(A(i, i));
  return d;
}

std::vector<VertexId> ids_of(comm::Distribution const& rows) {
  std::vector<VertexId> ids;
  for (auto i = rows.begin(); i < rows.end(); ++i) ids.push_back(3 * i + 5);
  return ids;
}

/// rho(D^-1 A).
double exact(test::Dense const& A) {
  auto const n = static_cast<Index>(A.rows);
  oracle::Dense scaled(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) scaled(i, j) = A(i, j) / A(i, i);
  }
  return oracle::spectral_radius(scaled);
}

double radius(comm::DistCsr<double, Host> const& A, std::vector<double> const& d, int steps = 10,
              krylov::Entries<Host> const& entries = {}, krylov::GershgorinBound const& sums = {}) {
  double estimate = -1;
  auto const ids = ids_of(A.rows);
  krylov::spectral_radius(Host{}, A, test::view(d), test::view(ids), steps, entries, &estimate, sums);
  return estimate;
}

TEST(Lanczos, IsExactWhenTheStepsExhaustTheSpace) {
  for (auto const share : test::all_shares) {
    auto const rows = test::share_rows(test::world(), share, 4);
    if (rows.global_size() == 0) continue;
    auto const dense = random_spd(rows.global_size());
    auto const A = test::distributed(dense, rows, rows);
    EXPECT_NEAR(radius(A, diagonal_of(dense, rows), 2 * static_cast<int>(dense.rows)), exact(dense), 1e-10);
  }
}

TEST(Lanczos, TenStepsComeWithinTenPerCentFromBelow) {
  comm::Distribution const rows(test::world(), 30);
  auto const n = rows.global_size();
  test::Dense T{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 0; i < n; ++i) {
    T.value[i * n + i] = 2;
    if (i > 0) T.value[i * n + i - 1] = T.value[(i - 1) * n + i] = -1;
  }
  auto const A = test::distributed(T, rows, rows);
  auto const d = diagonal_of(T, rows);
  auto const rho = radius(A, d);
  double const largest = 1 + std::cos(std::acos(-1.0) / (n + 1));
  EXPECT_LE(rho, largest + 1e-12);
  EXPECT_GE(rho, 0.9 * largest);
  EXPECT_EQ(radius(A, d), rho);
  EXPECT_EQ(test::world().max(rho), rho);
  EXPECT_EQ(-test::world().max(-rho), rho);
}

/// Rows that are held by a penalty have the eigenvalue 1, and the others what they had.
TEST(Lanczos, PenaltiesHideNoOtherRow) {
  comm::Distribution const rows(test::world(), 30);
  auto const n = rows.global_size();
  for (double const penalty : {1e10, 1e20, 1e27, 1e100}) {
    test::Dense T{n, n, std::vector<double>(n * n, 0.0)};
    for (GlobalIndex i = 0; i < n; ++i) {
      T.value[i * n + i] = i % 15 == 0 ? penalty : 2;
      if (i > 0) T.value[i * n + i - 1] = T.value[(i - 1) * n + i] = -1;
    }
    auto const A = test::distributed(T, rows, rows);
    auto const rho = radius(A, diagonal_of(T, rows));
    EXPECT_LE(rho, exact(T) + 1e-12) << penalty;
    EXPECT_GE(rho, 0.9 * exact(T)) << penalty;
  }
}

TEST(Lanczos, RoundedEntriesAreThoseOfARoundedMatrix) {
  auto rounded = test::long_matrix(test::world()), tenth = test::long_matrix(test::world());
  auto changed = 0;
  for (std::size_t k = 0; k < tenth.local.value.size(); ++k) {
    double const a = tenth.local.value[k] *= 0.1;
    rounded.local.value[k] = static_cast<float>(a);
    changed += a != rounded.local.value[k] ? 1 : 0;
  }
  EXPECT_GT(changed, 0);
  std::vector<double> const d(tenth.rows.local_size(), 0.75);
  EXPECT_EQ(radius(tenth, d, 6, {true, nullptr}), radius(rounded, d, 6));
  EXPECT_NE(radius(tenth, d, 6), radius(rounded, d, 6));
}

TEST(Lanczos, IsTheSameForAnyNumberOfThreads) {
  auto const A = test::long_matrix(test::world());
  std::vector<double> const d(A.rows.local_size(), 7.0);
  int const threads = omp_get_max_threads();
  std::vector<double> found;
  for (int const t : {1, 2, 3, 7}) {
    omp_set_num_threads(t);
    found.push_back(radius(A, d));
  }
  omp_set_num_threads(threads);
  EXPECT_GT(found[0], 1.0);
  for (auto const rho : found) EXPECT_EQ(rho, found[0]);
}

/// Entries that lose nothing when they are rounded to float, so that CSR in double is the oracle.
TEST(Lanczos, StoredRowsGiveTheSameBits) {
  auto A = test::long_matrix(test::world());
  for (auto& a : A.local.value) a = static_cast<float>(a);
  std::vector<double> const d(A.rows.local_size(), 6.3);
  auto const expected = radius(A, d, 6);
  EXPECT_GT(expected, 1.0);
  for (auto const& [name, format] : sparse::matrix_formats) {
    comm::DistMatrix<float, Host> const stored(Host{}, A, {format});
    EXPECT_EQ(radius(A, d, 6, {true, &stored.stored()}), expected) << name;
  }
  comm::DistMatrix<float, Host> const stored(Host{}, A, {sparse::MatrixFormat::sell});
  int const threads = omp_get_max_threads();
  for (int const t : {1, 2, 3, 7}) {
    omp_set_num_threads(t);
    EXPECT_EQ(radius(A, d, 6, {true, nullptr}), expected) << t << " threads";
    EXPECT_EQ(radius(A, d, 6, {true, &stored.stored()}), expected) << t << " threads";
  }
  omp_set_num_threads(threads);
}

TEST(Lanczos, RowsInHalfGiveTheRadiusOfTheirMatrixInEveryFormat) {
  auto A = test::long_matrix(test::world());
  for (auto& a : A.local.value) a *= 0.1;
  std::vector<double> const d(A.rows.local_size(), 0.63);
  auto const in_double = radius(A, d, 6);
  std::vector<double> found;
  for (auto const& [name, format] : sparse::matrix_formats) {
    comm::StorageParameters how{format};
    how.half = how.row_sums = true;
    comm::DistMatrix<float, Host> const stored(Host{}, A, how);
    found.push_back(radius(A, d, 6, {true, &stored.stored()}));
    EXPECT_EQ(found.back(), found.front()) << name;
    auto unpacked = test::long_matrix(test::world());
    unpacked.local = sparse::copied<double>(
        Host{}, sparse::unpacked(Host{}, stored.stored(), A.local.rows, A.local.columns), Host{});
    EXPECT_NEAR(found.back(), radius(unpacked, d, 6), 1e-13 * in_double) << name;
  }
  EXPECT_NE(found.front(), in_double);
  EXPECT_NEAR(found.front(), in_double, 1e-3 * in_double);
}

// Estimates grow from step to step, and do not depend on the bound before one reaches it.
TEST(Lanczos, TheBoundStandsForEstimatesThatReachIt) {
  auto const A = test::long_matrix(test::world());
  std::vector<double> const d(A.rows.local_size(), 7.0);
  double before = 0;
  for (int steps = 1; steps <= 8; ++steps) {
    auto const estimate = radius(A, d, steps);
    ASSERT_GT(estimate, before);
    double const above = 1.3 * estimate * (1 + 1e-12), below = 1.3 * estimate * (1 - 1e-12);
    EXPECT_EQ(radius(A, d, steps, {}, {{}, &above, 1.3}), estimate) << steps;
    for (int more = 0; more < 3; ++more)
      EXPECT_EQ(radius(A, d, steps + more, {}, {{}, &below, 1.3}), below) << steps;
    before = estimate;
  }
  double const infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(radius(A, d, 8, {}, {{}, &infinite, 1.3}), before);
}

// D^-1 A is the identity, which ends the run at once: the next vector is zero, or rounding errors.
TEST(Lanczos, EndsInAnInvariantSubspace) {
  comm::Distribution const rows(test::world(), 6);
  auto const n = rows.global_size();
  test::Dense D{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 0; i < n; ++i) D.value[i * n + i] = 2.0 + i % 2;
  EXPECT_DOUBLE_EQ(radius(test::distributed(D, rows, rows), diagonal_of(D, rows), 5), 1.0);
}

TEST(Lanczos, AnEmptyMatrixHasNoSpectrum) {
  comm::Distribution const rows(test::world(), 0);
  EXPECT_EQ(radius(test::distributed({0, 0, {}}, rows, rows), {}), 0.0);
}

TEST(Lanczos, RowsWithoutADiagonalTakeNoPart) {
  // diag(0 3 3 3 ...): D^-1 A is the identity on all rows but one.
  comm::Distribution const rows(test::world(), 2);
  auto const n = rows.global_size();
  test::Dense D{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 1; i < n; ++i) D.value[i * n + i] = 3;
  EXPECT_DOUBLE_EQ(radius(test::distributed(D, rows, rows), diagonal_of(D, rows)), 1.0);
}

TEST(Lanczos, WhatIsNotFiniteOrNegativeIsNotFiniteOnEveryRank) {
  comm::Distribution const rows(test::world(), 2);
  auto dense = random_spd(rows.global_size());
  auto d = diagonal_of(dense, rows);
  auto const good = test::distributed(dense, rows, rows);
  dense.value[0] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(std::isfinite(radius(test::distributed(dense, rows, rows), d)));
  if (rows.owns(0)) d[0] = -1e6;
  EXPECT_FALSE(std::isfinite(radius(good, d)));
}

}  // namespace
}  // namespace Tessera
