#pragma once
/// \file
/// Masked products on CUDA where columns come in blocks. A group takes rows of a node; a lane takes a column
/// of the mask and keeps its sum in each of these rows. Entries of A go by nodes, too: where U's rows of a
/// node have a lane's block is looked for once, and each of its numbers is read once for all rows of the
/// result. Sums are added to in A's storage order.
#include "core/group.hpp"
#include "sparse/engine/row_merge/masked_product.hpp"

namespace Tessera::sparse::detail {

/// Rows: of a node that are summed at a time, at most.
template <int Rows>
struct MaskedNodesBody {
  static constexpr int threads = 128;
  CsrView<double> A;
  Mask mask;
  CsrView<double> U;
  double* result;

  template <class Group>
  __device__ void operator()(Group const& group, Index v) const {
    Index const together = mask.blocks.rows, end = (v + 1) * together;
    for (Index i = v * together, rows = 0; i < end; i += rows) {
      rows = end - i < Rows ? end - i : Rows;
      if (!alike(group, i, rows)) rows = 1;
      auto const size = mask.offsets[i + 1] - mask.offsets[i];
      for (Offset first = 0; first < size; first += Group::size) sum_columns(group, i, rows, first);
    }
  }

 private:
  /// Entries of A's row of which the first follows no other one in its node; it stands for those behind it.
  struct Source {
    Offset begin = 0;  ///< of its row of U
    int blocks = 0;
    bool leads = false;
  };

  /// Whether so many rows of A from i on have one pattern.
  template <class Group>
  __device__ bool alike(Group const& group, Index i, int rows) const {
    auto const begin = A.offsets[i], length = A.offsets[i + 1] - begin;
    for (int r = 1; r < rows; ++r)
      if (A.offsets[i + r + 1] - A.offsets[i + r] != length) return false;
    bool differs = false;
    for (auto k = begin + length + group.lane; k < begin + rows * length; k += Group::size)
      if (A.column[k] != A.column[k - length]) differs = true;
    return !group.any(differs);
  }

  /// Columns of the mask's rows from `first` on, one a lane.
  template <class Group>
  __device__ void sum_columns(Group const& group, Index i, int rows, Offset first) const {
    __shared__ double factors[threads][Rows];  // of the entries that the lanes have
    auto* const factor = factors + (static_cast<int>(threadIdx.x) - group.lane);
    auto const begin = mask.offsets[i], size = mask.offsets[i + 1] - begin, own = first + group.lane;
    int const c = static_cast<int>(own) % mask.blocks.width;
    Index const wanted = own < size ? mask.column[begin + own - c] : -1;
    double sum[Rows] = {};
    auto const end = A.offsets[i + 1], length = end - A.offsets[i];
    for (auto k = A.offsets[i]; k < end; k += Group::size) {
      auto const entry = k + group.lane;
      auto const found = source(entry, k, end);
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        factor[group.lane][r] = r < rows && entry < end ? A.value[entry + r * length] : 0;
      auto leads = (__ballot_sync(group.mask, found.leads) & group.mask) >> (threadIdx.x % 32 - group.lane);
      int const count = end - k < Group::size ? static_cast<int>(end - k) : Group::size;
      group.sync();
      while (leads != 0) {
        int const head = __ffs(static_cast<int>(leads)) - 1;
        leads &= leads - 1;
        int const run = (leads == 0 ? count : __ffs(static_cast<int>(leads)) - 1) - head;
        add(factor + head, run, group.broadcast(found.begin, head), group.broadcast(found.blocks, head),
            wanted, c, sum);
      }
      group.sync();
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      if (r < rows && own < size) result[begin + r * size + own] = sum[r];
  }

  /// chunk: the first of the entries that the lanes have.
  __device__ Source source(Offset entry, Offset chunk, Offset end) const {
    if (entry >= end) return {};
    Index const j = A.column[entry];
    auto const begin = U.offsets[j];
    bool const follows =
        entry > chunk && j < mask.rows && j % mask.blocks.rows % Rows != 0 && A.column[entry - 1] == j - 1;
    return {begin, static_cast<int>(U.offsets[j + 1] - begin) / mask.blocks.width, !follows};
  }

  /// Adds what `run` rows of U, the first of which begins at `from`, have in column c of the block that is
  /// wanted.
  __device__ void add(double const (*factor)[Rows], int run, Offset from, int blocks, Index wanted, int c,
                      double (&sum)[Rows]) const {
    int const m = mask.blocks.width;
    Index const* const column = U.column.data() + from;
    int place = -1;
#pragma unroll 4
    for (int b = 0; b < blocks; ++b)
      if (column[b * m] == wanted) place = b;
    if (place < 0) return;
    double const* const value = U.value.data() + from + place * m + c;
    double u[Rows];
#pragma unroll
    for (int t = 0; t < Rows; ++t) u[t] = t < run ? value[t * blocks * m] : 0;
#pragma unroll
    for (int t = 0; t < Rows; ++t) {
      if (t >= run) break;
#pragma unroll
      for (int r = 0; r < Rows; ++r) sum[r] += factor[t][r] * u[t];
    }
  }
};

template <int Rows>
void masked_nodes(Cuda const& space, CsrView<double> A, Mask const& mask, CsrView<double> U, double* result) {
  using Body = MaskedNodesBody<Rows>;
  auto const nodes = static_cast<std::size_t>(mask.rows / mask.blocks.rows);
  if (mask.entries <= 16 * static_cast<std::size_t>(mask.rows)) {
    core::for_each_group(space, nodes, core::GroupShape<16, Body::threads>{}, Body{A, mask, U, result});
  } else {
    core::for_each_group(space, nodes, core::GroupShape<32, Body::threads>{}, Body{A, mask, U, result});
  }
}

}  // namespace Tessera::sparse::detail
