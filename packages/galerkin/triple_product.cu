#include "galerkin/triple_product_body.hpp"

namespace Tessera::galerkin {

template class CoarseAssembly<Cuda>;
template class TripleProduct<Cuda>;

}  // namespace Tessera::galerkin
