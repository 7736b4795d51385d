#include "aggregation/strength_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<Host> strength(Host const&, comm::DistCsr<double, Host> const&, Points const&,
                                      StrengthParameters const&);
template StrengthGraph<Host> strength(Host const&, comm::DistCsr<double, Host> const&, Span<double const>,
                                      Points const&, StrengthParameters const&);

}  // namespace Tessera::aggregation
