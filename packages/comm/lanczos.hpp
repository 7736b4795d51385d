#pragma once
/// \file
/// The largest eigenvalue of D^-1 A, for the damping of prolongators and smoothers.
#include "comm/dist_csr.hpp"
#include "sparse/sell.hpp"

namespace Tessera::comm {

struct SpectralRadius {
  double estimate = 0;  ///< by Lanczos: at most rho(D^-1 A) but for rounding, usually a few per cent below
  double bound = 0;     ///< max_i sum_j |a_ij| / d_i (Gershgorin): never below
};

/// The matrix A_F whose entries k with strong[k] == 0 are left out in the rows with lumped[i] != 0, where d_i
/// stands on the diagonal; strong as long as A.local, lumped as A.rows. Both empty: A itself. A_F is not
/// symmetric where one end of an edge is lumped and the other is not: the estimate is then rough, and may lie
/// above the bound, so callers take the smaller of the two.
struct Filter {
  Span<unsigned char const> strong, lumped;
};

/// All rows of A with entries rounded to float, in two sets.
struct StoredRows {
  sparse::SellView<float> first{}, second{};
};

/// How the entries of A are multiplied.
struct Entries {
  /// Rounded to float, as cycles in float have them, D_F on the diagonal of A_F as well; sums are in double
  /// all the same.
  bool in_float = false;
  StoredRows stored{};  ///< where there are any: less to read, the same numbers
};

/// Steps of Lanczos on D^-1/2 A D^-1/2, A symmetric, D = diag(d) positive, from core::uniform(row_ids[i],
/// seed). No reorthogonalisation: for the largest eigenvalue, in some ten steps, it changes nothing. Rows
/// with d_i = 0 take no part. known_bound: the result's bound, where the caller has it (negative: not); saves
/// the first pass its second sum. The same on every rank and for any number of threads. Collective.
/// \throws core::NumericalError when a number is not finite or d_i is negative
template <class Space>
SpectralRadius spectral_radius(Space const& space, DistCsr<double, Space> const& A,
                               Span<double const> diagonal, Span<VertexId const> row_ids, int steps = 10,
                               int seed = 0, Filter const& filter = {}, double known_bound = -1,
                               Entries const& entries = {});

struct TwoRadii {
  SpectralRadius of_A, of_filtered;
};

/// What two calls give, bitwise: for A with `diagonal`, whose bound is known, and for A_F with its own. One
/// pass over the matrix serves both where that is faster.
template <class Space>
TwoRadii spectral_radii(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                        double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                        Span<VertexId const> row_ids, int steps = 10, int seed = 0,
                        Entries const& entries = {});

/// Where numbers lie on a space.
struct RadiiOnSpace {
  double const* known_bound;
  SpectralRadius* of_A;
  SpectralRadius* of_filtered = nullptr;  ///< null: not wanted
};

/// spectral_radii, or spectral_radius, with seed 0; bounds and results lie on the space. On one GPU nothing
/// is waited for, and instead of an exception there is an estimate that is not finite.
template <class Space>
void spectral_radii_into(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                         Span<double const> filtered_diagonal, Filter const& filter,
                         Span<VertexId const> row_ids, int steps, Entries const& entries,
                         RadiiOnSpace const& radii);

}  // namespace Tessera::comm
