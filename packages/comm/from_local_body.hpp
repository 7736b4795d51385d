#pragma once
/// \file
/// Checks and assembly of a matrix from an application's arrays.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "comm/from_local.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

enum class LocalError { none, offsets, range, repeated, value };

/// Checks the offsets of a row; reads no other array.
template <class Position>
struct OffsetCheck {
  Span<Position const> offsets;
  Offset entries;
  TESSERA_HD LocalError operator()(Index i) const {
    auto const first = static_cast<Offset>(offsets[i]), last = static_cast<Offset>(offsets[i + 1]);
    bool const begins = i > 0 || first == 0;
    bool const ends = static_cast<std::size_t>(i) + 2 < offsets.size() || last == entries;
    return begins && ends && 0 <= first && first <= last && last <= entries ? LocalError::none
                                                                            : LocalError::offsets;
  }
};

/// Checks the entries of rows with valid offsets. Ascending columns are distinct; other columns are compared
/// in pairs.
template <class Position>
struct EntryCheck {
  Span<Position const> offsets;
  Span<Index const> column;
  Span<double const> value;
  Index columns;
  TESSERA_HD LocalError operator()(Index i) const {
    auto const first = static_cast<Offset>(offsets[i]), last = static_cast<Offset>(offsets[i + 1]);
    bool in_range = true, finite = true, ascending = true;
    for (Offset k = first; k < last; ++k) {
      in_range = in_range && 0 <= column[k] && column[k] < columns;
      finite = finite && value[k] * 0.0 == 0.0;
      ascending = ascending && (k == first || column[k - 1] < column[k]);
    }
    if (!in_range) return LocalError::range;
    if (!ascending && has_repeated_column(first, last)) return LocalError::repeated;
    return finite ? LocalError::none : LocalError::value;
  }
  TESSERA_HD bool has_repeated_column(Offset first, Offset last) const {
    for (Offset k = first; k < last; ++k) {
      for (Offset l = first; l < k; ++l)
        if (column[l] == column[k]) return true;
    }
    return false;
  }
};

/// Key of the first row with an error under a maximum: larger for earlier rows; 0: no error.
template <class Body>
struct FirstErrorKey {
  static constexpr GlobalIndex kinds = 8;
  Body body;
  GlobalIndex rows;
  TESSERA_HD GlobalIndex operator()(Index i) const {
    auto const kind = static_cast<GlobalIndex>(body(i));
    return kind == 0 ? 0 : (rows - i) * kinds + kind;
  }
};

struct InvalidRow {
  LocalError kind = LocalError::none;
  Index row = 0;
};

template <class Space, class Body>
InvalidRow first_error(Space const& space, Index rows, Body const& body) {
  using Search = FirstErrorKey<Body>;
  auto const key =
      core::reduce(space, static_cast<std::size_t>(rows), Search{body, rows}, core::Max{}, GlobalIndex{0});
  if (key == 0) return {};
  return {static_cast<LocalError>(key % Search::kinds), rows - static_cast<Index>(key / Search::kinds)};
}

/// An empty array may have any address.
template <class T, class Space>
void require_space(Space const& space, char const* name, Span<T const> array) {
  if (array.empty()) return;
  auto const where = core::memory_space_mismatch(space, array.data());
  TESSERA_VALIDATE(
      where.empty(), "the array of ", name, " lies ", where, ", but the matrix is set up on ", Space::name,
      " (arrays are read in place); give memory of that back end's device, or choose the back end ",
      "and device of the array");
}

template <class Position, class Space>
void require_arrays(Space const& space, Index rows, LocalRows<Position> const& A) {
  auto const n = static_cast<std::size_t>(rows);
  TESSERA_VALIDATE(A.offsets.size() == n + 1 || (n == 0 && A.offsets.empty()), "a matrix of ", n,
                   " rows on this rank has ", A.offsets.size(),
                   " row offsets; give one more than the number of rows");
  TESSERA_VALIDATE(A.column.size() == A.value.size(), "there are ", A.column.size(), " columns and ",
                   A.value.size(), " values on this rank; give the same number of each");
  TESSERA_VALIDATE(n > 0 || A.column.empty(), "there are no rows, but ", A.column.size(),
                   " columns on this rank; give no columns");
  auto const given = [](auto const& array) { return array.empty() || array.data() != nullptr; };
  TESSERA_VALIDATE(given(A.offsets) && given(A.column) && given(A.value),
                   "an array of the matrix is a null pointer; give row offsets, columns and values");
  require_space(space, "row offsets", A.offsets);
  require_space(space, "columns", A.column);
  require_space(space, "values", A.value);
}

inline void require_ghosts(Distribution const& rows, std::vector<GlobalIndex> const& ascending) {
  for (std::size_t g = 0; g < ascending.size(); ++g) {
    auto const c = ascending[g];
    TESSERA_VALIDATE(0 <= c && c < rows.global_size(), "column ", c, " does not exist in a matrix of ",
                     rows.global_size(), " columns; number columns from 0");
    TESSERA_VALIDATE(!rows.owns(c), "ghost column ", c, " is owned by this rank (the first ",
                     rows.local_size(),
                     " local columns are the owned columns); give it the local index of its row");
    TESSERA_VALIDATE(g == 0 || ascending[g - 1] != c, "ghost column ", c,
                     " has two local indices (products would use it twice); give it one local index");
  }
}

