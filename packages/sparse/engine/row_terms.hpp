#pragma once
/// \file
/// Terms and epilogues of products; see row_reduce.hpp.
#include "core/types.hpp"

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
