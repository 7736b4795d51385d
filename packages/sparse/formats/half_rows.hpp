#pragma once
/// \file
/// row_reduce for rows in Half, and how rows are rounded to Half.
#include <cmath>

#include "core/half.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::sparse {

/// What a row in Half stands for: the row times half_scale(exponent[i]), whose diagonal entry has the further
/// digits rest[i]. The sum of the row is scaled, which gives the bits of scaled entries, because a power of
/// two rounds nothing. For terms that take the column alone.
struct HalfScales {
  unsigned char const* exponent;
  Half const* rest;  ///< null: none
  template <class Term, class Sum>
  TESSERA_HD Sum operator()(Index i, Term const& term, Sum sum) const {
    if (rest != nullptr) sum += rest[i] * term(i);
    return core::half_scale(exponent[i]) * sum;
  }
};

/// Rows of a matrix in Half.
template <class Rows>
struct ScaledRows {
  Rows stored;
  HalfScales scales;
  Index rows = detail::row_count(stored);
};

template <class Term, class Epilogue>
struct ScaleSum {
  HalfScales scales;
  Term term;
  Epilogue epilogue;
  template <class Sum>
  TESSERA_HD void operator()(Index i, Sum const& sum) const {
    epilogue(i, scales(i, term, sum));
  }
  TESSERA_HD auto loaded() const {
    auto const inner = core::detail::loaded(epilogue, 0);
    return ScaleSum<Term, std::remove_const_t<decltype(inner)>>{scales, term, inner};
  }
};

template <class Space, class Rows>
struct RowWalk<Space, ScaledRows<Rows>> {
  using Walk = RowWalk<Space, Rows>;
  template <class Term, class Epilogue>
  static void run(Space const& space, ScaledRows<Rows> const& A, Term const& term, Epilogue const& epilogue) {
    Walk::run(space, A.stored, term, ScaleSum<Term, Epilogue>{A.scales, term, epilogue});
  }
  template <class Term>
  static auto in_blocks(ScaledRows<Rows> const& A, Term const& term) {
    return Walk::in_blocks(A.stored, term);
  }
  template <class Term, class Epilogue>
  static void range(ScaledRows<Rows> const& A, Term const& term, Epilogue const& epilogue, Index begin,
                    Index end) {
    Walk::range(A.stored, term, ScaleSum<Term, Epilogue>{A.scales, term, epilogue}, begin, end);
  }
#if defined(TESSERA_CUDA_UNIT)
  template <class Term>
  static __device__ auto sum(ScaledRows<Rows> const& A, Index i, Term const& term) {
    return A.scales(i, term, Walk::sum(A.stored, i, term));
  }
#endif
};

/// What the rounding of a row needs to know.
struct HalfRowFacts {
  double largest = 0;  ///< magnitude; of the entries off the diagonal where sums of rows are kept
  Offset own = -1;     ///< the diagonal entry, where sums of rows are kept and the row has one
  TESSERA_HD HalfRowFacts& operator+=(HalfRowFacts const& other) {
    if (other.largest > largest) largest = other.largest;
    if (other.own >= 0) own = other.own;
    return *this;
  }
};

/// The ordered sum is the diagonal entry and the rounding errors of the others, where sums of rows are kept.
struct HalfRowTerm {
  bool row_sums;
  TESSERA_HD PartlyOrdered<double, HalfRowFacts> operator()(Index i, Offset k, double a, Index c) const {
    if (!row_sums) return {0, {std::fabs(a), -1}};
    if (c == i) return {a, {0, k}};
    return {a - core::rounded_to_half_digits(a), {std::fabs(a), -1}};
  }
};

/// Sets the scales of a row and its diagonal entry, which takes up the rounding errors of the others as a
/// float in two halves.
struct StoreHalfScales {
  Half* value;
  unsigned char* exponent;
  Half* rest;  ///< null: the sums of rows are not kept
  TESSERA_HD void operator()(Index i, PartlyOrdered<double, HalfRowFacts> const& row) const {
    auto const own = row.rest.own;
    double const diagonal = row.ordered, size = own >= 0 ? std::fabs(diagonal) : 0;
    exponent[i] = core::half_exponent(size > row.rest.largest ? size : row.rest.largest);
    if (rest == nullptr) return;
    double const scale = core::inverse_half_scale(exponent[i]);
    double const d = own < 0 ? 0 : static_cast<float>(diagonal * scale);
    if (own >= 0) value[own] = Half(d);
    rest[i] = core::half_towards_zero(d - static_cast<double>(Half(d)));
  }
};

/// Rounds the entries that StoreHalfScales has not set.
struct RoundEntryBody {
  CsrView<double> A;
  Half* value;
  unsigned char const* exponent;
  bool row_sums;
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD void operator()(Index i, Offset k) const {
    if (row_sums && A.column[k] == i) return;
    value[k] = Half(A.value[k] * core::inverse_half_scale(exponent[i]));
  }
};

/// round_to_half() of a row.
struct RoundTransferBody {
  Offset const* offsets;
  double* value;
  TESSERA_HD void operator()(Index i) const {
    auto const begin = offsets[i], end = offsets[i + 1];
    double largest = 0, smallest = HUGE_VAL;
    auto last = begin;
    for (auto k = begin; k < end; ++k) {
      double const magnitude = std::fabs(value[k]);
      if (magnitude > largest) largest = magnitude;
      if (magnitude == 0 || magnitude > smallest) continue;
      smallest = magnitude;
      last = k;
    }
    constexpr double with_errors = 1 + 1.0 / 512;  // of the other entries, which the largest one may take up
    auto const exponent = core::half_exponent(with_errors * largest);
    double const unit = core::half_scale(exponent), scale = core::inverse_half_scale(exponent);
    double error = 0;
    auto const round = [&](Offset k) {
      if (value[k] == 0) return;
      double const a = value[k] + error;
      value[k] = unit * static_cast<double>(Half(a * scale));
      error = a - value[k];
    };
    for (auto k = begin; k < end; ++k) {
      if (k != last) round(k);
    }
    if (last < end) round(last);
  }
};

}  // namespace Tessera::sparse
