#pragma once
/// \file
/// Distributed matrix from an application's arrays in the memory of a space, without a copy of the values.
#include <cstdint>
#include <functional>
#include <vector>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// The rows of this rank in memory of the application. The application keeps the arrays alive, and changes
/// nothing but values. Position: type of row offsets, std::int32_t or Offset.
template <class Position>
struct LocalRows {
  Span<Position const> offsets;            ///< rows + 1; may be empty if there are no rows
  Span<Index const> column;                ///< local columns: owned columns in order, then ghosts
  Span<double const> value;                ///< one for each column entry
  std::vector<GlobalIndex> ghost_columns;  ///< global index of each ghost column, in any order
  std::function<GlobalIndex(Index)> user_row = nullptr;  ///< DistCsr::user_row
};

/// The matrix with columns distributed as its rows. Values are read in place; columns too if the ghosts
/// ascend, and offsets if they have 64 bits. Other arrays are copied within the space. Entries keep their
/// order within rows. All work that writes the arrays must be complete before the call. The application may
/// change values later; the matrix then has the new values. Only sent values (HaloPlan), the order of the
/// ghosts and single numbers cross between host and space. Collective.
/// \throws core::InvalidInput on every rank, before an array is read beyond checked bounds, for: arrays in
/// another memory or of inconsistent sizes; offsets that do not start at 0, descend, or do not end at the
/// number of columns; columns out of range or twice in a row; values that are not finite; ghosts that are
/// owned, given twice, or out of range
template <class Position, class Space>
DistCsr<double, Space> from_local(Space const& space, Distribution const& rows, LocalRows<Position> const& A);

/// Replaces the values of a matrix of from_local by an array of the same size, which is read in place.
/// Collective.
/// \throws core::InvalidInput on every rank, before anything changes, for values that are null, in another
/// memory or not finite
template <class Space>
void replace_values(Space const& space, DistCsr<double, Space>& A, Span<double const> values);

/// The largest magnitude of an array; infinite if a value is not finite. Not collective.
template <class Space>
double largest_magnitude(Space const& space, Span<double const> values);

/// A number that depends on the offsets and the local columns of this rank alone, on no value, and not on the
/// space. Not collective.
template <class Space>
std::uint64_t pattern_fingerprint(Space const& space, LocalRows<Offset> const& A);

/// Copies some rows to the host: row listed[k] has the entries from offsets[k] to offsets[k + 1]. Not
/// collective.
struct FetchedRows {
  std::vector<Offset> offsets;
  std::vector<Index> column;
  std::vector<double> value;
};
template <class Space>
FetchedRows fetch_rows(Space const& space, LocalRows<Offset> const& A, std::vector<Index> const& listed);

}  // namespace Tessera::comm
