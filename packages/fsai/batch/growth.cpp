#include "fsai/batch/growth_body.hpp"

namespace Tessera::fsai {

template Pattern<InstanceSpace> grown_pattern(InstanceSpace const&, LowerRows const&, PatternView,
                                              Span<double const>, Span<unsigned char>, GrowthRule const&);

}  // namespace Tessera::fsai
