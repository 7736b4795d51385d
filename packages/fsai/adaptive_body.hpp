#pragma once
/// \file
/// Growth of the pattern in steps; only rows that have grown are solved again.
#include <algorithm>

#include "core/parallel.hpp"
#include "fsai/growth.hpp"
#include "fsai/row_systems.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::fsai {

/// Values on a pattern, and what was met on the way to them.
template <class Space>
struct Solved {
  Pattern<Space> pattern;
  Array<double, Space> value;
  RowFailure failure;
};

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

/// One step; false when no row has grown. active: rows that may grow, then those that have.
template <class Space>
bool grow(Space const& space, LowerRows const& rows, Parameters const& parameters, Span<unsigned char> active,
          Solved<Space>& solved) {
  auto grown =
      grown_pattern(space, rows, solved.pattern.view(), solved.value.view(), active,
                    {parameters.adaptive_step_size, parameters.max_row_size, parameters.adaptive_tolerance});
  auto const before = solved.pattern.view(), after = grown.view();
  if (core::sum(space, after.rows, IsActiveBody{active}) == 0) return false;
  Array<double, Space> value(space, grown.column.size());
  sparse::for_each_entry(
      space, before.rows, before.column.size(),
      CopyValuesBody{before.offsets, after.offsets, active, solved.value.view(), value.span()});
  auto const failure = solve_rows(space, rows, after, value.span(), parameters.workspace, active);
  auto const workspace = std::max(solved.failure.workspace, failure.workspace);
  solved = {std::move(grown), std::move(value), failure};
  solved.failure.workspace = workspace;
  return failure.row < 0;
}

}  // namespace Tessera::fsai
