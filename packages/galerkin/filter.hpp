#pragma once
/// \file
/// The filtered matrix A_F that smooths the prolongator: weak entries go, their sum joins the diagonal.
#include "comm/dist_csr.hpp"

namespace Tessera::galerkin {

/// What the filtered matrix A_F does with weak entries; see filtered_diagonal.
struct FilterParameters {
  bool filtered = true;     ///< false: A_F = A
  double keep_above = 0.3;  ///< lump a row only where its filtered diagonal stays above this times a_ii
};

/// D_F: a_ii plus the dropped entries of row i where that stays positive and above keep_above a_ii; elsewhere
/// the row is not filtered at all (its weak entries are kept) and D_F is a_ii. lumped[i] is 1 where entries
/// were dropped. strong: one flag an entry of A.local (the diagonal's is not read); may be empty when not
/// filtered. diagonal, lumped: one number an owned row. bound: on the space, max_i sum_j |a_ij| / d_i of A_F
/// over all ranks (Gershgorin). Collective; waits for nothing on one rank.
template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters,
                       Span<double> diagonal, Span<unsigned char> lumped, double* bound);

/// D_F for new values of A where the rows that are lumped stay the same, as the pattern of P demands. A row
/// whose new values would make D_F zero or negative gets a_ii (its weak entries stay dropped).
template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               Span<double> diagonal, double* bound);

/// Which entries of A belong to A_F.
struct FilteredEntries {
  Span<unsigned char const> strong;
  Span<unsigned char const> lumped;
  TESSERA_HD bool keeps(Index row, Index column, Offset k) const {
    return lumped[row] == 0 || strong[k] != 0 || column == row;
  }
};

}  // namespace Tessera::galerkin
