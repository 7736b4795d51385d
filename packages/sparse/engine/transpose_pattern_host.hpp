#pragma once
/// \file
/// A transpose on the host: a counting sort by column, each thread with its own counters.
#include <omp.h>

#include <algorithm>

#include "core/parallel.hpp"
#include "sparse/engine/transpose_pattern.hpp"

namespace Tessera::sparse {

/// Thread t takes the t-th stretch of rows; in each column its entries stand behind those of threads before
/// it, so the result is that of one thread. Values are gathered afterwards: rows of A^T are far apart, so
/// that everything that is written to all of them at once costs cache.
template <>
struct TransposePattern<Host> {
  template <class T>
  static void run(Host const& space, CsrView<T> A, Transposed<T, Host>& At) {
    std::size_t const rows = A.rows, columns = A.columns, nonzeros = A.column.size();
    auto const affordable = 1 + 2 * nonzeros / (columns + 1);  // counters no bigger than the matrix
    auto const stretches = nonzeros < core::serial_below
                               ? std::size_t{1}
                               : std::min<std::size_t>(omp_get_max_threads(), affordable);
    auto const row_at = [&](std::size_t t) {  // stretches of equal numbers of entries
      auto const wanted = static_cast<Offset>(nonzeros * t / stretches);
      return t == stretches
                 ? rows
                 : static_cast<std::size_t>(std::lower_bound(A.offsets.begin(), A.offsets.end() - 1, wanted) -
                                            A.offsets.begin());
    };
    Array<Index, Host> next(space, stretches * columns);
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
    for (std::size_t t = 0; t < stretches; ++t) {
      Index* const mine = next.data() + t * columns;
      std::fill(mine, mine + columns, 0);
      Index const* const column = A.column.data();
      auto const end = A.offsets[row_at(t + 1)];
      for (Offset k = A.offsets[row_at(t)]; k < end; ++k) ++mine[column[k]];
    }
    core::for_each(space, columns, [&](Index c) {
      Offset sum = 0;
      for (std::size_t t = 0; t < stretches; ++t) sum += next[t * columns + c];
      At.matrix.offsets[c] = sum;
    });
    core::exclusive_scan(space, At.matrix.offsets.span().part(0, columns), At.matrix.offsets.span());
    core::for_each(space, columns, [&](Index c) {
      auto at = static_cast<Index>(At.matrix.offsets[c]);
      for (std::size_t t = 0; t < stretches; ++t) at += std::exchange(next[t * columns + c], at);
    });
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
    for (std::size_t t = 0; t < stretches; ++t) {
      Index* __restrict const mine = next.data() + t * columns;
      Index const* __restrict const column = A.column.data();
      Offset const* __restrict const offset = A.offsets.data();
      Index* __restrict const row = At.matrix.column.data();
      Index* __restrict const source = At.source.data();
      auto const end = row_at(t + 1);
      for (auto i = row_at(t); i < end; ++i) {
        for (Offset k = offset[i]; k < offset[i + 1]; ++k) {
          auto const at = mine[column[k]]++;
          row[at] = static_cast<Index>(i);
          source[at] = static_cast<Index>(k);
        }
      }
    }
  }
};

}  // namespace Tessera::sparse
