#pragma once
/// \file
/// How the operations of csr.hpp are done.
#include <cmath>
#include <cstring>

#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "sparse/convert.hpp"
#include "sparse/csr.hpp"

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

template <class T>
struct ExtractDiagonalBody {
  CsrView<T> A;
  Span<T> diagonal;
  TESSERA_HD void operator()(Index i) const {
    T found = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] == i) found = A.value[k];
    }
    diagonal[i] = found;
  }
};

template <class T, class Space>
void extract_diagonal(Space const& space, CsrView<T> A, Span<T> diagonal) {
  core::for_each(space, diagonal.size(), ExtractDiagonalBody<T>{A, diagonal});
}

template <class T>
struct AbsoluteRowSumBody {
  CsrView<T> A;
  Span<T> sums;
  bool with_diagonal;
  TESSERA_HD void operator()(Index i) const {
    T sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      T const a = A.value[k] < 0 ? -A.value[k] : A.value[k];
      if (with_diagonal || A.column[k] != i) sum += a;
    }
    sums[i] = sum;
  }
};

template <class T, class Space>
void absolute_row_sums(Space const& space, CsrView<T> A, Span<T> sums) {
  core::for_each(space, A.rows, AbsoluteRowSumBody<T>{A, sums, true});
}

template <class T, class Space>
void off_diagonal_row_sums(Space const& space, CsrView<T> A, Span<T> sums) {
  core::for_each(space, A.rows, AbsoluteRowSumBody<T>{A, sums, false});
}

/// rows - i for a row i with an infinity or a NaN, else 0: the largest is the first such row.
template <class T>
struct NonfiniteRowBody {
  CsrView<T> A;
  TESSERA_HD Index operator()(Index i) const {
    T poison = 0;  // 0 * v is NaN exactly when v is not finite
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) poison += T{0} * A.value[k];
    return poison == T{0} ? 0 : A.rows - i;
  }
};

template <class T, class Space>
Index first_nonfinite_row(Space const& space, CsrView<T> A) {
  auto const largest = core::reduce(space, A.rows, NonfiniteRowBody<T>{A}, core::Max{}, Index{0});
  return largest == 0 ? -1 : A.rows - largest;
}

template <class T>
struct ChecksumBody {
  CsrView<T> A;
  GlobalIndex row_base;
  Span<GlobalIndex const> column_of;
  TESSERA_HD std::uint64_t operator()(Index i) const {
    std::uint64_t sum = 0;
    auto const row = core::mix64(static_cast<std::uint64_t>(row_base + i) + 0x9e3779b97f4a7c15ull);
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      auto const c = column_of.empty() ? GlobalIndex{A.column[k]} : column_of[A.column[k]];
      double const value = A.value[k];
      std::uint64_t bits;
      memcpy(&bits, &value, sizeof bits);
      sum += core::mix64(core::mix64(row ^ static_cast<std::uint64_t>(c)) ^ bits);
    }
    return sum;
  }
};

template <class T, class Space>
std::uint64_t checksum(Space const& space, CsrView<T> A, GlobalIndex row_base,
                       Span<GlobalIndex const> column_of) {
  auto const entries = core::sum(space, A.rows, ChecksumBody<T>{A, row_base, column_of});
  return entries + core::mix64(static_cast<std::uint64_t>(A.rows) + 1);
}

}  // namespace Tessera::sparse
