#pragma once
/// \file
/// Adaptive growth of the pattern in steps; a step solves only the rows that it has grown.
#include <algorithm>
#include <vector>

#include "comm/communicator.hpp"
#include "core/parallel.hpp"
#include "fsai/cut_rows.hpp"
#include "fsai/factor.hpp"
#include "fsai/pattern.hpp"
#include "fsai/row_systems.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::fsai {

/// Copies the entries of rows that did not grow from the old pattern to the new one.
struct CopyValuesBody {
  Span<Offset const> from, to;
  Span<unsigned char const> active;
  Span<double const> value;
  Span<double> new_value;
  TESSERA_HD Offset begin(Index r) const { return from[r]; }
  TESSERA_HD Offset end(Index r) const { return from[active[r] != 0 ? r : r + 1]; }
  TESSERA_HD void operator()(Index r, Offset k) const { new_value[to[r] + (k - from[r])] = value[k]; }
};

/// Number of rows that are marked.
template <class Space>
Index count_marked(Space const& space, Span<unsigned char const> marked) {
  return core::sum(space, marked.size(), core::Load<unsigned char, Index>{marked.data()});
}

/// Row sizes if each active row gains as many entries as the rule allows.
struct GrownSizes {
  PatternView pattern;
  Span<unsigned char const> active;
  GrowthRule rule;
  TESSERA_HD Index size(Index r) const {
    Index const m = pattern.size(r);
    return m + (active[r] != 0 ? rule.growth_limit(m) : 0);
  }
  TESSERA_HD double operator()(Index r) const { return row_work(size(r)); }
};

/// Stores GrownSizes of each row.
struct StoreGrownSizes {
  GrownSizes sizes;
  Span<Index> size;
  TESSERA_HD void operator()(Index r) const { size[r] = sizes.size(r); }
};

/// The largest row size in a step, for a rule whose own bound is largest_row. Collective.
template <class Space>
Index growth_row_bound(Space const& space, comm::Communicator const& comm, GrownSizes const& sizes) {
  auto const n = static_cast<std::size_t>(sizes.pattern.rows);
  std::vector<double> work{core::sum(space, n, sizes), static_cast<double>(n)};
  comm.sum(work);
  if (work[0] <= work[1] * row_work(uncut_row_size)) return largest_row;
  Array<Index, Space> size(space, n);
  core::for_each(space, n, StoreGrownSizes{sizes, size.span()});
  std::vector<double> count(largest_row + 1, 0.0);
  for (auto const m : core::to_vector(space, size.view())) count[m] += 1;
  comm.sum(count);
  return affordable_row_bound(count, uncut_row_size);
}

/// One growth step: replaces the pattern, and `value` on it. active: on entry, rows that may grow; on return,
/// rows that have grown.
template <class Space>
RowFailure grow_once(Space const& space, Factor<Space>& factor, GrowthRule const& rule,
                     Span<unsigned char> active, Array<double, Space>& value) {
  auto const rows = factor.lower.view();
  auto const before = factor.pattern.view();
  auto const n = before.rows;
  auto grown = grown_pattern(space, rows, before, value.view(), active, rule);
  if (count_marked(space, active) == 0) return {};
  auto const after = grown.view();
  Array<double, Space> new_value(space, after.column.size());
  sparse::for_each_entry(
      space, n, before.column.size(),
      CopyValuesBody{before.offsets, after.offsets, active, value.view(), new_value.span()});
  auto const failure = solve_rows(space, rows, after, new_value.span(), factor.parameters.workspace, active);
  factor.workspace = std::max(factor.workspace, failure.workspace);
  factor.pattern = std::move(grown);
  value = std::move(new_value);
  return failure;
}

/// All growth steps. value: entries of G on the pattern. Growth ends when no row has grown; a rank on which a
/// row has failed grows no more rows. Collective.
template <class Space>
RowFailure grow(Space const& space, comm::Communicator const& comm, Factor<Space>& factor,
                Array<double, Space>& value) {
  auto const& p = factor.parameters;
  Array<unsigned char, Space> active(space, factor.pattern.view().rows);
  core::fill(space, active.span(), static_cast<unsigned char>(1));
  RowFailure failure;
  for (int s = 0; s < p.adaptive_steps; ++s) {
    bool const grows = failure.row < 0 && count_marked(space, active.view()) > 0;
    if (!comm.any(grows)) break;
    GrowthRule rule{p.adaptive_step_size, largest_row, p.adaptive_tolerance};
    rule.max_row_size = p.max_row_size > 0
                            ? p.max_row_size
                            : growth_row_bound(space, comm, {factor.pattern.view(), active.view(), rule});
    factor.row_bound = std::min(factor.row_bound, static_cast<Index>(rule.max_row_size));
    if (grows) failure = grow_once(space, factor, rule, active.span(), value);
  }
  return failure;
}

}  // namespace Tessera::fsai
