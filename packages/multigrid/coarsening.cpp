#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Host>;
template DiagonalBound<Host> diagonal_bound(Host const&, comm::DistCsr<double, Host> const&,
                                            Span<VertexId const>, int, int, Parameters const&,
                                            Coarsening<Host> const*);

}  // namespace Tessera::multigrid
