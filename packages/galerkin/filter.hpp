#pragma once
/// \file
/// The filtered matrix A_F that smooths the prolongator: weak entries go, and the diagonal takes what keeps
/// A_F B = A B.
#include "comm/dist_csr.hpp"

namespace Tessera::galerkin {

/// What the filtered matrix A_F does with weak entries; see filtered_diagonal.
struct FilterParameters {
  bool filtered = true;     ///< false: A_F = A
  double keep_above = 0.3;  ///< lump a row only where its filtered diagonal stays above this times a_ii
};

/// The near-nullspace vector B that A_F keeps, by A's local columns.
struct KeptVector {
  double const *own = nullptr, *ghost = nullptr;  ///< null: B is ones
  Index owned = 0;
  bool is_ones() const { return own == nullptr; }
  TESSERA_HD double operator()(Index j) const { return j < owned ? own[j] : ghost[j - owned]; }
};

/// D_F: a_ii + sum_j a_ij B_j / B_i over the dropped entries of row i, so that A_F B = A B, where that stays
/// above keep_above a_ii (and, where B is not ones, below a_ii / keep_above, as it does not where B_i is zero
/// or next to it); elsewhere the row is not filtered at all (its weak entries are kept) and D_F is a_ii.
/// With plain sums, which are those of a B of ones, a coarse level's near-nullspace is not kept, so that a
/// singular A becomes a nearly singular one below: where B is the nullspace, R A P B_c = P^T A_F-smoothed 0.
/// (Energy-minimising prolongators keep B likewise: Olson, Schroder, Tuminaro 2011.) lumped[i] is 1 where
/// entries were dropped. strong: one flag an entry of A.local (the diagonal's is not read); may be empty when
/// not filtered. diagonal, lumped: one number an owned row. bound: on the space, max_i sum_j |a_ij| / d_i of
/// A_F over all ranks (Gershgorin). Collective; waits for nothing on one rank.
template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters, KeptVector B,
                       Span<double> diagonal, Span<unsigned char> lumped, double* bound);

/// D_F for new values of A where the rows that are lumped stay the same, as the pattern of P demands. A row
/// whose new values would make D_F zero or negative gets a_ii (its weak entries stay dropped).
template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               KeptVector B, Span<double> diagonal, double* bound);

/// Near-nullspace vectors, by A's local columns, a row of `count` numbers each.
struct KeptVectors {
  double const *own = nullptr, *ghost = nullptr;
  Index owned = 0;
  int count = 1;
  TESSERA_HD double const* operator()(Index j) const {
    return j < owned ? own + static_cast<Offset>(j) * count : ghost + static_cast<Offset>(j - owned) * count;
  }
};

/// Nodes of several unknowns: what the diagonal blocks of A_F are, and D_F. A row i of node I takes the row
/// of a block more, delta_i B_I = sum_j a_ij B_j over its weak entries j, so that A_F B = A B; entries within
/// a node are not weak. The row is not filtered where no delta_i does that for all vectors (as on the finest
/// level of elasticity, where a block may keep the translations, and not the rotations, too: A_F = A is
/// better by up to a third of the iterations), where d_i = a_ii + delta_ii or what delta_i is beside it is
/// out of filtered_diagonal's bounds, or A has no entry where delta_i is not zero. decides: whether rows are
/// lumped is written; else it is read, as refresh_filtered_diagonal does. blocks: rows x equations,
/// row-major; bound as above. Collective.
template <class Space>
void filtered_blocks(Space const& space, comm::DistCsr<double, Space> const& A,
                     Span<unsigned char const> strong, FilterParameters const& parameters,
                     KeptVectors const& B, int equations, bool decides, Span<double> blocks,
                     Span<double> diagonal, Span<unsigned char> lumped, double* bound);

/// Which entries of A belong to A_F.
struct FilteredEntries {
  Span<unsigned char const> strong;
  Span<unsigned char const> lumped;
  Span<double const> blocks = {};  ///< of filtered_blocks; empty: A_F has another diagonal only
  int equations = 1;               ///< columns of blocks
};

}  // namespace Tessera::galerkin
