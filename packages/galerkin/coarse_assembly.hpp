#pragma once
/// \file
/// The sum over ranks of partial coarse matrices.
#include "comm/dist_csr.hpp"
#include "comm/ghost_rows.hpp"
#include "galerkin/decoupling.hpp"

namespace Tessera::galerkin {

template <class Space>
struct MergedRows;  // shared_rows_body.hpp

/// Sums matrices whose rows belong partly to other ranks. A row with entries of this rank alone, in owned
/// columns only, is copied. The other rows, which belong to the interface between the ranks, are merged by a
/// list of sources per entry, in rank order.
template <class Space>
class CoarseAssembly {
 public:
  CoarseAssembly() = default;
  /// partial: rows are the owned rows, then the ghosts of `rows`; columns are those of `columns`, by
  /// ascending local numbers in each row. Both plans are over the distribution of the coarse unknowns.
  /// Columns of the sum ascend by global index. Sums the scales, too (add_up_scale). Collective.
  CoarseAssembly(Space const& space, comm::HaloPlan<Space> const& rows, comm::HaloPlan<Space> const& columns,
                 sparse::CsrView<double> partial, Scales<Space> const& scales,
                 comm::DistCsr<double, Space>& coarse);

  /// New values of the sum. Collective.
  void add(Space const& space, sparse::CsrView<double> partial, comm::DistCsr<double, Space>& coarse);

  std::size_t bytes() const {
    return target_.bytes() + source_offsets_.bytes() + source_.bytes() + arrived_.bytes();
  }

 private:
  /// Rows of this rank that other ranks sent, in the order of rows.send_rows().
  struct Arrived {
    Array<Offset, Space> offsets;
    Array<GlobalIndex, Space> column;
  };

  /// Sends rows of other ranks to their owners. ghosts: global columns of partial's ghosts. Collective.
  Arrived send_rows(Space const& space, comm::HaloPlan<Space> const& rows, Span<GlobalIndex const> ghosts,
                    sparse::CsrView<double> partial, Scales<Space> const& scales);
  MergedRows<Space> merge_shares(Space const& space, comm::HaloPlan<Space> const& rows,
                                 Span<GlobalIndex const> ghosts, sparse::CsrView<double> partial,
                                 Array<Index, Space> shared, Span<Index const> length,
                                 Arrived const& arrived) const;
  void make_sum(Space const& space, sparse::CsrView<double> partial, MergedRows<Space> const& merge,
                Array<Index, Space> length, comm::DistCsr<double, Space>& coarse);
  /// Adds up. arriving: whether the exchange with other ranks is in flight.
  void add_up(Space const& space, sparse::CsrView<double> partial, comm::DistCsr<double, Space>& coarse,
              bool arriving);

  comm::RowExchange<Space> entries_;  ///< of partial's rows of other ranks, and of arrived_
  Array<double, Space> arrived_;
  Array<Offset, Space> target_;          ///< position in the sum of each merged entry
  Array<Offset, Space> source_offsets_;  ///< merged entries + 1
  Array<Offset, Space> source_;  ///< s >= 0: entry s of the received rows; s < 0: entry -1 - s of partial
};

}  // namespace Tessera::galerkin
