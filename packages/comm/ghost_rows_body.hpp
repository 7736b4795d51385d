#pragma once
/// \file
/// See ghost_rows.hpp.
#include <algorithm>

#include "comm/foreign_columns_body.hpp"
#include "comm/ghost_rows.hpp"
#include "core/bisection.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

struct RowLength {
  Span<Offset const> offsets;
  Span<Index> length;
  TESSERA_HD void operator()(Index i) const { length[i] = static_cast<Index>(offsets[i + 1] - offsets[i]); }
};

struct PickRows {
  Span<Index const> rows, length;
  Span<Index> picked;
  TESSERA_HD void operator()(Index i) const { picked[i] = length[rows[i]]; }
};

/// offsets[first + i] = base + relative[i]
struct ShiftOffsets {
  Span<Offset const> relative;
  Offset base;
  Span<Offset> offsets;
  Index first;
  TESSERA_HD void operator()(Index i) const { offsets[first + i] = base + relative[i]; }
};

/// The global number of each local column.
struct GlobalColumns {
  Span<Index const> column;
  Index owned;
  GlobalIndex begin;
  Span<GlobalIndex const> ghosts;
  Span<GlobalIndex> global;
  TESSERA_HD void operator()(Index k) const {
    Index const c = column[k];
    global[k] = c < owned ? begin + c : ghosts[c - owned];
  }
};

/// The entries of row rows[i] of B to packed[first[i]] and on: their global columns.
struct PackColumns {
  Span<Index const> rows;
  Span<Offset const> first, offsets;
  Span<Index const> column;
  Index owned;
  GlobalIndex begin;
  Span<GlobalIndex const> ghosts;
  Span<GlobalIndex> packed;
  TESSERA_HD void operator()(Index i) const {
    Offset to = first[i];
    for (Offset k = offsets[rows[i]]; k < offsets[rows[i] + 1]; ++k) {
      Index const c = column[k];
      packed[to++] = c < owned ? begin + c : ghosts[c - owned];
    }
  }
};

/// Their values.
template <class T>
struct PackValues {
  Span<Index const> rows;
  Span<Offset const> first, offsets;
  Span<T const> value;
  Span<T> packed;
  TESSERA_HD void operator()(Index i) const {
    Offset to = first[i];
    for (Offset k = offsets[rows[i]]; k < offsets[rows[i] + 1]; ++k) packed[to++] = value[k];
  }
};

/// Local columns of global ones: owned, or by bisection among the ghosts.
struct LocateColumns {
  Span<GlobalIndex const> global;
  GlobalIndex begin;
  Index owned;
  Span<GlobalIndex const> ghosts;
  Span<Index> column;
  TESSERA_HD void operator()(Index k) const {
    GlobalIndex const c = global[k];
    if (begin <= c && c < begin + owned) {
      column[k] = static_cast<Index>(c - begin);
      return;
    }
    column[k] = owned + static_cast<Index>(core::lower_bound(ghosts, c));
  }
};

struct Renumber {
  Span<Offset const> offsets;
  Span<Index const> column, column_of;
  Span<Index> renumbered;
  TESSERA_HD void operator()(Index row) const {
    for (Offset k = offsets[row]; k < offsets[row + 1]; ++k) renumbered[k] = column_of[column[k]];
  }
};

/// first at the borders of stretches of rows, which lie side by side from 0 on: one more than stretches.
template <class Space>
std::vector<Offset> at_borders(Space const& space, std::vector<Neighbour> const& of_rows,
                               Span<Offset const> first) {
  std::vector<Index> border{0};
  for (auto const& stretch : of_rows) border.push_back(static_cast<Index>(stretch.end));
  auto const on_space = core::to_space(space, border);
  return core::to_vector(space, taken(space, on_space.view(), first).view());
}

/// Stretches of entries from stretches of rows: row r begins at entry first[r] - first[0].
template <class Space>
std::vector<Neighbour> of_entries(Space const& space, std::vector<Neighbour> const& of_rows,
                                  Span<Offset const> first) {
  if (of_rows.empty()) return {};
  auto const border = at_borders(space, of_rows, first);
  std::vector<Neighbour> result;
  for (std::size_t k = 0; k < of_rows.size(); ++k) {
    result.push_back({of_rows[k].rank, border[k] - border[0], border[k + 1] - border[0]});
  }
  return result;
}

/// The ghosts of a halo plan in the memory of a space.
template <class Space>
Array<GlobalIndex, Space> ghosts_in(Space const& space, HaloPlan<Space> const& halo) {
  return core::to_space(space, halo.ghosts());
}

}  // namespace Tessera::comm
