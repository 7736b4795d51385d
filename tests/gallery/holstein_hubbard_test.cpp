#include "gallery/holstein_hubbard.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/lapack.hpp"

namespace Tessera::gallery {
namespace {

using oracle::Dense;
using Parameters = HolsteinHubbardParameters;

/// Eigenvalues of H, ascending.
std::vector<double> spectrum(Parameters const& parameters) {
  HolsteinHubbard const H(parameters);
  auto const n = static_cast<Index>(H.rows());
  Dense A(n, n);
  for (Index i = 0; i < n; ++i) {
    GlobalIndex before = -1;
    H.row(i, [&](GlobalIndex column, double value) {
      EXPECT_GT(column, before);
      before = column;
      A(i, static_cast<Index>(column)) = value;
    });
    A(i, i) -= H.shift();
  }
  return oracle::symmetric_eigenvalues(A);
}

Dense kronecker(Dense const& A, Dense const& B) {
  Dense C(A.rows * B.rows, A.columns * B.columns);
  for (Index i = 0; i < C.rows; ++i) {
    for (Index j = 0; j < C.columns; ++j)
      C(i, j) = A(i / B.rows, j / B.columns) * B(i % B.rows, j % B.columns);
  }
  return C;
}

/// A product of n factors: `factor` at position k, `before` at earlier positions, identities at later
/// positions.
Dense operator_product(int n, int k, Dense const& before, Dense const& factor) {
  Dense result = oracle::identity(1);
  for (int i = 0; i < n; ++i)
    result = kronecker(result, i < k ? before : i == k ? factor : oracle::identity(factor.rows));
  return result;
}

/// The annihilator of fermion k of n (Jordan and Wigner 1928).
Dense fermion(int n, int k) {
  return operator_product(n, k, {2, 2, {1, 0, 0, -1}}, {2, 2, {0, 1, 0, 0}});
}

/// The annihilator of boson k of n, with at most `most` bosons of each kind.
Dense boson(int n, int k, int most) {
  Dense b(most + 1, most + 1);
  for (int m = 1; m <= most; ++m) b(m - 1, m) = std::sqrt(m);
  return operator_product(n, k, oracle::identity(most + 1), b);
}

Dense plus_adjoint(Dense const& A) {
  return oracle::sum(1, A, 1, oracle::transposed(A));
}

/// The rows and columns of the states with keep[state].
Dense restricted(Dense const& A, std::vector<bool> const& keep) {
  std::vector<Index> kept;
  for (Index i = 0; i < A.rows; ++i) {
    if (keep[static_cast<std::size_t>(i)]) kept.push_back(i);
  }
  auto const n = static_cast<Index>(kept.size());
  Dense B(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) B(i, j) = A(kept[i], kept[j]);
  }
  return B;
}

// Three sites: all 64 electron states as products of operators, and two modes other than the standing waves.
// The spectrum is the same in any orthonormal basis of vibrations if only the total number of phonons is
// limited.
TEST(HolsteinHubbard, HasTheSpectrumOfItsOperators) {
  int const phonons = 2;
  double const t = 0.7, U = 2.3, omega = 1.1, g = 0.6;
  std::vector<Dense> c, n;
  for (int k = 0; k < 6; ++k) {  // up on sites 0 to 2, then down
    c.push_back(fermion(6, k));
    n.push_back(oracle::product(oracle::transposed(c[k]), c[k]));
  }
  Dense electrons(64, 64);
  for (int spin = 0; spin < 2; ++spin) {
    for (int i = 0; i < 3; ++i) {
      auto const hop = oracle::product(oracle::transposed(c[3 * spin + i]), c[3 * spin + (i + 1) % 3]);
      electrons = oracle::sum(1, electrons, -t, plus_adjoint(hop));
    }
  }
  for (int i = 0; i < 3; ++i) electrons = oracle::sum(1, electrons, U, oracle::product(n[i], n[i + 3]));
  double const waves[2][3] = {{std::sqrt(0.5), -std::sqrt(0.5), 0},
                              {std::sqrt(1 / 6.0), std::sqrt(1 / 6.0), -std::sqrt(4 / 6.0)}};
  auto const of_bosons = static_cast<Index>((phonons + 1) * (phonons + 1));
  auto H = kronecker(electrons, oracle::identity(of_bosons));
  for (int m = 0; m < 2; ++m) {
    auto const b = boson(2, m, phonons);
    Dense density(64, 64);
    for (int i = 0; i < 3; ++i)
      density = oracle::sum(1, density, waves[m][i], oracle::sum(1, n[i], 1, n[i + 3]));
    auto const quanta = oracle::product(oracle::transposed(b), b);
    H = oracle::sum(1, H, omega, kronecker(oracle::identity(64), quanta));
    H = oracle::sum(1, H, g * omega, kronecker(density, plus_adjoint(b)));
  }
  std::vector<bool> keep;  // two electrons up, one down; at most this number of phonons in total
  for (Index state = 0; state < H.rows; ++state) {
    auto const e = state / of_bosons, p = state % of_bosons;
    auto const up = n[0](e, e) + n[1](e, e) + n[2](e, e), down = n[3](e, e) + n[4](e, e) + n[5](e, e);
    keep.push_back(up == 2 && down == 1 && p / (phonons + 1) + p % (phonons + 1) <= phonons);
  }
  auto const expected = oracle::symmetric_eigenvalues(restricted(H, keep));
  auto const found = spectrum({3, 3, phonons, t, U, omega, g});
  ASSERT_EQ(found.size(), 54u);
  ASSERT_EQ(expected.size(), 54u);
  EXPECT_LT(oracle::largest_difference(found, expected), 1e-12);
}

TEST(HolsteinHubbard, HasThePapersNumberOfRows) {
  HolsteinHubbard const H({6, 6, 15});
  EXPECT_EQ(H.rows(), 6201600);  // 20^2 * C(20, 5)
  // The 400 electron states have 2880 hops and 1382 nonzero couplings to modes, 330 of them to the first
  // mode: 400 * 15504 + 2880 * 15504 + 1382 * 2 C(19, 5) entries, 13.4 in a row.
  GlobalIndex nonzeros = 0, longest = 0;
  for (GlobalIndex electrons = 0; electrons < 400; ++electrons) {
    for (GlobalIndex phonons : {0, 15503}) {  // no phonon; 15 in the first mode, which can only lose one
      GlobalIndex length = 0;
      H.row(electrons * 15504 + phonons, [&](GlobalIndex, double) { ++length; });
      nonzeros += length;
      longest = std::max(longest, length);
    }
  }
  EXPECT_EQ(nonzeros, 400 + 2880 + 1382 + 400 + 2880 + 330);
  EXPECT_EQ(longest, 16);
}

// Energies of one electron on the ring are -2 t cos(2 pi k / 6), so that three electrons have -2, -1 and -1.
TEST(HolsteinHubbard, FreeElectronsFillTheBand) {
  EXPECT_NEAR(spectrum({6, 6, 0, 1, 0, 1, 0}).front(), -8, 1e-12);
}

TEST(HolsteinHubbard, TwoSitesHaveTheDimersEnergy) {
  double const t = 0.8, U = 3;
  auto const energy = spectrum({2, 2, 3, t, U, 1, 0}).front();
  EXPECT_NEAR(energy, U / 2 - std::sqrt(U * U / 4 + 4 * t * t), 1e-12);
}

// Without hopping, each electron state shifts the oscillators: energy -omega (g c)^2 with c = 1 / sqrt(2) for
// one electron on two sites, and sqrt(2) for a pair on one site. Twenty phonons are practically unlimited.
TEST(HolsteinHubbard, ElectronsThatDoNotHopFormPolarons) {
  double const omega = 1.3, g = 0.5;
  EXPECT_NEAR(spectrum({2, 1, 20, 0, 0, omega, g}).front(), -omega * g * g / 2, 1e-12);
  EXPECT_NEAR(spectrum({2, 2, 20, 0, 0, omega, g}).front(), -omega * g * g * 2, 1e-12);
}

TEST(HolsteinHubbard, ItsShiftMakesItPositiveDefinite) {
  for (double const g : {0.0, 0.7, 3.0}) {
    for (Parameters const& p : std::initializer_list<Parameters>{
             {3, 3, 4, 1, 0, 1, g}, {4, 2, 3, 2, 1, 0.5, g}, {2, 4, 5, 1, 0, 2, g}})
      EXPECT_GT(spectrum(p).front() + HolsteinHubbard(p).shift(), 0) << g;
  }
}

}  // namespace
}  // namespace Tessera::gallery
