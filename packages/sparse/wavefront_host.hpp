#pragma once
/// \file
/// Two products with one matrix in one pass over memory: a block of rows is taken up by the second as soon as
/// all is there that it needs of the first, while its entries are still in a cache. Temporal blocking by
/// wavefronts (Wellein, Hager, Zeiser, Wittmann, Fehske 2009); for sparse matrices, Alappat, Hager, Schenk,
/// Wellein 2023 ("Level-based blocking for sparse matrices"), here in the order in which the rows stand.
#include <omp.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "sparse/row_products_host.hpp"

namespace Tessera::sparse {

/// Blocks of a Sell's chunks, and which of them see each other. Block j sees k where a row of j has an entry
/// in a column that is a row of k. All that see k, and all that k sees, are among [first[k], end[k]); both
/// ascend with k, and k is among its own.
struct Wavefront {
  static constexpr int chunk = 32;  ///< rows
  static constexpr Index chunks_per_block = 64;
  std::vector<Index> first, end;
  bool empty() const { return end.empty(); }
};

/// What may lie between the two products at the most, of the matrix and three vectors, for one pass to be
/// faster than two: it has to stay in a core's cache, or nearly so.
constexpr std::size_t wavefront_bytes = std::size_t{2} << 20;

namespace detail {

/// Smallest and largest row and column of a block.
struct BlockBounds {
  Index row_low, row_high, column_low, column_high;
};

template <class T>
BlockBounds block_bounds(SellView<T> A, Index begin, Index end) {
  constexpr auto most = std::numeric_limits<Index>::max();
  BlockBounds block{most, -1, most, -1};
  for (Index c = begin; c < end; ++c) {
    Index low = most, high = -1;
    for (auto s = c * A.chunk; s < (c + 1) * A.chunk; ++s) {
      if (A.row[s] >= 0) low = std::min(low, A.row[s]);
      high = std::max(high, A.row[s]);
    }
    block.row_low = std::min(block.row_low, low);
    block.row_high = std::max(block.row_high, high);
    if (A.on_diagonals(c)) {
      for (auto j = A.offsets[c] / A.chunk; j < A.offsets[c + 1] / A.chunk; ++j) {
        block.column_low = std::min(block.column_low, low + A.diagonal[j]);
        block.column_high = std::max(block.column_high, high + A.diagonal[j]);
      }
    } else {
      auto lanes = A.chunk;  // the last chunk's may be empty, behind the others
      while (A.row[c * A.chunk + lanes - 1] < 0) --lanes;
      for (auto k = A.column_offsets[c]; k < A.column_offsets[c + 1]; k += A.chunk) {
        for (int l = 0; l < lanes; ++l) {
          block.column_low = std::min(block.column_low, A.column[k + l]);
          block.column_high = std::max(block.column_high, A.column[k + l]);
        }
      }
    }
  }
  return block;
}

/// low, high: the first and the last block that each block sees; ascending afterwards, and of those that see
/// it as well.
inline void close(std::vector<Index>& low, std::vector<Index>& high) {
  auto const n = static_cast<Index>(low.size());
  for (Index k = n - 1; k-- > 0;) low[k] = std::min(low[k], low[k + 1]);
  for (Index k = 1; k < n; ++k) high[k] = std::max(high[k], high[k - 1]);
  auto const sees_low = low, sees_high = high;
  for (Index k = 0; k < n; ++k) {
    auto const seen_from = std::lower_bound(sees_high.begin(), sees_high.end(), k) - sees_high.begin();
    auto const seen_to = std::upper_bound(sees_low.begin(), sees_low.end(), k) - sees_low.begin() - 1;
    low[k] = std::min(sees_low[k], static_cast<Index>(seen_from));
    high[k] = std::max(sees_high[k], static_cast<Index>(seen_to));
  }
}

}  // namespace detail

/// Empty where two passes are as good: chunks of another size, a single block, or too many bytes between.
/// Columns of A are its rows.
template <class T>
Wavefront wavefront(Host const& space, SellView<T> A) {
  auto const chunks = static_cast<Index>(A.offsets.size()) - 1;
  constexpr auto step = Wavefront::chunks_per_block;
  if (A.chunk != Wavefront::chunk || chunks <= step) return {};
  auto const blocks = (chunks + step - 1) / step;
  auto const chunk_at = [&](Index block) { return std::min(block * step, chunks); };
  std::vector<detail::BlockBounds> bounds(blocks);
  core::for_each_heavy(space, blocks,
                       [&](Index b) { bounds[b] = detail::block_bounds(A, chunk_at(b), chunk_at(b + 1)); });
  // Rows need not ascend from block to block: row r is in none before the first whose rows so far reach it,
  // and in none behind the last whose rows from there on begin with it.
  std::vector<Index> reached(blocks), begun(blocks), low(blocks), high(blocks);
  for (Index b = 0; b < blocks; ++b)
    reached[b] = std::max(bounds[b].row_high, b > 0 ? reached[b - 1] : Index{-1});
  for (Index b = blocks; b-- > 0;)
    begun[b] = b + 1 < blocks ? std::min(bounds[b].row_low, begun[b + 1]) : bounds[b].row_low;
  for (Index b = 0; b < blocks; ++b) {
    auto const from = std::lower_bound(reached.begin(), reached.end(), bounds[b].column_low);
    auto const to = std::upper_bound(begun.begin(), begun.end(), bounds[b].column_high);
    low[b] = std::min(b, static_cast<Index>(from - reached.begin()));
    high[b] = std::max(b, static_cast<Index>(to - begun.begin()) - 1);
  }
  detail::close(low, high);
  for (Index b = 0; b < blocks; ++b) {
    auto const c = chunk_at(b), end = chunk_at(high[b] + 1);
    auto const entries = A.offsets[end] - A.offsets[c], columns = A.column_offsets[end] - A.column_offsets[c];
    auto const rows = static_cast<std::size_t>(end - c) * Wavefront::chunk;
    if (entries * sizeof(T) + columns * sizeof(Index) + 3 * rows * sizeof(T) > wavefront_bytes) return {};
  }
  for (auto& b : high) ++b;
  return {std::move(low), std::move(high)};
}

template <class T>
Wavefront wavefront(Cuda const&, SellView<T>) {
  return {};
}

/// first(i, (A x)_i) for all stored rows, second(i, (A y)_i) for all; bitwise what one after the other gives.
/// first may write y, and second x, in row i.
template <class T, class X, class First, class Y, class Second>
void for_each_row_product_twice(Wavefront const& order, SellView<T> A, X x, First first, Y y, Second second) {
  auto const blocks = static_cast<Index>(order.end.size()), chunks = static_cast<Index>(A.offsets.size()) - 1;
  constexpr auto step = Wavefront::chunks_per_block;
  auto const one = [&](Index b) {
    detail::sell_chunks<Wavefront::chunk>(A, x, first, b * step, std::min((b + 1) * step, chunks));
  };
  auto const two = [&](Index b) {
    detail::sell_chunks<Wavefront::chunk>(A, y, second, b * step, std::min((b + 1) * step, chunks));
  };
#pragma omp parallel
  {
    std::int64_t const part = omp_get_thread_num(), parts = omp_get_num_threads();
    auto const mine = static_cast<Index>(blocks * part / parts);
    auto const end = static_cast<Index>(blocks * (part + 1) / parts);
    auto early = mine;  // those before it wait for the thread before this one
    while (early < end && order.first[early] < mine) ++early;
    auto next = early;
    for (auto b = mine; b < end; ++b) {
      one(b);
      for (; next < end && order.end[next] <= b + 1; ++next) two(next);
    }
#pragma omp barrier
    for (auto b = mine; b < early; ++b) two(b);
    for (; next < end; ++next) two(next);
  }
}

}  // namespace Tessera::sparse
