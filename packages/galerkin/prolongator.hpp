#pragma once
/// \file
/// The smoothed prolongator P = (I - omega D_F^-1 A_F) T, and the filtered matrix A_F. Weak entries are
/// dropped from A_F, and its diagonal is corrected so that A_F B = A B.
#include "comm/dist_csr.hpp"
#include "core/types.hpp"
#include "galerkin/tentative.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Treatment of weak entries in the filtered matrix A_F; see filtered_diagonal.
struct FilterParameters {
  bool filtered = true;     ///< false: A_F = A
  double keep_above = 0.3;  ///< a row is lumped only if its filtered diagonal stays above this times a_ii
};

/// The near-nullspace vector B that A_F keeps, by local columns of A.
struct KeptVector {
  double const *own = nullptr, *ghost = nullptr;  ///< null: B is ones
  Index owned = 0;
  bool is_ones() const { return own == nullptr; }
  TESSERA_HD double operator()(Index j) const { return j < owned ? own[j] : ghost[j - owned]; }
};

/// D_F: d_i = a_ii + sum_j a_ij B_j / B_i over the dropped entries of row i, so that A_F B = A B. A row is
/// filtered only if d_i stays above keep_above a_ii and, unless B is ones, below a_ii / keep_above. The upper
/// bound fails if B_i is almost zero. Other rows keep their weak entries, with d_i = a_ii. Plain sums (B of
/// ones) would not keep the near-nullspace of a coarse level, and a singular A would become nearly singular
/// on the next level. Energy-minimising prolongators keep B, too (Olson, Schroder, Tuminaro 2011). lumped[i]:
/// 1 where entries were dropped. strong: one flag per entry of A.local (the diagonal's is not read); may be
/// empty when not filtered. diagonal, lumped: one number per owned row. bound: set to max_i sum_j |a_ij| /
/// d_i of A_F over all ranks (Gershgorin), on ranks with rows, in the memory of the space. Collective; does
/// not synchronise on one rank.
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

/// Near-nullspace vectors by local columns of A: `count` numbers per row.
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
/// within a node are not weak. The row is not filtered if no delta_i satisfies this for all vectors. Nor is
/// it filtered if d_i = a_ii + delta_ii or the other entries of delta_i violate the bounds of
/// filtered_diagonal, or if delta_i has an entry that A does not store. On the finest level of elasticity a
/// block may keep the translations but not the rotations; there A_F = A saves up to a third of the
/// iterations. decides: whether `lumped` is written; else it is read, as in refresh_filtered_diagonal.
/// blocks: rows x equations, row-major. bound: as in filtered_diagonal. Collective.
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

/// A number in host memory or in the memory of the space.
class Damping {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): callers pass numbers
  Damping(double value) : value_(value) {}
  static Damping at(double const* pointer) {
    Damping damping(0);
    damping.pointer_ = pointer;
    return damping;
  }
  /// Whether the number is a zero known to the host, so that nothing is smoothed.
  bool is_zero() const { return pointer_ == nullptr && value_ == 0; }
  /// The number in the memory of the space.
  TESSERA_HD double operator()() const { return pointer_ != nullptr ? *pointer_ : value_; }

 private:
  double value_;
  double const* pointer_ = nullptr;
};

/// Data that refresh_prolongator needs.
template <class Space>
struct ProlongatorPlan {
  bool smoothed = true;
  Array<Index, Space> aggregate;  ///< of each local column of A, in the numbering of P; -1: none
  Array<double, Space> ghost;     ///< rows of T for the ghosts of A
  sparse::ProductPlan<Space> product;
  std::size_t bytes() const { return aggregate.bytes() + ghost.bytes() + product.bytes(); }
};

/// Row i is T_i - omega / d_i sum_j (A_F)_ij T_j, with sums in A's storage order; d_i, from `diagonal`, also
/// replaces the diagonal of A_F. The pattern of a row is the set of aggregates of vertex i and its neighbours
/// in A_F; the rows of a vertex share one pattern, and an aggregate contributes all its columns. If omega is
/// the number 0, P = T with T's pattern. Columns are stored by ascending global index, whatever their owner.
/// (Local numbers need not ascend.) So sums over a row do not depend on the distribution of columns. A vertex
/// without an aggregate (isolated or Dirichlet) has empty rows, and only the smoother treats it. plan: set
/// unless null. nonzeros: set to P's number of entries on all ranks unless null. Collective.
template <class Space>
comm::DistCsr<double, Space> prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                                         FilteredEntries const& entries, Span<double const> diagonal,
                                         Tentative<Space> const& T, Damping omega,
                                         ProlongatorPlan<Space>* plan = nullptr,
                                         GlobalIndex* nonzeros = nullptr);

/// New values of A, diagonal and omega on the same patterns: bitwise the result of prolongator. Not
/// collective.
template <class Space>
void refresh_prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                         FilteredEntries const& entries, Span<double const> diagonal,
                         Tentative<Space> const& T, Damping omega, ProlongatorPlan<Space> const& plan,
                         comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
