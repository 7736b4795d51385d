#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Cuda>;

}  // namespace Tessera::multigrid
