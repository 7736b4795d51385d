#pragma once
/// \file
/// Terms and epilogues of products; see row_reduce.hpp.
#include <cmath>

#include "core/types.hpp"
#include "sparse/engine/piecewise_sum.hpp"

namespace Tessera::sparse {

/// x in one array.
template <class X>
struct OneVector {
  X const* values;
  TESSERA_HD X operator()(Index c) const { return values[c]; }
};

/// The same with entries rounded to float.
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

/// |x_j|, which meets |a_ij|.
struct Magnitude {
  double value;
  template <class T>
  friend TESSERA_HD double operator*(T a, Magnitude x) {
    return fabs(static_cast<double>(a)) * x.value;
  }
};

/// The same vector for row sums without cancellation: (|A| |x|)_i.
template <class X>
struct Magnitudes {
  X x;
  TESSERA_HD Magnitude operator()(Index c) const { return {fabs(static_cast<double>(x(c)))}; }
};

/// A row's sum without signs, and how many of its entries are not zero.
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

/// How a product sees its vector: as it is, or in magnitude.
struct AsItIs {
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
