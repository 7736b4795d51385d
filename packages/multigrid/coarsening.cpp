#include "multigrid/coarsening_body.hpp"

namespace Tessera::multigrid {

template class Coarsening<Host>;
template DiagonalBound<Host> inspect_level(Host const&, LevelToInspect<Host> const&, bool, LevelNumbers*);
template void estimate_level(Host const&, LevelToInspect<Host> const&, Parameters const&, LevelNumbers*,
                             DiagonalBound<Host>&);
template double estimate_level(Host const&, LevelToInspect<Host> const&, Parameters const&,
                               DiagonalBound<Host>&);
template void take_numbers(comm::Communicator const&, int, Parameters const&, LevelNumbers const&,
                           DiagonalBound<Host>&);

}  // namespace Tessera::multigrid
