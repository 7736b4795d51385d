#pragma once
/// \file
/// A matrix that an application has in the memory of a space, read where it lies.
#include <cstdint>
#include <functional>
#include <vector>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// The rows of this rank, in memory of the application, who keeps it alive and unchanged but for values.
/// Position: of row offsets, std::int32_t or Offset.
template <class Position>
struct LocalRows {
  Span<Position const> offsets;     ///< rows + 1; may be empty where there are no rows
  Span<Index const> column;         ///< local columns: the owned ones in order, then those of others
  Span<double const> value;         ///< as many
  std::vector<GlobalIndex> others;  ///< the global column of each local one behind the owned, in any order
  std::function<GlobalIndex(Index)> user_row = nullptr;  ///< as DistCsr's
};

/// The matrix whose columns are distributed as its rows. Values are read in place, columns too where `others`
/// ascend, offsets where they have 64 bits; what is not is copied within the space. Entries keep their order
/// within rows. All work that writes the arrays is done before the call. Values may be written anew later;
/// the matrix then has these. Nothing crosses between host and space but what is sent to other ranks
/// (HaloPlan), the order of `others` and single numbers. Collective.
/// \throws core::InvalidInput on every rank, before anything is read that another array does not vouch for:
/// arrays that lie elsewhere or do not fit together; offsets that do not begin at 0, descend, or end at
/// another number than that of the columns; columns that there are not, or twice in a row; values that are
/// not finite; `others` that are owned, twice, or no columns
template <class Position, class Space>
DistCsr<double, Space> from_local(Space const& space, Distribution const& rows, LocalRows<Position> const& A);

/// The values that a matrix of from_local has from now on, as many, read in place. Collective.
/// \throws core::InvalidInput on every rank, before anything changes, for values that are null, elsewhere or
/// not finite
template <class Space>
void replace_values(Space const& space, DistCsr<double, Space>& A, Span<double const> values);

}  // namespace Tessera::comm
