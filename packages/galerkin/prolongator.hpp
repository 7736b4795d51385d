#pragma once
/// \file
/// The smoothed prolongator P = (I - omega D^-1 A_F) T as a specialised product.
#include "aggregation/strength.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// What the filtered matrix A_F does with weak entries; see filtered_diagonal.
struct FilterParameters {
  bool filtered = true;     ///< false: A_F = A
  double keep_above = 0.3;  ///< lump a row only where its filtered diagonal stays above this times a_ii
};

/// D_F: a_ii plus the dropped entries of row i where that stays above keep_above a_ii; elsewhere the row is
/// not filtered at all (its weak entries are kept) and D_F is a_ii. lumped[i] says which. rows() entries
/// each.
template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters,
                       Span<double> diagonal, Span<unsigned char> lumped);

/// The pattern of P (columns sorted by global index: owned and ghosts of its halo plan), values allocated.
/// Collective.
template <class Space>
comm::DistCsr<double, Space> prolongator_symbolic(Space const& space, comm::DistCsr<double, Space> const& A,
                                                  Span<unsigned char const> strong,
                                                  Span<unsigned char const> lumped,
                                                  Tentative<Space> const& T);

/// The values of P: row i is T_i - omega / d_i sum_j (A_F)_ij T_j, sums in A's storage order. omega = 0 gives
/// P = T on that pattern. Collective.
template <class Space>
void prolongator_numeric(Space const& space, comm::DistCsr<double, Space> const& A,
                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                         Span<double const> diagonal, Tentative<Space> const& T, double omega,
                         comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
