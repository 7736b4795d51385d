#include "multigrid/spectrum_body.hpp"

namespace Tessera::multigrid {

template struct Spectrum<Host>;

}  // namespace Tessera::multigrid
