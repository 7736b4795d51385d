#pragma once
/// \file
/// Merges in one pass on CUDA, one number a column: a pass that counts columns, one for columns and values.
/// Bins of rows by length: threads, groups of a warp, warps, blocks.
#include <algorithm>
#include <iterator>

#include "core/cuda_check.cuh"
#include "core/kernels.cuh"
#include "sparse/engine/row_merge/expand_sort_compress.hpp"
#include "sparse/engine/row_merge/groups_cuda.cuh"

namespace Tessera::sparse::hash {

struct LaneRows {
  static constexpr int threads = 128, slots = 32, limit = 24;
  static constexpr int batch = 4;  ///< single products loaded at once
};

/// Calls take(column, factor, l) for the products of row `a` of the left operand, in order, until it returns
/// false. For single rows, the loads of several products are in flight at once.
template <class Row, class Right, class Take>
__device__ void for_lane_products(Row a, Right const& B, Take const& take) {
  if constexpr (Right::single) {
    for (auto k = a.begin; k < a.end; k += LaneRows::batch) {
      Index source[LaneRows::batch], column[LaneRows::batch];
      double factor[LaneRows::batch];
#pragma unroll
      for (int q = 0; q < LaneRows::batch; ++q) {
        source[q] = -1;
        if (k + q >= a.end) continue;
        a.move(k + q);
        factor[q] = a.factor();
        if (a.keeps()) source[q] = a.source();
      }
#pragma unroll
      for (int q = 0; q < LaneRows::batch; ++q)
        column[q] = source[q] >= 0 && B.begin(source[q]) < B.end(source[q]) ? B.column(source[q]) : -1;
#pragma unroll
      for (int q = 0; q < LaneRows::batch; ++q) {
        if (column[q] >= 0 && !take(column[q], factor[q], Offset{source[q]})) return;
      }
    }
  } else {
    for (auto k = a.begin; k < a.end; ++k) {
      a.move(k);
      if (!a.keeps()) continue;
      auto const j = a.source();
      double const factor = a.factor();
      auto const last = B.end(j);
      for (auto l = B.begin(j); l < last; ++l) {
        if (!take(B.column(l), factor, l)) return;
      }
    }
  }
}

/// The threads' tables, interleaved to avoid bank conflicts.
struct LaneTable {
  static constexpr int slots = LaneRows::slots, threads = LaneRows::threads, size = slots * threads;
  Index* key;
  __device__ explicit LaneTable(Index* keys) : key(keys + threadIdx.x) {
    for (int s = 0; s < slots; ++s) key[s * threads] = -1;
  }
  /// The slot of a column, or a free slot for it.
  __device__ int find(Index column) const {
    int s = static_cast<int>(static_cast<std::uint32_t>(column) * 0x9e3779b9u >> 27);
    while (key[s * threads] != column && key[s * threads] != -1) s = (s + 1) & (slots - 1);
    return s * threads;
  }
};
static_assert(LaneRows::slots == 1 << (32 - 27));

template <class Left, class Right>
struct CountLaneRows {
  Left A;
  Right B;
  Offset* counts;
  __device__ void operator()(Index i, RowList const& list) const {
    __shared__ Index keys[LaneTable::size];
    LaneTable const table(keys);
    Index found = 0;
    for_lane_products(A.row(i), B, [&](Index c, double, Offset) {
      int const s = table.find(c);
      if (table.key[s] == -1) {
        table.key[s] = c;
        ++found;
      }
      return found <= LaneRows::limit;
    });
    counts[i] = found;
    if (found > LaneRows::limit) list.defer(i);
  }
};

template <class Left, class Right, class Epilogue>
struct MultiplyLaneRows {
  Left A;
  Right B;
  Epilogue epilogue;
  Offset const* offsets;
  Index* column;
  double* value;
  __device__ void operator()(Index i, RowList const& list) const {
    __shared__ Index keys[LaneTable::size];
    __shared__ double sums[LaneTable::size];
    auto const begin = offsets[i];
    if (offsets[i + 1] - begin > LaneRows::limit) return list.defer(i);
    LaneTable const table(keys);
    double* const sum = sums + threadIdx.x;
    for_lane_products(A.row(i), B, [&](Index c, double factor, Offset l) {
      double const product = factor * B.value(l);
      int const s = table.find(c);
      double const before = table.key[s] == -1 ? 0.0 : sum[s];
      table.key[s] = c;
      sum[s] = before + product;
      return true;
    });
    int n = 0;
    for (int s = 0; s < LaneTable::size; s += LaneRows::threads) {
      if (table.key[s] == -1) continue;
      table.key[n] = table.key[s];
      sum[n] = sum[s];
      n += LaneRows::threads;
    }
    auto const of_row = epilogue.row(i);
    for (int e = 0; e < n; e += LaneRows::threads) {
      auto const c = table.key[e];
      auto const key = epilogue.key(c);
      int rank = 0;
      for (int f = 0; f < n; f += LaneRows::threads) rank += epilogue.key(table.key[f]) < key ? 1 : 0;
      column[begin + rank] = c;
      value[begin + rank] = of_row(c, sum[e]);
    }
  }
};

template <class Kernel>
__global__ void __launch_bounds__(LaneRows::threads) lane_rows_kernel(Kernel kernel, RowList list) {
  auto const i = static_cast<Offset>(blockIdx.x) * LaneRows::threads + threadIdx.x;
  if (i < list.rows) kernel(static_cast<Index>(i), list);
}

using Medium = Bin<32, 128, 128>;
using Warp = Bin<32, 256, 128>;
using Block = Bin<256, 2048, 256>;
using LargeBlock = Bin<1024, 8192, 1024>;

/// Blocks for lists of a length that only the device knows.
constexpr unsigned blocks_for_lists = 2048;

/// Products a row up to which a bin is tried first; threads only where rows are many.
constexpr double lane_products = 48, medium_products = 400, warp_products = 16384;
constexpr Index lane_rows = 1 << 17;
/// From so many rows on, threads fill longer rows, too.
constexpr double long_lane_products = 125;
constexpr Index long_lane_rows = 1 << 19;

/// Mean number of products of a row.
template <class Left, class Right>
double products_a_row(Left const& A, Right const& B) {
  if (A.rows() == 0) return 0;
  return static_cast<double>(A.entries()) / A.rows() * B.row_length();
}

/// Whether threads count columns first.
template <class Left, class Right>
bool by_lanes(Left const& A, Right const& B) {
  return products_a_row(A, B) <= lane_products && A.rows() >= lane_rows;
}
/// Whether threads fill rows first, which have `mean` columns on average.
template <class Left, class Right>
bool fills_by_lanes(Left const& A, Right const& B, double mean) {
  return mean <= LaneRows::limit &&
         (by_lanes(A, B) || (products_a_row(A, B) <= long_lane_products && A.rows() >= long_lane_rows));
}

/// Rows deferred to the next bin: two alternating lists, and a length for each bin.
class OverflowQueue {
 public:
  struct Counts {
    Index of_bin[4];
  };
  OverflowQueue(Cuda const& space, Index rows, bool needed)
      : rows_(rows), first_(space, needed ? rows : 0), second_(space, needed ? rows : 0), counts_(space, 1) {
    core::fill(space, Span<Index>(count(0), std::size(limits_)), 0);
  }
  RowList all() { return {rows_, nullptr, nullptr, first_.data(), count(0)}; }
  /// Rows that the bin before deferred.
  RowList next() {
    ++bin_;
    Index *const from = bin_ % 2 == 1 ? first_.data() : second_.data(), *const to = bin_ % 2 == 1
                                                                                        ? second_.data()
                                                                                        : first_.data();
    return {rows_, from, count(bin_ - 1), to, count(bin_)};
  }
  /// The current bin takes rows of up to `limit` columns.
  void takes(Index limit) { limits_[bin_] = limit; }
  /// On the device: number of rows that each bin deferred.
  Counts const* counts() const { return counts_.data(); }
  /// An upper bound of the columns of a row; -1: some rows fit no bin.
  Index longest(Counts const& counts) const {
    for (int b = 0; b <= bin_; ++b) {
      if (counts.of_bin[b] == 0) return limits_[b];
    }
    return -1;
  }

