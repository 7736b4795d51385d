#include "sparse/formats/formats_body.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(T, From)                                        \
  template Sell<T, Cuda> to_sell<T>(Cuda const&, CsrRows<From>, SellShape); \
  template void refresh_rows(Cuda const&, CsrView<From>, Sell<T, Cuda>&);
TESSERA_INSTANTIATE(double, double)
TESSERA_INSTANTIATE(double, float)
TESSERA_INSTANTIATE(float, double)
TESSERA_INSTANTIATE(float, float)

template class SplitRows<double, Cuda>;
template class SplitRows<float, Cuda>;

}  // namespace Tessera::sparse
