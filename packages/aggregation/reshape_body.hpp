#pragma once
/// \file
/// Algorithm 3 of Brannick, Chen, Hu, Zikatanov 2013; see aggregates.hpp.
#include "aggregation/aggregate_pairs.hpp"
#include "aggregation/aggregates.hpp"
#include "aggregation/bipartition.hpp"
#include "aggregation/ghosts.hpp"
#include "aggregation/matching_body.hpp"

namespace Tessera::aggregation {

struct IsFirstOfPair {
  Index const* partner;
  Index owned;
  TESSERA_HD bool operator()(Index a) const { return partner[a] >= owned || partner[a] > a; }
};

struct SizeBody {
  MembersView members;
  Index* size;
  TESSERA_HD void operator()(Index a) const { size[a] = members.size(a); }
};

/// Partners as local numbers (-1: none), recorded for later steps as global numbers.
struct PartnerBody {
  MatchingView matching;
  AggregateNumbers number;
  Index* partner;
  GlobalIndex* tried;
  TESSERA_HD void operator()(Index a) const {
    bool const unmatched = matching.column[a] == a;
    partner[a] = unmatched ? -1 : matching.column[a];
    tried[a] = unmatched ? -1 : number(matching.column[a]);
  }
};

/// target: the aggregate whose owner needs a row's vertex. It is the partner of the vertex's aggregate if
/// another rank owns it; -1: none.
struct PartnerOwnerBody {
  Index const *of_row, *partner;
  AggregateNumbers number;
  GlobalIndex* target;
  TESSERA_HD void operator()(Index row) const {
    Index const a = of_row[row], b = a >= 0 && a < number.owned ? partner[a] : -1;
    target[row] = b >= number.owned ? number(b) : -1;
  }
};

/// A group reshapes one pair.
struct ReshapePairBody {
  MemberRowsView rows;
  MembersView members;
  AggregateNumbers number;
  VertexId const* ids;  ///< of aggregates
  Index const *pair, *partner;
  PairScratch* scratch;
  Index own_rows;
  GlobalIndex* aggregate;  ///< of the owned rows in aggregates of this rank
  GlobalIndex* shift;      ///< of the other rows: new number minus old number
  int* changed;
  int step;

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index p) const {
    Index const one = pair[p], other = partner[one];
    Index const a = ids[one] < ids[other] ? one : other, b = a == one ? other : one;
    auto& s = scratch[p];
    int const n = static_cast<int>(members.size(a) + members.size(b));
    unsigned const present = list_vertices(group, a, b, s);
    list_weights(group, a, b, n, s);
    Bipartition const best = BipartitionSearch{s, n, present}(group);
    if (best.quality < 0.0) return;
    // The side of a. Bit 0 is the smallest vertex id.
    unsigned const all = (1u << n) - 1;
    int const moves = count_of_bits(best.side ^ present);
    bool const keeps_side = 2 * moves < n || (2 * moves == n && (best.side & 1u) != 0);
    unsigned const side = keeps_side ? best.side : best.side ^ all;
    for (int i = group.lane; i < n; i += Group::size)
      move(s.row[i], (present >> i & 1u) != 0 ? a : b, (side >> i & 1u) != 0 ? a : b);
    if (group.lane != 0 || side == present) return;
    if (a < number.owned) changed[a] = step;
    if (b < number.owned) changed[b] = step;
  }

 private:
  /// Moves a row from one aggregate to another, on the rank that owns the first.
  TESSERA_HD void move(Index row, Index old, Index now) const {
    if (old == now || old >= number.owned) return;
    if (row < own_rows) {
      aggregate[row] = number(now);
    } else {
      shift[row - own_rows] = number(now) - number(old);
    }
  }
  TESSERA_HD Index row_of(Index a, Index b, int k) const {
    Index const in_a = members.size(a);
    return k < in_a ? members.row[members.first[a] + k] : members.row[members.first[b] + k - in_a];
  }

  /// Lists the vertices by id. Returns the bits of a's vertices.
  template <class Group>
  TESSERA_HD unsigned list_vertices(Group const& group, Index a, Index b, PairScratch& s) const {
    int const in_a = static_cast<int>(members.size(a)), n = in_a + static_cast<int>(members.size(b));
    unsigned mine = 0;
    for (int k = group.lane; k < n; k += Group::size) {
      Index const row = row_of(a, b, k);
      VertexId const id = rows.id_of_row[row];
      int rank = 0;
      for (int l = 0; l < n; ++l) rank += rows.id_of_row[row_of(a, b, l)] < id ? 1 : 0;
      s.id[rank] = id;
      s.row[rank] = row;
      if (k < in_a) mine |= 1u << rank;
    }
    group.sync();
    return group.sum(mine);
  }

