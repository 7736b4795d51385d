#pragma once
/// \file
/// Products whose pattern is given:
///
///     masked_product(space, A, mask, U, order, result)
///
/// result[s] = sum over k in row i of A of A.value[k] U(A.column[k], c) for entry s of row i of the mask,
/// which is in column c; in A's storage order, so that host and CUDA agree bitwise. What the product has
/// beside the mask is left out, what it lacks is zero. Allocates nothing.
///
/// Rows of the mask and of U are blocks of columns, which stand together and are known by their first; blocks
/// ascend by order.rank_of(first column) within a row. The mask's rows of a node have one pattern, and U's
/// first rows are as many and have the mask's. order: a trivially copyable struct.
#include <cstddef>

#include "core/parallel.hpp"
#include "sparse/csr.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::sparse {

struct Mask {
  Index rows = 0;
  Offset const* offsets = nullptr;
  Index const* column = nullptr;  ///< as U numbers its columns
  std::size_t entries = 0;
  MergeShape blocks{};  ///< rows of a node, columns that come together
};

namespace detail {

/// The host's way: a thread takes a row, which is merged with each of U.
template <class Order>
struct MaskedMergeBody {
  CsrView<double> A;
  Mask mask;
  CsrView<double> U;
  Order order;
  double* result;
  void operator()(Index i) const {
    auto const begin = mask.offsets[i], end = mask.offsets[i + 1];
    for (auto s = begin; s < end; ++s) result[s] = 0;
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) add(A.value[k], A.column[k], begin, end);
  }

 private:
  void add(double a, Index j, Offset s, Offset end) const {
    int const m = mask.blocks.width;
    auto const stop = U.offsets[j + 1];
    for (auto l = U.offsets[j]; l < stop; l += m) {
      auto const first = U.column[l], key = order.rank_of(first);
      while (s < end && order.rank_of(mask.column[s]) < key) s += m;
      if (s >= end) return;
      if (mask.column[s] != first) continue;
      for (int c = 0; c < m; ++c) result[s + c] += a * U.value[l + c];
    }
  }
};

}  // namespace detail

template <class Order>
void masked_product(Host const& space, CsrView<double> A, Mask const& mask, CsrView<double> U,
                    Order const& order, double* result) {
  core::for_each(space, static_cast<std::size_t>(mask.rows),
                 detail::MaskedMergeBody<Order>{A, mask, U, order, result});
}

}  // namespace Tessera::sparse

#if defined(__CUDACC__)
#include "sparse/engine/row_merge/masked_product_cuda.cuh"
#endif
