#pragma once
/// \file
/// For row_reduce: terms and epilogues of products, and sums of long rows. A sum of n terms in storage
/// order has up to n rounding errors; for a row of 20,000 entries that exceeds the tolerances of solvers.
/// Rows of more than longest_plain_row entries are summed in pieces of piece_entries, and the rounding errors
/// of the pieces' sum are kept (TwoSum: Knuth 1969; Ogita, Rump, Oishi 2005). Then a sum has piece_entries +
/// 2 rounding errors for any length. Other rows keep the bits of the plain loop. Zero entries do not count,
/// because formats differ in their padding.
#include <cmath>
#include <type_traits>

#include "core/interleaved.hpp"
#include "core/types.hpp"

namespace Tessera::sparse {

constexpr int longest_plain_row = 256, piece_entries = 8;

/// Whether a sum consists of floating-point numbers. Other sums run in storage order for rows of any length.
template <class Sum>
inline constexpr bool sums_in_pieces = std::is_floating_point_v<core::NumberOf<Sum>>;

template <class Sum>
class PiecewiseSum {
 public:
  static constexpr bool counts = true;  ///< whether add() needs its second argument
  /// counts: whether the entry is not zero.
  TESSERA_HD void add(Sum const& term, bool counts) {
    if (counts && entries_++ % piece_entries == 0) close();
    plain_ += term;
    piece_ += term;
  }
  TESSERA_HD Sum finish() {
    if (entries_ <= longest_plain_row) return plain_;
    close();
    return total_ + rest_;
  }

 private:
  TESSERA_HD void close() {
    auto const sum = total_ + piece_;
    auto const added = sum - total_;
    rest_ += (total_ - (sum - added)) + (piece_ - added);
    total_ = sum;
    piece_ = Sum{};
  }

  Sum plain_{}, piece_{}, total_{}, rest_{};
  int entries_ = 0;
};

/// The same interface for short rows.
template <class Sum>
struct PlainSum {
  static constexpr bool counts = false;
  Sum sum{};
  TESSERA_HD void add(Sum const& term, bool) { sum += term; }
  TESSERA_HD Sum const& finish() const { return sum; }
};

namespace detail {

/// Whether a row of `entries` entries, zeros included, may be summed in pieces.
template <class Sum>
TESSERA_HD constexpr bool row_in_pieces(Offset entries) {
  return sums_in_pieces<Sum> && entries > longest_plain_row;
}

/// The sum of a row on the host: walk(add) calls add(term, counts) for each entry.
template <class Sum, class Walk>
Sum row_sum(Offset entries, Walk const& walk) {
  if constexpr (sums_in_pieces<Sum>) {
    if (row_in_pieces<Sum>(entries)) {
      PiecewiseSum<Sum> sum;
      walk([&sum](Sum const& term, bool counts) { sum.add(term, counts); });
      return sum.finish();
    }
  }
  Sum sum{};
  walk([&sum](Sum const& term, bool) { sum += term; });
  return sum;
}

}  // namespace detail

/// The rounding error of a row's sum relative to that of a sum of few terms: rounding errors of a plain sum
/// add up as a random walk (Higham, Mary 2019). Rows of up to 16 entries weigh 1, since tolerances near the
/// rounding level are measured with such rows (docs/decisions/0017), and so do rows that are summed in
/// pieces.
TESSERA_HD inline double rounding_weight(int entries) {
  return entries <= 16 || entries > longest_plain_row ? 1 : sqrt(entries / 16.0);
}

/// x in one array.
template <class X>
struct OneVector {
  X const* values;
  TESSERA_HD X operator()(Index c) const { return values[c]; }
};

/// x in one array, with entries of A rounded to float.
template <class X>
struct TimesRoundedEntries {
  using Entry = float;
  X const* values;
  TESSERA_HD X operator()(Index c) const { return values[c]; }
};

/// Owned columns first, then ghosts.
template <class X>
struct OwnedAndGhosts {
  X const* owned;
  X const* ghost;
  Index owned_count;
  TESSERA_HD X operator()(Index c) const { return c < owned_count ? owned[c] : ghost[c - owned_count]; }
};

/// |x_j|, which is multiplied by |a_ij|.
struct Magnitude {
  double value;
  template <class T>
  friend TESSERA_HD double operator*(T a, Magnitude x) {
    return fabs(static_cast<double>(a)) * x.value;
  }
};

/// The magnitudes of a vector: the row sums are (|A| |x|)_i, without cancellation.
template <class X>
struct Magnitudes {
  X x;
  TESSERA_HD Magnitude operator()(Index c) const { return {fabs(static_cast<double>(x(c)))}; }
};

/// A row's sum of magnitudes, and its number of nonzero entries.
struct CountedMagnitude {
  double sum = 0;
  int entries = 0;
  TESSERA_HD CountedMagnitude& operator+=(CountedMagnitude const& other) {
    sum += other.sum;
    entries += other.entries;
    return *this;
  }
};
struct CountedFactor {
  Magnitude magnitude;
  template <class T>
  friend TESSERA_HD CountedMagnitude operator*(T a, CountedFactor x) {
    return {a * x.magnitude, a != 0 ? 1 : 0};
  }
};
template <class X>
struct CountedMagnitudes {
  Magnitudes<X> x;
  TESSERA_HD CountedFactor operator()(Index c) const {
    CountedFactor factor{};
    factor.magnitude = x(c);
    return factor;
  }
};

/// How a product takes its vector: with signs, or in magnitude.
struct WithSigns {
  template <class X>
  X operator()(X const& x) const {
    return x;
  }
};
struct InMagnitude {
  template <class X>
  Magnitudes<X> operator()(X const& x) const {
    return {x};
  }
};

struct InCountedMagnitude {
  template <class X>
  CountedMagnitudes<X> operator()(X const& x) const {
    return {{x}};
  }
};

/// y = rounding_weight of each row times |A| |x|
struct StoreWeighted {
  double* y;
  TESSERA_HD void operator()(Index i, CountedMagnitude const& row) const {
    y[i] = rounding_weight(row.entries) * row.sum;
  }
};

/// y = A x
template <class T>
struct StoreProduct {
  T* y;
  template <class Sum>
  TESSERA_HD void operator()(Index i, Sum sum) const {
    y[i] = static_cast<T>(sum);
  }
};

/// y += A x
template <class T>
struct AddProduct {
  T* y;
  template <class Sum>
  TESSERA_HD void operator()(Index i, Sum sum) const {
    y[i] += static_cast<T>(sum);
  }
};

/// r = b - A x
template <class T>
struct StoreResidual {
  T const* b;
  T* r;
  template <class Sum>
  TESSERA_HD void operator()(Index i, Sum sum) const {
    r[i] = b[i] - static_cast<T>(sum);
  }
};

}  // namespace Tessera::sparse
