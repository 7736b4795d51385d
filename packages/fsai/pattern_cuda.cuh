#pragma once
/// \file
/// The static pattern on CUDA: one search a row, into a slab where each row of a batch has its place; the
/// rows are moved together once their sizes are known. A sample of rows tells how large the places and tables
/// should be; rows that turn out larger are searched twice, by a block.
#include <algorithm>
#include <vector>

#include "core/cuda_check.cuh"
#include "core/parallel.hpp"
#include "fsai/search_cuda.cuh"

namespace Tessera::fsai {
namespace detail {

using LargestSearch = SearchShape<256, 2048>;

/// Sizes of some rows, ascending.
inline std::vector<Index> sample_sizes(Cuda const& space, Search const& search, Index rows) {
  auto const samples = std::min<Index>(rows, 2048);
  Array<Index, Cuda> sizes(space, samples);
  sample_kernel<LargestSearch>
      <<<(samples + 1) / 2, LargestSearch::threads, 0, space.stream>>>(search, rows, samples, sizes.data());
  TESSERA_CUDA_CHECK(cudaGetLastError());
  auto result = core::to_vector(space, sizes.span());
  std::sort(result.begin(), result.end());
  return result;
}

/// work(shape, stride) with the smallest shape that keeps nearly all rows.
template <class Work>
void with_search_shape(std::vector<Index> const& sizes, Work const& work) {
  auto const most = sizes[sizes.size() - 1 - sizes.size() / 64];
  auto const wanted = std::max<Index>(8, (most + most / 16 + 7) / 8 * 8);
  auto const with = [&](auto shape) {
    if (most > decltype(shape)::capacity) return false;
    work(shape, std::min<Index>(wanted, decltype(shape)::capacity));
    return true;
  };
  with(SearchShape<8, 64>{}) || with(SearchShape<16, 128>{}) || with(SearchShape<32, 256>{}) ||
      with(SearchShape<128, 1024>{}) || (work(LargestSearch{}, LargestSearch::capacity), true);
}

/// Columns of the batches, until their number is known.
struct FoundColumns {
  Array<Index, Cuda> column;
  Offset size;
};

/// One batch; its offsets go to `offsets` (rows + 1).
template <class Shape>
FoundColumns search_batch(Cuda const& space, Search const& search, Batch const& batch, Span<Offset> offsets) {
  constexpr unsigned blocks = 528;
  auto const groups = static_cast<unsigned>(Shape::groups);
  TESSERA_CUDA_CHECK(cudaMemsetAsync(batch.large_count, 0, sizeof(Index), space.stream));
  search_kernel<Shape>
      <<<(batch.rows + groups - 1) / groups, Shape::threads, 0, space.stream>>>(search, batch);
  count_large_kernel<LargestSearch><<<blocks, LargestSearch::threads, 0, space.stream>>>(search, batch);
  TESSERA_CUDA_CHECK(cudaGetLastError());
  auto const rows = static_cast<std::size_t>(batch.rows);
  auto const total =
      core::exclusive_scan(space, Span<Index const>(batch.counts + batch.begin, rows), offsets);
  FoundColumns found{Array<Index, Cuda>(space, static_cast<std::size_t>(total)), total};
  constexpr unsigned copied = CopyRows::threads / CopyRows::lanes;
  copy_rows_kernel<<<(batch.rows + copied - 1) / copied, CopyRows::threads, 0, space.stream>>>(
      batch, offsets.data(), found.column.data());
  write_large_kernel<LargestSearch><<<blocks, LargestSearch::threads, 0, space.stream>>>(
      search, batch, offsets.data(), found.column.data());
  TESSERA_CUDA_CHECK(cudaGetLastError());
  return found;
}

/// How many rows are left at a row of more than `most` entries; the maximum belongs to the first such row.
struct LeftAtTooLong {
  Index const* counts;
  Index rows, most;
  __device__ Index operator()(Index r) const { return counts[r] > most ? rows - r : 0; }
};

inline void check_sizes(Cuda const& space, Search const& search, Index const* counts, Index rows,
                        Parameters const& parameters) {
  auto const left =
      core::reduce(space, rows, LeftAtTooLong{counts, rows, parameters.max_row_size}, core::Max{}, Index{0});
  if (left == 0) return;
  auto const r = rows - left;
  auto const n = static_cast<std::size_t>(search.filtered.rows);
  Array<int, Cuda> met(space, n);
  Array<Index, Cuda> list(space, n), size(space, 1);
  core::fill(space, met.span(), 0);
  reach_all_kernel<<<1, 256, 0, space.stream>>>(search, search.own(r), met.data(), list.data(), size.data());
  TESSERA_CUDA_CHECK(cudaGetLastError());
  throw RowTooLong(r, core::to_vector(space, size.span())[0], parameters);
}

}  // namespace detail

template <>
Pattern<Cuda> static_pattern(Cuda const& space, PatternView filtered, OwnRows const& own,
                             Parameters const& parameters) {
  auto const rows = filtered.rows - own.others;
  auto const n = static_cast<std::size_t>(rows);
  Pattern<Cuda> pattern{Array<Offset, Cuda>(space, n + 1), {}};
  if (rows == 0) {
    core::fill(space, pattern.offsets.span(), 0);
    return pattern;
  }
  auto const average = static_cast<double>(filtered.column.size()) / filtered.rows;
  detail::Search const search{filtered, own, parameters.pattern_level,
                              average <= 5    ? 4
                              : average <= 10 ? 8
                              : average <= 20 ? 16
                                              : 32};
  auto const sizes = detail::sample_sizes(space, search, rows);
  Array<Index, Cuda> counts(space, n), large(space, 1);
  detail::with_search_shape(sizes, [&](auto shape, Index stride) {
    auto const fits = std::max<std::size_t>(parameters.workspace / (sizeof(Index) * (stride + 1)), 1);
    auto const together = static_cast<Index>(std::min(n, fits));
    Array<Index, Cuda> slab(space, static_cast<std::size_t>(together) * stride), large_rows(space, together);
    std::vector<detail::FoundColumns> found;
    for (Index begin = 0; begin < rows; begin += together) {
      detail::Batch const batch{begin,         std::min(together, rows - begin),
                                stride,        slab.data(),
                                counts.data(), large_rows.data(),
                                large.data()};
      found.push_back(detail::search_batch<decltype(shape)>(
          space, search, batch, pattern.offsets.span().part(begin, batch.rows + 1)));
    }
    detail::check_sizes(space, search, counts.data(), rows, parameters);
    if (found.size() == 1) {
      pattern.column = std::move(found[0].column);
      return;
    }
    auto const total = core::exclusive_scan(space, counts.view(), pattern.offsets.span());
    pattern.column = Array<Index, Cuda>(space, static_cast<std::size_t>(total));
    std::size_t at = 0;
    for (auto& part : found) {
      core::copy(space, part.column.view(), space, pattern.column.span().part(at, part.column.size()));
      at += part.column.size();
      part.column = {};
    }
  });
  return pattern;
}

}  // namespace Tessera::fsai
