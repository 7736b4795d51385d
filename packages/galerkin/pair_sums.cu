#include "galerkin/pair_sums_body.hpp"

namespace Tessera::galerkin {

template class PairSums<Cuda>;

}  // namespace Tessera::galerkin
