#include "aggregation/diagonal_body.hpp"

namespace Tessera::aggregation {

template Array<double, Cuda> checked_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&);
template void check_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<double const>, double);

}  // namespace Tessera::aggregation
