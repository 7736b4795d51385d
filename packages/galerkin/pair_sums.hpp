#pragma once
/// \file
/// The coarse matrix T^T A T where T has one column an aggregate: an entry is a sum over a pair of
/// aggregates, and A T is never made (Brannick et al. 2013, section 2).
#include "galerkin/aggregate_map.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "galerkin/coarse_scale.hpp"
#include "galerkin/decoupling.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Sums run over the members of a row's aggregate, ascending, and over their entries as they are stored;
/// parts of other ranks are added by their owners in rank order. Rows that come out as zero, to rounding
/// where scales are known, are decoupled (decoupling.hpp). V: type of A's values.
template <class Space, class V = double>
class PairSums {
 public:
  PairSums() = default;
  /// T: one row a node, one column an aggregate; map: of T. keep: patterns and slots, for refreshes; false:
  /// nothing but coarse(). diagonal: gets the coarse matrix' own rows'; null: nobody asks. Collective. The
  /// result's columns are stored in ascending order of their global index. Where there are scales, a refresh
  /// brings them, too.
  PairSums(Space const& space, comm::DistCsr<V, Space> const& A, Tentative<Space> const& T,
           AggregateMap<Space> const& map, bool keep = false, Array<double, Space>* diagonal = nullptr,
           Scales<Space> const& scales = {});

  /// New values of A on the same pattern: bitwise what the constructor would give. Collective. Only where it
  /// was to keep what this needs.
  void refresh(Space const& space, comm::DistCsr<V, Space> const& A, Tentative<Space> const& T,
               AggregateMap<Space> const& map, Scales<Space> const& scales = {});

  comm::DistCsr<double, Space>& coarse() { return coarse_; }
  comm::DistCsr<double, Space> const& coarse() const { return coarse_; }
  std::size_t bytes() const;

 private:
  /// work(left, right) with the merge that the sums are.
  template <class Work>
  void with_merge(comm::DistCsr<V, Space> const& A, Tentative<Space> const& T, AggregateMap<Space> const& map,
                  Work const& work) const;
  sparse::Csr<double, Space>& sums() { return distributed_ ? partial_ : coarse_.local; }
  /// Decouples zero rows of coarse_, and gives back what refresh makes anew.
  void finish(Space const& space, Scales<Space> const& scales, Array<double, Space>* diagonal = nullptr);

  bool distributed_ = false;
  comm::HaloPlan<Space> columns_;      ///< the aggregates of A's columns; only when distributed
  Array<Index, Space> of_column_;      ///< the aggregate of each, -1: none; only when distributed
  Array<double, Space> ghost_values_;  ///< of T in A's ghosts
  Array<Offset, Space> first_;         ///< how many entries the members of the aggregates before have
  sparse::ProductPlan<Space> plan_;
  sparse::Csr<double, Space> partial_;  ///< of this rank; rows as map's aggregates. Only when distributed
  CoarseAssembly<Space> assembly_;      ///< only when distributed
  Decoupling<Space> decoupling_;
  comm::DistCsr<double, Space> coarse_;
};

}  // namespace Tessera::galerkin
