#pragma once
/// \file
/// How the smoothed prolongator is made. A general product A_F T would hash; here a row of P has a handful of
/// aggregates, which a short sorted list holds.
#include "galerkin/aggregate_places.hpp"
#include "galerkin/prolongator.hpp"
#include "galerkin/with_width.hpp"

namespace Tessera::galerkin {

/// The aggregates of a vertex and its neighbours in A_F, in the order of their global numbers.
struct NeighbouringAggregates {
  static constexpr int capacity = 48;        ///< of the list; vertices with more need several passes
  static constexpr int few = 8;              ///< of the list that one walk fills without branches
  static constexpr Index none = 0x7fffffff;  ///< ends that list

  sparse::CsrView<double> A;
  FilteredEntries entries;
  Span<Index const> aggregate;  ///< of A's local columns
  AggregateOrder order;
  int equations;

  /// Puts a rank into the ascending list of the smallest ones; size counts up to capacity + 1 (overflow).
  TESSERA_HD static void insert(Index* list, int& size, Index rank) {
    int at = size < capacity ? size : capacity;
    while (at > 0 && list[at - 1] > rank) --at;
    if (at > 0 && list[at - 1] == rank) return;
    if (size <= capacity) ++size;
    for (int move = (size < capacity ? size : capacity) - 1; move > at; --move) list[move] = list[move - 1];
    if (at < capacity) list[at] = rank;
  }

  /// The smallest ranks above `above`; returns how many there are, capacity + 1 for more than capacity.
  TESSERA_HD int collect(Index vertex, Index above, Index* list) const {
    int size = 0;
    Index previous = aggregate[vertex * equations];
    Index const own = order.rank_of(previous);
    if (own > above) insert(list, size, own);
    for (Index row = vertex * equations; row < (vertex + 1) * equations; ++row) {
      for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
        Index const local = aggregate[A.column[k]];
        if (local == previous || local < 0 || !entries.keeps(row, A.column[k], k)) continue;
        previous = local;
        Index const rank = order.rank_of(local);
        if (rank > above) insert(list, size, rank);
      }
    }
    return size;
  }

  /// Vertices that are likely to have few aggregates around them.
  TESSERA_HD bool may_be_few(Index vertex) const {
    Index const row = vertex * equations;
    return A.offsets[row + equations] - A.offsets[row] <= 8 * few;
  }

  /// The ranks of all the aggregates in list[few], ascending, filled up with none; returns how many there
  /// are, few + 1 for more than few. Which neighbour brings a new aggregate cannot be foreseen: a wrong guess
  /// costs more than all the comparisons.
  TESSERA_HD int collect_few(Index vertex, Index* target) const {
    Index list[few];
    for (int s = 1; s < few; ++s) list[s] = none;
    list[0] = order.rank_of(aggregate[vertex * equations]);
    Index pushed_out = none;
    for (Index row = vertex * equations; row < (vertex + 1) * equations; ++row) {
      for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
        if (pushed_out != none) return few + 1;
        Index const local = aggregate[A.column[k]];
        Index rank = order.rank_of(local);
        bool known = local < 0 || !entries.keeps(row, A.column[k], k);
        for (int s = 0; s < few; ++s) known |= list[s] == rank;
        rank = known ? none : rank;
        for (int s = 0; s < few; ++s) {
          Index const here = list[s];
          list[s] = rank < here ? rank : here;
          rank = rank < here ? here : rank;
        }
        pushed_out = rank;
      }
    }
    int size = pushed_out == none ? 0 : 1;
    for (int s = 0; s < few; ++s) {
      size += list[s] != none ? 1 : 0;
      target[s] = list[s];
    }
    return size;
  }

  /// Calls take(list, size) for successive pieces of the whole list.
  template <class Take>
  TESSERA_HD void visit(Index vertex, Take take) const {
    if (aggregate[vertex * equations] < 0) return;
    Index list[capacity];
    Index above = -1;
    int size;
    do {
      size = collect(vertex, above, list);
      int const usable = size < capacity ? size : capacity;
      if (usable > 0) {
        take(list, usable);
        above = list[usable - 1];
      }
    } while (size > capacity);
  }
};

struct CountBody {
  NeighbouringAggregates neighbours;
  int vectors;
  Span<Index> count;  ///< of each row
  Span<Index> lists;  ///< few of each vertex, where they are all
  struct Add {
    Index& total;
    TESSERA_HD void operator()(Index const*, int size) const { total += size; }
  };
  TESSERA_HD void operator()(Index vertex) const {
    constexpr int few = NeighbouringAggregates::few;
    int const equations = neighbours.equations;
    Index total = few + 1;
    if (neighbours.aggregate[vertex * equations] < 0) {
      total = 0;
    } else if (neighbours.may_be_few(vertex)) {
      total = neighbours.collect_few(vertex, lists.data() + static_cast<Offset>(vertex) * few);
    }
    if (total > few) {
      total = 0;
      neighbours.visit(vertex, Add{total});
    }
    for (int e = 0; e < equations; ++e) count[vertex * equations + e] = total * vectors;
  }
};

