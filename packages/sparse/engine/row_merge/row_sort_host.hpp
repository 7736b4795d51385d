#pragma once
/// \file
/// Sorts the entries of one row by keys: their columns, or what orders these.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace Tessera::sparse::hash {

/// Scratch of sort_row.
using RowSort = std::vector<std::uint64_t>;

/// Entries go where as many keys are smaller: no branch, all keys of a register at once. 32 entries took a
/// tenth of the time of an insertion sort.
template <int Padded, class T>
void rank_row(Index count, Index const* __restrict key, Index const* __restrict column,
              T const* __restrict value, Index* __restrict sorted_column, T* __restrict sorted_value) {
  alignas(64) Index mine[Padded], rank[Padded];
  for (int i = 0; i < Padded; ++i) {
    mine[i] = i < count ? key[i] : 0x7fffffff;
    rank[i] = 0;
  }
  for (Index k = 0; k < count; ++k) {
    Index const c = key[k];
    for (int i = 0; i < Padded; ++i) rank[i] += c < mine[i] ? 1 : 0;
  }
  for (Index i = 0; i < count; ++i) {
    sorted_column[rank[i]] = column[i];
    sorted_value[rank[i]] = value[i];
  }
}

/// The same for less than eight entries, in loops of a constant length, whose ends are never mispredicted:
/// what is behind them goes to one place behind them. Values first, since columns may lie behind them: the
/// two targets do overlap, so that compilers are held to this order.
template <class T>
void rank_few(Index count, Index const* key, Index const* column, T const* value, Index* sorted_column,
              T* sorted_value) {
  constexpr int few = 8;
  alignas(32) Index mine[few], rank[few];
  for (int i = 0; i < few; ++i) {
    mine[i] = i < count ? key[i] : 0x7fffffff;
    rank[i] = 0;
  }
  for (int k = 0; k < few; ++k) {
    Index const c = mine[k];
    for (int i = 0; i < few; ++i) rank[i] += c < mine[i] ? 1 : 0;
  }
  for (int i = 0; i < few; ++i) sorted_value[rank[i]] = value[i];
  std::atomic_signal_fence(std::memory_order_seq_cst);
  for (int i = 0; i < few; ++i) sorted_column[rank[i]] = column[i];
}

/// The keys differ from each other. Source and target do not overlap; of both, eight entries are used even if
/// there are fewer.
template <class T>
void sort_row(Index count, Index const* key, Index const* column, T const* value, Index* sorted_column,
              T* sorted_value, RowSort& scratch) {
  if (count == 0) return;
  if (count < 8) return rank_few(count, key, column, value, sorted_column, sorted_value);
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

}  // namespace Tessera::sparse::hash
