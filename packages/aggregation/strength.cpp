#include "aggregation/strength_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<Host> strength(Host const&, comm::DistCsr<double, Host> const&, Span<double const>,
                                      int, StrengthParameters const&);
template StrengthGraph<Host> strength(Host const&, comm::DistCsr<double, Host> const&, Span<double const>,
                                      Span<double const>, int, StrengthParameters const&);

}  // namespace Tessera::aggregation
