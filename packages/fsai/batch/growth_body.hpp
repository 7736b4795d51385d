#pragma once
/// \file
/// Growth of a pattern: search for new columns, and merge with the old ones.
#include "core/bisection.hpp"
#include "core/group.hpp"
#include "fsai/batch/growth_search.hpp"

namespace Tessera::fsai {

/// added[r]: number of columns that row r may gain.
struct RoomBody {
  GrowthTask task;
  TESSERA_HD void operator()(Index r) const { task.added[r] = task.room(r); }
};

struct GrownSizeBody {
  GrowthTask task;
  Span<unsigned char> active;
  Span<Offset> size;
  TESSERA_HD void operator()(Index r) const {
    active[r] = task.added[r] > 0 ? 1 : 0;
    size[r] = task.pattern.size(r) + task.added[r];
  }
};

/// Merges old and picked columns in ascending order: a column's position is the number of smaller columns.
struct MergeRowBody {
  GrowthTask task;
  Span<Offset const> offsets;
  Span<Index> column;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index r) const {
    auto const P = task.pattern.row(r);
    auto const N = task.picked.part(task.first[r], task.added[r]);
    auto const target = column.data() + offsets[r];
    for (std::size_t k = group.lane; k < P.size(); k += Group::size) target[k + smaller(N, P[k])] = P[k];
    for (std::size_t n = group.lane; n < N.size(); n += Group::size)
      target[core::lower_bound(P, N[n]) + smaller(N, N[n])] = N[n];
  }
  TESSERA_HD static std::size_t smaller(Span<Index const> numbers, Index c) {
    Index count = 0;
    for (auto const number : numbers) count += number < c ? 1 : 0;
    return count;
  }
};

template <class Space>
Pattern<Space> grown_pattern(Space const& space, LowerRows const& rows, PatternView pattern,
                             Span<double const> value, Span<unsigned char> active, GrowthRule const& rule) {
  auto const n = static_cast<std::size_t>(pattern.rows);
  Array<double, Space> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  Array<Index, Space> added(space, n);
  Array<Offset, Space> first(space, n + 1);
  GrowthTask task{rows, pattern, value, diagonal.view(), active, rule, first.view(), {}, added.span()};
  core::for_each(space, n, RoomBody{task});
  Array<Index, Space> picked(space, core::exclusive_scan(space, added.view(), first.span()));
  task.picked = picked.span();
  GrowthSearch<Space>::run(space, task);
  Pattern<Space> grown{Array<Offset, Space>(space, n + 1), {}};
  auto const size = grown.offsets.span().part(0, n);
  core::for_each(space, n, GrownSizeBody{task, active, size});
  auto const entries = core::exclusive_scan(space, size, grown.offsets.span());
  grown.column = Array<Index, Space>(space, entries);
  core::for_each_group(space, n, entries, MergeRowBody{task, grown.offsets.view(), grown.column.span()});
  return grown;
}

}  // namespace Tessera::fsai
