#pragma once
/// \file
/// Gather of the submatrix A[P, P] of a row on the host.
#include "sparse/csr.hpp"
#include "sparse/engine/column_table.hpp"
#include "sparse/engine/row_blocks_host.hpp"

namespace Tessera::fsai {

/// Gathers A[P, P] for one thread, with a table from columns to their positions in P.
template <class Places>
class Gather {
 public:
  explicit Gather(sparse::CsrView<double> A) : A_(A), places_(A.columns) {}

  /// Calls visit(a, b, a_ab) for each stored entry of A[P, P], row by row; only of the lower triangle if
  /// `lower`. P ascends. r: a number that differs between calls.
  template <class Visit>
  void operator()(Index r, Span<Index const> P, bool lower, Visit const& visit) {
    auto const A = A_;
    auto const m = static_cast<Index>(P.size());
    if constexpr (Places::wants_size) {
      Offset column_bound = m;
      for (auto const p : P) column_bound += A.offsets[p + 1] - A.offsets[p];
      places_.start(r, column_bound);
    }
    auto const numbers = places_.numbers();
    for (Index a = 0; a < m; ++a) numbers.place(P[a], a);
    for (Index a = 0; a < m; ++a) {
      auto const p = P[a];
      auto const last = lower ? p : P[m - 1];
      for (Offset k = A.offsets[p]; k < A.offsets[p + 1]; ++k) {
        auto const c = A.column[k];
        if (c > last) break;  // columns ascend
        auto const b = numbers.find(c, m);
        if (b < m) visit(a, b, A.value[k]);
      }
    }
    places_.finish(m + 1);
  }

 private:
  sparse::CsrView<double> A_;
  Places places_;
};

/// Calls work with a null pointer to the type of table that suits this number of columns.
template <class Work>
void with_places(Index columns, Work const& work) {
  if (sparse::hash::dense_tables(columns)) {
    work(static_cast<sparse::hash::DensePlaces*>(nullptr));
  } else {
    work(static_cast<sparse::hash::HashedPlaces*>(nullptr));
  }
}

}  // namespace Tessera::fsai
