#pragma once
/// \file
/// The smoothed prolongator P = (I - omega D_F^-1 A_F) T.
#include "galerkin/damping.hpp"
#include "galerkin/filter.hpp"
#include "galerkin/tentative.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

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
/// replaces the diagonal of A_F. The pattern of a row is the set of aggregates of vertex i and its
/// neighbours in A_F; the rows of a vertex share one pattern, and an aggregate contributes all its columns.
/// With the number 0 as omega, P = T with T's pattern. Columns are stored by ascending global index,
/// whatever their owner (local numbers need not ascend), so sums over a row do not depend on the
/// distribution of columns. A vertex without an aggregate (isolated or Dirichlet) has empty rows and is left
/// to the smoother. plan: filled in unless null. Collective.
template <class Space>
comm::DistCsr<double, Space> prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                                         FilteredEntries const& entries, Span<double const> diagonal,
                                         Tentative<Space> const& T, Damping omega,
                                         ProlongatorPlan<Space>* plan = nullptr);

/// New values of A, diagonal and omega on the same patterns: bitwise the result of prolongator. Not
/// collective.
template <class Space>
void refresh_prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                         FilteredEntries const& entries, Span<double const> diagonal,
                         Tentative<Space> const& T, Damping omega, ProlongatorPlan<Space> const& plan,
                         comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
