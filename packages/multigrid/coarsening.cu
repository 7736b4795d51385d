#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Cuda>;
template DiagonalBound<Cuda> inspect_level(Cuda const&, LevelToInspect<Cuda> const&, bool, LevelNumbers*);
template void estimate_level(Cuda const&, LevelToInspect<Cuda> const&, Parameters const&, LevelNumbers*,
                             DiagonalBound<Cuda>&);
template double estimate_level(Cuda const&, LevelToInspect<Cuda> const&, Parameters const&,
                               DiagonalBound<Cuda>&);
template void take_numbers(comm::Communicator const&, int, Parameters const&, LevelNumbers const&,
                           DiagonalBound<Cuda>&);

}  // namespace Tessera::multigrid