  template <class Group>
  TESSERA_HD void list_weights(Group const& group, Index a, Index b, int n, PairScratch& s) const {
    for (int k = group.lane; k < n * n; k += Group::size) s.K[k / n][k % n] = 0.0;
    group.sync();
    for (int i = 0; i < n; ++i) {
      for (Offset e = rows.offsets[s.row[i]] + group.lane; e < rows.offsets[s.row[i] + 1]; e += Group::size) {
        Index const column = rows.neighbour[e], of = rows.of_column[column];
        if (of != a && of != b) continue;
        VertexId const id = rows.id_of_column[column];
        for (int j = 0; j < n; ++j) {
          if (s.id[j] == id) s.K[i][j] = static_cast<double>(rows.weight[e]);
        }
      }
    }
    group.sync();
  }
};

/// Sends each row's vertex to the owner of aggregate[row], if that is another rank. Returns the received
/// vertices of other ranks, merged with `more`, ascending. Collective.
template <class Space>
std::vector<GlobalIndex> exchange_vertices(Space const& space, comm::Distribution const& coarse,
                                           comm::Distribution const& vertices,
                                           std::vector<GlobalIndex> const& ghosts,
                                           Span<GlobalIndex const> aggregate, std::vector<GlobalIndex> more) {
  Array<Index, Space> chosen(space, aggregate.size());
  auto const count =
      core::select(space, aggregate.size(),
                   comm::GhostPredicate{{aggregate, {}}, coarse.begin(), coarse.end()}, chosen.span());
  auto const listed = chosen.view().part(0, count);
  auto const row = core::to_vector(space, listed);
  auto const to = core::to_vector(space, comm::gathered(space, listed, aggregate).view());
  comm::PackedBuffers buffers;
  for (std::size_t k = 0; k < count; ++k) {
    bool const own = row[k] < vertices.local_size();
    GlobalIndex const vertex = own ? vertices.begin() + row[k] : ghosts[row[k] - vertices.local_size()];
    comm::write(buffers[coarse.owner(to[k])], &vertex, 1);
  }
  for (auto const& [rank, buffer] : coarse.comm().exchange(buffers)) {
    for (auto const vertex : comm::numbers_of<GlobalIndex>(buffer)) {
      if (!vertices.owns(vertex)) more.push_back(vertex);
    }
  }
  std::sort(more.begin(), more.end());
  more.erase(std::unique(more.begin(), more.end()), more.end());
  return more;
}

/// State of all steps.
template <class Space>
struct ReshapeHistory {
  Array<GlobalIndex, Space> partner;  ///< see TriedPairs
  Array<int, Space> changed;          ///< of this rank's aggregates
};

/// Members of local aggregates.
template <class Space>
struct Members {
  Array<Index, Space> first, row;
  Members(Space const& space, MemberRows<Space> const& rows, std::size_t aggregates)
      : first(space, aggregates + 1),
        row(core::counting_sort(space, rows.rows(), core::Load<Index>{rows.view().of_row}, first.span())) {}
  MembersView view() const { return {first.data(), row.data()}; }
};

/// The partners of this rank's aggregates, as local numbers. Collective.
template <class Space>
Array<Index, Space> paired_aggregates(Space const& space, MemberRows<Space> const& rows,
                                      comm::HaloPlan<Space> const& halo, Span<VertexId const> ids,
                                      AggregateNumbers const& number, std::size_t edges, int step,
                                      ReshapeHistory<Space>& history) {
  auto const owned = static_cast<std::size_t>(number.owned);
  auto const local = owned + halo.ghost_count();
  Members<Space> const members(space, rows, local);
  auto size = with_ghosts<Index>(space, halo);
  core::for_each(space, owned, SizeBody{members.view(), size.data()});
  fetch_ghosts(space, halo, size);
  auto changed = with_ghosts<int>(space, halo);
  core::copy(space, history.changed.view(), space, changed.span());
  fetch_ghosts(space, halo, changed);

  Array<Offset, Space> first(space, owned + 1);
  core::for_each(space, owned, EdgesOfMembersBody{rows.view(), members.view(), first.data()});
  auto const most_edges = core::exclusive_scan(space, first.span().part(0, owned), first.span());
  Array<Index, Space> count(space, owned), adjacent(space, most_edges);
  Array<float, Space> weight(space, most_edges);
  TriedPairs const tried{history.partner.data(), changed.data(), step, number};
  core::for_each_group(space, owned, edges,
                       AdjacentBody{rows.view(), members.view(), size.data(), tried, first.data(),
                                    count.data(), adjacent.data(), weight.data()});
  StrengthGraph<Space> graph;
  graph.halo = halo;
  sparse::row_select(space, number.owned, most_edges,
                     PairEdgesBody{first.data(), count.data(), adjacent.data(), weight.data()}, graph.offsets,
                     graph.neighbour, graph.weight);
  constexpr int last_round = 63;
  auto mates = matched(space, graph, ids, last_round);
  Array<Index, Space> partner(space, owned);
  core::for_each(
      space, owned,
      PartnerBody{mates.view(graph, nullptr), number, partner.data(), history.partner.data() + step * owned});
  return partner;
}

