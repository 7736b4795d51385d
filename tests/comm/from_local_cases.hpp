#pragma once
/// \file
/// An application's rows with local columns, and the matrix that they represent.
#include <cstdint>
#include <numeric>

#include "cases.hpp"
#include "comm/from_local.hpp"

namespace Tessera::test {

template <class Position>
struct OwnRows {
  std::vector<Position> offsets;
  std::vector<Index> column;
  std::vector<double> value;
  std::vector<GlobalIndex> ghost_columns;
};

/// Rows of a matrix with ascending ghosts. reversed: local columns number the ghosts in descending order.
template <class Position>
OwnRows<Position> own_rows(comm::DistCsr<double, Host> const& A, bool reversed) {
  OwnRows<Position> mine;
  mine.offsets.assign(A.local.offsets.begin(), A.local.offsets.end());
  mine.column.assign(A.local.column.begin(), A.local.column.end());
  mine.value.assign(A.local.value.begin(), A.local.value.end());
  mine.ghost_columns = A.halo.ghosts();
  if (!reversed) return mine;
  std::reverse(mine.ghost_columns.begin(), mine.ghost_columns.end());
  for (auto& c : mine.column)
    if (c >= A.local.rows) c = A.local.rows + A.local.columns - 1 - c;
  return mine;
}

template <class Position>
comm::LocalRows<Position> local_rows(OwnRows<Position> const& rows) {
  auto const span = [](auto const& v) {
    return Span<typename std::decay_t<decltype(v)>::value_type const>(v.data(), v.size());
  };
  return {span(rows.offsets), span(rows.column), span(rows.value), rows.ghost_columns};
}

inline comm::DistCsr<double, Host> square_case(Share share) {
  auto const rows = share_rows(world(), share, 7);
  return distributed(random_dense(rows.global_size(), rows.global_size(), 11), rows, rows);
}

}  // namespace Tessera::test