 private:
  Index* count(int bin) { return counts_.data()->of_bin + bin; }

  Index rows_;
  int bin_ = 0;
  Index limits_[std::size(Counts{}.of_bin)] = {};
  Array<Index, Cuda> first_, second_;
  Array<Counts, Cuda> counts_;
};

template <class Bin, class Kernel>
void launch(Cuda const& space, Kernel const& kernel, RowList const& list) {
  constexpr std::size_t bytes = sizeof(typename Kernel::Shared) * Bin::groups;
  if (bytes > 48 * 1024) core::allow_shared_memory(row_kernel<Bin, Kernel>, bytes);
  auto const needed = (static_cast<unsigned>(list.rows) + Bin::groups - 1) / Bin::groups;
  auto const blocks = list.list == nullptr ? needed : std::min(needed, blocks_for_lists);
  row_kernel<Bin><<<blocks, Bin::threads, bytes, space.stream>>>(kernel, list);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

template <class Kernel>
void launch_lanes(Cuda const& space, Kernel const& kernel, RowList const& list) {
  lane_rows_kernel<<<(static_cast<unsigned>(list.rows) + LaneRows::threads - 1) / LaneRows::threads,
                     LaneRows::threads, 0, space.stream>>>(kernel, list);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

/// Runs the bins one after the other, from threads (for many short rows) on; each takes the rows that were
/// too long for the bin before. lanes: the kernel for threads, which take rows of up to lane_limit columns;
/// kernel(bin): the kernels of the other bins. No row has more than `longest` columns.
template <class Lanes, class MakeKernel>
void run_bins(Cuda const& space, OverflowQueue& overflow, Index longest, double products, bool by_lanes,
              int lane_limit, Lanes const& lanes, MakeKernel const& kernel) {
  auto list = overflow.all();
  if (list.rows == 0) return;
  bool done = false;
  auto const passed_on = [&](int limit) {
    overflow.takes(limit);
    done = longest <= limit;
    if (!done) list = overflow.next();
  };
  int taken = 0;
  if (by_lanes) {
    launch_lanes(space, lanes, list);
    passed_on(taken = lane_limit);
  } else if (products <= medium_products) {
    launch<Medium>(space, kernel(Medium{}), list);
    passed_on(taken = Medium::limit);
  }
  auto const take = [&](auto bin) {
    using Bin = decltype(bin);
    if (done || Bin::limit <= taken) return;
    launch<Bin>(space, kernel(bin), list);
    passed_on(Bin::limit);
  };
  if (products <= warp_products) take(Warp{});
  take(Block{});
  if (done) return;
  launch<LargeBlock>(space, kernel(LargeBlock{}), list);
  overflow.takes(LargeBlock::limit);
}

/// The shape and the offsets of C = A B. Returns an upper bound of the columns of a row; -1 if no table holds
/// some row.
template <class Left, class Right>
Index count_columns(Cuda const& space, Left const& A, Right const& B, Csr<double, Cuda>& C) {
  auto const rows = static_cast<std::size_t>(A.rows());
  auto const products = products_a_row(A, B);
  C = {A.rows(), B.columns(), Array<Offset, Cuda>(space, rows + 1), {}, {}};
  Offset nonzeros = 0;
  Index longest = 0;
  {
    OverflowQueue overflow(space, A.rows(), B.columns() > LaneRows::limit);
    run_bins(space, overflow, B.columns(), products, by_lanes(A, B), LaneRows::limit,
             CountLaneRows<Left, Right>{A, B, C.offsets.data()}, [&](auto bin) {
               return CountKernel<decltype(bin), Left, Right>{A, B, C.offsets.data()};
             });
    core::prefix_sums(space, C.offsets.span().part(0, rows), C.offsets.span());
    auto const [total, left] = core::read_pair(space, C.offsets.data() + rows, overflow.counts());
    nonzeros = total;
    longest = overflow.longest(left);
  }
  if (longest < 0) return longest;
  C.column = Array<Index, Cuda>(space, static_cast<std::size_t>(nonzeros));
  C.value = Array<double, Cuda>(space, static_cast<std::size_t>(nonzeros));
  return longest;
}

/// Columns and values of C, whose rows have at most `longest` columns; columns ascend by the epilogue's keys.
template <class Left, class Right, class Epilogue>
void fill(Cuda const& space, Left const& A, Right const& B, Epilogue const& epilogue, Csr<double, Cuda>& C,
          Index longest) {
  auto const mean = static_cast<double>(C.column.size()) / std::max(A.rows(), 1);
  auto* const column = C.column.data();
  auto* const value = C.value.data();
  OverflowQueue overflow(space, A.rows(), longest > LaneRows::limit);
  run_bins(space, overflow, longest, products_a_row(A, B), fills_by_lanes(A, B, mean), LaneRows::limit,
           MultiplyLaneRows<Left, Right, Epilogue>{A, B, epilogue, C.offsets.data(), column, value},
           [&](auto bin) {
             return MultiplyKernel<decltype(bin), Left, Right, Epilogue>{
                 A, B, epilogue, C.offsets.data(), column, value};
           });
}

/// Columns ascend by the epilogue's keys.
template <class Left, class Right, class Epilogue>
Csr<double, Cuda> merge(Cuda const& space, Left const& A, Right const& B, Epilogue const& epilogue) {
  Csr<double, Cuda> C;
  auto const longest = count_columns(space, A, B, C);
  if (longest < 0) return esc::merge(space, A, B, epilogue);
  fill(space, A, B, epilogue, C, longest);
  return C;
}

}  // namespace Tessera::sparse::hash
