#include "aggregation/strength_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<Cuda> strength(Cuda const&, comm::DistCsr<double, Cuda> const&, Points const&,
                                      StrengthParameters const&);
template StrengthGraph<Cuda> strength(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<double const>,
                                      Points const&, StrengthParameters const&);

}  // namespace Tessera::aggregation
