#include "galerkin/pair_sums_body.hpp"

namespace Tessera::galerkin {

template class PairSums<InstanceSpace>;

}  // namespace Tessera::galerkin
