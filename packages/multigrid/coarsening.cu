#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Cuda>;
template DiagonalBound<Cuda> diagonal_bound(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                            Span<VertexId const>, int, Parameters const&);
template void refresh(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<VertexId const>, int,
                      Parameters const&, DiagonalBound<Cuda>&);

}  // namespace Tessera::multigrid
