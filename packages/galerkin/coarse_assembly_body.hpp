#pragma once
/// \file
/// How partial coarse matrices are added.
#include "comm/letters.hpp"
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
struct CopyColumnsBody {
  sparse::CsrView<double> partial;
  Span<Offset const> offsets;
  Span<Index> column;
  TESSERA_HD void operator()(Index row) const {
    Offset to = offsets[row];
    for (Offset k = partial.offsets[row]; k < partial.offsets[row + 1]; ++k) column[to++] = partial.column[k];
  }
};

struct CopyValuesBody {
  sparse::CsrView<double> partial;
  Span<Offset const> offsets;
  Span<double> value;
  TESSERA_HD void operator()(Index row) const {
    Offset to = offsets[row];
    for (Offset k = partial.offsets[row]; k < partial.offsets[row + 1]; ++k) value[to++] = partial.value[k];
  }
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

/// What came from the other ranks: rows, and where the columns of each begin; in rank order.
struct Arrivals {
  std::vector<Index> row;
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  Index rows_of_lower = 0;  ///< how many rows came from lower ranks
};

/// The rows of other ranks in partial, for their owners: how many, row numbers, lengths, global columns.
template <class Space>
comm::Letters rows_for_others(Space const& space, sparse::CsrView<double> partial,
                              comm::HaloPlan<Space> const& rows, comm::HaloPlan<Space> const& columns) {
  auto const& distribution = rows.distribution();
  Index const owned = distribution.local_size();
  auto const offsets = core::to_vector(space, partial.offsets.part(owned, rows.ghost_count() + 1));
  auto const first = offsets.front();
  auto const foreign = static_cast<std::size_t>(offsets.back() - first);
  Array<GlobalIndex, Space> global(space, foreign);
  auto const ghosts = core::to_space(space, columns.ghosts());
  core::for_each(space, foreign,
                 GlobalColumnBody{partial.column.part(first, foreign), owned, distribution.begin(),
                                  ghosts.view(), global.span()});
  auto const column = core::to_vector(space, global.view());
  comm::Letters letters;
  for (auto const& owner : rows.receive_from()) {
    auto& letter = letters[owner.rank];
    Offset const count = owner.end - owner.begin;
    std::vector<Offset> length;
    for (auto g = owner.begin; g < owner.end; ++g) length.push_back(offsets[g + 1] - offsets[g]);
    comm::write(letter, &count, 1);
    comm::write(letter, rows.ghosts().data() + owner.begin, count);
    comm::write(letter, length);
    comm::write(letter, column.data() + (offsets[owner.begin] - first),
                offsets[owner.end] - offsets[owner.begin]);
  }
  return letters;
}

/// Opens the letters of rows_for_others; receive: which entries come from whom.
inline Arrivals opened(comm::Letters const& letters, comm::Distribution const& distribution,
                       std::vector<comm::Neighbour>& receive) {
  Arrivals arrivals;
  for (auto const& [rank, letter] : letters) {
    comm::LetterReader reader(letter);
    auto const count = reader.read<Offset>();
    std::vector<GlobalIndex> row;
    std::vector<Offset> length;
    reader.read(row, count);
    reader.read(length, count);
    auto const begin = arrivals.offsets.back();
    for (Offset i = 0; i < count; ++i) {
      arrivals.row.push_back(static_cast<Index>(row[i] - distribution.begin()));
      arrivals.offsets.push_back(arrivals.offsets.back() + length[i]);
    }
    reader.read(arrivals.column, arrivals.offsets.back() - begin);
    receive.push_back({rank, begin, arrivals.offsets.back()});
    if (rank < distribution.comm().rank()) arrivals.rows_of_lower += static_cast<Index>(count);
  }
  return arrivals;
}

}  // namespace Tessera::galerkin
