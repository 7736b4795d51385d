#include "sparse/formats/sell_body.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(T, From)                                        \
  template Sell<T, Cuda> to_sell<T>(Cuda const&, CsrRows<From>, SellShape); \
  template void refresh_sell(Cuda const&, CsrView<From>, Sell<T, Cuda>&);
TESSERA_INSTANTIATE(double, double)
TESSERA_INSTANTIATE(double, float)
TESSERA_INSTANTIATE(float, double)
TESSERA_INSTANTIATE(float, float)

}  // namespace Tessera::sparse
