#pragma once
/// \file
/// The sum over ranks of partial coarse matrices.
#include "comm/dist_csr.hpp"
#include "comm/row_exchange.hpp"

namespace Tessera::galerkin {

template <class Space>
struct MergedRows;  // shared_rows_body.hpp

/// Adds up matrices whose rows belong partly to other ranks. Rows that one rank alone has a share in, and
/// that reach owned columns only, are copied; the others, as many as the surface between the ranks, are
/// merged by a list of sources for each entry, in rank order.
template <class Space>
class CoarseAssembly {
 public:
  CoarseAssembly() = default;
  /// partial: rows are owned rows, then the ghosts of `rows`; columns those of `columns`, ascending local
  /// numbers in each row. Both plans are over the distribution of the coarse unknowns. Makes the sum
  /// (columns in ascending order of their global index). Collective.
  CoarseAssembly(Space const& space, comm::HaloPlan<Space> const& rows, comm::HaloPlan<Space> const& columns,
                 sparse::CsrView<double> partial, comm::DistCsr<double, Space>& coarse);

  /// New values of the sum. Collective.
  void add(Space const& space, sparse::CsrView<double> partial, comm::DistCsr<double, Space>& coarse);

  std::size_t bytes() const {
    return target_.bytes() + source_offsets_.bytes() + source_.bytes() + arrived_.bytes();
  }

 private:
  /// Rows of this rank that came from others, in the order of rows.send_rows().
  struct Arrived {
    Array<Offset, Space> offsets;
    Array<GlobalIndex, Space> column;
  };

  /// The rows of others go to their owners. ghosts: global columns of partial's. Collective.
  Arrived send_rows(Space const& space, comm::HaloPlan<Space> const& rows, Span<GlobalIndex const> ghosts,
                    sparse::CsrView<double> partial);
  MergedRows<Space> merge_shares(Space const& space, comm::HaloPlan<Space> const& rows,
                                 Span<GlobalIndex const> ghosts, sparse::CsrView<double> partial,
                                 Array<Index, Space> shared, Span<Index const> length,
                                 Arrived const& arrived) const;
  void make_sum(Space const& space, comm::Distribution const& distribution, sparse::CsrView<double> partial,
                MergedRows<Space> const& merge, Array<Index, Space> length,
                comm::DistCsr<double, Space>& coarse);
  /// Adds up; arriving: what comes from other ranks is under way.
  void add_up(Space const& space, sparse::CsrView<double> partial, comm::DistCsr<double, Space>& coarse,
              bool arriving);

  comm::RowExchange<Space> entries_;  ///< of partial, in rows of others, and of arrived_
  Array<double, Space> arrived_;
  Array<Offset, Space> target_;          ///< merged entries: where in the sum
  Array<Offset, Space> source_offsets_;  ///< merged entries + 1
  Array<Offset, Space> source_;          ///< s >= 0: entry s of what arrives; else entry -1 - s of partial
};

}  // namespace Tessera::galerkin
