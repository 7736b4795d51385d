#pragma once
/// \file
/// Rows of aggregates that have members on other ranks, and the pairs of adjacent aggregates that reshaping
/// may take.
#include <algorithm>
#include <optional>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "aggregation/bipartition.hpp"
#include "aggregation/ghosts.hpp"
#include "comm/ghost_columns_body.hpp"
#include "comm/ghost_rows.hpp"
#include "comm/packed_buffers.hpp"
#include "core/counting_sort.hpp"
#include "core/parallel.hpp"
#include "core/span.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::aggregation {

/// Rows: owned vertices first, then some vertices of other ranks. Columns have their own numbering.
/// Aggregates: owned first, then ghosts; -1: an aggregate that is neither.
struct MemberRowsView {
  Offset const* offsets;
  Index const* neighbour;
  float const* weight;
  Index const *of_row, *of_column;  ///< aggregates
  VertexId const *id_of_row, *id_of_column;
};

struct LocalNumberBody {
  GlobalIndex const* number;
  GlobalIndex begin, end;           ///< of this rank's aggregates
  Span<GlobalIndex const> foreign;  ///< ascending
  Index* local;
  TESSERA_HD void operator()(Index i) const {
    GlobalIndex const a = number[i];
    if (begin <= a && a < end) {
      local[i] = static_cast<Index>(a - begin);
      return;
    }
    auto const ghost = core::lower_bound(foreign, a);
    bool const known = ghost < foreign.size() && foreign[ghost] == a;
    local[i] = known ? static_cast<Index>(end - begin) + static_cast<Index>(ghost) : -1;
  }
};

template <class Space>
class MemberRows {
 public:
  /// off_rank: vertices of other ranks whose rows are fetched, ascending. Collective.
  MemberRows(Space const& space, StrengthGraph<Space> const& graph, Span<GlobalIndex const> number,
             Span<VertexId const> ids, std::vector<GlobalIndex> off_rank) {
    auto const& vertices = graph.halo.distribution();
    if (vertices.comm().size() == 1) {
      view_ = {graph.offsets.data(),
               graph.neighbour.data(),
               graph.weight.data(),
               nullptr,
               nullptr,
               ids.data(),
               ids.data()};
      number_of_row_ = number_of_column_ = number;
      return;
    }
    off_rank_.emplace(space, vertices, std::move(off_rank));
    comm::DistCsr<float, Space> A;
    A.rows = vertices;
    A.halo = graph.halo;
    A.local = {graph.nodes(), graph.nodes() + graph.halo.ghost_count(),
               Array<Offset, Space>::borrowed(space, graph.offsets.view()),
               Array<Index, Space>::borrowed(space, graph.neighbour.view()),
               Array<float, Space>::borrowed(space, graph.weight.view())};
    rows_ = comm::extend_rows(space, A, *off_rank_);
    rows_.connect_columns(space);
    comm::HaloPlan<Space> const* const halos[] = {&*off_rank_, &rows_.columns};
    for (int k = 0; k < 2; ++k) {
      auto const size = number.size() + halos[k]->ghost_count();
      numbers_[k] = Array<GlobalIndex, Space>(space, size);
      ids_[k] = Array<VertexId, Space>(space, size);
      core::copy(space, number, space, numbers_[k].span());
      core::copy(space, ids, space, ids_[k].span());
    }
    vertices.comm().agree();
    for (int k = 0; k < 2; ++k) {
      fetch_ghosts_agreed(space, *halos[k], numbers_[k]);
      fetch_ghosts_agreed(space, *halos[k], ids_[k]);
    }
    number_of_row_ = numbers_[0].view();
    number_of_column_ = numbers_[1].view();
    view_ = {rows_.local.offsets.data(),
             rows_.local.column.data(),
             rows_.local.value.data(),
             nullptr,
             nullptr,
             ids_[0].data(),
             ids_[1].data()};
  }

  /// Gives local numbers to the owned aggregates and to `foreign`.
  void number_aggregates(Space const& space, comm::Distribution const& coarse,
                         std::vector<GlobalIndex> const& foreign) {
    auto const ghosts = core::to_space(space, foreign);
    auto const local = [&](Span<GlobalIndex const> number, Array<Index, Space>& of) {
      of = Array<Index, Space>(space, number.size());
      core::for_each(space, number.size(),
                     LocalNumberBody{number.data(), coarse.begin(), coarse.end(), ghosts.view(), of.data()});
    };
    local(number_of_row_, locals_[0]);
    local(number_of_column_, locals_[1]);
    view_.of_row = locals_[0].data();
    view_.of_column = locals_[1].data();
  }

  MemberRowsView const& view() const { return view_; }
  std::size_t rows() const { return number_of_row_.size(); }
  std::size_t entries() const { return off_rank_ ? rows_.local.column.size() : 0; }
  Span<GlobalIndex const> number_of_column() const { return number_of_column_; }
  /// Halo of the vertices; its ghosts are the rows of other ranks. Null on one rank.
  comm::HaloPlan<Space> const* off_rank() const { return off_rank_ ? &*off_rank_ : nullptr; }