/// Throws the error of a row. Copies the entries of this row to the host for the message.
template <class Position, class Space>
[[noreturn]] void throw_row_error(Space const& space, LocalRows<Position> const& A, Index columns,
                                  InvalidRow const& found, GlobalIndex name) {
  auto const ends = core::to_vector(space, A.offsets.part(static_cast<std::size_t>(found.row), 2));
  auto const begin = core::message("row ", name);
  if (found.kind == LocalError::offsets) {
    throw core::InvalidInput(core::message(begin, " has offsets ", ends[0], " and ", ends[1],
                                           " (offsets start at 0, do not descend, and end at the ",
                                           A.column.size(),
                                           " entries of this rank); check how the matrix is assembled"));
  }
  auto const from = static_cast<std::size_t>(ends[0]), count = static_cast<std::size_t>(ends[1] - ends[0]);
  auto column = core::to_vector(space, A.column.part(from, count));
  if (found.kind == LocalError::range) {
    auto const bad =
        *std::find_if(column.begin(), column.end(), [=](Index c) { return c < 0 || c >= columns; });
    throw core::InvalidInput(core::message(begin, " has an entry in local column ", bad,
                                           ", but this rank has ", columns,
                                           " columns; check how the matrix is assembled"));
  }
  if (found.kind == LocalError::repeated) {
    std::sort(column.begin(), column.end());
    throw core::InvalidInput(core::message(begin, " has several entries in local column ",
                                           *std::adjacent_find(column.begin(), column.end()),
                                           " (products sum them, but strength of connection and patterns ",
                                           "treat each alone); store their sum"));
  }
  auto const value = core::to_vector(space, A.value.part(from, count));
  auto const bad = std::find_if(value.begin(), value.end(), [](double v) { return v * 0.0 != 0.0; });
  throw core::InvalidInput(core::message(
      begin, " has a value in local column ", column[static_cast<std::size_t>(bad - value.begin())],
      ", which is not finite (", *bad, "); check how the matrix is assembled"));
}

template <class Position, class Space>
void require_rows(Space const& space, Distribution const& rows, LocalRows<Position> const& A) {
  auto const n = rows.local_size();
  auto const columns = n + static_cast<Index>(A.ghost_columns.size());
  auto found = first_error(space, n, OffsetCheck<Position>{A.offsets, static_cast<Offset>(A.column.size())});
  if (found.kind == LocalError::none)
    found = first_error(space, n, EntryCheck<Position>{A.offsets, A.column, A.value, columns});
  if (found.kind == LocalError::none) return;
  throw_row_error(space, A, columns, found, A.user_row ? A.user_row(found.row) : rows.begin() + found.row);
}

template <class Position>
struct WidenBody {
  Span<Position const> from;
  Span<Offset> to;
  TESSERA_HD void operator()(Index i) const { to[i] = static_cast<Offset>(from[i]); }
};

struct RenumberBody {
  Span<Index const> column;
  Index owned;
  Span<Index const> ghost;  ///< halo index of each ghost of LocalRows
  Span<Index> renumbered;
  TESSERA_HD void operator()(Index k) const {
    auto const c = column[k];
    renumbered[k] = c < owned ? c : owned + ghost[c - owned];
  }
};

template <class Position, class Space>
Array<Offset, Space> wide_offsets(Space const& space, Index rows, Span<Position const> offsets) {
  if (offsets.empty()) {
    Array<Offset, Space> zero(space, 1);
    core::fill(space, zero.span(), Offset{0});
    return zero;
  }
  if constexpr (std::is_same_v<Position, Offset>) {
    return Array<Offset, Space>::borrowed(space, offsets);
  } else {
    Array<Offset, Space> wide(space, static_cast<std::size_t>(rows) + 1);
    core::for_each(space, wide.size(), WidenBody<Position>{offsets, wide.span()});
    return wide;
  }
}

template <class Space>
Array<Index, Space> renumbered(Space const& space, Index owned, Span<Index const> column,
                               std::vector<Index> const& ghost) {
  if (std::is_sorted(ghost.begin(), ghost.end())) return Array<Index, Space>::borrowed(space, column);
  auto const on_space = core::to_space(space, ghost);
  Array<Index, Space> result(space, column.size());
  core::for_each(space, column.size(), RenumberBody{column, owned, on_space.view(), result.span()});
  core::synchronize(space);
  return result;
}

