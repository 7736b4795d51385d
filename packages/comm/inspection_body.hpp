#pragma once
/// \file
/// See inspection.hpp.
#include <cfloat>
#include <cmath>

#include "comm/checksum_body.hpp"
#include "comm/inspection.hpp"

namespace Tessera::comm {

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
  double smallest;

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
    return {row.hash, d > 0 && d >= smallest && d <= DBL_MAX ? row.absolute / d : HUGE_VAL};
  }
  TESSERA_HD RowFindings operator()(Index i) const {
    auto row = start(i);
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) add(row, A.value[k], A.column[k]);
    return finish(row);
  }
};

inline void inspect_rows(Host const& space, Index rows, InspectBody const& body, RowFindings* found) {
  *found = core::reduce(space, rows, body, JoinFindings{}, RowFindings{});
}
void inspect_rows(Cuda const& space, Index rows, InspectBody const& body, RowFindings* found);

template <class Space>
void inspect_into(Space const& space, DistCsr<double, Space> const& A, Span<double> diagonal,
                  RowFindings* found, double smallest) {
  auto const ghosts = core::to_space(space, A.halo.ghosts());
  inspect_rows(space, A.local.rows,
               InspectBody{A.local.view(), entry_hash(A, ghosts.view()), diagonal, smallest}, found);
  if (A.rows.comm().size() == 1) return;
  RowFindings here;
  core::copy_bytes(space, found, Host{}, &here, sizeof here);
  here.bound = A.rows.comm().max(here.bound);
  core::copy_bytes(Host{}, &here, space, found, sizeof here);
}

template <class Space>
Inspection<Space> inspect(Space const& space, DistCsr<double, Space> const& A) {
  Inspection<Space> result;
  result.diagonal = Array<double, Space>(space, A.local.rows);
  Array<RowFindings, Space> found(space, 1);
  inspect_into(space, A, result.diagonal.span(), found.data());
  auto const all = core::to_vector(space, found.view()).front();
  result.bound = all.bound;
  result.checksum = checksum_text(A.rows.comm(), all.hash);
  return result;
}

}  // namespace Tessera::comm
