#pragma once
/// \file
/// Rows with local columns, as an application would hand them over, and the matrix that they are.
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
  std::vector<GlobalIndex> others;
};

/// Of a matrix with ghosts by ascending number; those behind the owned columns in reverse where asked.
template <class Position>
OwnRows<Position> own_rows(comm::DistCsr<double, Host> const& A, bool reversed) {
  OwnRows<Position> mine;
  mine.offsets.assign(A.local.offsets.begin(), A.local.offsets.end());
  mine.column.assign(A.local.column.begin(), A.local.column.end());
  mine.value.assign(A.local.value.begin(), A.local.value.end());
  mine.others = A.halo.ghosts();
  if (!reversed) return mine;
  std::reverse(mine.others.begin(), mine.others.end());
  for (auto& c : mine.column)
    if (c >= A.local.rows) c = A.local.rows + A.local.columns - 1 - c;
  return mine;
}

template <class Position>
comm::LocalRows<Position> lent(OwnRows<Position> const& rows) {
  auto const span = [](auto const& v) {
    return Span<typename std::decay_t<decltype(v)>::value_type const>(v.data(), v.size());
  };
  return {span(rows.offsets), span(rows.column), span(rows.value), rows.others};
}

inline comm::DistCsr<double, Host> square_case(Share share) {
  auto const rows = shared_out(world(), share, 7);
  return distributed(random_dense(rows.global_size(), rows.global_size(), 11), rows, rows);
}

}  // namespace Tessera::test