/// Collective.
template <class Space>
void reshape_pairs(Space const& space, MemberRows<Space> const& rows, std::size_t local,
                   Span<VertexId const> ids, AggregateNumbers const& number, Span<Index const> partner,
                   int step, ReshapeHistory<Space>& history, Aggregates<Space>& aggregates) {
  // On a GPU enough pairs to occupy it, with 70 MB of scratch; on a host as many as fit into the caches.
  constexpr std::size_t at_once = core::SpaceTraits<Space>::coalesces ? 8192 : 512;
  Members<Space> const members(space, rows, local);
  Array<Index, Space> pairs(space, partner.size());
  auto const count =
      core::select(space, partner.size(), IsFirstOfPair{partner.data(), number.owned}, pairs.span());
  auto const own_rows = aggregates.aggregate.size();
  Array<GlobalIndex, Space> shift(space, rows.rows() - own_rows);
  core::fill(space, shift.span(), 0);
  Array<PairScratch, Space> scratch(space, std::min(count, at_once));
  for (std::size_t done = 0; done < count; done += at_once) {
    core::for_each_group(
        space, std::min(count - done, at_once), core::GroupShape<32, 128>{},
        ReshapePairBody{rows.view(), members.view(), number, ids.data(), pairs.data() + done, partner.data(),
                        scratch.data(), static_cast<Index>(own_rows), aggregates.aggregate.data(),
                        shift.data(), history.changed.data(), step});
  }
  if (rows.off_rank() != nullptr)
    rows.off_rank()->template add_from_ghosts<GlobalIndex>(space, shift.view(), aggregates.aggregate.span());
}

/// One step. Both ranks solve a pair of aggregates of two ranks. Collective.
template <class Space>
void reshape_once(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids, int step,
                  ReshapeHistory<Space>& history, Aggregates<Space>& aggregates) {
  auto const& coarse = aggregates.coarse;
  auto const& vertices = graph.halo.distribution();
  bool const one_rank = coarse.comm().size() == 1;
  auto const of_vertex = aggregates.aggregate.view();
  // The rows of the owned aggregates, and the adjacent aggregates.
  std::vector<GlobalIndex> off_rank;
  if (!one_rank) off_rank = exchange_vertices(space, coarse, vertices, {}, of_vertex, {});
  MemberRows<Space> rows(space, graph, of_vertex, ids, off_rank);
  std::vector<GlobalIndex> foreign;
  if (!one_rank) foreign = comm::ghost_columns(space, coarse, rows.number_of_column());
  comm::HaloPlan<Space> const halo(space, coarse, foreign);
  rows.number_aggregates(space, coarse, foreign);
  auto all_ids = with_ghosts<VertexId>(space, halo);
  core::copy(space, aggregates.ids.view(), space, all_ids.span());
  fetch_ghosts(space, halo, all_ids);
  auto const foreign_there = core::to_space(space, foreign);
  AggregateNumbers const number{coarse.begin(), coarse.local_size(), foreign_there.data()};
  auto const partner = paired_aggregates(space, rows, halo, aggregates.ids.view(), number,
                                         graph.neighbour.size(), step, history);

  auto const local = static_cast<std::size_t>(coarse.local_size()) + foreign.size();
  if (one_rank)
    return reshape_pairs(space, rows, local, all_ids.view(), number, partner.view(), step, history,
                         aggregates);
  // The rows of the partners.
  Array<GlobalIndex, Space> target(space, rows.rows());
  core::for_each(space, target.size(),
                 PartnerOwnerBody{rows.view().of_row, partner.data(), number, target.data()});
  off_rank = exchange_vertices(space, coarse, vertices, off_rank, target.view(), off_rank);
  MemberRows<Space> all_rows(space, graph, of_vertex, ids, off_rank);
  all_rows.number_aggregates(space, coarse, foreign);
  reshape_pairs(space, all_rows, local, all_ids.view(), number, partner.view(), step, history, aggregates);
}

template <class Space>
void reshape(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids, int steps,
             Aggregates<Space>& aggregates) {
  auto const owned = static_cast<std::size_t>(aggregates.coarse.local_size());
  ReshapeHistory<Space> history{Array<GlobalIndex, Space>(space, owned * steps),
                                Array<int, Space>(space, owned)};
  core::fill(space, history.changed.span(), -1);
  for (int step = 0; step < steps; ++step) reshape_once(space, graph, ids, step, history, aggregates);
}

}  // namespace Tessera::aggregation
