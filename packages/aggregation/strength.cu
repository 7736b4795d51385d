#include "aggregation/strength_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<Cuda> strength(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<double const>,
                                      int, StrengthParameters const&);
template StrengthGraph<Cuda> strength(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<double const>,
                                      Span<double const>, int, StrengthParameters const&);

}  // namespace Tessera::aggregation
