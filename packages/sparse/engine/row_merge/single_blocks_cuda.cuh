#pragma once
/// \file
/// Merges of single rows in blocks on CUDA: first the pattern by nodes, then values. A warp takes a row, each
/// lane sums up numbers of its own, in the order of the row.
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/engine/row_merge/hash_merge_cuda.cuh"

namespace Tessera::sparse {
namespace detail {

/// Left: rows that share a pattern as one, without numbers.
template <class Left>
struct TogetherFactors {
  Left left;
  int together;
  struct Row {
    static constexpr bool keeps_all = false;
    Left left;
    Index first;
    Offset begin, end;
    TESSERA_HD Index source(Offset k) const { return left.row(first).source(k); }
    TESSERA_HD bool keeps(Offset k, Index j) const {
      Index i = first;
      while (left.row(i).end <= k) ++i;
      auto row = left.row(i);
      return row.keeps_all || row.keeps(k, j);
    }
    TESSERA_HD double factor(Offset, Index) const { return 1; }
  };
  TESSERA_HD Index rows() const { return left.rows() / together; }
  std::size_t entries() const { return left.entries(); }
  TESSERA_HD Row row(Index v) const {
    Index const first = v * together;
    auto const begin = left.row(first).begin;
    bool empty = true;  // what an operand leaves out need not end where the next row begins
    for (Index i = first; i < first + together; ++i) empty = empty && left.row(i).begin == left.row(i).end;
    return {left, first, begin, empty ? begin : left.row(first + together - 1).end};
  }
};

/// Right: blocks of columns by their numbers.
template <class Right>
struct BlockColumns {
  static constexpr bool single = true;
  Right right;
  TESSERA_HD Index columns() const { return right.columns() / right.width(); }
  double row_length() const { return 1; }
  TESSERA_HD Offset begin(Index j) const { return j; }
  TESSERA_HD Offset end(Index j) const { return j + (right.block_column(j) < 0 ? 0 : 1); }
  TESSERA_HD Index column(Offset l) const { return right.block_column(static_cast<Index>(l)); }
  TESSERA_HD double value(Offset) const { return 1; }
};

/// Epilogue: the order of another one.
template <class Epilogue>
struct SameOrder : PlainSums {
  Epilogue of;
  explicit SameOrder(Epilogue const& epilogue) : of(epilogue) {}
  TESSERA_HD Index key(Index block) const { return of.key(block); }
  TESSERA_HD Index block(Index key) const { return of.block(key); }
};

/// The scalar pattern of blocks of rows x width: offsets, then columns.
struct ExpandBlocksBody {
  Span<Offset const> block_offsets;
  Span<Index const> block;
  int rows, width;
  Span<Offset> offsets;
  Span<Index> column;
  TESSERA_HD Offset begin(Index row) const { return block_offsets[row / rows]; }
  TESSERA_HD Offset end(Index row) const { return block_offsets[row / rows + 1]; }
  TESSERA_HD void operator()(Index row) const {
    auto const length = (end(row) - begin(row)) * width;
    offsets[row + 1] = begin(row) * rows * width + (row % rows + 1) * length;
  }
  TESSERA_HD void operator()(Index row, Offset k) const {
    auto const at = offsets[row] + (k - begin(row)) * width;
    for (int c = 0; c < width; ++c) column[at + c] = block[k] * width + c;
  }
};

/// Values are allocated, not set.
inline Csr<double, Cuda> expanded(Cuda const& space, Csr<double, Cuda> const& blocks,
                                  MergeShape const& shape) {
  auto const rows = static_cast<std::size_t>(blocks.rows) * shape.rows;
  auto const entries = blocks.column.size() * shape.rows * shape.width;
  Csr<double, Cuda> C{static_cast<Index>(rows), blocks.columns * shape.width,
                      Array<Offset, Cuda>(space, rows + 1), Array<Index, Cuda>(space, entries),
                      Array<double, Cuda>(space, entries)};
  core::fill(space, C.offsets.span().part(0, 1), 0);
  ExpandBlocksBody const expand{blocks.offsets.view(), blocks.column.view(), shape.rows,
                                shape.width,           C.offsets.span(),     C.column.span()};
  core::for_each(space, rows, expand);
  for_each_entry(space, C.rows, blocks.column.size() * shape.rows, expand);
  return C;
}

struct SingleBlocksLaunch {
  static constexpr int threads = 128, warps = threads / 32;
  static constexpr int each = 2;  ///< numbers a lane sums up in one walk over the row
};

template <class Left, class Right, class Epilogue>
__global__ void __launch_bounds__(SingleBlocksLaunch::threads)
    single_blocks_kernel(Left A, Right B, Epilogue epilogue, Offset const* offsets, Index const* column,
                         double* value) {
  constexpr int each = SingleBlocksLaunch::each;
  constexpr unsigned all = 0xffffffffu;
  int const m = B.width(), lane = static_cast<int>(threadIdx.x) % 32;
  auto const i = static_cast<Index>(blockIdx.x * SingleBlocksLaunch::warps + threadIdx.x / 32);
  if (i >= A.rows()) return;
  auto const begin = offsets[i];
  auto const length = static_cast<int>(offsets[i + 1] - begin);
  if (length == 0) return;
  auto a = A.row(i);
  auto const finish = epilogue.row(i);
  for (int s0 = 0; s0 < length; s0 += 32 * each) {
    Index mine[each];  // the block of columns whose sum it is
    int component[each];
    double sum[each];
#pragma unroll
    for (int q = 0; q < each; ++q) {
      int const s = s0 + q * 32 + lane;
      component[q] = s % m;
      mine[q] = s < length ? (column[begin + s] - component[q]) / m : -2;
      sum[q] = 0;
    }
    for (auto k0 = a.begin; k0 < a.end; k0 += 32) {
      auto const k = k0 + lane;
      Index j = -1, of = -1;
      double factor = 0;
      if (k < a.end) {
        j = a.source(k);
        if (a.keeps_all || a.keeps(k, j)) {
          of = B.block_column(j);
          factor = a.factor(k, j);
        }
      }
      // Neighbouring rows with one block are taken together: mostly the unknowns of a node.
      Index const j_before = __shfl_up_sync(all, j, 1), of_before = __shfl_up_sync(all, of, 1);
      bool const goes_on = lane > 0 && j == j_before + 1 && j != B.owned && of == of_before;
      unsigned heads = __ballot_sync(all, k < a.end && !goes_on);
      int const count = a.end - k0 < 32 ? static_cast<int>(a.end - k0) : 32;
      while (heads != 0) {
        int const head = __ffs(static_cast<int>(heads)) - 1;
        heads &= heads - 1;
        int const stop = heads == 0 ? count : __ffs(static_cast<int>(heads)) - 1;
        Index const here = __shfl_sync(all, of, head);
        if (here < 0) continue;
        double const* t = B.values(__shfl_sync(all, j, head));
        for (int e = head; e < stop; ++e, t += m) {
          double const from = __shfl_sync(all, factor, e);
#pragma unroll
          for (int q = 0; q < each; ++q) {
            if (here == mine[q]) sum[q] += from * t[component[q]];
          }
        }
      }
    }
#pragma unroll
    for (int q = 0; q < each; ++q) {
      int const s = s0 + q * 32 + lane;
      if (s < length) value[begin + s] = finish(column[begin + s], sum[q]);
    }
  }
}

}  // namespace detail

/// The values of C, whose pattern is there.
template <class Left, class Right, class Epilogue>
void fill_single_blocks(Cuda const& space, Left const& A, Right const& B, Epilogue const& epilogue,
                        Csr<double, Cuda>& C) {
  if (A.rows() == 0) return;
  constexpr Index warps = detail::SingleBlocksLaunch::warps;
  detail::single_blocks_kernel<<<static_cast<unsigned>((A.rows() + warps - 1) / warps),
                                 detail::SingleBlocksLaunch::threads, 0, space.stream>>>(
      A, B, epilogue, C.offsets.data(), C.column.data(), C.value.data());
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

template <class Left, class Right, class Epilogue>
Csr<double, Cuda> merge_single_blocks(Cuda const& space, Left const& A, Right const& B,
                                      Epilogue const& epilogue, MergeShape const& shape) {
  auto const nodes = hash::merge(space, detail::TogetherFactors<Left>{A, shape.rows},
                                 detail::BlockColumns<Right>{B}, detail::SameOrder<Epilogue>(epilogue));
  auto C = detail::expanded(space, nodes, shape);
  fill_single_blocks(space, A, B, epilogue, C);
  return C;
}

}  // namespace Tessera::sparse
