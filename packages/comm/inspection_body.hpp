#pragma once
/// \file
/// See inspection.hpp.
#include <cfloat>
#include <cmath>

#include "comm/checksum_body.hpp"
#include "comm/inspection.hpp"

namespace Tessera::comm {

/// What a row adds.
struct RowFindings {
  std::uint64_t hash = 0;
  double bound = 0;
};

struct JoinFindings {
  TESSERA_HD RowFindings operator()(RowFindings const& a, RowFindings const& b) const {
    return {a.hash + b.hash, a.bound < b.bound ? b.bound : a.bound};
  }
};

struct InspectBody {
  /// A row under way; sums run in storage order.
  struct Row {
    Index row;
    std::uint64_t row_hash, hash = 0;
    double absolute = 0, diagonal = 0, poison = 0;
  };
  sparse::CsrView<double> A;
  EntryHash hash;
  Span<double> diagonal;

  TESSERA_HD Row start(Index i) const { return {i, hash.of_row(i)}; }
  TESSERA_HD void add(Row& row, double value, Index column) const {
    row.hash += hash.of_entry(row.row_hash, column, value);
    row.absolute += fabs(value);
    row.poison += value * 0.0;
    if (column == row.row) row.diagonal = value;
  }
  TESSERA_HD RowFindings finish(Row const& row) const {
    double const d = row.diagonal + row.poison;
    diagonal[row.row] = d;
    return {row.hash, d > 0 && d <= DBL_MAX ? row.absolute / d : HUGE_VAL};
  }
  TESSERA_HD RowFindings operator()(Index i) const {
    auto row = start(i);
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) add(row, A.value[k], A.column[k]);
    return finish(row);
  }
};

/// CUDA has its own.
template <class Space>
RowFindings inspect_rows(Space const& space, Index rows, InspectBody const& body) {
  return core::reduce(space, rows, body, JoinFindings{}, RowFindings{});
}

template <class Space>
Inspection<Space> inspect(Space const& space, DistCsr<double, Space> const& A) {
  auto const ghosts = core::to_space(space, A.halo.ghosts());
  Inspection<Space> result;
  result.diagonal = Array<double, Space>(space, A.local.rows);
  auto const found = inspect_rows(
      space, A.local.rows, InspectBody{A.local.view(), entry_hash(A, ghosts.view()), result.diagonal.span()});
  result.bound = A.rows.comm().max(found.bound);
  result.checksum = checksum_text(A.rows.comm(), found.hash);
  return result;
}

}  // namespace Tessera::comm
