#pragma once
/// \file
/// The smoothed prolongator P = (I - omega D_F^-1 A_F) T.
#include "galerkin/damping.hpp"
#include "galerkin/filter.hpp"
#include "galerkin/tentative.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// What refresh_prolongator keeps.
template <class Space>
struct ProlongatorPlan {
  bool smoothed = true;
  Array<Index, Space> aggregate;  ///< of each local column of A, as P numbers them; -1: none
  Array<double, Space> ghost;     ///< T's rows of A's ghosts
  sparse::ProductPlan<Space> product;
  std::size_t bytes() const { return aggregate.bytes() + ghost.bytes() + product.bytes(); }
};

/// Row i is T_i - omega / d_i sum_j (A_F)_ij T_j, sums in A's storage order; diagonal is D_F, which stands on
/// the diagonal of A_F as well. Its pattern: the aggregates of vertex i and of its neighbours in A_F. The
/// rows of a vertex share one pattern, and an aggregate has all its columns. The number 0 as omega: P = T,
/// with T's pattern. Columns are stored in ascending order of their global index, wherever their owner is (so
/// their local numbers need not ascend), so that sums over a row do not depend on how the columns are split
/// over ranks. A vertex without an aggregate (isolated or Dirichlet) has empty rows: it is left to the
/// smoother. plan: filled in unless null. Collective.
template <class Space>
comm::DistCsr<double, Space> prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                                         FilteredEntries const& entries, Span<double const> diagonal,
                                         Tentative<Space> const& T, Damping omega,
                                         ProlongatorPlan<Space>* plan = nullptr);

/// New values of A, diagonal and omega on the same patterns: bitwise what prolongator gives. Not collective.
template <class Space>
void refresh_prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                         FilteredEntries const& entries, Span<double const> diagonal,
                         Tentative<Space> const& T, Damping omega, ProlongatorPlan<Space> const& plan,
                         comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
