#include "sparse/vector_body.hpp"

namespace Tessera::sparse {

template void scaled_copy(Cuda const&, double, Span<double const>, Span<double>);
template void scaled_copy(Cuda const&, double, Span<double const>, Span<float>);
template void scaled_copy(Cuda const&, double, Span<float const>, Span<double>);
template void scaled_copy(Cuda const&, double, Span<float const>, Span<float>);

#define TESSERA_INSTANTIATE(T)                                                         \
  template void axpby(Cuda const&, T, Span<T const>, T, Span<T>);                      \
  template void multiply_elements(Cuda const&, Span<T const>, Span<T const>, Span<T>); \
  template double dot(Cuda const&, Span<T const>, Span<T const>);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse
