#pragma once
/// \file
/// Aggregates as P numbers its columns: the aggregate of every local column of A, ghosts included, and T as
/// an operand of merges. Sums of a row that prolongators have in common.
#include <algorithm>
#include <vector>

#include "comm/dist_csr.hpp"
#include "comm/ghost_columns_body.hpp"
#include "core/parallel.hpp"
#include "core/span.hpp"
#include "galerkin/tentative.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::galerkin {

/// The local number of an aggregate (owned first, then ghosts ascending) and its rank in the order of global
/// numbers.
struct AggregateOrder {
  Index owned = 0;
  Index below = 0;  ///< ghosts whose global numbers are below the owned ones
  TESSERA_HD Index rank_of(Index local) const {
    if (local < owned) return local + below;
    return local - owned < below ? local - owned : local;
  }
  TESSERA_HD Index local_of(Index rank) const {
    if (rank < below) return rank + owned;
    return rank - below < owned ? rank - below : rank;
  }
};

/// The number of owned columns, and of ghosts below them.
template <class Space>
AggregateOrder order_of(comm::HaloPlan<Space> const& halo) {
  auto const& ghosts = halo.ghosts();
  auto const& own = halo.distribution();
  auto const below = std::lower_bound(ghosts.begin(), ghosts.end(), own.begin()) - ghosts.begin();
  return {own.local_size(), static_cast<Index>(below)};
}

/// Epilogue of a merge: unchanged sums, by ascending global columns, or by blocks of columns.
struct GlobalOrder {
  static constexpr bool plain = false;
  AggregateOrder order;
  struct Row {
    TESSERA_HD double operator()(Index, double sum) const { return sum; }
  };
  TESSERA_HD Row row(Index) const { return {}; }
  TESSERA_HD Index key(Index block) const { return order.rank_of(block); }
  TESSERA_HD Index block(Index key) const { return order.local_of(key); }
};

struct SpreadAggregateBody {
  Span<GlobalIndex const> of_vertex;
  Span<GlobalIndex> of_row;
  int equations;
  TESSERA_HD void operator()(Index row) const { of_row[row] = of_vertex[row / equations]; }
};

struct LocalAggregateBody {
  Span<GlobalIndex const> of_vertex;  ///< owned
  Span<GlobalIndex const> of_ghost;   ///< ghost rows of A
  Span<GlobalIndex const> ghosts;     ///< aggregates of other ranks, ascending
  GlobalIndex begin, end;             ///< own aggregates
  int equations;
  Index rows;
  Span<Index> local;
  TESSERA_HD void operator()(Index column) const {
    GlobalIndex const a = column < rows ? of_vertex[column / equations] : of_ghost[column - rows];
    if (a < 0) {
      local[column] = -1;
    } else if (begin <= a && a < end) {
      local[column] = static_cast<Index>(a - begin);
    } else {
      local[column] = static_cast<Index>(end - begin) + static_cast<Index>(core::lower_bound(ghosts, a));
    }
  }
};

/// The distribution of the aggregates, from that of their columns.
template <class Space>
struct OwnAggregates {
  GlobalIndex begin, end;
  explicit OwnAggregates(Tentative<Space> const& T)
      : begin(T.coarse_rows.begin() / T.vectors), end(T.coarse_rows.end() / T.vectors) {}
  Index size() const { return static_cast<Index>(end - begin); }
};

/// The aggregates of A's ghost rows. Collective.
template <class Space>
Array<GlobalIndex, Space> aggregates_of_ghosts(Space const& space, comm::HaloPlan<Space> const& halo,
                                               Tentative<Space> const& T) {
  Array<GlobalIndex, Space> ghost(space, halo.ghost_count());
  if (T.equations == 1) {
    halo.exchange(space, T.aggregate.view(), ghost.span());
  } else {
    Array<GlobalIndex, Space> of_row(space, halo.send_to().empty() ? 0 : T.aggregate.size() * T.equations);
    core::for_each(space, of_row.size(), SpreadAggregateBody{T.aggregate.view(), of_row.span(), T.equations});
    halo.exchange(space, of_row.view(), ghost.span());
  }
  return ghost;
}

/// The aggregates of other ranks that contain owned vertices or ghosts of A: ascending, distinct.
template <class Space>
std::vector<GlobalIndex> foreign_aggregates(Space const& space, Tentative<Space> const& T,
                                            Array<GlobalIndex, Space> const& of_ghost) {
  if (T.coarse_rows.comm().size() == 1 || T.on_one_rank) return {};
  return comm::ghost_columns(space, T.coarse_rows.divided(T.vectors), of_ghost.view(), T.aggregate.view());
}

