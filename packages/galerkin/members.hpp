#pragma once
/// \file
/// The members of each aggregate, by a counting sort.
#include "core/atomic.hpp"
#include "core/parallel.hpp"
#include "galerkin/visitors.hpp"

namespace Tessera::galerkin {

/// Which aggregate of this rank a candidate belongs to, -1: none of them. Candidates in the order of their
/// global numbers: visitors from lower ranks, own vertices, visitors from higher ranks.
struct CandidateAggregate {
  Span<GlobalIndex const> own;
  Span<Index const> visitor;
  Index lower;
  GlobalIndex begin, end;  ///< of this rank's aggregates

  TESSERA_HD Index operator()(Index candidate) const {
    auto const vertices = static_cast<Index>(own.size());
    Index const v = candidate - lower;
    if (v < 0) return visitor[candidate];
    if (v >= vertices) return visitor[candidate - vertices];
    return begin <= own[v] && own[v] < end ? static_cast<Index>(own[v] - begin) : -1;
  }
};

struct CountMembersBody {
  CandidateAggregate aggregate_of;
  Span<Index> count;
  TESSERA_HD void operator()(Index candidate) const {
    Index const a = aggregate_of(candidate);
    if (a >= 0) core::fetch_add(count[a], 1);
  }
};

struct PlaceMembersBody {
  CandidateAggregate aggregate_of;
  Span<Index const> offsets;
  Span<Index> placed;
  Span<Index> member;
  TESSERA_HD void operator()(Index candidate) const {
    Index const a = aggregate_of(candidate);
    if (a >= 0) member[offsets[a] + core::fetch_add(placed[a], 1)] = candidate;
  }
};

/// Restores the heap below `root` of a heap of `size`.
TESSERA_HD inline void sift_down(Index* heap, Index root, Index size) {
  Index const value = heap[root];
  for (Index child = 2 * root + 1; child < size; child = 2 * root + 1) {
    if (child + 1 < size && heap[child + 1] > heap[child]) ++child;
    if (heap[child] <= value) break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = value;
}

/// Ascending, in place. Insertion for the usual short and nearly sorted lists; a heap bounds the others.
TESSERA_HD inline void sort_ascending(Index* list, Index size) {
  constexpr Index short_list = 64;
  if (size <= short_list) {
    for (Index i = 1; i < size; ++i) {
      Index const value = list[i];
      Index at = i;
      for (; at > 0 && list[at - 1] > value; --at) list[at] = list[at - 1];
      list[at] = value;
    }
    return;
  }
  for (Index root = size / 2 - 1; root >= 0; --root) sift_down(list, root, size);
  for (Index last = size - 1; last > 0; --last) {
    Index const largest = list[0];
    list[0] = list[last];
    list[last] = largest;
    sift_down(list, 0, last);
  }
}

struct SortMembersBody {
  Span<Index const> offsets;
  Span<Index> member;
  TESSERA_HD void operator()(Index a) const {
    sort_ascending(member.data() + offsets[a], offsets[a + 1] - offsets[a]);
  }
};

/// Candidates that belong to aggregate a, ascending: member[offsets[a]] up to member[offsets[a + 1] - 1].
template <class Space>
struct Members {
  Array<Index, Space> offsets;
  Array<Index, Space> member;
};

/// CUDA has its own.
template <class Space>
void sort_members(Space const& space, Members<Space>& members) {
  core::for_each(space, members.offsets.size() - 1,
                 SortMembersBody{members.offsets.view(), members.member.span()});
}

/// The host has its own.
template <class Space>
Members<Space> members_of(Space const& space, CandidateAggregate const& aggregate_of) {
  auto const aggregates = static_cast<std::size_t>(aggregate_of.end - aggregate_of.begin);
  auto const candidates = aggregate_of.own.size() + aggregate_of.visitor.size();
  Array<Index, Space> count(space, aggregates);
  core::fill(space, count.span(), 0);
  core::for_each(space, candidates, CountMembersBody{aggregate_of, count.span()});
  Members<Space> members{Array<Index, Space>(space, aggregates + 1), {}};
  auto const total = core::exclusive_scan(space, count.span(), members.offsets.span());
  members.member = Array<Index, Space>(space, total);
  core::fill(space, count.span(), 0);
  core::for_each(space, candidates,
                 PlaceMembersBody{aggregate_of, members.offsets.view(), count.span(), members.member.span()});
  sort_members(space, members);
  return members;
}

}  // namespace Tessera::galerkin
