#include "sparse/formats/formats_body.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(T, From)                                        \
  template Sell<T, Host> to_sell<T>(Host const&, CsrRows<From>, SellShape); \
  template void refresh_rows(Host const&, CsrView<From>, Sell<T, Host>&);
TESSERA_INSTANTIATE(double, double)
TESSERA_INSTANTIATE(double, float)
TESSERA_INSTANTIATE(float, double)
TESSERA_INSTANTIATE(float, float)

template class SplitRows<double, Host>;
template class SplitRows<float, Host>;

}  // namespace Tessera::sparse
