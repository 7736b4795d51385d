#pragma once
/// \file
/// How partial coarse matrices are added.
#include <algorithm>
#include <tuple>

#include "comm/letters.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "galerkin/gather.hpp"

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

struct ScatterLengthBody {
  Span<Index const> row, merged;
  Span<Index> length;
  TESSERA_HD void operator()(Index i) const { length[row[i]] = merged[i]; }
};

/// Columns and places of the entries of chosen rows, one row after the other.
struct ListRowBody {
  sparse::CsrView<double> partial;
  Span<Index const> row;
  Span<Offset const> start;
  Span<Index> column;
  Span<Offset> place;
  TESSERA_HD void operator()(Index i) const {
    Offset to = start[i];
    for (Offset k = partial.offsets[row[i]]; k < partial.offsets[row[i] + 1]; ++k, ++to) {
      column[to] = partial.column[k];
      place[to] = k;
    }
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

/// What one rank adds to an entry.
struct Share {
  Index row;
  GlobalIndex column;
  int rank;
  Offset source;  ///< as CoarseAssembly::source_
  bool operator<(Share const& other) const {
    return std::tie(row, column, rank) < std::tie(other.row, other.column, other.rank);
  }
};

/// This rank's shares in the given owned rows.
template <class Space>
void own_shares(Space const& space, sparse::CsrView<double> partial, comm::HaloPlan<Space> const& columns,
                std::vector<Index> const& rows, std::vector<Share>& shares) {
  auto const& distribution = columns.distribution();
  auto const chosen = core::to_space(space, rows);
  Array<Index, Space> length(space, partial.rows), chosen_length(space, rows.size());
  core::for_each(space, partial.rows, RowLengthBody{partial.offsets, length.span()});
  core::for_each(space, rows.size(),
                 GatherRowsBody<Index>{chosen.view(), length.view(), chosen_length.span(), 1});
  Array<Offset, Space> start(space, rows.size() + 1);
  auto const total = core::exclusive_scan(space, chosen_length.span(), start.span());
  Array<Index, Space> column(space, total);
  Array<Offset, Space> place(space, total);
  core::for_each(space, rows.size(),
                 ListRowBody{partial, chosen.view(), start.view(), column.span(), place.span()});
  auto const starts = core::to_vector(space, start.view());
  auto const local = core::to_vector(space, column.view());
  auto const places = core::to_vector(space, place.view());
  Index const owned = distribution.local_size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Offset k = starts[i]; k < starts[i + 1]; ++k) {
      auto const global =
          local[k] < owned ? distribution.begin() + local[k] : columns.ghosts()[local[k] - owned];
      shares.push_back({rows[i], global, distribution.comm().rank(), -1 - places[k]});
    }
  }
}

/// The rows of other ranks in partial, for their owners: row numbers, lengths, global columns.
template <class Space>
comm::Letters rows_for_others(Space const& space, sparse::CsrView<double> partial,
                              comm::HaloPlan<Space> const& rows, comm::HaloPlan<Space> const& columns) {
  auto const& distribution = rows.distribution();
  Index const owned = distribution.local_size();
  auto const offsets = core::to_vector(space, partial.offsets.part(owned, rows.ghost_count() + 1));
  auto const first = offsets.front();
  auto const column = core::to_vector(space, partial.column.part(first, offsets.back() - first));
  comm::Letters letters;
  for (auto const& owner : rows.receive_from()) {
    auto& letter = letters[owner.rank];
    Offset const count = owner.end - owner.begin;
    comm::write(letter, &count, 1);
    comm::write(letter, rows.ghosts().data() + owner.begin, count);
    for (Index g = owner.begin; g < owner.end; ++g) {
      Offset const length = offsets[g + 1] - offsets[g];
      comm::write(letter, &length, 1);
    }
    for (auto k = offsets[owner.begin] - first; k < offsets[owner.end] - first; ++k) {
      auto const global =
          column[k] < owned ? distribution.begin() + column[k] : columns.ghosts()[column[k] - owned];
      comm::write(letter, &global, 1);
    }
  }
  return letters;
}

/// Shares that arrived, numbered in the order in which their values will arrive.
inline void arrived_shares(comm::Letters const& letters, GlobalIndex begin, std::vector<Share>& shares) {
  Offset source = 0;
  for (auto const& [rank, letter] : letters) {
    comm::LetterReader reader(letter);
    auto const count = reader.read<Offset>();
    std::vector<GlobalIndex> row, column;
    std::vector<Offset> length;
    reader.read(row, count);
    reader.read(length, count);
    for (Offset i = 0; i < count; ++i) {
      column.clear();
      reader.read(column, length[i]);
      for (auto const c : column) shares.push_back({static_cast<Index>(row[i] - begin), c, rank, source++});
    }
  }
}

/// Merged rows on the host.
struct MergedRows {
  std::vector<Index> row, length;
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<Offset> source_offsets, source;
};

/// shares are sorted. rows: ascending; a row may have no share.
inline MergedRows merged(std::vector<Index> rows, std::vector<Share> const& shares) {
  MergedRows result;
  result.row = std::move(rows);
  auto share = shares.begin();
  for (Index const row : result.row) {
    for (; share != shares.end() && share->row == row; ++share) {
      bool const first = share == shares.begin() || share[-1].row != row || share[-1].column != share->column;
      if (first) {
        result.column.push_back(share->column);
        result.source_offsets.push_back(static_cast<Offset>(result.source.size()));
      }
      result.source.push_back(share->source);
    }
    auto const end = static_cast<Offset>(result.column.size());
    result.length.push_back(static_cast<Index>(end - result.offsets.back()));
    result.offsets.push_back(end);
  }
  result.source_offsets.push_back(static_cast<Offset>(result.source.size()));
  return result;
}

}  // namespace Tessera::galerkin