 private:
  std::optional<comm::HaloPlan<Space>> off_rank_;
  comm::ExtendedRows<float, Space> rows_;
  Array<GlobalIndex, Space> numbers_[2];
  Array<VertexId, Space> ids_[2];
  Array<Index, Space> locals_[2];
  Span<GlobalIndex const> number_of_row_, number_of_column_;
  MemberRowsView view_;
};

/// Global numbers of local aggregates.
struct AggregateNumbers {
  GlobalIndex begin;
  Index owned;
  GlobalIndex const* foreign;
  TESSERA_HD GlobalIndex operator()(Index a) const { return a < owned ? begin + a : foreign[a - owned]; }
};

/// Rows of each aggregate.
struct MembersView {
  Index const* first;
  Index const* row;
  TESSERA_HD Index size(Index a) const { return first[a + 1] - first[a]; }
};

/// Pairs of earlier steps. A pair is tried again only if one of its aggregates has changed since.
struct TriedPairs {
  GlobalIndex const* partner;  ///< steps x owned aggregates: the partner in that step
  int const* changed;          ///< the last step in which an aggregate changed, ghosts included; -1: none
  int step;
  AggregateNumbers number;
  TESSERA_HD bool operator()(Index a, Index b) const {
    for (int s = step - 1; s >= changed[a] && s >= changed[b] && s >= 0; --s) {
      if (partner[static_cast<Offset>(s) * number.owned + a] == number(b)) return true;
    }
    return false;
  }
};

/// An upper bound on the number of adjacent aggregates.
struct EdgesOfMembersBody {
  MemberRowsView rows;
  MembersView members;
  Offset* edges;
  TESSERA_HD void operator()(Index a) const {
    edges[a] = 0;
    if (members.size(a) >= most_vertices) return;
    for (Index m = members.first[a]; m < members.first[a + 1]; ++m)
      edges[a] += rows.offsets[members.row[m] + 1] - rows.offsets[members.row[m]];
  }
};

/// The adjacent aggregates of each aggregate and the weights to them: sums of the positive edge weights,
/// coarsely rounded because the order of edges depends on the number of ranks; 0 for aggregates that make no
/// pair.
struct AdjacentBody {
  MemberRowsView rows;
  MembersView members;
  Index const* size;  ///< of aggregates, ghosts included
  TriedPairs tried;
  Offset const* first;
  Index* count;
  Index* adjacent;
  float* weight;  ///< a float holds all bits of a coarsely rounded sum

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index a) const {
    Index const found = first[a] < first[a + 1] ? list(group, a) : 0;
    if (group.lane == 0) count[a] = found;
    for (Index k = group.lane; k < found; k += Group::size) {
      Index const b = adjacent[first[a] + k];
      bool const pair = size[a] + size[b] <= most_vertices && !tried(a, b);
      weight[first[a] + k] = pair ? static_cast<float>(coarsely_rounded(weight_between(a, b))) : 0.0F;
    }
  }

 private:
  template <class Group>
  TESSERA_HD Index list(Group const& group, Index a) const {
    Index found = 0;
    for (Index m = members.first[a]; m < members.first[a + 1]; ++m) {
      Offset const end = rows.offsets[members.row[m] + 1];
      for (Offset from = rows.offsets[members.row[m]]; from < end; from += Group::size) {
        Offset const e = from + group.lane;
        Index b = e < end ? rows.of_column[rows.neighbour[e]] : -1;
        if (b == a) b = -1;
        for (Index k = 0; k < found && b >= 0; ++k) {
          if (adjacent[first[a] + k] == b) b = -1;
        }
        bool const first_with_it = group.count_same_before(b) == 0;
        int more = 0;
        int const before = group.count_before(b >= 0 && first_with_it, more);
        if (b >= 0 && first_with_it) adjacent[first[a] + found + before] = b;
        found += more;
        group.sync();
      }
    }
    return found;
  }
  TESSERA_HD double weight_between(Index a, Index b) const {
    double sum = 0.0;
    for (Index m = members.first[a]; m < members.first[a + 1]; ++m) {
      Index const row = members.row[m];
      for (Offset e = rows.offsets[row]; e < rows.offsets[row + 1]; ++e) {
        if (rows.of_column[rows.neighbour[e]] == b && rows.weight[e] > 0.0f)
          sum += static_cast<double>(rows.weight[e]);
      }
    }
    return sum;
  }
};

/// The graph of aggregates whose edges are possible pairs.
struct PairEdgesBody {
  Offset const* first;
  Index const* count;
  Index const* adjacent;
  float const* between;
  TESSERA_HD Offset begin(Index a) const { return first[a]; }
  TESSERA_HD Offset end(Index a) const { return first[a] + count[a]; }
  TESSERA_HD bool operator()(Index, Offset k) const { return between[k] > 0.0F; }
  TESSERA_HD void take(Index, Offset k, Index& neighbour, float& weight) const {
    neighbour = adjacent[k];
    weight = between[k];
  }
};

}  // namespace Tessera::aggregation
