#include "multigrid/spectrum_body.hpp"

namespace Tessera::multigrid {

template struct Spectrum<Cuda>;

}  // namespace Tessera::multigrid
