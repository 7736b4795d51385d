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

/// Whole rows of one list to places in another. What is null is not copied.
struct CopyRowsBody {
  Span<Offset const> from, to;
  Index const* from_row;  ///< null: row i is row i
  Index const* to_row;
  unsigned char const* skip;  ///< null: no row; of row i
  Index const* column;
  double const* value;
  Index* new_column;
  double* new_value;
  TESSERA_HD Index source(Index i) const { return from_row == nullptr ? i : from_row[i]; }
  TESSERA_HD Index target(Index i) const { return to_row == nullptr ? i : to_row[i]; }
  TESSERA_HD Offset begin(Index i) const { return from[source(i)]; }
  TESSERA_HD Offset end(Index i) const {
    return skip != nullptr && skip[i] != 0 ? begin(i) : from[source(i) + 1];
  }
  TESSERA_HD void operator()(Index i, Offset k) const {
    auto const place = to[target(i)] + (k - begin(i));
    if (new_column != nullptr) new_column[place] = column[k];
    if (new_value != nullptr) new_value[place] = value[k];
  }
};

/// active[r] = whether row r has grown.
struct HasGrownBody {
  Span<Offset const> before, after;
  Span<unsigned char> active;
  TESSERA_HD void operator()(Index r) const {
    active[r] = after[r + 1] - after[r] > before[r + 1] - before[r] ? 1 : 0;
  }
};

struct IsActive {
  Span<unsigned char const> active;
  TESSERA_HD bool operator()(Index r) const { return active[r] != 0; }
};

struct RowSizeBody {
  Span<Offset const> offsets;
  Span<Index const> row;
  Span<Index> size;
  TESSERA_HD void operator()(Index s) const {
    size[s] = static_cast<Index>(offsets[row[s] + 1] - offsets[row[s]]);
  }
};

/// The rows of a list of patterns.
template <class Space>
Pattern<Space> rows_of(Space const& space, PatternView pattern, Span<Index const> row) {
  Array<Index, Space> size(space, row.size());
  core::for_each(space, row.size(), RowSizeBody{pattern.offsets, row, size.span()});
  Pattern<Space> some{Array<Offset, Space>(space, row.size() + 1), {}};
  auto const entries = core::exclusive_scan(space, size.view(), some.offsets.span());
  some.column = Array<Index, Space>(space, entries);
  sparse::for_each_entry(space, static_cast<Index>(row.size()), entries,
                         CopyRowsBody{pattern.offsets, some.offsets.view(), row.data(), nullptr, nullptr,
                                      pattern.column.data(), nullptr, some.column.data(), nullptr});
  return some;
}

/// One step; false when no row has grown. active: rows that may grow, then those that have.
template <class Space>
bool grow(Space const& space, LowerRows const& rows, Parameters const& parameters, Span<unsigned char> active,
          Solved<Space>& solved) {
  auto grown = grown_pattern(
      space, rows, solved.pattern.view(), solved.value.view(), Span<unsigned char const>(active),
      {parameters.adaptive_step_size, parameters.max_row_size, parameters.adaptive_tolerance});
  auto const before = solved.pattern.view(), after = grown.view();
  core::for_each(space, after.rows, HasGrownBody{before.offsets, after.offsets, active});
  Array<Index, Space> row(space, after.rows);
  auto const changed = core::select(space, after.rows, IsActive{active}, row.span());
  if (changed == 0) return false;

  auto const list = row.view().part(0, changed);
  Array<double, Space> value(space, grown.column.size());
  sparse::for_each_entry(space, before.rows, before.column.size(),
                         CopyRowsBody{before.offsets, after.offsets, nullptr, nullptr, active.data(), nullptr,
                                      solved.value.data(), nullptr, value.data()});
  {
    auto const some = rows_of(space, after, list);
    Array<double, Space> some_value(space, some.column.size());
    auto const failure = solve_rows(space, rows, some.view(), some_value.span(), parameters.workspace);
    solved.failure.workspace = std::max(solved.failure.workspace, failure.workspace);
    if (failure.row >= 0) {
      solved.failure.row = core::to_vector(space, list.part(failure.row, 1)).front();
      solved.failure.pivot = failure.pivot;
      return false;
    }
    sparse::for_each_entry(space, static_cast<Index>(changed), some.column.size(),
                           CopyRowsBody{some.offsets.view(), after.offsets, nullptr, list.data(), nullptr,
                                        nullptr, some_value.data(), nullptr, value.data()});
  }
  solved.pattern = std::move(grown);
  solved.value = std::move(value);
  return true;
}

}  // namespace Tessera::fsai
