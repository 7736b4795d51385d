#include "galerkin/triple_product_body.hpp"

namespace Tessera::galerkin {

template class CoarseAssembly<InstanceSpace>;
template class TripleProduct<InstanceSpace>;

}  // namespace Tessera::galerkin
