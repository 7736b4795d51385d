#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Host>;
template DiagonalBound<Host> diagonal_bound(Host const&, comm::DistCsr<double, Host> const&,
                                            Span<VertexId const>, int, Parameters const&);
template void refresh(Host const&, comm::DistCsr<double, Host> const&, Span<VertexId const>, int,
                      Parameters const&, DiagonalBound<Host>&);

}  // namespace Tessera::multigrid
