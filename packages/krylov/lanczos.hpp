#pragma once
/// \file
/// The largest eigenvalue of D^-1 A, for the damping of prolongators and smoothers.
#include <functional>

#include "comm/dist_csr.hpp"
#include "sparse/formats/sell.hpp"

namespace Tessera::krylov {

/// How the entries of A are read.
struct Entries {
  /// Rounded to float, as cycles in float have them; sums are in double all the same.
  bool in_float = false;
  /// All rows, rounded, where there are any: less to read, the same numbers.
  sparse::SellView<float> stored{};
};

/// What a pass over the rows tells before the first step.
struct GershgorinBound {
  /// Writes the diagonal and the bound. Agrees on errors, and no rank fails behind that: steps agree no
  /// more.
  std::function<void()> find;
  double const* bound = nullptr;  ///< on the space: infinite, or at least rho(D^-1 A) (Gershgorin)
  double safety = 1;              ///< estimates of bound / safety or more are as good as the bound
  /// Behind how many steps a space that runs ahead is waited for to look whether the bound is reached; 0:
  /// behind those where it often is. Left for the next run with much the same matrix: where it was reached,
  /// never_look where it was not. Null: as 0.
  int* look = nullptr;
  static constexpr int never_look = -1;
};

/// An estimate of rho(D^-1 A), on the space, by steps of Lanczos on D^-1/2 A D^-1/2, A symmetric, D = diag(d)
/// positive, from D^1/2 u = core::uniform(row_ids[i], 0): no larger but for rounding, usually a few per cent
/// smaller.
/// No reorthogonalisation: for the largest eigenvalue, in some ten steps, it changes nothing. Rows with
/// d_i = 0 take no part; 0 without rows, not finite where the matrix is not or a d_i is negative. The same on
/// every rank, for any number of threads and on every space. Collective; waits for nothing on one GPU, nor
/// on ranks that reach each other, but on large matrices for a look at whether sums.bound is reached.
/// With sums, the bound in place of estimates that reach it.
template <class Space>
void spectral_radius(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Span<VertexId const> row_ids, int steps, Entries const& entries, double* estimate,
                     GershgorinBound const& sums = {});

}  // namespace Tessera::krylov
