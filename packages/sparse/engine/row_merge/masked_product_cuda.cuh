#pragma once
/// \file
/// Masked products on CUDA; those in blocks of columns are masked_nodes_cuda.cuh's. A lane takes an entry of
/// A and looks in its row of U for the columns that are wanted; what it finds, times the entry, goes to a
/// table in shared memory. Then a lane takes a place of the table and adds up what all lanes have left there,
/// in their order: zeros where there was nothing, which change no sum. One H100, Laplace3D 101^3 and the
/// three levels below it, ms a product: 0.27, 0.46, 0.87, 1.4 by a thread a row, which waits for one row of U
/// after the other.
#include <type_traits>

#include "core/group.hpp"
#include "sparse/engine/row_merge/masked_nodes_cuda.cuh"
#include "sparse/engine/row_merge/masked_product.hpp"

namespace Tessera::sparse {
namespace detail {

/// Columns: of the mask's row that are looked for at a time; where it has more, U is passed over again.
template <int Columns>
struct MaskedLanesBody {
  static constexpr int threads = 128;
  CsrView<double> A;
  Mask mask;
  CsrView<double> U;
  double* result;

  template <class Group>
  __device__ void operator()(Group const& group, Index i) const {
    auto const end = mask.offsets[i + 1];
    for (auto first = mask.offsets[i]; first < end; first += Columns) sum_columns(group, i, first, end);
  }

 private:
  using Wanted = Index[Columns];
  struct Row {
    double a = 0;
    Offset begin = 0, end = 0;  ///< of U's
  };

  /// Columns from `first` on.
  template <class Group>
  __device__ void sum_columns(Group const& group, Index i, Offset first, Offset end) const {
    constexpr int own_places = (Columns + Group::size - 1) / Group::size;
    __shared__ double table[threads][Columns + 1];
    int const thread = static_cast<int>(threadIdx.x);
    auto* const rows = table + (thread - group.lane);
    Wanted wanted;
#pragma unroll
    for (int e = 0; e < Columns; ++e) wanted[e] = first + e < end ? mask.column[first + e] : -1;
    double sum[own_places] = {};
    auto const last = A.offsets[i + 1];
    for (auto k = A.offsets[i]; k < last; k += Group::size) {
      fill(k + group.lane < last ? source(k + group.lane) : Row{}, wanted, table[thread]);
      group.sync();
      int const filled = last - k < Group::size ? static_cast<int>(last - k) : Group::size;
      for (int q = 0; q < filled; ++q) {
#pragma unroll
        for (int t = 0; t < own_places; ++t)
          sum[t] += rows[q][group.lane + t * Group::size < Columns ? group.lane + t * Group::size : Columns];
      }
      group.sync();
    }
#pragma unroll
    for (int t = 0; t < own_places; ++t) {
      int const place = group.lane + t * Group::size;
      if (place < Columns && first + place < end) result[first + place] = sum[t];
    }
  }
  __device__ Row source(Offset k) const {
    Index const j = A.column[k];
    return {A.value[k], U.offsets[j], U.offsets[j + 1]};
  }
  __device__ void fill(Row const& row, Wanted const& wanted, double* place) const {
#pragma unroll
    for (int t = 0; t <= Columns; ++t) place[t] = 0;
    for (auto l = row.begin; l < row.end; ++l) {
      Index const column = U.column[l];
#pragma unroll
      for (int e = 0; e < Columns; ++e)
        if (column == wanted[e]) place[e] = row.a * U.value[l];
    }
  }
};

template <int Columns>
void masked_product(Cuda const& space, MaskedLanesBody<Columns> const& body) {
  auto const rows = static_cast<std::size_t>(body.mask.rows);
  core::detail::with_lanes(rows, body.A.column.size(), [&](auto lanes) {
    core::for_each_group(space, rows, core::GroupShape<decltype(lanes)::value, body.threads>{}, body);
  });
}

}  // namespace detail

template <class Order>
void masked_product(Cuda const& space, CsrView<double> A, Mask const& mask, CsrView<double> U,
                    Order const& /*order*/, double* result) {
  if (mask.blocks.width > 1) {
    if (mask.blocks.rows <= 3) return detail::masked_nodes<3>(space, A, mask, U, result);
    return detail::masked_nodes<6>(space, A, mask, U, result);
  }
  if (mask.entries <= 6 * static_cast<std::size_t>(mask.rows)) {
    detail::masked_product(space, detail::MaskedLanesBody<8>{A, mask, U, result});
  } else {
    detail::masked_product(space, detail::MaskedLanesBody<16>{A, mask, U, result});
  }
}

}  // namespace Tessera::sparse
