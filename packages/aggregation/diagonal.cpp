#include "aggregation/diagonal_body.hpp"

namespace Tessera::aggregation {

template Array<double, Host> checked_diagonal(Host const&, comm::DistCsr<double, Host> const&);
template void check_diagonal(Host const&, comm::DistCsr<double, Host> const&, Span<double const>, double);

}  // namespace Tessera::aggregation
