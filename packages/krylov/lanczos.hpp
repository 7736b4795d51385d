#pragma once
/// \file
/// The largest eigenvalue of D^-1 A, for the damping of prolongators and smoothers.
#include <functional>

#include "comm/dist_csr.hpp"
#include "sparse/formats/formats.hpp"

namespace Tessera::krylov {

/// Number of rows from which chunks are faster. On a host they pay off within a run: making them takes as
/// long as two or three steps save.
constexpr Index min_rows_for_chunks = 8192;

/// How Lanczos reads the entries of A.
template <class Space>
struct Entries {
  /// Rounded to float, as in cycles in float. Sums are in double.
  bool in_float = false;
  /// Null, or the rows of the cycle, which are read instead of A's; then in_float has no effect. Rows in
  /// float give the same numbers as rounded entries, with fewer bytes to read.
  sparse::SplitRows<float, Space> const* stored = nullptr;
};

/// A bound of rho(D^-1 A), from a pass over the rows before the first step.
struct GershgorinBound {
  /// Writes the diagonal and the bound. Agrees on errors over ranks. No rank fails after it, so steps need no
  /// further agreement.
  std::function<void()> find;
  double const* bound = nullptr;  ///< on the space: infinite, or at least rho(D^-1 A) (Gershgorin)
  double safety = 1;              ///< an estimate of at least bound / safety is replaced by the bound
  /// After this number of steps the host waits for a space that runs ahead, and tests whether the bound is
  /// reached. 0: after the usual numbers of steps. The run stores the step at which the bound was reached, or
  /// never_check, for the next run with a similar matrix. Null: as 0.
  int* check_step = nullptr;
  static constexpr int never_check = -1;
};

/// Estimates rho(D^-1 A), on the space, by Lanczos steps on D^-1/2 A D^-1/2 for symmetric A and positive D =
/// diag(d), from D^1/2 u = core::uniform(row_ids[i], 0). Up to rounding the estimate is no larger than rho,
/// usually a few per cent smaller. No reorthogonalisation: within some ten steps it does not change the
/// largest eigenvalue. Rows with d_i = 0 are left out. The estimate is 0 without rows, and not finite if an
/// entry is not finite or a d_i is negative. It is equal on all ranks, for any number of threads and on every
/// space. With a bound, estimates that reach it are replaced by it. Collective. A step waits for one sum over
/// all ranks; if one of several ranks has all rows, the run waits once. On one GPU, or ranks that reach each
/// other, the host does not wait for sums, except on large matrices for the test against the bound.
template <class Space>
void spectral_radius(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Span<VertexId const> row_ids, int steps, Entries<Space> const& entries, double* estimate,
                     GershgorinBound const& bound = {});

}  // namespace Tessera::krylov
