#include "aggregation/diagonal_body.hpp"

namespace Tessera::aggregation {

template Array<double, Cuda> checked_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&);

}  // namespace Tessera::aggregation
