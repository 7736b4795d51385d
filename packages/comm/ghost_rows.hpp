#pragma once
/// \file
/// Whole rows of other ranks.
#include "comm/dist_csr.hpp"
#include "comm/row_exchange.hpp"

namespace Tessera::comm {

/// The rows of B that belong to the ghosts of a halo plan over B's row distribution, appended below B's own
/// rows, in one numbering of columns: B's owned columns first, then the ghosts of `columns` (B's own ghosts
/// and those that came with the rows, ascending).
template <class T, class Space>
struct ExtendedRows {
  sparse::Csr<T, Space> local;  ///< rows: B's own, then one for each ghost; entries in their owner's order
  HaloPlan<Space> columns;
  Array<Index, Space> column_of;  ///< B's local column -> column here

  /// How the values travel again, and where each row of wanted.send_rows() begins among packed entries (and
  /// the end).
  RowExchange<Space> entries;
  Array<Offset, Space> send_first;
  /// The pattern of the ghosts' rows: where each begins (and the end), and their columns here.
  Array<Offset, Space> ghost_first;
  Array<Index, Space> ghost_column;

  /// Gives `local` back, which is nearly a copy of B; refresh_extended_rows makes it anew.
  void return_rows() { local.offsets = {}, local.column = {}, local.value = {}; }
  std::size_t bytes() const {
    return local.bytes() + columns.bytes() + column_of.bytes() + send_first.bytes() + entries.bytes() +
           ghost_first.bytes() + ghost_column.bytes();
  }
};

/// Collective. wanted.distribution() is B.rows.
template <class T, class Space>
ExtendedRows<T, Space> extend_rows(Space const& space, DistCsr<T, Space> const& B,
                                   HaloPlan<Space> const& wanted);

/// New values of B, same pattern: fetches values only, allocates nothing that lasts (but for rows that were
/// given back). Collective.
template <class T, class Space>
void refresh_extended_rows(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& wanted,
                           ExtendedRows<T, Space>& extended);

}  // namespace Tessera::comm
