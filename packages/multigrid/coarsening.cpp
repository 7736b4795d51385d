#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Host>;

}  // namespace Tessera::multigrid