template <class Position, class Space>
DistCsr<double, Space> from_local(Space const& space, Distribution const& rows,
                                  LocalRows<Position> const& A) {
  DistCsr<double, Space> matrix;
  agree_on_errors(rows.comm(), [&] {
    auto const n = rows.local_size();
    auto ascending = A.ghost_columns;
    std::sort(ascending.begin(), ascending.end());
    require_arrays(space, n, A);
    require_ghosts(rows, ascending);
    require_rows(space, rows, A);
    std::vector<Index> ghost;
    for (auto const c : A.ghost_columns) {
      auto const at = std::lower_bound(ascending.begin(), ascending.end(), c);
      ghost.push_back(static_cast<Index>(at - ascending.begin()));
    }
    matrix.rows = rows;
    matrix.user_row = A.user_row;
    matrix.local.rows = n;
    matrix.local.columns = n + static_cast<Index>(ghost.size());
    matrix.local.offsets = wide_offsets(space, n, A.offsets);
    matrix.local.column = renumbered(space, n, A.column, ghost);
    matrix.local.value = Array<double, Space>::borrowed(space, A.value);
    rows.comm().agree();  // no rank waits in the plan's exchange for a failed rank
    matrix.halo = HaloPlan<Space>(space, rows, std::move(ascending));
  });
  return matrix;
}

/// Reduces Body{part, first}(k) over the entries first + k of an array, in parts: Index counts a loop.
template <class Body, class Space, class T, class Op, class Result>
Result reduce_entries(Space const& space, Span<T const> values, Op const& op, Result identity) {
  constexpr std::size_t most = std::size_t{1} << 30;
  Result result = identity;
  for (std::size_t first = 0; first < values.size(); first += most) {
    auto const part = values.part(first, std::min(most, values.size() - first));
    result = op(result, core::reduce(space, part.size(), Body{part, first}, op, identity));
  }
  return result;
}

struct Magnitude {
  Span<double const> values;
  std::size_t first;
  TESSERA_HD double operator()(Index k) const {
    double const magnitude = std::fabs(values[k]);
    return magnitude < HUGE_VAL ? magnitude : HUGE_VAL;
  }
};

template <class Space>
double largest_magnitude(Space const& space, Span<double const> values) {
  return reduce_entries<Magnitude>(space, values, core::Max{}, 0.0);
}

template <class Space>
void replace_values(Space const& space, DistCsr<double, Space>& A, Span<double const> values) {
  agree_on_errors(A.rows.comm(), [&] {
    auto const& local = A.local;
    LocalRows<Offset> const rows{local.offsets.view(), local.column.view(), values, A.halo.ghosts(),
                                 A.user_row};
    require_arrays(space, local.rows, rows);
    // Neighbouring threads read neighbouring values here. require_rows() reads by rows, but finds the row.
    if (largest_magnitude(space, values) == HUGE_VAL) require_rows(space, A.rows, rows);
  });
  A.local.value = Array<double, Space>::borrowed(space, values);
}

/// Terms of a sum, which does not depend on the order: each has its number, first + k.
template <class T>
struct NumberedTerm {
  Span<T const> values;
  std::size_t first;
  TESSERA_HD std::uint64_t operator()(Index k) const {
    auto const number = first + static_cast<std::size_t>(k) + 1;
    return core::mix64(core::mix64(number) ^ static_cast<std::uint64_t>(values[k]));
  }
};

template <class Space, class T>
std::uint64_t numbered_sum(Space const& space, Span<T const> values) {
  return reduce_entries<NumberedTerm<T>>(space, values, core::Plus{}, std::uint64_t{0});
}

template <class Space>
std::uint64_t pattern_fingerprint(Space const& space, LocalRows<Offset> const& A) {
  return core::mix64(numbered_sum(space, A.offsets)) ^ numbered_sum(space, A.column);
}

struct ListedLength {
  Span<Offset const> offsets;
  Span<Index const> listed;
  Span<Offset> length;
  TESSERA_HD void operator()(Index k) const { length[k] = offsets[listed[k] + 1] - offsets[listed[k]]; }
};

struct RowCopy {
  Span<Offset const> offsets;
  Span<Index const> column, listed;
  Span<double const> value;
  Span<Offset const> to;
  Span<Index> copied_column;
  Span<double> copied_value;
  TESSERA_HD void operator()(Index k) const {
    auto const from = offsets[listed[k]];
    for (Offset e = 0; e < to[k + 1] - to[k]; ++e) {
      copied_column[to[k] + e] = column[from + e];
      copied_value[to[k] + e] = value[from + e];
    }
  }
};

template <class Space>
FetchedRows fetch_rows(Space const& space, LocalRows<Offset> const& A, std::vector<Index> const& listed) {
  auto const rows = core::to_space(space, listed);
  Array<Offset, Space> length(space, listed.size());
  core::for_each(space, listed.size(), ListedLength{A.offsets, rows.view(), length.span()});
  FetchedRows fetched;
  fetched.offsets.push_back(0);
  for (auto const count : core::to_vector(space, length.view()))
    fetched.offsets.push_back(fetched.offsets.back() + count);
  auto const offsets = core::to_space(space, fetched.offsets);
  auto const entries = static_cast<std::size_t>(fetched.offsets.back());
  Array<Index, Space> column(space, entries);
  Array<double, Space> value(space, entries);
  core::for_each(
      space, listed.size(),
      RowCopy{A.offsets, A.column, rows.view(), A.value, offsets.view(), column.span(), value.span()});
  fetched.column = core::to_vector(space, column.view());
  fetched.value = core::to_vector(space, value.view());
  return fetched;
}

}  // namespace Tessera::comm
