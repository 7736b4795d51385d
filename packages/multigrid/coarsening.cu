#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Cuda>;
template DiagonalBound<Cuda> diagonal_bound(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                            Span<VertexId const>, int, int, Parameters const&,
                                            Coarsening<Cuda> const*);

}  // namespace Tessera::multigrid
