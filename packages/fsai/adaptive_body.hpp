#pragma once
/// \file
/// Growth of the pattern in steps; only rows that have grown are solved again.
#include <algorithm>

#include "core/parallel.hpp"
#include "fsai/factor.hpp"
#include "fsai/growth.hpp"
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

/// The steps; value: on the pattern. Ends when no row has grown, or one has failed.
template <class Space>
RowFailure grow(Space const& space, Factor<Space>& factor, Array<double, Space>& value) {
  auto const& p = factor.parameters;
  auto const rows = factor.lower.view();
  auto const n = factor.pattern.view().rows;
  Array<unsigned char, Space> active(space, n);
  core::fill(space, active.span(), static_cast<unsigned char>(1));
  RowFailure failure;
  for (int s = 0; s < p.adaptive_steps && failure.row < 0; ++s) {
    auto const before = factor.pattern.view();
    auto grown = grown_pattern(space, rows, before, value.view(), active.span(),
                               {p.adaptive_step_size, p.max_row_size, p.adaptive_tolerance});
    if (core::sum(space, n, IsActiveBody{active.view()}) == 0) break;
    auto const after = grown.view();
    Array<double, Space> new_value(space, after.column.size());
    sparse::for_each_entry(
        space, n, before.column.size(),
        CopyValuesBody{before.offsets, after.offsets, active.view(), value.view(), new_value.span()});
    failure = solve_rows(space, rows, after, new_value.span(), p.workspace, active.view());
    factor.workspace = std::max(factor.workspace, failure.workspace);
    factor.pattern = std::move(grown);
    value = std::move(new_value);
  }
  return failure;
}

}  // namespace Tessera::fsai
