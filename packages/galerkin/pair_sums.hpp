#pragma once
/// \file
/// The coarse matrix T^T A T for a T with one column per aggregate. An entry is a sum over a pair of
/// aggregates; A T is never formed (Brannick et al. 2013, section 2).
#include "galerkin/aggregate_map.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "galerkin/decoupling.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Sums run over the members of a row's aggregate in ascending order, and over their entries in storage
/// order. Owners add the parts of other ranks in rank order. Zero rows are decoupled, and if scales are
/// known, also rows that are zero to rounding (decoupling.hpp). V: type of A's values.
template <class Space, class V = double>
class PairSums {
 public:
  PairSums() = default;
  /// T: one row per node, one column per aggregate. map: of T. keep: keeps patterns and scatter indices for
  /// refreshes; false: only coarse() is available. diagonal: set to the diagonal of the owned coarse rows;
  /// null: not wanted. Columns of the result ascend by global index. If there are scales, a refresh updates
  /// the scales, too. Collective.
  PairSums(Space const& space, comm::DistCsr<V, Space> const& A, Tentative<Space> const& T,
           AggregateMap<Space> const& map, bool keep = false, Array<double, Space>* diagonal = nullptr,
           Scales<Space> const& scales = {});

  /// New values of A on the same pattern: bitwise the result of the constructor. Requires keep. Collective.
  void refresh(Space const& space, comm::DistCsr<V, Space> const& A, Tentative<Space> const& T,
               AggregateMap<Space> const& map, Scales<Space> const& scales = {});

  comm::DistCsr<double, Space>& coarse() { return coarse_; }
  comm::DistCsr<double, Space> const& coarse() const { return coarse_; }
  std::size_t bytes() const;

 private:
  /// Calls work(left, right) with the operands of the merge.
  template <class Work>
  void with_merge(comm::DistCsr<V, Space> const& A, Tentative<Space> const& T, AggregateMap<Space> const& map,
                  Work const& work) const;
  sparse::Csr<double, Space>& sums() { return distributed_ ? partial_ : coarse_.local; }
  /// Decouples zero rows of coarse_, and releases data that a refresh recomputes.
  void finish(Space const& space, Scales<Space> const& scales, Array<double, Space>* diagonal = nullptr);

  bool distributed_ = false;
  comm::HaloPlan<Space> columns_;      ///< the aggregates of A's columns; only when distributed
  Array<Index, Space> of_column_;      ///< the aggregate of each, -1: none; only when distributed
  Array<double, Space> ghost_values_;  ///< of T in A's ghosts
  Array<Offset, Space> first_;         ///< number of entries of the members of all previous aggregates
  sparse::ProductPlan<Space> plan_;
  sparse::Csr<double, Space> partial_;  ///< of this rank; one row per aggregate of map. Only when distributed
  CoarseAssembly<Space> assembly_;      ///< only when distributed
  Decoupling<Space> decoupling_;
  comm::DistCsr<double, Space> coarse_;
};

}  // namespace Tessera::galerkin
