#pragma once
/// \file
/// How partial coarse matrices are added.
#include "galerkin/coarse_assembly.hpp"
#include "galerkin/gather.hpp"
#include "galerkin/shared_rows_body.hpp"

namespace Tessera::galerkin {

/// An owned row that reaches columns of other ranks. The local numbers of ghosts are the largest.
struct ReachesGhostsPredicate {
  sparse::CsrView<double> partial;
  Index owned;
  TESSERA_HD bool operator()(Index row) const {
    auto const end = partial.offsets[row + 1];
    return end > partial.offsets[row] && partial.column[end - 1] >= owned;
  }
};

struct RowLengthBody {
  Span<Offset const> offsets;
  Span<Index> length;
  TESSERA_HD void operator()(Index row) const {
    length[row] = static_cast<Index>(offsets[row + 1] - offsets[row]);
  }
};

/// What partial has of a row goes to the front of the row of the sum; merged rows are then overwritten.
template <class T>
struct CopyEntriesBody {
  Span<Offset const> from, to;  ///< offsets
  Span<T const> entry;
  Span<T> target;
  TESSERA_HD Offset begin(Index row) const { return from[row]; }
  TESSERA_HD Offset end(Index row) const { return from[row + 1]; }
  TESSERA_HD void operator()(Index row, Offset k) const { target[to[row] + (k - from[row])] = entry[k]; }
};

struct WriteMergedColumnsBody {
  Span<Index const> row;
  Span<Offset const> merged_offsets;
  Span<Index const> merged_column;
  Span<Offset const> offsets;
  Span<Index> column;
  Span<Offset> target;
  TESSERA_HD void operator()(Index i) const {
    Offset to = offsets[row[i]];
    for (Offset k = merged_offsets[i]; k < merged_offsets[i + 1]; ++k, ++to) {
      column[to] = merged_column[k];
      target[k] = to;
    }
  }
};

struct AddSourcesBody {
  Span<Offset const> target, source_offsets, source;
  Span<double const> partial, arrived;
  Span<double> value;
  TESSERA_HD double term(Offset s) const { return s >= 0 ? arrived[s] : partial[-1 - s]; }
  TESSERA_HD void operator()(Index i) const {
    double sum = term(source[source_offsets[i]]);
    for (Offset k = source_offsets[i] + 1; k < source_offsets[i + 1]; ++k) sum += term(source[k]);
    value[target[i]] = sum;
  }
};

}  // namespace Tessera::galerkin