struct ColumnsBody {
  NeighbouringAggregates neighbours;
  int vectors;
  Span<Offset const> offsets;
  Span<Index const> lists;
  Span<Index> column;
  struct Write {
    AggregateOrder order;
    int vectors;
    Index*& target;
    TESSERA_HD void operator()(Index const* list, int size) const {
      for (int s = 0; s < size; ++s) {
        Index const first = order.local_of(list[s]) * vectors;
        for (int c = 0; c < vectors; ++c) *target++ = first + c;
      }
    }
  };
  TESSERA_HD void operator()(Index vertex) const {
    int const equations = neighbours.equations;
    Index const row = vertex * equations;
    Index* const begin = column.data() + offsets[row];
    Index* end = begin;
    constexpr int few = NeighbouringAggregates::few;
    auto const length = offsets[row + 1] - offsets[row];
    Write write{neighbours.order, vectors, end};
    if (length <= few * vectors && neighbours.may_be_few(vertex)) {
      write(lists.data() + static_cast<Offset>(vertex) * few, static_cast<int>(length / vectors));
    } else {
      neighbours.visit(vertex, write);
    }
    for (int e = 1; e < equations; ++e) {
      for (Offset s = 0; s < length; ++s) begin[e * length + s] = begin[s];
    }
  }
};

/// One row of P. Width: the number of vectors when known to the compiler, else 0.
template <int Width>
struct SmoothBody {
  sparse::CsrView<double> A;
  FilteredEntries entries;
  Span<double const> diagonal;
  Span<Index const> aggregate;    ///< of A's local columns
  Span<double const> own, ghost;  ///< rows of T
  int vectors;
  Damping omega;
  sparse::CsrView<double> P;
  Span<double> value;

  TESSERA_HD double const* tentative_row(Index column, int m) const {
    auto const at = static_cast<Offset>(column);
    return column < A.rows ? own.data() + at * m : ghost.data() + (at - A.rows) * m;
  }

  static constexpr int few = NeighbouringAggregates::few;

  /// A short row of one vector, without branches that cannot be foreseen: each entry looks at every slot.
  TESSERA_HD void add_few(Index i, Index length, Index const* column, double* target) const {
    Index mine[few];
    for (int s = 0; s < few; ++s) mine[s] = s < length ? column[s] : -2;
    double sum[1 + few] = {};  // the first takes what is not in A_F
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      Index const j = A.column[k];
      Index const first = aggregate[j];
      unsigned slot = 0;
      for (unsigned s = 0; s < few; ++s) slot |= -static_cast<unsigned>(mine[s] == first) & (s + 1);
      slot &= -static_cast<unsigned>(entries.keeps(i, j, k));
      double const a = j == i ? diagonal[i] : A.value[k];
      sum[slot] += a * *tentative_row(j, 1);
    }
    double const factor = omega() / diagonal[i];
    Index const home = aggregate[i];
    double const t = own[i];
    for (Index s = 0; s < length; ++s) target[s] = (column[s] == home ? t : 0.0) - factor * sum[1 + s];
  }

  TESSERA_HD void operator()(Index i) const {
    int const m = Width > 0 ? Width : vectors;
    auto const begin = P.offsets[i];
    auto const length = static_cast<Index>(P.offsets[i + 1] - begin);
    if (length == 0) return;
    Index const* column = P.column.data() + begin;
    double* sum = value.data() + begin;
    if (Width == 1 && length <= few) return add_few(i, length, column, sum);
    for (Index s = 0; s < length; ++s) sum[s] = 0;

    Index slot = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      Index const j = A.column[k];
      if (aggregate[j] < 0 || !entries.keeps(i, j, k)) continue;
      Index const first = aggregate[j] * m;
      if (column[slot] != first) {
        slot = 0;
        while (column[slot] != first) slot += m;
      }
      double const a = j == i ? diagonal[i] : A.value[k];
      double const* t = tentative_row(j, m);
      for (int c = 0; c < m; ++c) sum[slot + c] += a * t[c];
    }

    double const factor = omega() / diagonal[i];
    Index const home = aggregate[i] * m;
    double const* t = tentative_row(i, m);
    for (Index s = 0; s < length; s += m) {
      bool const at_home = column[s] == home;
      for (int c = 0; c < m; ++c) sum[s + c] = (at_home ? t[c] : 0.0) - factor * sum[s + c];
    }
  }
};

/// Counts the columns of each row; returns lists that write_columns wants. Like the next two, CUDA has its
/// own.
template <class Space>
Array<Index, Space> count_columns(Space const& space, NeighbouringAggregates const& neighbours,
                                  std::size_t vertices, int vectors, Span<Index> count) {
  Array<Index, Space> lists(space, vertices * NeighbouringAggregates::few);
  core::for_each(space, vertices, CountBody{neighbours, vectors, count, lists.span()});
  return lists;
}

template <class Space>
void write_columns(Space const& space, NeighbouringAggregates const& neighbours, std::size_t vertices,
                   int vectors, Span<Offset const> offsets, Array<Index, Space> const& lists,
                   Span<Index> column) {
  core::for_each(space, vertices, ColumnsBody{neighbours, vectors, offsets, lists.view(), column});
}

