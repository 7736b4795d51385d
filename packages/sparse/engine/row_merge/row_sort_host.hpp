#pragma once
/// \file
/// Sorts the entries of one row by distinct keys: their columns, or other keys of the columns.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace Tessera::sparse::hash {

/// Scratch of sort_row.
using RowSort = std::vector<std::uint64_t>;

/// The rank of a key is the number of smaller keys.
template <int Padded>
struct Ranks {
  alignas(64) Index of[Padded];
};

/// Ranks of `count` distinct keys, without branches, all keys of a register at once. 32 entries took a tenth
/// of the time of an insertion sort. Places from `count` on have the rank `count`. Constant: in loops of a
/// constant length, whose ends are never mispredicted.
template <int Padded, bool Constant = false>
Ranks<Padded> ranks_of(Index count, Index const* key) {
  alignas(64) Index padded[Padded];
  Ranks<Padded> rank;
  for (int i = 0; i < Padded; ++i) {
    padded[i] = i < count ? key[i] : 0x7fffffff;
    rank.of[i] = 0;
  }
  for (Index k = 0; k < (Constant ? Padded : count); ++k) {
    Index const c = Constant ? padded[k] : key[k];
    for (int i = 0; i < Padded; ++i) rank.of[i] += c < padded[i] ? 1 : 0;
  }
  return rank;
}

template <int Padded>
void rank_columns(Index count, Index const* __restrict column, Index* __restrict sorted) {
  auto const rank = ranks_of<Padded>(count, column);
  for (Index i = 0; i < count; ++i) sorted[rank.of[i]] = column[i];
}

template <int Padded, class T>
void rank_row(Index count, Index const* __restrict key, Index const* __restrict column,
              T const* __restrict value, Index* __restrict sorted_column, T* __restrict sorted_value) {
  auto const rank = ranks_of<Padded>(count, key);
  for (Index i = 0; i < count; ++i) {
    sorted_column[rank.of[i]] = column[i];
    sorted_value[rank.of[i]] = value[i];
  }
}

/// Entries (column, value) in the order of their keys. Source and target do not overlap; both have room for
/// eight entries. Without __restrict here a product A P took 15 % longer (rows of 8 to 16 entries, Zen 4).
template <class T>
void sort_row(Index count, Index const* __restrict key, Index const* __restrict column,
              T const* __restrict value, Index* __restrict sorted_column, T* __restrict sorted_value,
              RowSort& scratch) {
  constexpr Index few = 8;
  if (count == 0) return;
  if (count < few) {
    auto const rank = ranks_of<few, true>(count, key);
    for (Index i = 0; i < few; ++i) sorted_value[rank.of[i]] = value[i];
    for (Index i = 0; i < few; ++i) sorted_column[rank.of[i]] = column[i];
    return;
  }
  if (count <= 16) return rank_row<16>(count, key, column, value, sorted_column, sorted_value);
  if (count <= 32) return rank_row<32>(count, key, column, value, sorted_column, sorted_value);
  if (count <= 64) return rank_row<64>(count, key, column, value, sorted_column, sorted_value);
  if (count <= 128) return rank_row<128>(count, key, column, value, sorted_column, sorted_value);
  scratch.resize(count);
  for (Index i = 0; i < count; ++i) {
    scratch[i] = static_cast<std::uint64_t>(key[i]) << 32 | static_cast<std::uint32_t>(i);
  }
  std::sort(scratch.begin(), scratch.end());
  for (Index i = 0; i < count; ++i) {
    auto const from = static_cast<std::uint32_t>(scratch[i]);
    sorted_column[i] = column[from];
    sorted_value[i] = value[from];
  }
}

/// Columns in ascending order; the source may be reordered.
inline void sort_columns(std::vector<Index>& column, Index* sorted) {
  auto const count = static_cast<Index>(column.size());
  if (count <= 16) return rank_columns<16>(count, column.data(), sorted);
  if (count <= 32) return rank_columns<32>(count, column.data(), sorted);
  if (count <= 64) return rank_columns<64>(count, column.data(), sorted);
  std::sort(column.begin(), column.end());
  std::copy(column.begin(), column.end(), sorted);
}

}  // namespace Tessera::sparse::hash
