#include "comm/lanczos.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "cases.hpp"
#include "comm/dist_matrix.hpp"
#include "core/error.hpp"
#include "oracle/lapack.hpp"

namespace Tessera {
namespace {

using comm::spectral_radius;
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

double row_sum_bound(test::Dense const& A) {
  double bound = 0;
  for (GlobalIndex i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (auto j = A.columns; j-- > 0;) sum += std::abs(A(i, j));
    bound = std::max(bound, sum / A(i, i));
  }
  return bound;
}

TEST(Lanczos, IsExactWhenTheStepsExhaustTheSpace) {
  for (auto const share : test::all_shares) {
    auto const rows = test::shared_out(test::world(), share, 4);
    if (rows.global_size() == 0) continue;
    auto const dense = random_spd(rows.global_size());
    auto const A = test::distributed(dense, rows, rows);
    auto const d = diagonal_of(dense, rows);
    auto const ids = ids_of(rows);
    auto const rho =
        spectral_radius(Host{}, A, test::view(d), test::view(ids), 2 * static_cast<int>(dense.rows));
    EXPECT_NEAR(rho.estimate, exact(dense), 1e-10);
    EXPECT_DOUBLE_EQ(rho.bound, row_sum_bound(dense));
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
  auto const ids = ids_of(rows);
  auto const rho = spectral_radius(Host{}, A, test::view(d), test::view(ids));
  double const largest = 1 + std::cos(std::acos(-1.0) / (n + 1));
  EXPECT_LE(rho.estimate, largest + 1e-12);
  EXPECT_GE(rho.estimate, 0.9 * largest);
  EXPECT_EQ(rho.bound, 2.0);
  auto const again = spectral_radius(Host{}, A, test::view(d), test::view(ids));
  EXPECT_EQ(again.estimate, rho.estimate);
  EXPECT_EQ(test::world().max(rho.estimate), rho.estimate);
  EXPECT_EQ(-test::world().max(-rho.estimate), rho.estimate);
}

TEST(Lanczos, TheFilteredOperatorIsTheFilteredMatrix) {
  // Entries below 0.3 are weak; every row is lumped, so that the filtered matrix is symmetric.
  for (auto const share : test::all_shares) {
    auto const rows = test::shared_out(test::world(), share, 4);
    auto const n = rows.global_size();
    if (n == 0) continue;
    auto const dense = random_spd(n);
    auto filtered = dense;
    for (GlobalIndex i = 0; i < n; ++i) {
      for (GlobalIndex j = 0; j < n; ++j) {
        if (i == j || std::abs(dense(i, j)) >= 0.3) continue;
        filtered.value[i * n + i] += dense(i, j);
        filtered.value[i * n + j] = 0;
      }
    }
    auto const A = test::distributed(dense, rows, rows);
    std::vector<unsigned char> strong;
    for (auto const a : A.local.value) strong.push_back(std::abs(a) >= 0.3);
    std::vector<unsigned char> const lumped(rows.local_size(), 1), kept(rows.local_size(), 0);
    auto const d = diagonal_of(filtered, rows), full = diagonal_of(dense, rows);
    auto const ids = ids_of(rows);
    int const steps = 2 * static_cast<int>(n);
    auto const rho = spectral_radius(Host{}, A, test::view(d), test::view(ids), steps, 0,
                                     {test::view(strong), test::view(lumped)});
    EXPECT_NEAR(rho.estimate, exact(filtered), 1e-10);
    EXPECT_DOUBLE_EQ(rho.bound, row_sum_bound(filtered));
    auto const unfiltered = spectral_radius(Host{}, A, test::view(full), test::view(ids), steps, 0,
                                            {test::view(strong), test::view(kept)});
    EXPECT_EQ(unfiltered.estimate,
              spectral_radius(Host{}, A, test::view(full), test::view(ids), steps).estimate);
  }
}

TEST(Lanczos, RoundedEntriesAreThoseOfARoundedMatrix) {
  auto const A = test::long_matrix(test::world());
  auto rounded = test::long_matrix(test::world());
  auto changed = 0;
  for (auto& a : rounded.local.value) {
    a *= 0.1;
    changed += a != static_cast<float>(a) ? 1 : 0;
    a = static_cast<float>(a);
  }
  auto tenth = test::long_matrix(test::world());
  for (auto& a : tenth.local.value) a *= 0.1;
  EXPECT_TRUE(changed > 0 || rounded.local.value.empty());
  auto const ids = ids_of(A.rows);
  std::vector<double> const d(A.rows.local_size(), 0.75);
  std::vector<unsigned char> strong(A.local.value.size());
  for (std::size_t k = 0; k < strong.size(); ++k) strong[k] = k % 5 != 0;
  std::vector<unsigned char> lumped(A.rows.local_size());
  for (std::size_t i = 0; i < lumped.size(); ++i) lumped[i] = i % 2;
  for (auto const& filter : {comm::Filter{}, comm::Filter{test::view(strong), test::view(lumped)}}) {
    auto const radius = [&](auto const& matrix, bool in_float) {
      return spectral_radius(Host{}, matrix, test::view(d), test::view(ids), 6, 0, filter, -1,
                             {in_float, {}});
    };
    auto const of_rounded = radius(rounded, false), of_entries = radius(tenth, true);
    EXPECT_EQ(of_entries.estimate, of_rounded.estimate);
    EXPECT_EQ(of_entries.bound, of_rounded.bound);
    EXPECT_NE(of_entries.estimate, radius(tenth, false).estimate);
  }
}

TEST(Lanczos, IsTheSameForAnyNumberOfThreads) {
  auto const A = test::long_matrix(test::world());
  auto const ids = ids_of(A.rows);
  std::vector<double> const d(A.rows.local_size(), 7.0);
  int const threads = omp_get_max_threads();
  std::vector<comm::SpectralRadius> found;
  for (int const t : {1, 2, 3}) {
    omp_set_num_threads(t);
    found.push_back(spectral_radius(Host{}, A, test::view(d), test::view(ids)));
  }
  omp_set_num_threads(threads);
  EXPECT_GT(found[0].estimate, 1.0);
  EXPECT_LT(found[0].estimate, found[0].bound);
  for (auto const& rho : found) {
    EXPECT_EQ(rho.estimate, found[0].estimate);
    EXPECT_EQ(rho.bound, found[0].bound);
  }
}

/// The same matrix with entries that lose nothing when they are rounded to float, so that CSR in double is
/// the oracle.
comm::DistCsr<double, Host> rounded(comm::DistCsr<double, Host> A) {
  for (auto& a : A.local.value) a = static_cast<float>(a);
  return A;
}

comm::StoredRows stored_rows(comm::DistMatrix<float, Host> const& A) {
  comm::StoredRows rows;
  A.stored().visit_first([&](auto const& set) {
    if constexpr (std::is_same_v<std::decay_t<decltype(set)>, sparse::SellView<float>>) rows.first = set;
  });
  A.stored().visit_second([&](auto const& set) {
    if constexpr (std::is_same_v<std::decay_t<decltype(set)>, sparse::SellView<float>>) rows.second = set;
  });
  return rows;
}

TEST(Lanczos, StoredRowsGiveTheSameBits) {
  auto const A = rounded(test::long_matrix(test::world()));
  auto const ids = ids_of(A.rows);
  std::vector<double> const d(A.rows.local_size(), 6.3);
  auto const radius = [&](comm::Entries const& entries) {
    return spectral_radius(Host{}, A, test::view(d), test::view(ids), 6, 0, {}, 2.5, entries).estimate;
  };
  auto const expected = radius({});
  EXPECT_GT(expected, 1.0);
  int const threads = omp_get_max_threads();
  for (int const t : {1, 2, 3, 7}) {
    omp_set_num_threads(t);
    EXPECT_EQ(radius({true, {}}), expected) << t << " threads";
    for (int const sigma : {1, 256}) {
      comm::DistMatrix<float, Host> const stored(Host{}, A, {comm::MatrixFormat::sell, 32, sigma});
      auto const rows = stored_rows(stored);
      EXPECT_EQ(rows.first.stored_rows + rows.second.stored_rows, A.rows.local_size());
      EXPECT_EQ(radius({true, rows}), expected) << t << " threads, sigma " << sigma;
    }
  }
  omp_set_num_threads(threads);
}

/// spectral_radii beside two calls of spectral_radius, bitwise; every third row is lumped, entries below 0.3
/// are weak.
void expect_two_runs(comm::DistCsr<double, Host> const& A, std::vector<double> const& d, int steps,
                     bool in_float = false) {
  std::vector<unsigned char> strong, lumped;
  std::vector<double> filtered;
  for (auto const a : A.local.value) strong.push_back(std::abs(a) >= 0.3);
  for (std::size_t i = 0; i < d.size(); ++i) {
    lumped.push_back(i % 3 == 0);
    filtered.push_back(d[i] * (i % 3 == 0 ? 0.875 : 1));
  }
  auto const ids = ids_of(A.rows);
  comm::Filter const filter{test::view(strong), test::view(lumped)};
  auto const of_A = spectral_radius(Host{}, A, test::view(d), test::view(ids), steps, 1);
  auto const of_filtered =
      spectral_radius(Host{}, A, test::view(filtered), test::view(ids), steps, 1, filter);
  auto const both = comm::spectral_radii(Host{}, A, test::view(d), of_A.bound, test::view(filtered), filter,
                                         test::view(ids), steps, 1, {in_float, {}});
  EXPECT_EQ(both.of_A.estimate, of_A.estimate);
  EXPECT_EQ(both.of_A.bound, of_A.bound);
  EXPECT_EQ(both.of_filtered.estimate, of_filtered.estimate);
  EXPECT_EQ(both.of_filtered.bound, of_filtered.bound);
}

TEST(Lanczos, TwoRunsInOneAreBitwiseTwoRuns) {
  for (auto const share : test::all_shares) {
    auto const rows = test::shared_out(test::world(), share, 4);
    auto const dense = random_spd(rows.global_size());
    auto const A = test::distributed(dense, rows, rows);
    for (int const steps : {0, 1, 3, 10}) expect_two_runs(A, diagonal_of(dense, rows), steps);
    // Whose entries and d_i, 0.875 d_i on the diagonal of A_F included, are floats.
    auto const of_floats = rounded(test::distributed(dense, rows, rows));
    std::vector<double> const d(rows.local_size(), 4.5);
    for (int const steps : {0, 1, 3, 10}) expect_two_runs(of_floats, d, steps, true);
  }
  auto const A = test::long_matrix(test::world());
  int const threads = omp_get_max_threads();
  for (int const t : {1, 2, 3}) {
    omp_set_num_threads(t);
    expect_two_runs(A, std::vector<double>(A.rows.local_size(), 7.0), 10);
    expect_two_runs(rounded(test::long_matrix(test::world())), std::vector<double>(A.rows.local_size(), 7.0),
                    10, true);
  }
  omp_set_num_threads(threads);
}

// D^-1 A is the identity for A, which ends its run at once, but not for A_F.
TEST(Lanczos, OneOfTwoRunsMayEndFirst) {
  comm::Distribution const rows(test::world(), 6);
  auto const n = rows.global_size();
  test::Dense D{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 0; i < n; ++i) D.value[i * n + i] = 2.0 + i % 2;
  expect_two_runs(test::distributed(D, rows, rows), diagonal_of(D, rows), 5);
  expect_two_runs(test::distributed(D, rows, rows), diagonal_of(D, rows), 5, true);
}

TEST(Lanczos, AnEmptyMatrixHasNoSpectrum) {
  comm::Distribution const rows(test::world(), 0);
  auto const A = test::distributed({0, 0, {}}, rows, rows);
  auto const rho = spectral_radius(Host{}, A, {}, {});
  EXPECT_EQ(rho.estimate, 0.0);
  EXPECT_EQ(rho.bound, 0.0);
}

TEST(Lanczos, RowsWithoutADiagonalTakeNoPart) {
  // diag(0 3 3 3 ...): D^-1 A is the identity on all rows but one.
  comm::Distribution const rows(test::world(), 2);
  auto const n = rows.global_size();
  test::Dense D{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 1; i < n; ++i) D.value[i * n + i] = 3;
  auto const A = test::distributed(D, rows, rows);
  auto const d = diagonal_of(D, rows);
  auto const ids = ids_of(rows);
  auto const rho = spectral_radius(Host{}, A, test::view(d), test::view(ids));
  EXPECT_DOUBLE_EQ(rho.estimate, 1.0);
  EXPECT_EQ(rho.bound, 1.0);
}

TEST(Lanczos, WhatIsNotFiniteIsRefusedOnEveryRank) {
  comm::Distribution const rows(test::world(), 2);
  auto const n = rows.global_size();
  auto dense = random_spd(n);
  auto const d = diagonal_of(dense, rows);
  auto const ids = ids_of(rows);
  dense.value[0] = std::numeric_limits<double>::infinity();
  auto const A = test::distributed(dense, rows, rows);
  EXPECT_THROW(spectral_radius(Host{}, A, test::view(d), test::view(ids)), core::NumericalError);
}

}  // namespace
}  // namespace Tessera