template <class Space, int Width>
void smooth_rows(Space const& space, Index rows, SmoothBody<Width> const& body) {
  core::for_each(space, rows, body);
}

/// P's columns on other ranks.
template <class Space>
comm::HaloPlan<Space> columns_halo(Space const& space, Tentative<Space> const& T,
                                   std::vector<GlobalIndex> const& foreign) {
  std::vector<GlobalIndex> ghosts;
  ghosts.reserve(foreign.size() * T.vectors);
  for (auto const a : foreign) {
    for (int c = 0; c < T.vectors; ++c) ghosts.push_back(a * T.vectors + c);
  }
  return comm::HaloPlan<Space>(space, T.coarse_rows, std::move(ghosts));
}

template <class Space>
comm::DistCsr<double, Space> prolongator_symbolic(Space const& space, comm::DistCsr<double, Space> const& A,
                                                  Span<unsigned char const> strong,
                                                  Span<unsigned char const> lumped,
                                                  Tentative<Space> const& T) {
  OwnAggregates<Space> const own(T);
  Index const rows = A.local.rows;
  int const m = T.vectors;
  TESSERA_EXPECT(static_cast<std::size_t>(rows) == T.aggregate.size() * T.equations);
  auto const of_ghost = aggregates_of_ghosts(space, A.halo, T);
  auto const foreign = foreign_aggregates(space, T, of_ghost);

  comm::DistCsr<double, Space> P;
  P.rows = A.rows;
  comm::together(A.rows.comm(), [&] {
    auto const below = std::lower_bound(foreign.begin(), foreign.end(), own.begin) - foreign.begin();
    auto const local = local_aggregates(space, rows, T, of_ghost, foreign);
    NeighbouringAggregates const neighbours{
        A.local.view(), {strong, lumped}, local.view(), {own.size(), static_cast<Index>(below)}, T.equations};
    P.local.rows = rows;
    P.local.columns = (own.size() + static_cast<Index>(foreign.size())) * m;
    P.local.offsets = Array<Offset, Space>(space, rows + 1);
    Array<Index, Space> count(space, rows);
    auto const lists = count_columns(space, neighbours, T.aggregate.size(), m, count.span());
    auto const total = core::exclusive_scan(space, count.span(), P.local.offsets.span());
    P.local.column = Array<Index, Space>(space, total);
    P.local.value = Array<double, Space>(space, total);
    write_columns(space, neighbours, T.aggregate.size(), m, P.local.offsets.view(), lists,
                  P.local.column.span());
  });

  P.halo = columns_halo(space, T, foreign);
  return P;
}

template <class Space>
void prolongator_numeric(Space const& space, comm::DistCsr<double, Space> const& A,
                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                         Span<double const> diagonal, Tentative<Space> const& T, Damping omega,
                         comm::DistCsr<double, Space>& P) {
  Index const rows = A.local.rows;
  int const m = T.vectors;
  auto const of_ghost = aggregates_of_ghosts(space, A.halo, T);
  Array<double, Space> ghost(space, static_cast<std::size_t>(A.halo.ghost_count()) * m);
  A.halo.exchange(space, T.value.view(), ghost.span(), m);
  std::vector<GlobalIndex> foreign;
  for (Index g = 0; g < P.halo.ghost_count(); g += m) foreign.push_back(P.halo.ghosts()[g] / m);
  auto const local = local_aggregates(space, rows, T, of_ghost, foreign);

  with_width(m, [&](auto width) {
    smooth_rows(space, rows,
                SmoothBody<decltype(width)::value>{A.local.view(),
                                                   {strong, lumped},
                                                   diagonal,
                                                   local.view(),
                                                   T.value.view(),
                                                   ghost.view(),
                                                   m,
                                                   omega,
                                                   P.local.view(),
                                                   P.local.value.span()});
  });
}

template <class Space>
void plan_prolongator(Space const&, comm::DistCsr<double, Space> const&, Span<unsigned char const>,
                      Span<unsigned char const>, Tentative<Space> const&, comm::DistCsr<double, Space> const&,
                      ProlongatorPlan<Space>&) {}

template <class Space>
void refresh_prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                         Span<double const> diagonal, Tentative<Space> const& T, Damping omega,
                         ProlongatorPlan<Space>& /*plan*/, comm::DistCsr<double, Space>& P) {
  prolongator_numeric(space, A, strong, lumped, diagonal, T, omega, P);
}

template <class Space>
comm::DistCsr<double, Space> prolongator(Space const& space, comm::DistCsr<double, Space> const& A,
                                         Span<unsigned char const> strong, Span<unsigned char const> lumped,
                                         Span<double const> diagonal, Tentative<Space> const& T,
                                         double omega) {
  auto P = prolongator_symbolic(space, A, strong, lumped, T);
  prolongator_numeric(space, A, strong, lumped, diagonal, T, omega, P);
  return P;
}

}  // namespace Tessera::galerkin
