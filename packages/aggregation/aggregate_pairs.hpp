#pragma once
/// \file
/// Pairs of adjacent aggregates that reshaping may take, and their weights.
#include "aggregation/bipartition.hpp"
#include "aggregation/member_rows.hpp"
#include "core/counting_sort.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::aggregation {

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

/// Pairs of earlier steps. A pair is tried again only after one of its aggregates has changed.
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
