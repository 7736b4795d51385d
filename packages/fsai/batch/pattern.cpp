#include "fsai/batch/pattern_body.hpp"

namespace Tessera::fsai {

template Pattern<InstanceSpace> prefiltered(InstanceSpace const&, LowerRows const&, double);
template Pattern<InstanceSpace> prefiltered(InstanceSpace const&, sparse::CsrView<double>, Span<double const>,
                                            double, Index);
template Pattern<InstanceSpace> static_pattern(InstanceSpace const&, PatternView, OwnRows const&, RowBound,
                                               Span<unsigned char>);

}  // namespace Tessera::fsai
