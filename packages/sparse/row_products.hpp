#pragma once
/// \file
/// y_i = (A x)_i handed row by row to an epilogue: SpMV, residual and every smoother step are one pass over
/// A.
///
///     for_each_row_product(space, A, x, epilogue)         A: CsrView or SellView, all stored rows
///     for_each_row_product(space, A, list, x, epilogue)   A: CsrView, the listed rows
///
/// x is a trivially copyable struct with X operator()(Index column) const, such as those below; the sum is in
/// the type of T * X. epilogue is one with void operator()(Index row, Sum sum) const, both TESSERA_HD. Sums
/// start from zero and run in storage order, so CSR and SELL, host and CUDA agree bitwise. Rows come in no
/// particular order, from several threads: an epilogue touches its own row only, and never x.
#include <cmath>

#include "sparse/csr.hpp"
#include "sparse/sell.hpp"

namespace Tessera::sparse {

/// x in one array.
template <class X>
struct OneVector {
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

#include "sparse/row_products_host.hpp"
#if defined(__CUDACC__)
#include "sparse/row_products_cuda.cuh"
#endif
