#pragma once
/// \file
/// Rows whose entries are selected, on any space.
#include <algorithm>
#include <vector>

#include "core/hash.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::sparse {

/// Rows as parts of a list of entries, in any order.
struct SomeRows {
  std::vector<Offset> begin, end;
  std::size_t entries;
};

/// `rows` rows of up to `longest` entries: one after the other (shuffled false), or with gaps and backwards.
inline SomeRows some_rows(Index rows, Offset longest, bool shuffled) {
  SomeRows result;
  Offset at = 0;
  for (Index i = 0; i < rows; ++i) {
    auto const lot = core::mix64(static_cast<std::uint64_t>(i) + 77);
    if (shuffled && lot % 5 == 0) at += 3;
    result.begin.push_back(at);
    at += lot % 7 == 0 ? 0 : static_cast<Offset>(lot / 7 % static_cast<std::uint64_t>(longest + 1));
    result.end.push_back(at);
  }
  result.entries = static_cast<std::size_t>(at);
  if (shuffled) {
    std::reverse(result.begin.begin(), result.begin.end());
    std::reverse(result.end.begin(), result.end.end());
  }
  return result;
}

TESSERA_HD inline bool is_chosen(Index i, Offset k) {
  return core::mix64(static_cast<std::uint64_t>(k) * 31 + static_cast<std::uint64_t>(i)) % 3 == 0;
}

/// Counts the decisions for each entry.
struct ChooseBody {
  Span<Offset const> begins, ends;
  Span<int> decided;
  TESSERA_HD Offset begin(Index i) const { return begins[i]; }
  TESSERA_HD Offset end(Index i) const { return ends[i]; }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    ++decided[k];
    return is_chosen(i, k);
  }
  TESSERA_HD void take(Index i, Offset k, Index& row, double& number) const {
    row = i;
    number = 0.5 * static_cast<double>(k);
  }
};

/// Sums the entries that for_each_entry visits.
struct NoteRowBody {
  Span<Offset const> begins, ends;
  Span<int> row;
  TESSERA_HD Offset begin(Index i) const { return begins[i]; }
  TESSERA_HD Offset end(Index i) const { return ends[i]; }
  TESSERA_HD void operator()(Index i, Offset k) const { row[k] += i + 1; }
};

struct Selection {
  std::vector<Offset> offsets;
  std::vector<Index> row;
  std::vector<double> number;
  std::vector<int> decided, row_of_entry;
};

template <class Space>
Selection selected(Space const& space, SomeRows const& rows) {
  auto const begins = core::to_space(space, rows.begin), ends = core::to_space(space, rows.end);
  Array<int, Space> decided(space, rows.entries), row_of_entry(space, rows.entries);
  core::fill(space, decided.span(), 0);
  core::fill(space, row_of_entry.span(), 0);
  Array<Offset, Space> offsets;
  Array<Index, Space> row;
  Array<double, Space> number;
  auto const n = static_cast<Index>(rows.begin.size());
  row_select(space, n, rows.entries, ChooseBody{begins.view(), ends.view(), decided.span()}, offsets, row,
             number);
  for_each_entry(space, n, rows.entries, NoteRowBody{begins.view(), ends.view(), row_of_entry.span()});
  return {core::to_vector(space, offsets.view()), core::to_vector(space, row.view()),
          core::to_vector(space, number.view()), core::to_vector(space, decided.view()),
          core::to_vector(space, row_of_entry.view())};
}

inline Selection selected_by_loops(SomeRows const& rows) {
  Selection result{{0}, {}, {}, std::vector<int>(rows.entries, 0), std::vector<int>(rows.entries, 0)};
  for (std::size_t i = 0; i < rows.begin.size(); ++i) {
    for (auto k = rows.begin[i]; k < rows.end[i]; ++k) {
      result.decided[k] = 1;
      result.row_of_entry[k] = static_cast<int>(i) + 1;
      if (!is_chosen(static_cast<Index>(i), k)) continue;
      result.row.push_back(static_cast<Index>(i));
      result.number.push_back(0.5 * static_cast<double>(k));
    }
    result.offsets.push_back(static_cast<Offset>(result.row.size()));
  }
  return result;
}

/// Short rows and long ones, few and many.
inline std::vector<SomeRows> many_rows() {
  std::vector<SomeRows> all;
  for (bool const shuffled : {false, true}) {
    for (Index const n : {0, 1, 50, 4096, 20000}) {
      for (Offset const longest : {0, 1, 7, 40}) all.push_back(some_rows(n, longest, shuffled));
    }
    all.push_back(some_rows(9, 5000, shuffled));
  }
  return all;
}

}  // namespace Tessera::sparse
