#pragma once
/// \file
/// Growth of the pattern in steps; only rows that have grown are solved again.
#include <algorithm>
#include <vector>

#include "comm/communicator.hpp"
#include "core/parallel.hpp"
#include "fsai/factor.hpp"
#include "fsai/growth.hpp"
#include "fsai/row_bound.hpp"
#include "fsai/row_systems.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::fsai {

/// Entries of rows that are not active, in another list.
struct CopyValuesBody {
  Span<Offset const> from, to;
  Span<unsigned char const> active;
  Span<double const> value;
  Span<double> new_value;
  TESSERA_HD Offset begin(Index r) const { return from[r]; }
  TESSERA_HD Offset end(Index r) const { return from[active[r] != 0 ? r : r + 1]; }
  TESSERA_HD void operator()(Index r, Offset k) const { new_value[to[r] + (k - from[r])] = value[k]; }
};

struct IsActiveBody {
  Span<unsigned char const> active;
  TESSERA_HD Index operator()(Index r) const { return active[r]; }
};

/// Entries that rows have when they take all the room there is.
struct GrownSizes {
  PatternView pattern;
  Span<unsigned char const> active;
  GrowthRule rule;
  TESSERA_HD Index size(Index r) const {
    Index const m = pattern.size(r);
    return m + (active[r] != 0 ? rule.room(m) : 0);
  }
  TESSERA_HD double operator()(Index r) const { return row_work(size(r)); }
};

/// Writes each row's.
struct StoreGrownSizes {
  GrownSizes sizes;
  Span<Index> size;
  TESSERA_HD void operator()(Index r) const { size[r] = sizes.size(r); }
};

/// The bound of the rows' size in a step whose rule has largest_row. Collective.
template <class Space>
Index bound_of_growth(Space const& space, comm::Communicator const& comm, GrownSizes const& sizes) {
  auto const n = static_cast<std::size_t>(sizes.pattern.rows);
  std::vector<double> work{core::sum(space, n, sizes), static_cast<double>(n)};
  comm.sum(work);
  if (work[0] <= work[1] * row_work(uncut_row_size)) return largest_row;
  Array<Index, Space> size(space, n);
  core::for_each(space, n, StoreGrownSizes{sizes, size.span()});
  std::vector<double> count(largest_row + 1, 0.0);
  for (auto const m : core::to_vector(space, size.view())) count[m] += 1;
  comm.sum(count);
  return bound_of_sizes(count, uncut_row_size);
}

/// One step: the pattern and value, on it, with what rows have gained. active: rows that may, then that have.
template <class Space>
RowFailure grow_once(Space const& space, Factor<Space>& factor, GrowthRule const& rule,
                     Span<unsigned char> active, Array<double, Space>& value) {
  auto const rows = factor.lower.view();
  auto const before = factor.pattern.view();
  auto const n = before.rows;
  auto grown = grown_pattern(space, rows, before, value.view(), active, rule);
  if (core::sum(space, n, IsActiveBody{active}) == 0) return {};
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

/// The steps; value: on the pattern. Ends when no row has grown, or, on a rank, when one has failed.
/// Collective.
template <class Space>
RowFailure grow(Space const& space, comm::Communicator const& comm, Factor<Space>& factor,
                Array<double, Space>& value) {
  auto const& p = factor.parameters;
  Array<unsigned char, Space> active(space, factor.pattern.view().rows);
  core::fill(space, active.span(), static_cast<unsigned char>(1));
  RowFailure failure;
  for (int s = 0; s < p.adaptive_steps; ++s) {
    auto const n = factor.pattern.view().rows;
    bool const grows = failure.row < 0 && core::sum(space, n, IsActiveBody{active.view()}) > 0;
    if (!comm.any(grows)) break;
    GrowthRule rule{p.adaptive_step_size, largest_row, p.adaptive_tolerance};
    rule.max_row_size = p.max_row_size > 0
                            ? p.max_row_size
                            : bound_of_growth(space, comm, {factor.pattern.view(), active.view(), rule});
    factor.row_bound = std::min(factor.row_bound, static_cast<Index>(rule.max_row_size));
    if (grows) failure = grow_once(space, factor, rule, active.span(), value);
  }
  return failure;
}

}  // namespace Tessera::fsai
