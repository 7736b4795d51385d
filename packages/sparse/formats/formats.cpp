#include "sparse/formats/formats_body.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(T, From)                                                          \
  template Sell<T, InstanceSpace> to_sell<T>(InstanceSpace const&, CsrRows<From>, SellShape); \
  template void refresh_rows(InstanceSpace const&, CsrView<From>, Sell<T, InstanceSpace>&);
TESSERA_INSTANTIATE(double, double)
TESSERA_INSTANTIATE(double, float)
TESSERA_INSTANTIATE(float, double)
TESSERA_INSTANTIATE(float, float)

template class SplitRows<double, InstanceSpace>;
template class SplitRows<float, InstanceSpace>;

}  // namespace Tessera::sparse
