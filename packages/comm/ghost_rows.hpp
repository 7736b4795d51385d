#pragma once
/// \file
/// Rows of a distributed matrix that other ranks own.
#include "comm/dist_csr.hpp"
#include "comm/row_exchange.hpp"

namespace Tessera::comm {

/// B's owned rows, followed by the rows of B for the ghosts of a halo plan over B's row distribution. Columns
/// have one numbering: B's owned columns, then the ghosts of `columns`. These are B's own ghosts and the
/// ghosts of the received rows, ascending.
template <class T, class Space>
struct ExtendedRows {
  sparse::Csr<T, Space> local;  ///< B's owned rows, then the ghost rows; entries in the owner's order
  HaloPlan<Space> columns;
  Array<Index, Space> column_of;  ///< column here of each local column of B

  /// Exchange of the values, and the first packed entry of each row of halo.send_rows(), with the end.
  RowExchange<Space> entries;
  Array<Offset, Space> send_first;
  /// The pattern of the ghost rows: first entry of each row, with the end, and local columns.
  Array<Offset, Space> ghost_first;
  Array<Index, Space> ghost_column;

  /// Frees `local`, which is almost a copy of B; refresh_extended_rows rebuilds it.
  void release_rows() { local.offsets = {}, local.column = {}, local.value = {}; }
  std::size_t bytes() const {
    return local.bytes() + columns.bytes() + column_of.bytes() + send_first.bytes() + entries.bytes() +
           ghost_first.bytes() + ghost_column.bytes();
  }
};

/// Fetches the rows of the ghosts of `halo`, whose distribution is B.rows. Collective.
template <class T, class Space>
ExtendedRows<T, Space> extend_rows(Space const& space, DistCsr<T, Space> const& B,
                                   HaloPlan<Space> const& halo);

/// Takes new values of B on the same pattern. Exchanges values only; allocates no memory that stays, except
/// for rows that release_rows() has freed. Collective.
template <class T, class Space>
void refresh_extended_rows(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& halo,
                           ExtendedRows<T, Space>& extended);

}  // namespace Tessera::comm
