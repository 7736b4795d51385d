#pragma once
/// \file
/// Bodies of csr.hpp.
#include "sparse/convert.hpp"
#include "sparse/csr.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::sparse {

template <class To, class T, class From, class Target>
Csr<To, Target> copied(From const& from, Csr<T, From> const& A, Target const& to) {
  Csr<To, Target> result{A.rows, A.columns, core::copied(from, A.offsets.view(), to),
                         core::copied(from, A.column.view(), to), Array<To, Target>(to, A.value.size())};
  if constexpr (std::is_same_v<To, T>) {
    core::copy(from, A.value.view(), to, result.value.span());
  } else if constexpr (std::is_same_v<From, Target>) {
    convert(from, A.value.view(), result.value.span());
  } else {
    Array<To, From> rounded(from, A.value.size());
    convert(from, A.value.view(), rounded.span());
    core::copy(from, rounded.view(), to, result.value.span());
  }
  return result;
}

/// a_ii for the diagonal entry, 0 for the others.
template <class T>
struct DiagonalTerm {
  TESSERA_HD T operator()(Index i, Offset, T a, Index c) const { return c == i ? a : T{0}; }
};

template <class T, class Space>
void extract_diagonal(Space const& space, CsrView<T> A, Span<T> diagonal) {
  auto rows = all_rows(A);
  rows.count = static_cast<Index>(diagonal.size());
  row_reduce(space, rows, DiagonalTerm<T>{}, StoreProduct<T>{diagonal.data()});
}

/// NaN if a is not finite, else 0.
template <class T>
struct PoisonTerm {
  TESSERA_HD T operator()(Index, Offset, T a, Index) const { return T{0} * a; }
};

/// rows - i for a row i that is not finite, else 0. The maximum belongs to the first such row.
struct PoisonedRow {
  Index rows;
  template <class T>
  TESSERA_HD Offset operator()(Index i, T poison) const {
    return poison == T{0} ? 0 : rows - i;
  }
};

template <class T, class Space>
Index first_nonfinite_row(Space const& space, CsrView<T> A) {
  Array<Offset, Space> largest(space, 1);
  core::ReduceScratch<Space> scratch(space, A.rows, sizeof(Offset));
  row_reduce_into(space, A, PoisonTerm<T>{}, PoisonedRow{A.rows}, core::Max{}, Offset{0},
                  core::StoreResult<Offset>{largest.data()}, scratch);
  auto const found = static_cast<Index>(core::to_vector(space, largest.view()).front());
  return found == 0 ? -1 : A.rows - found;
}

}  // namespace Tessera::sparse
