#pragma once
/// \file
/// How the operations of vector.hpp are done.
#include "core/parallel.hpp"
#include "sparse/vector.hpp"

namespace Tessera::sparse {

template <class T>
struct AxpbyBody {
  T alpha;
  T const* x;
  T beta;
  T* y;
  TESSERA_HD void operator()(Index i) const { y[i] = alpha * x[i] + beta * y[i]; }
};

template <class From, class To, class Scale>
struct ScaledCopyBody {
  Scale alpha;
  From const* x;
  To* y;
  TESSERA_HD void operator()(Index i) const { y[i] = static_cast<To>(alpha * x[i]); }
};

template <class T>
struct MultiplyElementsBody {
  T const* x;
  T const* y;
  T* z;
  TESSERA_HD void operator()(Index i) const { z[i] = x[i] * y[i]; }
};

template <class T>
struct DotBody {
  T const* x;
  T const* y;
  TESSERA_HD double operator()(Index i) const {
    return static_cast<double>(x[i]) * static_cast<double>(y[i]);
  }
};

template <class T, class Space>
void axpby(Space const& space, std::common_type_t<T> alpha, Span<T const> x, std::common_type_t<T> beta,
           Span<T> y) {
  if (beta == T{0}) {
    core::for_each(space, y.size(), ScaledCopyBody<T, T, T>{alpha, x.data(), y.data()});
  } else {
    core::for_each(space, y.size(), AxpbyBody<T>{alpha, x.data(), beta, y.data()});
  }
}

template <class From, class To, class Space>
void scaled_copy(Space const& space, double alpha, Span<From const> x, Span<To> y) {
  using Scale = std::common_type_t<From, To>;
  core::for_each(space, y.size(),
                 ScaledCopyBody<From, To, Scale>{static_cast<Scale>(alpha), x.data(), y.data()});
}

template <class T, class Space>
void multiply_elements(Space const& space, Span<T const> x, Span<T const> y, Span<T> z) {
  core::for_each(space, z.size(), MultiplyElementsBody<T>{x.data(), y.data(), z.data()});
}

template <class T, class Space>
double dot(Space const& space, Span<T const> x, Span<T const> y) {
  return core::sum(space, x.size(), DotBody<T>{x.data(), y.data()});
}

}  // namespace Tessera::sparse
