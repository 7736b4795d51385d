#include "galerkin/triple_product_body.hpp"

namespace Tessera::galerkin {

template class CoarseAssembly<Host>;
template class TripleProduct<Host>;

}  // namespace Tessera::galerkin
