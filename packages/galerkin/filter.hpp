#pragma once
/// \file
/// The filtered matrix A_F, which smooths the prolongator. Weak entries are dropped, and the diagonal is
/// corrected so that A_F B = A B.
#include "comm/dist_csr.hpp"

namespace Tessera::galerkin {

/// Treatment of weak entries in the filtered matrix A_F; see filtered_diagonal.
struct FilterParameters {
  bool filtered = true;     ///< false: A_F = A
  double keep_above = 0.3;  ///< lump a row only where its filtered diagonal stays above this times a_ii
};

/// The near-nullspace vector B that A_F keeps, by local columns of A.
struct KeptVector {
  double const *own = nullptr, *ghost = nullptr;  ///< null: B is ones
  Index owned = 0;
  bool is_ones() const { return own == nullptr; }
  TESSERA_HD double operator()(Index j) const { return j < owned ? own[j] : ghost[j - owned]; }
};

/// D_F: d_i = a_ii + sum_j a_ij B_j / B_i over the dropped entries of row i, so that A_F B = A B. A row is
/// filtered only where d_i stays above keep_above a_ii and, for a B that is not ones, below a_ii /
/// keep_above (it does not if B_i is zero or almost zero); elsewhere its weak entries are kept and d_i =
/// a_ii. Plain sums (B of ones) would not keep the near-nullspace of a coarse level, and a singular A would
/// become nearly singular on the next level. Energy-minimising prolongators keep B, too (Olson, Schroder,
/// Tuminaro 2011).
/// lumped[i]: 1 where entries were dropped. strong: one flag per entry of A.local (the diagonal's is not
/// read); may be empty when not filtered. diagonal, lumped: one number per owned row. bound: in the memory
/// of the space, max_i sum_j |a_ij| / d_i of A_F over all ranks (Gershgorin). Collective; does not
/// synchronise on one rank.
template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters, KeptVector B,
                       Span<double> diagonal, Span<unsigned char> lumped, double* bound);

/// D_F for new values of A with the same lumped rows, which the pattern of P requires. A row whose new
/// values would make d_i zero or negative gets a_ii; its weak entries stay dropped.
template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               KeptVector B, Span<double> diagonal, double* bound);

/// Near-nullspace vectors by local columns of A: `count` numbers a row.
struct KeptVectors {
  double const *own = nullptr, *ghost = nullptr;
  Index owned = 0;
  int count = 1;
  TESSERA_HD double const* operator()(Index j) const {
    return j < owned ? own + static_cast<Offset>(j) * count : ghost + static_cast<Offset>(j - owned) * count;
  }
};

/// Nodes of several unknowns: the diagonal blocks of A_F, and D_F. Row i of node I gets a correction delta_i
/// of its block row with delta_i B_I = sum_j a_ij B_j over its weak entries j, so that A_F B = A B. Entries
/// within a node are not weak. The row is not filtered if no delta_i satisfies this for all vectors, if d_i
/// = a_ii + delta_ii or the other entries of delta_i exceed the bounds of filtered_diagonal, or if A stores
/// no entry where delta_i is not zero. On the finest level of elasticity a block may keep the translations
/// but not the rotations; there A_F = A saves up to a third of the iterations.
/// decides: whether `lumped` is written; else it is read, as in refresh_filtered_diagonal. blocks: rows x
/// equations, row-major. bound: as above. Collective.
template <class Space>
void filtered_blocks(Space const& space, comm::DistCsr<double, Space> const& A,
                     Span<unsigned char const> strong, FilterParameters const& parameters,
                     KeptVectors const& B, int equations, bool decides, Span<double> blocks,
                     Span<double> diagonal, Span<unsigned char> lumped, double* bound);

/// The entries of A that belong to A_F.
struct FilteredEntries {
  Span<unsigned char const> strong;
  Span<unsigned char const> lumped;
  Span<double const> blocks = {};  ///< from filtered_blocks; empty: A_F differs from A on its diagonal only
  int equations = 1;               ///< columns of blocks
};

}  // namespace Tessera::galerkin