/// The aggregate (local number, -1: none) of each local column of A.
template <class Space>
Array<Index, Space> local_aggregates(Space const& space, Index rows, Tentative<Space> const& T,
                                     Array<GlobalIndex, Space> const& of_ghost,
                                     std::vector<GlobalIndex> const& foreign) {
  OwnAggregates<Space> const own(T);
  auto const ghosts = core::to_space(space, foreign);
  Array<Index, Space> local(space, rows + of_ghost.size());
  core::for_each(space, local.size(),
                 LocalAggregateBody{T.aggregate.view(), of_ghost.view(), ghosts.view(), own.begin, own.end,
                                    T.equations, rows, local.span()});
  return local;
}

/// The columns of aggregates.
inline std::vector<GlobalIndex> columns_of(std::vector<GlobalIndex> const& aggregates, int vectors) {
  std::vector<GlobalIndex> columns;
  columns.reserve(aggregates.size() * vectors);
  for (auto const a : aggregates) {
    for (int c = 0; c < vectors; ++c) columns.push_back(a * vectors + c);
  }
  return columns;
}

/// P's columns, with those of other ranks' aggregates, which foreign() returns, as ghosts. Agrees on errors
/// of foreign(), for ranks that have agreed as HaloPlan::after requires. total: as there. Collective.
template <class Space, class Foreign>
comm::HaloPlan<Space> columns_of_aggregates(Space const& space, Tentative<Space> const& T,
                                            Foreign const& foreign, GlobalIndex* total) {
  if (!T.on_one_rank) {
    return comm::HaloPlan<Space>::after(
        space, T.coarse_rows, [&] { return columns_of(foreign(), T.vectors); }, total);
  }
  comm::agree_on_errors(T.coarse_rows.comm(), [&] { foreign(); });
  if (total != nullptr) *total = T.coarse_rows.comm().sum(*total);
  return comm::HaloPlan<Space>(T.coarse_rows);
}

/// The same for known aggregates of other ranks.
template <class Space>
comm::HaloPlan<Space> columns_of_aggregates(Space const& space, Tentative<Space> const& T,
                                            std::vector<GlobalIndex> const& foreign) {
  T.coarse_rows.comm().agree();
  return columns_of_aggregates(
      space, T, [&] { return foreign; }, nullptr);
}

/// Right operand: T. Row j is zero except for the Width (0: `dynamic_width`) columns of one aggregate.
template <int Width>
struct TentativeRows {
  static constexpr bool single = true;
  static constexpr int fixed_width = Width;
  Span<Index const> aggregate;  ///< of A's local columns
  double const *own, *ghost;    ///< rows of T
  Index owned;                  ///< rows
  Index aggregates;             ///< local aggregates, ghosts included
  int dynamic_width;
  TESSERA_HD int width() const { return Width > 0 ? Width : dynamic_width; }
  TESSERA_HD Index columns() const { return aggregates * width(); }
  double row_length() const { return 1; }
  std::size_t size() const { return aggregate.size(); }
  TESSERA_HD Offset begin(Index j) const { return j; }
  TESSERA_HD Offset end(Index j) const { return j + (aggregate[j] < 0 ? 0 : 1); }
  TESSERA_HD Index block_column(Index j) const { return aggregate[j]; }
  TESSERA_HD double const* values(Index j) const {
    return j < owned ? own + static_cast<Offset>(j) * width()
                     : ghost + static_cast<Offset>(j - owned) * width();
  }
  /// For width 1:
  TESSERA_HD Index column(Offset j) const { return aggregate[j]; }
  TESSERA_HD double value(Offset j) const { return *(j < owned ? own + j : ghost + (j - owned)); }
  TESSERA_HD sparse::RowEntries row(Index j) const {
    return {aggregate.data() + j, values(j), aggregate[j] < 0 ? 0 : 1};
  }
  static Index block(sparse::RowEntries const& row, Index b) { return row.column[b]; }
  static double number(double const* value, Index s) { return value[s]; }
};

/// The same for a T whose entries are all 1.
struct IndicatorRows : TentativeRows<1> {
  IndicatorRows(Span<Index const> of_column, Index aggregate_count)
      : TentativeRows<1>{of_column, nullptr, nullptr, 0, aggregate_count, 1} {}
  TESSERA_HD double value(Offset) const { return 1; }
  sparse::RowEntries row(Index j) const { return {aggregate.data() + j, nullptr, aggregate[j] < 0 ? 0 : 1}; }
  static double number(double const*, Index) { return 1; }
};

/// Users name them by a structured binding.
struct ThreeSums {
  double first = 0, second = 0, third = 0;
  TESSERA_HD ThreeSums& operator+=(ThreeSums const& other) {
    first += other.first;
    second += other.second;
    third += other.third;
    return *this;
  }
};

}  // namespace Tessera::galerkin
